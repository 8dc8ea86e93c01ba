/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer entry for the shard reader.
 *
 * Build: links libpxr_shard.la and $(XXHASH_LIBS); needs -I$(top_srcdir)/tools.
 *
 * The input is a whole shard file.  The checksum would detect nearly every random change, so
 * the first byte decides whether header, trailer and first record are sealed again before the
 * reader sees them.
 *
 * Bytes of the input also fill the fields of a header.  The reader must return this header as
 * it was written.  If one attribute is changed, the reader must refuse the header or treat it
 * as one of another set.  If the code is changed, the reader must refuse the header or return
 * cells of whole units.
 */
#include "shard.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SEAL_HEADER = 1, SEAL_TRAILER = 2, SEAL_CELL = 4 };

/* Unlike assert(), it also checks in builds with NDEBUG. */
static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_shard: %s\n", what);
    abort();
}

/* An accepted header must be written back as it was read. */
static void round_trip(const struct shard_header *header, const uint8_t *bytes)
{
    uint8_t again[SHARD_HEADER_SIZE];
    char name[SHARD_FILE_NAME_SIZE], id[SHARD_ID_TEXT_SIZE];
    shard_header_encode(header, again);
    require(memcmp(again, bytes, sizeof again) == 0, "header is not written as it was read");
    shard_file_name(header, header->index, name);
    require(strlen(name) == strlen(header->name) + 8, "file name was cut");
    if (shard_name_is_safe(header->name))
        require(strchr(name, '/') == NULL, "a safe name has a slash");
    shard_id_text(header, id);
    require(strlen(id) == 2 * SHARD_ID_SIZE, "set id text was cut");
}

/* Stripes must lie one after the other, and their bytes must add up to the length. */
static void check_geometry(const struct shard_header *header)
{
    uint64_t stripes = shard_stripes(header);
    uint64_t end = shard_file_size(header);
    require(end <= INT64_MAX, "shard size does not fit an offset");
    if (stripes == 0) {
        require(header->length == 0, "a file without stripes has bytes");
        return;
    }
    uint64_t last = stripes - 1;
    uint64_t bytes = shard_stripe_bytes(header, last);
    uint32_t cell = shard_cell_length(header, last);
    require(last * shard_stripe_size(header) + bytes == header->length,
            "stripes do not add up");
    require(bytes >= 1 && cell >= 1 && cell <= header->cell, "last cell out of range");
    require(cell % shard_unit(header) == 0 && header->cell % shard_unit(header) == 0,
            "cells do not consist of whole units");
    require((uint64_t)cell * header->k < bytes + header->k * shard_unit(header),
            "the last stripe has more units than it needs");
    require((uint64_t)cell * header->k >= bytes, "last stripe does not fit its cells");
    require(shard_record_offset(header, last) + SHARD_CHECK_SIZE + cell + SHARD_HEADER_SIZE ==
                end,
            "the last record does not end before the trailer");
}

/* Checks every record that lies in the file. */
static void read_records(const struct shard_header *header, const uint8_t *file, size_t size)
{
    for (uint64_t stripe = 0; stripe < shard_stripes(header); stripe++) {
        uint64_t offset = shard_record_offset(header, stripe);
        size_t length = shard_cell_length(header, stripe);
        if (offset + SHARD_CHECK_SIZE + length > size)
            break;
        const uint8_t *check = file + offset, *cell = check + SHARD_CHECK_SIZE;
        bool intact = shard_cell_intact(header, header->index, stripe, cell, length, check);
        uint8_t sealed[SHARD_CHECK_SIZE];
        shard_cell_seal(header, header->index, stripe, cell, length, sealed);
        require(intact == (memcmp(sealed, check, sizeof sealed) == 0),
                "seal and check of a cell differ");
        require(!intact ||
                    !shard_cell_intact(header, header->index + 1, stripe, cell, length, check),
                "a cell is accepted as one of another shard");
        require(!intact ||
                    !shard_cell_intact(header, header->index, stripe + 1, cell, length, check),
                "a cell is accepted as one of another stripe");
    }
}

