/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "shard.h"

#include "bytes.h"
#include "hex.h"

#include <stdio.h>
#include <string.h>

/*
 * The first byte is not ASCII.  A transfer in text mode would change the line ends and the
 * end-of-file character.
 */
static const uint8_t magic[8] = {0x89, 'P', 'X', 'R', '\r', '\n', 0x1a, '\n'};

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
    AT_NAME_END = AT_NAME + SHARD_NAME_MAX,
    /* The fields from here on exist in version 2. */
    AT_ATTRIBUTES = 304,
    AT_MODE = 308,
    AT_SECONDS = 312,
    AT_NANOSECONDS = 320,
    AT_DISKS = 324,
    AT_HASH = 328,
    AT_W = AT_HASH + SHARD_HASH_SIZE,
    AT_PACKETSIZE = 364,
    AT_FIELDS_END = 368,
    AT_CHECK = SHARD_HEADER_SIZE - SHARD_CHECK_SIZE
};

/* The flag of version 2: the code is a code of words or of packets. */
enum { FLAG_UNITS = 1 };

/* --------------------------------------------------------------- header -- */

void shard_header_seal(uint8_t header[SHARD_HEADER_SIZE])
{
    put_hash(header + AT_CHECK, XXH3_128bits(header, AT_CHECK));
}

static void encode_attributes(const struct shard_header *header, uint8_t *out)
{
    put(out + AT_ATTRIBUTES, header->attributes, 4);
    put(out + AT_MODE, header->mode, 4);
    put(out + AT_SECONDS, (uint64_t)header->seconds, 8);
    put(out + AT_NANOSECONDS, header->nanoseconds, 4);
    put(out + AT_DISKS, header->disks, 4);
    memcpy(out + AT_HASH, header->hash, SHARD_HASH_SIZE);
    put(out + AT_W, header->w, 4);
    put(out + AT_PACKETSIZE, header->packetsize, 4);
}

void shard_header_encode(const struct shard_header *header, uint8_t out[SHARD_HEADER_SIZE])
{
    size_t name_length = strlen(header->name);
    memset(out, 0, SHARD_HEADER_SIZE);
    memcpy(out + AT_MAGIC, magic, sizeof magic);
    put(out + AT_VERSION, header->format, 4);
    put(out + AT_FLAGS, header->w > 0 ? FLAG_UNITS : 0, 4);
    memcpy(out + AT_ID, header->id, SHARD_ID_SIZE);
    put(out + AT_K, header->k, 2);
    put(out + AT_M, header->m, 2);
    put(out + AT_MATRIX, header->matrix, 2);
    put(out + AT_INDEX, header->index, 2);
    put(out + AT_CELL, header->cell, 4);
    put(out + AT_NAME_LENGTH, name_length, 4);
    put(out + AT_LENGTH, header->length, 8);
    memcpy(out + AT_NAME, header->name, name_length);
    if (header->format >= 2)
        encode_attributes(header, out);
    shard_header_seal(out);
}

static bool numbers_make_sense(const struct shard_header *header)
{
    return header->k >= 1 && header->m >= 1 && header->k + header->m <= PXR_MAX_SHARDS &&
           header->index < header->k + header->m && header->cell >= SHARD_CELL_MIN &&
           header->cell <= SHARD_CELL_MAX && header->cell % SHARD_CELL_MIN == 0 &&
           header->length <= SHARD_LENGTH_MAX;
}

/* The library decides which w a matrix has with these k and m. */
static bool code_makes_sense(const struct shard_header *header, uint64_t flags)
{
    const bool words = (header->w == 16 || header->w == 32) && header->packetsize == 0 &&
                       shard_has_words(header->matrix);
    if (!(flags & FLAG_UNITS))
        return header->matrix < PXR_CUSTOM && header->w == 0 && header->packetsize == 0;
    return (shard_has_packets(header->matrix) ? header->w > 0 && header->packetsize > 0
                                              : words) &&
           header->cell % shard_unit(header) == 0;
}

