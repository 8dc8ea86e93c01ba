/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "shard.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* Where libxxhash was built with them: variants for the CPU at run time. */
#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif
#endif

/*
 * The first byte is no ASCII, and the line ends and the end-of-file character
 * are what a transfer in text mode would change.
 */
static const uint8_t magic[8] = {0x89, 'P', 'X', 'R', '\r', '\n', 0x1a, '\n'};

enum { FORMAT_VERSION = 1 };

/* Offsets in the header. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_ID = 16,
    AT_K = 32,
    AT_M = 34,
    AT_MATRIX = 36,
    AT_INDEX = 38,
    AT_CELL = 40,
    AT_NAME_LENGTH = 44,
    AT_LENGTH = 48,
    AT_NAME = 56,
    AT_CHECK = SHARD_HEADER_SIZE - SHARD_CHECK_SIZE
};

/* ------------------------------------------------------- little endian -- */

static void put(uint8_t *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *in, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)in[i] << (8 * i);
    return value;
}

static void put_hash(uint8_t out[SHARD_CHECK_SIZE], XXH128_hash_t hash)
{
    put(out, hash.low64, 8);
    put(out + 8, hash.high64, 8);
}

/* --------------------------------------------------------------- header -- */

void shard_header_seal(uint8_t header[SHARD_HEADER_SIZE])
{
    put_hash(header + AT_CHECK, XXH3_128bits(header, AT_CHECK));
}

void shard_header_encode(const struct shard_header *header, uint8_t out[SHARD_HEADER_SIZE])
{
    size_t name_length = strlen(header->name);
    memset(out, 0, SHARD_HEADER_SIZE);
    memcpy(out + AT_MAGIC, magic, sizeof magic);
    put(out + AT_VERSION, FORMAT_VERSION, 4);
    memcpy(out + AT_ID, header->id, SHARD_ID_SIZE);
    put(out + AT_K, header->k, 2);
    put(out + AT_M, header->m, 2);
    put(out + AT_MATRIX, header->matrix, 2);
    put(out + AT_INDEX, header->index, 2);
    put(out + AT_CELL, header->cell, 4);
    put(out + AT_NAME_LENGTH, name_length, 4);
    put(out + AT_LENGTH, header->length, 8);
    memcpy(out + AT_NAME, header->name, name_length);
    shard_header_seal(out);
}

