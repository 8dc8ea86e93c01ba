/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of bytes: each byte of a shard is multiplied in GF(2^8) by itself. */
#include "arithmetic.h"

#include "call.h"
#include "gf256.h"

/* ------------------------------------------------------------- encoding -- */

static void encode(const struct pxr_map *map, size_t len, const uint8_t *const *src,
                   uint8_t *const *dst)
{
    pxr_encode_rows(pxr_kernels(), len, &map->rows, src, dst);
}

/* A call may be cut anywhere.  It is cut into spans within which every shard is in one piece.
 */
static void encode_pieces(const struct pxr_map *map, size_t len, struct pxr_cursor *cursors)
{
    const unsigned count = map->k + map->count;
    uint8_t *address[PXR_MAX_SHARDS];
    while (len > 0) {
        const size_t span = pxr_next_span(cursors, count, len, address);
        pxr_map_apply(map, span, pxr_read_only(address), address + map->k);
        for (unsigned i = 0; i < count; i++)
            pxr_cursor_skip(&cursors[i], span);
        len -= span;
    }
}

/* ------------------------------------------------------------- updating -- */

/*
 * The change of several data shards is a dot product that is added to the parity.  Its sources
 * are the new contents and the old contents, both with the coefficient of their shard.  So t
 * changed shards move 2t + 2m shards, where t separate updates move t(2 + 2m).
 */

/* The most changed shards of one pass, because its coefficients are on the stack. */
#define MOST_CHANGES 32

struct pass {
    unsigned sources;
    const uint8_t *source[2 * MOST_CHANGES];
    unsigned index[2 * MOST_CHANGES]; /* the shard that the source belongs to */
};

static void add_source(struct pass *c, const uint8_t *source, unsigned index)
{
    c->source[c->sources] = source;
    c->index[c->sources++] = index;
}

static void update_pass(const struct pxr_code *code, size_t len, const struct pass *c,
                        unsigned first, unsigned rows, uint8_t *const *parity)
{
    const struct pxr_kernels *kernels = pxr_kernels();
    uint8_t coefficients[PXR_MAX_ROWS * 2 * MOST_CHANGES], *n = coefficients;
    uint64_t room[sizeof coefficients * PXR_TABLE / sizeof(uint64_t)];
    uint8_t *dst[2 * PXR_MAX_ROWS];
    for (unsigned r = 0; r < rows; r++) {
        dst[r] = dst[rows + r] = parity[first + r];
        for (unsigned i = 0; i < c->sources; i++)
            *n++ = code->rows[(size_t)(first + r) * code->k + c->index[i]];
    }
    kernels->dot[PXR_SPECIAL_NONE][rows](
        len, c->sources,
        pxr_expand(kernels->form, (size_t)(n - coefficients), coefficients, room), c->source,
        dst, PXR_ACCUMULATE | pxr_update_way(len, c->sources + rows));
}

static void update_all(const struct pxr_code *code, size_t len, const struct pass *c,
                       uint8_t *const *parity)
{
    unsigned first = 0;
    for (unsigned run; (run = pxr_next_run(code, parity, &first)) > 0;) {
        const unsigned rows = pxr_rows_of_pass(run);
        update_pass(code, len, c, first, rows, parity);
        first += rows;
    }
}

static void update(const struct pxr_code *code, size_t len, const struct pxr_changes *changes,
                   uint8_t *const *parity)
{
    for (unsigned i = 0; i < changes->count;) {
        struct pass pass = {.sources = 0};
        for (unsigned n = 0; n < MOST_CHANGES && i < changes->count; n++, i++) {
            add_source(&pass, changes->new_data[i], changes->index[i]);
            if (changes->old_data && changes->old_data[i])
                add_source(&pass, changes->old_data[i], changes->index[i]);
        }
        update_all(code, len, &pass, parity);
    }
}

/* ------------------------------------------------------------ comparing -- */

/* Returns how many rows from r on to compute at once: balanced groups of rows that are to be
   compared.  Returns 0 when row r is not to be compared. */
static unsigned group_size(const struct pxr_comparison *c, unsigned r)
{
    unsigned run = 0;
    while (r + run < c->map->count && pxr_is_compared(c, r + run))
        run++;
    return pxr_rows_of_pass(run);
}