/* Fields whose attribute is not set, and bytes between fields, are zero. */
static bool attributes_make_sense(const struct shard_header *header, const uint8_t *in)
{
    const unsigned known = SHARD_HAS_HASH | SHARD_HAS_STATUS | SHARD_IS_SPARSE;
    return (header->attributes & ~known) == 0 && header->mode <= 07777 &&
           header->nanoseconds < 1000000000 && header->disks <= header->k + header->m &&
           ((header->attributes & SHARD_HAS_STATUS) ||
            all_zero(in + AT_MODE, AT_DISKS - AT_MODE)) &&
           ((header->attributes & SHARD_HAS_HASH) || all_zero(in + AT_HASH, SHARD_HASH_SIZE)) &&
           all_zero(in + AT_NAME_END, AT_ATTRIBUTES - AT_NAME_END) &&
           all_zero(in + AT_FIELDS_END, AT_CHECK - AT_FIELDS_END);
}

static bool decode_attributes(struct shard_header *header, const uint8_t *in)
{
    header->attributes = (unsigned)get(in + AT_ATTRIBUTES, 4);
    header->mode = (unsigned)get(in + AT_MODE, 4);
    header->seconds = (int64_t)get(in + AT_SECONDS, 8);
    header->nanoseconds = (uint32_t)get(in + AT_NANOSECONDS, 4);
    header->disks = (unsigned)get(in + AT_DISKS, 4);
    memcpy(header->hash, in + AT_HASH, SHARD_HASH_SIZE);
    header->w = (unsigned)get(in + AT_W, 4);
    header->packetsize = (uint32_t)get(in + AT_PACKETSIZE, 4);
    return attributes_make_sense(header, in);
}

static enum shard_parse decode_fields(struct shard_header *header, const uint8_t *in)
{
    struct shard_header parsed = {.format = (unsigned)get(in + AT_VERSION, 4)};
    uint64_t name_length = get(in + AT_NAME_LENGTH, 4);
    parsed.k = (unsigned)get(in + AT_K, 2);
    parsed.m = (unsigned)get(in + AT_M, 2);
    parsed.matrix = (enum pxr_matrix)get(in + AT_MATRIX, 2);
    parsed.index = (unsigned)get(in + AT_INDEX, 2);
    parsed.cell = (uint32_t)get(in + AT_CELL, 4);
    parsed.length = get(in + AT_LENGTH, 8);
    if (!numbers_make_sense(&parsed) || name_length > SHARD_NAME_MAX)
        return SHARD_BAD_FIELD;
    memcpy(parsed.id, in + AT_ID, SHARD_ID_SIZE);
    memcpy(parsed.name, in + AT_NAME, name_length);
    if (strlen(parsed.name) != name_length ||
        !all_zero(in + AT_NAME + name_length, SHARD_NAME_MAX - name_length))
        return SHARD_BAD_FIELD;
    if (parsed.format == 1 ? !all_zero(in + AT_NAME_END, AT_CHECK - AT_NAME_END)
                           : !decode_attributes(&parsed, in))
        return SHARD_BAD_FIELD;
    if (!code_makes_sense(&parsed, get(in + AT_FLAGS, 4)))
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
    uint64_t version = get(in + AT_VERSION, 4);
    if (version < 1 || version > SHARD_FORMAT)
        return SHARD_UNKNOWN_VERSION;
    if (get(in + AT_FLAGS, 4) & ~(uint64_t)(version >= 2 ? FLAG_UNITS : 0))
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
        return "the header has values that are not valid";
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

static bool same_attributes(const struct shard_header *a, const struct shard_header *b)
{
    return a->attributes == b->attributes && a->disks == b->disks && a->mode == b->mode &&
           a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           memcmp(a->hash, b->hash, SHARD_HASH_SIZE) == 0;
}

bool shard_same_set(const struct shard_header *a, const struct shard_header *b)
{
    return a->format == b->format && memcmp(a->id, b->id, SHARD_ID_SIZE) == 0 && a->k == b->k &&
           a->m == b->m && a->matrix == b->matrix && a->w == b->w &&
           a->packetsize == b->packetsize && a->cell == b->cell && a->length == b->length &&
           strcmp(a->name, b->name) == 0 && same_attributes(a, b);
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
    hex_text(header->id, SHARD_ID_SIZE, out);
}

bool shard_is_of_set(const struct shard_header *header, const char *digits)
{
    char id[SHARD_ID_TEXT_SIZE];
    shard_id_text(header, id);
    return digits == NULL || strncmp(id, digits, strlen(digits)) == 0;
}
