/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic of words: shards of words of 4, 16 or 32 bits, which are multiplied in the
 * field of that many bits.
 */
#include <string.h>

#include "arithmetic.h"
#include "call.h"
#include "word_matrix.h"

/* ------------------------------------------------------------- encoding -- */

static void encode(const struct pxr_map *map, size_t len, const uint8_t *const *src,
                   uint8_t *const *dst)
{
    pxr_words_dot(pxr_kernels(), len, &map->words, src, dst, false);
}

/* Copies a word from the pieces that hold it, or to them. */
static void move_word(struct pxr_cursor *cursor, uint8_t *word, size_t bytes, bool read)
{
    for (size_t i = 0; i < bytes; i++) {
        pxr_cursor_settle(cursor);
        if (read)
            word[i] = *cursor->at;
        else
            *cursor->at = word[i];
        pxr_cursor_skip(cursor, 1);
    }
}

/* Codes one word of each shard.  The word may be in several pieces. */
static void encode_word(const struct pxr_map *map, struct pxr_cursor *cursors,
                        uint8_t **address)
{
    uint8_t word[PXR_MAX_WORD_SHARDS][sizeof(uint32_t)];
    for (unsigned i = 0; i < map->k + map->count; i++) {
        address[i] = word[i];
        if (i < map->k)
            move_word(&cursors[i], word[i], map->unit, true);
    }
    encode(map, map->unit, pxr_read_only(address), address + map->k);
    for (unsigned i = map->k; i < map->k + map->count; i++)
        move_word(&cursors[i], word[i], map->unit, false);
}

static void encode_pieces(const struct pxr_map *map, size_t len, struct pxr_cursor *cursors)
{
    const unsigned count = map->k + map->count;
    uint8_t *address[PXR_MAX_WORD_SHARDS];
    while (len > 0) {
        size_t span = pxr_next_span(cursors, count, len, address) / map->unit * map->unit;
        if (span > 0) {
            encode(map, span, pxr_read_only(address), address + map->k);
            for (unsigned i = 0; i < count; i++)
                pxr_cursor_skip(&cursors[i], span);
        } else {
            span = map->unit;
            encode_word(map, cursors, address);
        }
        len -= span;
    }
}

/* ------------------------------------------------------------- updating -- */

/* Bytes of the parity that stay in L1 while all changes are added to them. */
#define UPDATED_BYTES ((size_t)2048)

static void add_change(const struct pxr_code *code, size_t len, unsigned index,
                       const uint8_t *change, uint8_t *const *parity, size_t offset)
{
    uint8_t *dst[PXR_MAX_WORD_SHARDS];
    unsigned first = 0;
    for (unsigned rows; (rows = pxr_next_run(code, parity, &first)) > 0; first += rows) {
        for (unsigned r = 0; r < rows; r++)
            dst[r] = parity[first + r] + offset;
        pxr_words_dot_rows(pxr_kernels(), len, &code->word_columns[index], first, rows, &change,
                           dst, true);
    }
}

static void update(const struct pxr_code *code, size_t len, const struct pxr_changes *changes,
                   uint8_t *const *parity)
{
    uint8_t difference[UPDATED_BYTES], *const to = difference;
    for (size_t offset = 0; offset < len; offset += UPDATED_BYTES) {
        const size_t n = len - offset < UPDATED_BYTES ? len - offset : UPDATED_BYTES;
        for (unsigned i = 0; i < changes->count; i++) {
            const uint8_t *const old = changes->old_data ? changes->old_data[i] : NULL;
            const uint8_t *const sides[] = {changes->new_data[i] + offset,
                                            old ? old + offset : NULL};
            pxr_kernels()->dot[PXR_SPECIAL_P][0](n, old ? 2 : 1, NULL, sides, &to, 0);
            add_change(code, n, changes->index[i], difference, parity, offset);
        }
    }
}

/* ------------------------------------------------------------ comparing -- */

/* The number of rows that are recomputed at a time. */
#define COMPARED_ROWS 4