static void read_shard(const uint8_t *file, size_t size)
{
    struct shard_header header;
    unsigned flaws;
    uint8_t none[SHARD_HEADER_SIZE] = {0};
    const uint8_t *head = size >= sizeof none ? file : none;
    const uint8_t *tail = size >= sizeof none ? file + size - sizeof none : none;
    if (shard_examine(size, head, tail, &header, &flaws) != SHARD_PARSED)
        return;
    round_trip(&header, flaws & SHARD_FLAW_HEADER ? tail : head);
    check_geometry(&header);
    require(!!(flaws & SHARD_FLAW_SHORT) == (size < shard_file_size(&header)),
            "the flaw of a short file is wrong");
    require(!!(flaws & SHARD_FLAW_LONG) == (size > shard_file_size(&header)),
            "the flaw of a long file is wrong");
    read_records(&header, file, size);
}

/* ------------------------------------------------------- written headers -- */

/* The bytes that the fields of a header are taken from; zeros after the end. */
struct source {
    const uint8_t *bytes;
    size_t left;
};

static uint64_t number(struct source *source, int bytes)
{
    uint64_t value = 0;
    for (; bytes > 0; bytes--) {
        value = value << 8 | (source->left > 0 ? *source->bytes : 0);
        source->bytes += source->left > 0;
        source->left -= source->left > 0;
    }
    return value;
}

/* With this limit, 64 units with packets of up to 64 KiB fit the largest cell. */
enum { W_MOST = SHARD_CELL_MAX / SHARD_CELL_MIN / (1 << 16) };

/* Chooses bytes; in format 2 also words, or packets with a unit that is a part of the cell. */
static void choose_code(struct shard_header *header, struct source *source)
{
    unsigned kind = (unsigned)number(source, 1) % (header->format >= 2 ? 3 : 1);
    unsigned matrix = (unsigned)number(source, 1);
    if (kind == 0) {
        header->matrix = (enum pxr_matrix)(matrix % PXR_CUSTOM);
    } else if (kind == 1) {
        header->matrix = matrix % 2 ? PXR_JERASURE_VAN : PXR_JERASURE_R6;
        header->w = matrix % 4 < 2 ? 16 : 32;
    } else {
        header->matrix =
            (enum pxr_matrix)(PXR_CUSTOM + 1 + matrix % (PXR_CUSTOM_BITS - PXR_CUSTOM - 1));
        header->packetsize = 1 + (uint32_t)number(source, 2);
        header->w = 1 + (unsigned)number(source, 1) % W_MOST;
        header->cell = SHARD_CELL_MIN * header->w * header->packetsize;
    }
}

static struct shard_header some_header(struct source *source)
{
    struct shard_header header = {.format = 1 + (unsigned)number(source, 1) % SHARD_FORMAT};
    header.k = 1 + (unsigned)number(source, 1) % (PXR_MAX_SHARDS - 1);
    header.m = 1 + (unsigned)number(source, 1) % (PXR_MAX_SHARDS - header.k);
    header.index = (unsigned)number(source, 1) % (header.k + header.m);
    header.cell = SHARD_CELL_MIN * (1 + (uint32_t)(number(source, 4) % (1 << 20)));
    choose_code(&header, source);
    header.length = number(source, 8) % (SHARD_LENGTH_MAX + 1);
    size_t name = number(source, 1) % (SHARD_NAME_MAX + 1);
    for (size_t i = 0; i < name; i++)
        header.name[i] = (char)(1 + number(source, 1) % 255);
    for (size_t i = 0; i < SHARD_ID_SIZE; i++)
        header.id[i] = (uint8_t)number(source, 1);
    return header;
}

static void add_attributes(struct shard_header *header, struct source *source)
{
    header->attributes = (unsigned)number(source, 1) % (2 * SHARD_IS_SPARSE);
    header->disks = (unsigned)number(source, 1) % (header->k + header->m + 1);
    if (header->attributes & SHARD_HAS_STATUS) {
        header->mode = (unsigned)number(source, 2) % 010000;
        header->seconds = (int64_t)number(source, 8);
        header->nanoseconds = (uint32_t)(number(source, 4) % 1000000000);
    }
    for (size_t i = 0; (header->attributes & SHARD_HAS_HASH) && i < SHARD_HASH_SIZE; i++)
        header->hash[i] = (uint8_t)number(source, 1);
}

