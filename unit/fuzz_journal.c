/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer entry for the journal of a repair in place.
 *
 * Build: links libpxr_shard.la and $(XXHASH_LIBS); needs -I$(top_srcdir)/tools.
 *
 * A shard in memory gets bad cells, and a journal is made for them.  Then there are two kinds
 * of tests.  In one, blocks that the journal covers are destroyed, as by a crash, and applying
 * the journal must restore the whole shard.  In the other, the journal itself is changed, and
 * whatever the change, no good cell may get other contents.
 */
#include "fuzz_input.h"
#include "journal_format.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STRIPES_MAX = 40, CELL_BLOCKS_MAX = 100, ENTRIES_MAX = 6, CHANGES_MAX = 8 };

struct journal_bytes {
    uint8_t *bytes;
    size_t size;
    uint64_t entries;
};

/* ---------------------------------------------------------------- shard -- */

static struct shard_header make_header(struct input *in)
{
    struct shard_header header = {.format = SHARD_FORMAT, .matrix = PXR_ISAL_CAUCHY};
    header.k = 1 + take_below(in, 3);
    header.m = 1 + take_below(in, 3);
    header.index = take_below(in, header.k + header.m);
    header.cell = SHARD_CELL_MIN * (1 + take_below(in, CELL_BLOCKS_MAX));
    /* A code of bytes, or of packets with a unit that fits all cells. */
    if (take_below(in, 2)) {
        header.matrix = PXR_JERASURE_CAUCHY_GOOD;
        header.w = 8;
        header.packetsize = SHARD_CELL_MIN / 8;
    }
    header.length = (uint64_t)take_below(in, STRIPES_MAX) * shard_stripe_size(&header) +
                    take_below(in, 500);
    memset(header.id, take(in), sizeof header.id);
    memcpy(header.name, "f", 2);
    return header;
}

static uint8_t *record_at(const struct shard_header *header, uint8_t *image, uint64_t stripe)
{
    return image + shard_record_offset(header, stripe);
}

static uint8_t *make_shard(const struct shard_header *header)
{
    size_t size = (size_t)shard_file_size(header);
    uint8_t *image = calloc(1, size);
    REQUIRE(image != NULL);
    shard_header_encode(header, image);
    shard_header_encode(header, image + size - SHARD_HEADER_SIZE);
    for (uint64_t s = 0; s < shard_stripes(header); s++) {
        uint8_t *record = record_at(header, image, s);
        size_t length = shard_cell_length(header, s);
        for (size_t i = 0; i < length; i++)
            record[SHARD_CHECK_SIZE + i] = (uint8_t)(s * 31 + i * 7 + (i >> 8));
        shard_cell_seal(header, header->index, s, record + SHARD_CHECK_SIZE, length, record);
    }
    return image;
}

static bool is_intact(const struct shard_header *header, uint8_t *image, uint64_t stripe)
{
    const uint8_t *record = record_at(header, image, stripe);
    return shard_cell_intact(header, header->index, stripe, record + SHARD_CHECK_SIZE,
                             shard_cell_length(header, stripe), record);
}

/* -------------------------------------------------------------- journal -- */

static void add_entry(struct journal_bytes *j, const struct shard_header *header,
                      const uint8_t *image, uint64_t offset, const uint8_t *right,
                      size_t length)
{
    struct journal_entry entry = journal_extent(header, offset, length);
    size_t extent = (size_t)entry.length;
    j->bytes = realloc(j->bytes, j->size + JOURNAL_ENTRY_SIZE + extent);
    REQUIRE(j->bytes != NULL);
    uint8_t *at = j->bytes + j->size, *bytes = at + JOURNAL_ENTRY_SIZE;
    memcpy(bytes, image + entry.offset, extent);
    journal_overlay(&entry, bytes, offset, right, length);
    journal_entry_encode(&entry, bytes, at);
    j->size += JOURNAL_ENTRY_SIZE + extent;
    j->entries++;
}

