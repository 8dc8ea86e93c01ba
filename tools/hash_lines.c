/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "hash_lines.h"

#include "hex.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char begin[] = "permxor-hash ", version[] = "1 ";

unsigned hash_parts(const struct shard_header *header)
{
    return header->packetsize > 0 ? header->w : 1;
}

static size_t sum_bytes(const struct hash_line *line)
{
    return (size_t)line->size * hash_parts(&line->header);
}

/* Returns the number of bytes that are hashed. */
static uint64_t bytes_of(const struct hash_line *line)
{
    return line->stripe == HASH_WHOLE ? shard_cells_size(&line->header)
                                      : shard_cell_length(&line->header, line->stripe);
}

/* ---------------------------------------------------------------- print -- */

/* What a line has in place of a hash. */
static const char *const states[] = {
    [SUM_DAMAGED] = "damaged", [SUM_UNREADABLE] = "unreadable"};

void hash_line_print(const struct hash_line *line)
{
    const struct shard_header *h = &line->header;
    char id[SHARD_ID_TEXT_SIZE], stripe[24] = "whole", hash[2 * HASH_SUM_MOST + 1];
    shard_id_text(h, id);
    if (line->stripe != HASH_WHOLE)
        snprintf(stripe, sizeof stripe, "%" PRIu64, line->stripe);
    if (line->state == SUM_GOOD)
        hex_text(line->sum, sum_bytes(line), hash);
    printf("%s%sset=%s k=%u m=%u matrix=%s w=%u packetsize=%" PRIu32 " cell=%" PRIu32
           " length=%" PRIu64 " shard=%u stripe=%s size=%u key=%s bytes=%" PRIu64 " hash=%s\n",
           begin, version, id, h->k, h->m, pxr_matrix_name(h->matrix), h->w, h->packetsize,
           h->cell, h->length, h->index, stripe, line->size, line->key, bytes_of(line),
           line->state == SUM_GOOD ? hash : states[line->state]);
}

/* ---------------------------------------------------------------- parse -- */

struct parser {
    char *rest;        /* of the line */
    const char *wrong; /* the first field that is missing or wrong, or NULL */
};

/* Returns the value of the next field, which must have this name, or "". */
static const char *take(struct parser *p, const char *name)
{
    size_t length = strlen(name);
    if (p->wrong == NULL && (strncmp(p->rest, name, length) != 0 || p->rest[length] != '='))
        p->wrong = name;
    if (p->wrong != NULL)
        return "";
    char *value = p->rest + length + 1;
    p->rest = value + strcspn(value, " ");
    if (*p->rest != '\0')
        *p->rest++ = '\0';
    return value;
}

static void demand(struct parser *p, bool right, const char *name)
{
    if (p->wrong == NULL && !right)
        p->wrong = name;
}

static uint64_t number(struct parser *p, const char *name, uint64_t most)
{
    uint64_t value = 0;
    demand(p, value_digits(take(p, name), most, &value), name);
    return value;
}

/* The limits here are those of the fields of a header.  Which values make sense is decided
   where headers are judged. */
static void take_header(struct parser *p, struct shard_header *h)
{
    *h = (struct shard_header){.format = SHARD_FORMAT};
    demand(p, hex_parse(take(p, "set"), SHARD_ID_SIZE, h->id), "set");
    h->k = (unsigned)number(p, "k", UINT16_MAX);
    h->m = (unsigned)number(p, "m", UINT16_MAX);
    demand(p, pxr_matrix_parse(take(p, "matrix"), &h->matrix) == PXR_OK, "matrix");
    h->w = (unsigned)number(p, "w", CODING_W_MOST);
    h->packetsize = (uint32_t)number(p, "packetsize", UINT32_MAX);
    h->cell = (uint32_t)number(p, "cell", UINT32_MAX);
    h->length = number(p, "length", UINT64_MAX);
    h->index = (unsigned)number(p, "shard", UINT16_MAX);
}

/* The rules for headers of shards hold for lines as well. */
static bool header_makes_sense(const struct shard_header *header)
{
    uint8_t bytes[SHARD_HEADER_SIZE];
    struct shard_header parsed;
    shard_header_encode(header, bytes);
    return shard_header_decode(&parsed, bytes) == SHARD_PARSED;
}

static void take_stripe(struct parser *p, struct hash_line *line)
{
    const char *value = take(p, "stripe");
    line->stripe = HASH_WHOLE;
    if (strcmp(value, "whole") != 0)
        demand(p,
               value_digits(value, UINT64_MAX, &line->stripe) &&
                   line->stripe < shard_stripes(&line->header),
               "stripe");
}

static void take_kind(struct parser *p, struct hash_line *line)
{
    uint8_t id[HASH_KEY_ID] = {0};
    line->size = (unsigned)number(p, "size", PXR_MAX_HASH);
    demand(p, line->size == 4 || line->size == 8 || line->size == 16, "size");
    const char *key = take(p, "key");
    demand(p, strcmp(key, HASH_NO_KEY) == 0 || hex_parse(key, sizeof id, id), "key");
    if (strcmp(key, HASH_NO_KEY) == 0)
        strcpy(line->key, HASH_NO_KEY);
    else
        hex_text(id, sizeof id, line->key);
}

static void take_sum(struct parser *p, struct hash_line *line)
{
    uint64_t bytes = number(p, "bytes", UINT64_MAX);
    demand(p, p->wrong == NULL && bytes == bytes_of(line), "bytes");
    const char *value = take(p, "hash");
    line->state = SUM_GOOD;
    if (strcmp(value, states[SUM_DAMAGED]) == 0)
        line->state = SUM_DAMAGED;
    else if (strcmp(value, states[SUM_UNREADABLE]) == 0)
        line->state = SUM_UNREADABLE;
    else
        demand(p, p->wrong == NULL && hex_parse(value, sum_bytes(line), line->sum), "hash");
}

static bool refuse(char why[HASH_WHY], const char *text)
{
    snprintf(why, HASH_WHY, "%s", text);
    return false;
}

bool hash_line_parse(char *text, struct hash_line *line, char why[HASH_WHY])
{
    struct parser p = {.rest = text + sizeof begin - 1};
    if (strncmp(text, begin, sizeof begin - 1) != 0)
        return refuse(why, "not a line of 'permxor hash'");
    if (strncmp(p.rest, version, sizeof version - 1) != 0)
        return refuse(why, "made in a version of the lines that this program does not know");
    p.rest += sizeof version - 1;
    take_header(&p, &line->header);
    if (p.wrong == NULL && !header_makes_sense(&line->header))
        return refuse(why, "no set of shards has these values");
    if (p.wrong == NULL && line->header.w > 0 && line->header.packetsize == 0)
        return refuse(why, "a code of words has no linear hashes");
    take_stripe(&p, line);
    take_kind(&p, line);
    take_sum(&p, line);
    if (p.wrong == NULL && *p.rest != '\0')
        return refuse(why, "there is more after the hash");
    if (p.wrong == NULL)
        return true;
    snprintf(why, HASH_WHY, "the field '%s' is missing or has a wrong value", p.wrong);
    return false;
}