/* Changes one byte behind the name, and seals the header again.  The header belongs to the same
   set only if the byte is the same. */
static void change_attribute(const struct shard_header *header, struct source *source)
{
    uint8_t bytes[SHARD_HEADER_SIZE], again[SHARD_HEADER_SIZE];
    struct shard_header changed;
    const size_t from = 56 + SHARD_NAME_MAX, size = sizeof bytes - SHARD_CHECK_SIZE - from;
    shard_header_encode(header, bytes);
    size_t at = from + number(source, 1) % size;
    uint8_t other = (uint8_t)number(source, 1);
    bool same = bytes[at] == other;
    bytes[at] = other;
    shard_header_seal(bytes);
    if (shard_header_decode(&changed, bytes) != SHARD_PARSED) {
        require(!same, "a header that was sealed again is refused");
        return;
    }
    require(same || header->format >= 2, "format 1 has attributes");
    require(same == shard_same_set(header, &changed),
            "the reader does not see that an attribute has changed");
    shard_header_encode(&changed, again);
    require(memcmp(again, bytes, sizeof again) == 0, "an attribute is not kept");
}

/* Sets any flags, matrix, cell size, w and packetsize. */
static void change_code(const struct shard_header *header, struct source *source)
{
    static const struct {
        unsigned offset;
        int size;
    } fields[] = {{12, 1}, {36, 1}, {40, 4}, {360, 4}, {364, 4}};
    uint8_t bytes[SHARD_HEADER_SIZE];
    struct shard_header changed;
    shard_header_encode(header, bytes);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        /* Small values, and values that overflow when they are multiplied. */
        uint64_t value = number(source, fields[i].size) >> number(source, 1) % 32;
        for (int b = 0; b < fields[i].size; b++)
            bytes[fields[i].offset + (unsigned)b] = (uint8_t)(value >> 8 * b);
    }
    shard_header_seal(bytes);
    if (shard_header_decode(&changed, bytes) != SHARD_PARSED)
        return;
    round_trip(&changed, bytes);
    check_geometry(&changed);
}

static void write_header(struct source source)
{
    struct shard_header header = some_header(&source), read;
    uint8_t bytes[SHARD_HEADER_SIZE];
    if (header.format >= 2)
        add_attributes(&header, &source);
    shard_header_encode(&header, bytes);
    require(shard_header_decode(&read, bytes) == SHARD_PARSED, "our own header is refused");
    require(read.index == header.index && shard_same_set(&read, &header),
            "our own header is read as another one");
    round_trip(&read, bytes);
    check_geometry(&read);
    change_attribute(&header, &source);
    change_code(&header, &source);
}

/* ----------------------------------------------------------- read shards -- */

static void seal(uint8_t *file, size_t size, unsigned what)
{
    struct shard_header header;
    if (size < SHARD_HEADER_SIZE)
        return;
    if (what & SEAL_HEADER)
        shard_header_seal(file);
    if (what & SEAL_TRAILER)
        shard_header_seal(file + size - SHARD_HEADER_SIZE);
    if (!(what & SEAL_CELL) || shard_header_decode(&header, file) != SHARD_PARSED ||
        shard_stripes(&header) == 0)
        return;
    size_t length = shard_cell_length(&header, 0);
    if (size < SHARD_HEADER_SIZE + SHARD_CHECK_SIZE + length)
        return;
    uint8_t *check = file + SHARD_HEADER_SIZE;
    shard_cell_seal(&header, header.index, 0, check + SHARD_CHECK_SIZE, length, check);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    size_t length = size - 1;
    uint8_t *file = malloc(length + (length == 0));
    if (file == NULL)
        return 0;
    memcpy(file, data + 1, length);
    seal(file, length, data[0]);
    read_shard(file, length);
    write_header((struct source){data + 1, length});
    free(file);
    return 0;
}