static bool rows_agree(const struct pxr_comparison *c, unsigned first, unsigned rows,
                       const uint8_t *const *source, size_t offset, size_t n)
{
    uint8_t computed[COMPARED_ROWS][PXR_CHUNK], *dst[COMPARED_ROWS];
    bool same = true;
    for (unsigned r = 0; r < rows; r++)
        dst[r] = computed[r];
    pxr_words_dot_rows(pxr_kernels(), n, &c->map->words, first, rows, source, dst, false);
    for (unsigned r = 0; r < rows; r++)
        if (pxr_is_compared(c, first + r))
            same &= pxr_shard_agrees(c, first + r, dst[r], offset, n);
    return same;
}

static bool agrees(const struct pxr_comparison *c, size_t offset, size_t n)
{
    const uint8_t *source[PXR_MAX_WORD_SHARDS];
    bool same = true;
    for (unsigned j = 0; j < c->map->k; j++)
        source[j] = c->source[j] + offset;
    for (unsigned r = 0; r < c->map->count; r += COMPARED_ROWS) {
        const unsigned left = c->map->count - r;
        same &=
            rows_agree(c, r, left < COMPARED_ROWS ? left : COMPARED_ROWS, source, offset, n);
    }
    return same;
}

/* -------------------------------------------------------- one wrong shard -- */

/* Returns word `index` of the unit at p.  A unit has two words with w = 4, and else one. */
static uint32_t word_of(const uint8_t *p, unsigned w, unsigned index)
{
    uint32_t word = 0;
    uint16_t half;
    if (w == 4)
        return *p >> 4 * index & 15;
    if (w == 32) {
        memcpy(&word, p, sizeof word);
        return word;
    }
    memcpy(&half, p, sizeof half);
    return half;
}

/* Returns whether an error in one shard alone can cause the syndrome s. byte_code.c derives it.
   No coefficient is zero. */
static bool is_suspect(const struct pxr_code *code, unsigned shard, const uint32_t *s)
{
    const struct pxr_word_field field = pxr_word_field_of(code->map.w);
    if (shard >= code->k) {
        for (unsigned r = 0; r < code->m; r++)
            if (s[r] && r != shard - code->k)
                return false;
        return true;
    }
    const uint32_t *const column = code->words + shard;
    const uint32_t e = pxr_word_mul(field, s[0], pxr_word_inverse(field, column[0]));
    for (unsigned r = 0; r < code->m; r++)
        if (s[r] != pxr_word_mul(field, column[(size_t)r * code->k], e))
            return false;
    return true;
}

/* Computes the syndrome of a word of the unit at `at`. */
static void find_syndrome(const struct pxr_code *code, uint8_t *const *shards, size_t at,
                          unsigned index, uint32_t *s)
{
    const unsigned w = code->map.w;
    const struct pxr_word_field field = pxr_word_field_of(w);
    for (unsigned r = 0; r < code->m; r++) {
        s[r] = word_of(shards[code->k + r] + at, w, index);
        for (unsigned j = 0; j < code->k; j++)
            s[r] ^= pxr_word_mul(field, code->words[(size_t)r * code->k + j],
                                 word_of(shards[j] + at, w, index));
    }
}

/* A suspect explains all words of the unit.  Where a word agrees, its syndrome is zero, which
   is an error of zero in any shard. */
static void find_suspects(const struct pxr_code *code, uint8_t *const *shards, size_t at,
                          struct pxr_shard_set *suspects)
{
    const unsigned words = 8 * (unsigned)code->map.unit / code->map.w;
    uint32_t s[2][PXR_MAX_WORD_SHARDS];
    at -= at % code->map.unit;
    for (unsigned index = 0; index < words; index++)
        find_syndrome(code, shards, at, index, s[index]);
    for (unsigned i = 0; i < code->k + code->m; i++)
        if (is_suspect(code, i, s[0]) && (words == 1 || is_suspect(code, i, s[1])))
            pxr_set_add(suspects, i);
}

const struct pxr_arithmetic pxr_word_arithmetic = {
    .encode = encode,
    .encode_pieces = encode_pieces,
    .update = update,
    .agrees = agrees,
    .find_suspects = find_suspects,
    .solve = pxr_words_solve,
};