/* Spoils cells of the shard, its header or its trailer, and makes a journal that heals them. */
static struct journal_bytes make_journal(struct input *in, const struct shard_header *header,
                                         uint8_t *image, const uint8_t *right)
{
    uint64_t offset[ENTRIES_MAX], stripes = shard_stripes(header);
    size_t length[ENTRIES_MAX];
    unsigned count = 1 + take_below(in, ENTRIES_MAX);
    struct journal_bytes j = {malloc(JOURNAL_HEAD_SIZE), JOURNAL_HEAD_SIZE, 0};
    REQUIRE(j.bytes != NULL);
    memset(j.bytes, 0, JOURNAL_HEAD_SIZE);
    for (unsigned i = 0; i < count; i++) {
        uint64_t s = take_below(in, STRIPES_MAX + 2);
        bool cell = s < stripes;
        offset[i] = cell         ? shard_record_offset(header, s)
                    : s % 2 == 0 ? 0
                                 : shard_file_size(header) - SHARD_HEADER_SIZE;
        length[i] = cell ? SHARD_CHECK_SIZE + shard_cell_length(header, s) : SHARD_HEADER_SIZE;
        image[offset[i] + take_below(in, (unsigned)length[i])] ^= (uint8_t)(1 | take(in));
    }
    for (unsigned i = 0; i < count; i++) {
        struct journal_entry entry = journal_extent(header, offset[i], length[i]);
        /* As in the command, header and trailer are taken as they should be. */
        uint8_t *read = malloc((size_t)shard_file_size(header));
        REQUIRE(read != NULL);
        memcpy(read, image, (size_t)shard_file_size(header));
        memcpy(read, right, SHARD_HEADER_SIZE);
        memcpy(read + shard_file_size(header) - SHARD_HEADER_SIZE, right, SHARD_HEADER_SIZE);
        REQUIRE(entry.offset <= offset[i] &&
                offset[i] + length[i] <= entry.offset + entry.length);
        add_entry(&j, header, read, offset[i], right + offset[i], length[i]);
        free(read);
    }
    journal_head_encode(&(struct journal_head){*header, j.entries}, j.bytes);
    return j;
}

/* ---------------------------------------------------------------- apply -- */

static void write_extent(const struct shard_header *header, const struct journal_entry *entry,
                         const uint8_t *from, uint8_t *image)
{
    uint64_t first, end;
    uint8_t *bytes = malloc((size_t)entry->length);
    REQUIRE(bytes != NULL);
    memcpy(bytes, from, (size_t)entry->length);
    journal_stripes(header, entry, &first, &end);
    for (uint64_t s = first; s < end; s++)
        journal_keep_record(header, entry, bytes, s, record_at(header, image, s));
    memcpy(image + entry->offset, bytes, (size_t)entry->length);
    free(bytes);
}

/* Goes through the entries, and applies them if there is an image.  Returns false if one of
   them is damaged. */
static bool walk(const struct journal_bytes *j, const struct journal_head *head, uint8_t *image)
{
    size_t at = JOURNAL_HEAD_SIZE;
    for (uint64_t n = 0; n < head->entries; n++) {
        struct journal_entry entry;
        if (j->size - at < JOURNAL_ENTRY_SIZE ||
            !journal_entry_decode(&entry, j->bytes + at, &head->shard,
                                  j->size - at - JOURNAL_ENTRY_SIZE))
            return false;
        const uint8_t *bytes = j->bytes + at + JOURNAL_ENTRY_SIZE;
        REQUIRE(entry.offset + entry.length <= shard_file_size(&head->shard));
        if (!journal_entry_intact(&entry, bytes))
            return false;
        if (image != NULL)
            write_extent(&head->shard, &entry, bytes, image);
        at += JOURNAL_ENTRY_SIZE + (size_t)entry.length;
    }
    return at == j->size;
}

/* Applies the journal if it is one of this very shard.  Returns whether it did. */
static bool apply(const struct journal_bytes *j, const struct shard_header *header,
                  uint8_t *image)
{
    struct journal_head head;
    uint8_t again[JOURNAL_HEAD_SIZE], first[JOURNAL_HEAD_SIZE] = {0};
    memcpy(first, j->bytes, j->size < sizeof first ? j->size : sizeof first);
    if (journal_head_decode(&head, first, j->size) != JOURNAL_COMPLETE)
        return false;
    journal_head_encode(&head, again);
    REQUIRE(memcmp(again, first, sizeof again) == 0);
    return shard_same_set(&head.shard, header) && head.shard.index == header->index &&
           walk(j, &head, NULL) && walk(j, &head, image);
}