static bool all_zero(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static bool numbers_make_sense(const struct shard_header *header, uint64_t matrix)
{
    return header->k >= 1 && header->m >= 1 && header->k + header->m <= PXR_MAX_SHARDS &&
           header->index < header->k + header->m && matrix < PXR_CUSTOM &&
           header->cell >= SHARD_CELL_MIN && header->cell <= SHARD_CELL_MAX &&
           header->cell % SHARD_CELL_MIN == 0 && header->length <= SHARD_LENGTH_MAX;
}

static enum shard_parse decode_fields(struct shard_header *header, const uint8_t *in)
{
    struct shard_header parsed = {0};
    uint64_t matrix = get(in + AT_MATRIX, 2);
    uint64_t name_length = get(in + AT_NAME_LENGTH, 4);
    parsed.k = (unsigned)get(in + AT_K, 2);
    parsed.m = (unsigned)get(in + AT_M, 2);
    parsed.index = (unsigned)get(in + AT_INDEX, 2);
    parsed.cell = (uint32_t)get(in + AT_CELL, 4);
    parsed.length = get(in + AT_LENGTH, 8);
    if (!numbers_make_sense(&parsed, matrix) || name_length > SHARD_NAME_MAX)
        return SHARD_BAD_FIELD;
    parsed.matrix = (enum pxr_matrix)matrix;
    memcpy(parsed.id, in + AT_ID, SHARD_ID_SIZE);
    memcpy(parsed.name, in + AT_NAME, name_length);
    if (strlen(parsed.name) != name_length ||
        !all_zero(in + AT_NAME + name_length, AT_CHECK - AT_NAME - name_length))
        return SHARD_BAD_FIELD;
    *header = parsed;
    return SHARD_PARSED;
}

enum shard_parse shard_header_decode(struct shard_header *header,
                                     const uint8_t in[SHARD_HEADER_SIZE])
{
    uint8_t sealed[SHARD_HEADER_SIZE];
    if (memcmp(in + AT_MAGIC, magic, sizeof magic) != 0)
        return SHARD_NO_MAGIC;
    memcpy(sealed, in, sizeof sealed);
    shard_header_seal(sealed);
    if (memcmp(in, sealed, sizeof sealed) != 0)
        return SHARD_BAD_CHECKSUM;
    if (get(in + AT_VERSION, 4) != FORMAT_VERSION)
        return SHARD_UNKNOWN_VERSION;
    if (get(in + AT_FLAGS, 4) != 0)
        return SHARD_UNKNOWN_FLAGS;
    return decode_fields(header, in);
}

const char *shard_parse_text(enum shard_parse result)
{
    switch (result) {
    case SHARD_PARSED:
        return "intact";
    case SHARD_NO_MAGIC:
        return "not a permxor shard";
    case SHARD_BAD_CHECKSUM:
        return "header and trailer are damaged";
    case SHARD_UNKNOWN_VERSION:
        return "made in a format version that this program does not know";
    case SHARD_UNKNOWN_FLAGS:
        return "made with a format extension that this program does not know";
    case SHARD_BAD_FIELD:
        return "the header holds values that make no sense";
    }
    return "unknown";
}

/* -------------------------------------------------------------- a shard -- */

enum shard_parse shard_examine(uint64_t size, const uint8_t head[SHARD_HEADER_SIZE],
                               const uint8_t tail[SHARD_HEADER_SIZE],
                               struct shard_header *header, unsigned *flaws)
{
    if (size < SHARD_HEADER_SIZE)
        return SHARD_NO_MAGIC;
    unsigned found = 0;
    enum shard_parse result = shard_header_decode(header, head);
    if (result == SHARD_PARSED) {
        if (memcmp(head, tail, SHARD_HEADER_SIZE) != 0)
            found |= SHARD_FLAW_TRAILER;
    } else {
        enum shard_parse trailer_result = shard_header_decode(header, tail);
        if (trailer_result != SHARD_PARSED)
            return result == SHARD_NO_MAGIC ? trailer_result : result;
        found |= SHARD_FLAW_HEADER;
    }
    uint64_t expected = shard_file_size(header);
    if (size < expected)
        found |= SHARD_FLAW_SHORT;
    else if (size > expected)
        found |= SHARD_FLAW_LONG;
    *flaws = found;
    return SHARD_PARSED;
}

bool shard_same_set(const struct shard_header *a, const struct shard_header *b)
{
    return memcmp(a->id, b->id, SHARD_ID_SIZE) == 0 && a->k == b->k && a->m == b->m &&
           a->matrix == b->matrix && a->cell == b->cell && a->length == b->length &&
           strcmp(a->name, b->name) == 0;
}

/* ------------------------------------------------------------- geometry -- */

uint64_t shard_stripe_size(const struct shard_header *header)
{
    return (uint64_t)header->k * header->cell;
}

uint64_t shard_stripes(const struct shard_header *header)
{
    uint64_t size = shard_stripe_size(header);
    return header->length / size + (header->length % size != 0);
}

uint64_t shard_stripe_bytes(const struct shard_header *header, uint64_t stripe)
{
    uint64_t size = shard_stripe_size(header);
    uint64_t rest = header->length - stripe * size;
    return rest < size ? rest : size;
}

uint32_t shard_cell_length(const struct shard_header *header, uint64_t stripe)
{
    uint64_t bytes = shard_stripe_bytes(header, stripe);
    return (uint32_t)((bytes + header->k - 1) / header->k);
}

uint64_t shard_record_offset(const struct shard_header *header, uint64_t stripe)
{
    return SHARD_HEADER_SIZE + stripe * ((uint64_t)SHARD_CHECK_SIZE + header->cell);
}

uint64_t shard_file_size(const struct shard_header *header)
{
    uint64_t stripes = shard_stripes(header);
    uint64_t end = SHARD_HEADER_SIZE;
    if (stripes > 0)
        end = shard_record_offset(header, stripes - 1) + SHARD_CHECK_SIZE +
              shard_cell_length(header, stripes - 1);
    return end + SHARD_HEADER_SIZE;
}

uint64_t shard_stripes_within(const struct shard_header *header, uint64_t size)
{
    uint64_t record = (uint64_t)SHARD_CHECK_SIZE + header->cell;
    uint64_t records = size > SHARD_HEADER_SIZE ? size - SHARD_HEADER_SIZE : 0;
    uint64_t begun = records / record + (records % record != 0);
    uint64_t stripes = shard_stripes(header);
    return begun < stripes ? begun : stripes;
}

/* ---------------------------------------------------------------- cells -- */

/* The seed of a cell's checksum: a hash of where the cell belongs. */
static uint64_t place_seed(const struct shard_header *header, unsigned index, uint64_t stripe)
{
    uint8_t place[SHARD_ID_SIZE + 8 + 4];
    memcpy(place, header->id, SHARD_ID_SIZE);
    put(place + SHARD_ID_SIZE, stripe, 8);
    put(place + SHARD_ID_SIZE + 8, index, 4);
    return XXH3_64bits(place, sizeof place);
}

void shard_cell_seal(const struct shard_header *header, unsigned index, uint64_t stripe,
                     const uint8_t *cell, size_t length, uint8_t check[SHARD_CHECK_SIZE])
{
    put_hash(check, XXH3_128bits_withSeed(cell, length, place_seed(header, index, stripe)));
}

bool shard_cell_intact(const struct shard_header *header, unsigned index, uint64_t stripe,
                       const uint8_t *cell, size_t length,
                       const uint8_t check[SHARD_CHECK_SIZE])
{
    uint8_t expected[SHARD_CHECK_SIZE];
    shard_cell_seal(header, index, stripe, cell, length, expected);
    return memcmp(check, expected, SHARD_CHECK_SIZE) == 0;
}

/* ---------------------------------------------------------------- names -- */

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

bool shard_name_is_safe(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > SHARD_NAME_MAX)
        return false;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    for (size_t i = 0; i < length; i++)
        if (is_control(name[i]) || name[i] == '/')
            return false;
    return true;
}

void shard_name_text(const struct shard_header *header, char out[SHARD_NAME_TEXT_SIZE])
{
    size_t i;
    for (i = 0; header->name[i] != '\0'; i++)
        out[i] = is_control(header->name[i]) ? '?' : header->name[i];
    out[i] = '\0';
}

void shard_file_name(const struct shard_header *header, unsigned index,
                     char out[SHARD_FILE_NAME_SIZE])
{
    snprintf(out, SHARD_FILE_NAME_SIZE, "%s.%03u.pxr", header->name, index);
}

void shard_id_text(const struct shard_header *header, char out[SHARD_ID_TEXT_SIZE])
{
    for (int i = 0; i < SHARD_ID_SIZE; i++)
        snprintf(out + 2 * i, 3, "%02x", header->id[i]);
}