/* Compares the rows of the group at r in the n bytes from offset on.  The rows are recomputed
   on the stack. */
static bool group_agrees(const struct pxr_comparison *c, unsigned r, unsigned rows,
                         const uint8_t *const *source, size_t offset, size_t n)
{
    const struct pxr_kernels *kernels = pxr_kernels();
    uint8_t computed[PXR_MAX_ROWS][PXR_CHUNK];
    uint8_t *dst[PXR_MAX_ROWS] = {NULL};
    const struct pxr_rows group = pxr_rows_slice(&c->map->rows, r, rows);
    for (unsigned g = 0; g < rows; g++)
        dst[g] = computed[g];
    pxr_encode_rows(kernels, n, &group, source, dst);
    bool same = true;
    for (unsigned g = 0; g < rows; g++)
        same &= pxr_shard_agrees(c, r + g, dst[g], offset, n);
    return same;
}

static bool agrees(const struct pxr_comparison *c, size_t offset, size_t n)
{
    const uint8_t *source[PXR_MAX_SHARDS];
    for (unsigned j = 0; j < c->map->k; j++)
        source[j] = c->source[j] + offset;
    bool same = true;
    for (unsigned r = 0; r < c->map->count;) {
        unsigned rows = group_size(c, r);
        if (rows == 0) {
            r++;
            continue;
        }
        same &= group_agrees(c, r, rows, source, offset, n);
        r += rows;
    }
    return same;
}

/* -------------------------------------------------------- one wrong shard -- */

/*
 * The syndrome of byte i is s[r] = stored parity r + recomputed parity r.  It is zero where
 * everything agrees.  Otherwise, if a single shard is wrong, by e != 0 at this byte, then
 *
 *     s[r] = C[r,j] * e for all r           when it is data shard j,
 *     s[q] = e, s[r] = 0 for all r != q     when it is parity shard q.
 *
 * The syndromes that data shard j can cause are the multiples of column j, and those that
 * parity q can cause are the multiples of a unit vector.  When all 2 by 2 minors of the
 * generator's columns are nonzero (MDS, m >= 2), two such lines meet only in zero, so a nonzero
 * syndrome leaves at most one suspect.
 */
static void syndrome_at(const struct pxr_code *code, uint8_t *const *shards, size_t i,
                        uint8_t *s)
{
    for (unsigned r = 0; r < code->m; r++) {
        s[r] = shards[code->k + r][i];
        for (unsigned j = 0; j < code->k; j++)
            s[r] ^= pxr_mul(code->rows[r * code->k + j], shards[j][i]);
    }
}

/* Returns whether an error in `shard` alone can cause the nonzero syndrome s. */
static bool is_suspect(const struct pxr_code *code, unsigned shard, const uint8_t *s)
{
    unsigned k = code->k, m = code->m, q = 0;
    if (shard >= k) {
        for (unsigned r = 0; r < m; r++)
            if (s[r] && r != shard - k)
                return false;
        return true;
    }
    const uint8_t *column = code->rows + shard;
    while (q < m && !column[q * k])
        q++;
    if (q == m) /* a custom matrix that does not use this shard */
        return false;
    uint8_t e = pxr_mul(s[q], pxr_inverse[column[q * k]]);
    for (unsigned r = 0; r < m; r++)
        if (s[r] != pxr_mul(column[r * k], e))
            return false;
    return true;
}

static void find_suspects(const struct pxr_code *code, uint8_t *const *shards, size_t at,
                          struct pxr_shard_set *suspects)
{
    uint8_t s[PXR_MAX_SHARDS];
    syndrome_at(code, shards, at, s);
    for (unsigned i = 0; i < code->k + code->m; i++)
        if (is_suspect(code, i, s))
            pxr_set_add(suspects, i);
}

const struct pxr_arithmetic pxr_byte_arithmetic = {
    .encode = encode,
    .encode_pieces = encode_pieces,
    .update = update,
    .agrees = agrees,
    .find_suspects = find_suspects,
    .solve = pxr_bytes_solve,
};