/* --------------------------------------------------------------- damage -- */

/* Destroys some blocks, as if they had been half written when the power failed. */
static void tear(struct input *in, const struct journal_bytes *j,
                 const struct shard_header *header, uint8_t *image)
{
    size_t at = JOURNAL_HEAD_SIZE;
    while (at < j->size) {
        struct journal_entry entry;
        REQUIRE(journal_entry_decode(&entry, j->bytes + at, header, j->size - at));
        for (uint64_t block = 0; block < entry.length; block += JOURNAL_BLOCK) {
            uint64_t rest = entry.length - block;
            if (take(in) & 1)
                memset(image + entry.offset + block, take(in),
                       (size_t)(rest < JOURNAL_BLOCK ? rest : JOURNAL_BLOCK));
        }
        at += JOURNAL_ENTRY_SIZE + (size_t)entry.length;
    }
}

static void seal_again(struct journal_bytes *j)
{
    uint8_t head[JOURNAL_HEAD_SIZE];
    struct journal_head parsed;
    size_t at = JOURNAL_HEAD_SIZE;
    while (j->size > at + JOURNAL_ENTRY_SIZE) {
        uint64_t length = 0;
        for (int i = 7; i >= 0; i--)
            length = length << 8 | j->bytes[at + 8 + (size_t)i];
        if (length > j->size - at - JOURNAL_ENTRY_SIZE)
            break;
        struct journal_entry entry = {.length = length};
        for (int i = 7; i >= 0; i--)
            entry.offset = entry.offset << 8 | j->bytes[at + (size_t)i];
        journal_entry_encode(&entry, j->bytes + at + JOURNAL_ENTRY_SIZE, j->bytes + at);
        at += JOURNAL_ENTRY_SIZE + (size_t)length;
    }
    if (j->size < JOURNAL_HEAD_SIZE ||
        shard_header_decode(&parsed.shard, j->bytes + 24) != SHARD_PARSED)
        return;
    parsed.entries = j->bytes[16];
    journal_head_encode(&parsed, head);
    memcpy(j->bytes, head, sizeof head);
}

static void change(struct input *in, struct journal_bytes *j)
{
    bool seals = take(in) & 1;
    for (unsigned i = take_below(in, CHANGES_MAX); i > 0; i--)
        j->bytes[(take_below(in, 1u << 16) << 4 | take_below(in, 16)) % j->size] ^= take(in);
    if (take(in) & 1)
        j->size -= take_below(in, 4096) % j->size;
    if (seals)
        seal_again(j);
}

/* ----------------------------------------------------------------- main -- */

static void after_a_crash(struct input *in, const struct journal_bytes *j,
                          const struct shard_header *header, uint8_t *image,
                          const uint8_t *right)
{
    tear(in, j, header, image);
    REQUIRE(apply(j, header, image));
    REQUIRE(memcmp(image, right, (size_t)shard_file_size(header)) == 0);
    REQUIRE(apply(j, header, image));
    REQUIRE(memcmp(image, right, (size_t)shard_file_size(header)) == 0);
}

static void when_changed(struct input *in, struct journal_bytes *j,
                         const struct shard_header *header, uint8_t *image,
                         const uint8_t *right)
{
    bool good[STRIPES_MAX + 8];
    uint64_t stripes = shard_stripes(header);
    for (uint64_t s = 0; s < stripes; s++)
        good[s] = is_intact(header, image, s);
    change(in, j);
    (void)apply(j, header, image);
    for (uint64_t s = 0; s < stripes; s++) {
        size_t size = SHARD_CHECK_SIZE + shard_cell_length(header, s);
        uint64_t offset = shard_record_offset(header, s);
        REQUIRE(!good[s] || memcmp(image + offset, right + offset, size) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    bool crash = take(&in) & 1;
    struct shard_header header = make_header(&in);
    uint8_t *right = make_shard(&header), *image = make_shard(&header);
    struct journal_bytes journal = make_journal(&in, &header, image, right);
    if (crash)
        after_a_crash(&in, &journal, &header, image, right);
    else
        when_changed(&in, &journal, &header, image, right);
    free(journal.bytes);
    free(image);
    free(right);
    return 0;
}
