/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash of permxor_hash.h by the dot product of the kernel sets.
 *
 * H(x) = sum of x[i] * b^i.  Cut the shard into rows of W bytes.  Byte c of row r has the power
 * b^(r*W + c), so
 *
 *     H(x) = sum over c < W of  b^c * S[c]        S[c] = sum over r of  b^(W*r) * x[r*W + c]
 *
 * S is a string of W elements of F.  Kept as d rows of W bytes, row i is a dot product of the
 * rows of the shard: their coefficients are the bytes i of b^(W*r), which are the same for all
 * columns.  So S is what a code with d parity shards computes, and every kernel set hashes at
 * the speed at which it encodes.
 *
 * A block has R rows.  Blocks follow one another from the last to the first by Horner's rule,
 *
 *     S = b^(W*R) * S + (the dot product of the block)
 *
 * Multiplying by an element is linear over GF(2^8): it is a d by d matrix, whose column j is
 * the element times t^j.  So the d rows of S are d more sources of the same dot product.
 *
 * In the end S is folded: columns that are W' apart are added up in the same way, again from
 * the last to the first, S[c] += b^(W') * S[c + W'].  When few columns are left, scalars do the
 * rest.
 *
 * Two widths serve short and long pieces.  The wide rows are an odd number of cache lines long,
 * so that the rows of a block begin in different sets of the first cache.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "encode.h"
#include "extension.h"
#include "permxor_hash.h"
#include "rows.h"

/* Rows in a block for each byte of the hash.  Of the products, d*R are for the bytes of the
   block and d*d are for S, so this many rows make the second part a quarter of the first. */
#define ROWS_PER_BYTE 4
#define MOST_ROWS (ROWS_PER_BYTE * PXR_MAX_DEGREE)

/* The columns of narrow rows, and those that scalars add up. */
#define NARROW 64
#define LAST 4

/* The bytes of S with wide rows are at most 8 KiB, and a wide block is at most 32 KiB. */
#define MOST_STATE 8192

struct shape {
    size_t width;
    struct pxr_rows block; /* d rows over the R rows of a block, and over S */
    struct pxr_rows fold;  /* d rows over S: multiplies by b^(the next smaller width) */
};

struct pxr_hash {
    unsigned size;                /* d */
    unsigned rows;                /* R */
    struct pxr_element power[64]; /* b^(2^i) */
    struct shape wide, narrow;
    uint64_t room[]; /* the memory that the shapes refer to */
};

/* ------------------------------------------------------------- creation -- */

static struct pxr_element power_of(const struct pxr_hash *hash, uint64_t exponent)
{
    struct pxr_element result = {{1}};
    for (unsigned i = 0; exponent != 0; i++, exponent >>= 1)
        if (exponent & 1)
            result = pxr_element_multiply(hash->size, result, hash->power[i]);
    return result;
}

/* Writes the matrix that multiplies by an element into d columns of a matrix of `columns`. */
static void fill_product(unsigned d, struct pxr_element element, uint8_t *coefficients,
                         unsigned columns)
{
    const struct pxr_element t = {{0, 1}};
    for (unsigned j = 0; j < d; j++) {
        for (unsigned i = 0; i < d; i++)
            coefficients[i * columns + j] = element.byte[i];
        element = pxr_element_multiply(d, element, t);
    }
}

static struct pxr_rows make_fold(const struct pxr_hash *hash, size_t width, uint64_t *room)
{
    const unsigned d = hash->size;
    uint8_t coefficients[PXR_MAX_DEGREE * PXR_MAX_DEGREE];
    fill_product(d, power_of(hash, width), coefficients, d);
    return pxr_rows_expand(d, d, coefficients, room);
}

static struct pxr_rows make_block(const struct pxr_hash *hash, size_t width, uint64_t *room)
{
    const unsigned d = hash->size, columns = hash->rows + d;
    uint8_t coefficients[PXR_MAX_DEGREE * (MOST_ROWS + PXR_MAX_DEGREE)];
    for (unsigned r = 0; r < hash->rows; r++) {
        const struct pxr_element power = power_of(hash, (uint64_t)width * r);
        for (unsigned i = 0; i < d; i++)
            coefficients[i * columns + r] = power.byte[i];
    }
    fill_product(d, power_of(hash, (uint64_t)width * hash->rows), coefficients + hash->rows,
                 columns);
    return pxr_rows_expand(columns, d, coefficients, room);
}

/* Makes a shape whose S is folded to rows of width `next`.  Returns the room behind it. */
static uint64_t *make_shape(const struct pxr_hash *hash, size_t width, size_t next,
                            struct shape *shape, uint64_t *room)
{
    const unsigned d = hash->size;
    shape->width = width;
    shape->block = make_block(hash, width, room);
    room += pxr_rows_bytes(hash->rows + d, d) / sizeof *room;
    shape->fold = make_fold(hash, next, room);
    return room + pxr_rows_bytes(d, d) / sizeof *room;
}

static int fail(int status, const char *text, struct pxr_error *why)
{
    if (why)
        snprintf(why->text, sizeof why->text, "%s", text);
    return status;
}

int pxr_hash_create(pxr_hash **hash, unsigned size, const uint8_t *key, struct pxr_error *why)
{
    if (!hash)
        return fail(PXR_EINVAL, "there is no place for the hash: the pointer is NULL", why);
    *hash = NULL;
    if (!pxr_is_degree(size))
        return fail(PXR_EINVAL, "a hash has 4, 8 or 16 bytes", why);
    struct pxr_element b = {{0, 1}};
    if (key)
        memcpy(b.byte, key, size);
    if (!pxr_element_generates(size, b))
        return fail(PXR_EINVAL, "this key is in a smaller field: take other random bytes", why);

    const unsigned rows = ROWS_PER_BYTE * size;
    const size_t room = 2 * (pxr_rows_bytes(rows + size, size) + pxr_rows_bytes(size, size));
    struct pxr_hash *const made = malloc(sizeof *made + room);
    if (!made)
        return fail(PXR_ENOMEM, pxr_strerror(PXR_ENOMEM), why);
    made->size = size;
    made->rows = rows;
    for (unsigned i = 0; i < 64; i++) {
        made->power[i] = b;
        b = pxr_element_multiply(size, b, b);
    }
    const size_t wide = MOST_STATE / size - 64;
    make_shape(made, NARROW, LAST, &made->narrow,
               make_shape(made, wide, NARROW, &made->wide, made->room));
    *hash = made;
    return PXR_OK;
}

void pxr_hash_free(pxr_hash *hash)
{
    free(hash);
}

unsigned pxr_hash_size(const pxr_hash *hash)
{
    return hash ? hash->size : 0;
}

/* -------------------------------------------------------------- hashing -- */

/* S, twice: a block reads one of them and writes the other.  Row i of S begins at i * stride.
 */
struct state {
    const struct pxr_hash *hash;
    const struct pxr_kernels *kernels;
    size_t stride;
    unsigned current;
    uint8_t room[2][MOST_STATE] __attribute__((aligned(64)));
};

/* Returns row i of the current S, or of the other one, from this column on. */
static uint8_t *row_of(struct state *s, unsigned other, unsigned i, size_t column)
{
    return s->room[s->current ^ other] + s->stride * i + column;
}

/* Runs the rows over k sources.  With PXR_ACCUMULATE the outputs are added to. */
static void run(const struct pxr_kernels *kernels, const struct pxr_rows *rows, size_t len,
                const uint8_t *const *src, uint8_t *const *dst, uint32_t flags)
{
    const enum pxr_form form = kernels->form;
    const uint8_t *row = rows->form[form];
    for (unsigned r = 0, n; r < rows->count; r += n) {
        uint8_t *out[2 * PXR_MAX_ROWS];
        n = pxr_rows_of_pass(rows->count - r);
        for (unsigned i = 0; i < n; i++)
            out[i] = out[n + i] = dst[r + i];
        kernels->dot[PXR_SPECIAL_NONE][n](len, rows->k, row, src, out, flags);
        row += pxr_form_bytes(form) * rows->k * n;
    }
}

/* S = b^(W*R) * S + (the rows of a block). */
static void add_rows(struct state *s, const struct shape *shape, const uint8_t **row)
{
    const unsigned d = s->hash->size;
    uint8_t *dst[PXR_MAX_DEGREE];
    for (unsigned i = 0; i < d; i++) {
        row[s->hash->rows + i] = row_of(s, 0, i, 0);
        dst[i] = row_of(s, 1, i, 0);
    }
    run(s->kernels, &shape->block, shape->width, row, dst, 0);
    s->current ^= 1;
}

/* Adds a whole block. */
static void add_block(struct state *s, const struct shape *shape, const uint8_t *at)
{
    const uint8_t *row[MOST_ROWS + PXR_MAX_DEGREE];
    for (unsigned r = 0; r < s->hash->rows; r++)
        row[r] = at + shape->width * r;
    add_rows(s, shape, row);
}

/* Adds a narrow block of which only `len` bytes are there; the rest counts as zeros. */
static void add_part(struct state *s, const uint8_t *at, size_t len)
{
    const uint8_t *row[MOST_ROWS + PXR_MAX_DEGREE];
    uint8_t part[NARROW] = {0};
    const size_t whole = len / NARROW;
    memcpy(part, at + whole * NARROW, len % NARROW);
    for (size_t r = 0; r < s->hash->rows; r++)
        row[r] = r < whole ? at + NARROW * r : r == whole ? part : pxr_zeros;
    add_rows(s, &s->hash->narrow, row);
}

/* Adds pieces of blocks, and whole blocks, from the last to the first. */
static void add_narrow(struct state *s, const uint8_t *at, size_t len)
{
    const size_t block = NARROW * (size_t)s->hash->rows, part = len % block;
    for (unsigned i = 0; i < s->hash->size; i++)
        memset(row_of(s, 0, i, 0), 0, NARROW);
    if (part > 0)
        add_part(s, at + len - part, part);
    for (len -= part; len > 0; len -= block)
        add_block(s, &s->hash->narrow, at + len - block);
}

/* Asks for the bytes of a block that is next. */
static void prefetch_block(const uint8_t *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        (void)*(volatile const uint8_t *)(at + i);
}

/* Before the first wide block, S has columns of zeros behind the narrow ones. */
static void add_wide(struct state *s, const uint8_t *at, size_t len)
{
    const struct shape *const wide = &s->hash->wide;
    const size_t block = wide->width * s->hash->rows;
    for (unsigned i = 0; i < s->hash->size; i++)
        memset(row_of(s, 0, i, NARROW), 0, wide->width - NARROW);
    for (; len > 0; len -= block) {
        if (len > block)
            prefetch_block(at + len - 2 * block, block);
        add_block(s, wide, at + len - block);
    }
}

/* Folds the columns of S to the first `next`. */
static void fold(struct state *s, const struct shape *shape, size_t next)
{
    const unsigned d = s->hash->size;
    for (size_t column = shape->width - next; column > 0; column -= next) {
        const uint8_t *src[PXR_MAX_DEGREE];
        uint8_t *dst[PXR_MAX_DEGREE];
        for (unsigned i = 0; i < d; i++) {
            src[i] = row_of(s, 0, i, column);
            dst[i] = row_of(s, 0, i, column - next);
        }
        run(s->kernels, &shape->fold, next, src, dst, PXR_ACCUMULATE);
    }
}

/* Adds up the last columns: the sum of b^c * S[c]. */
static struct pxr_element add_up(struct state *s)
{
    const unsigned d = s->hash->size;
    struct pxr_element sum = {{0}};
    for (unsigned c = LAST; c-- > 0;) {
        sum = pxr_element_multiply(d, sum, s->hash->power[0]);
        for (unsigned i = 0; i < d; i++)
            sum.byte[i] ^= *row_of(s, 0, i, c);
    }
    return sum;
}

static struct pxr_element hash_of(const struct pxr_hash *hash, size_t len, const uint8_t *at)
{
    const size_t wide = len / (hash->wide.width * hash->rows) * (hash->wide.width * hash->rows);
    struct state s;
    s.hash = hash;
    s.kernels = pxr_kernels();
    s.stride = hash->wide.width;
    s.current = 0;
    add_narrow(&s, at + wide, len - wide);
    if (wide > 0) {
        add_wide(&s, at, wide);
        fold(&s, &hash->wide, NARROW);
    }
    fold(&s, &hash->narrow, LAST);
    return add_up(&s);
}

/* sum += b^offset * part */
static void add_part_at(const struct pxr_hash *hash, uint64_t offset, struct pxr_element part,
                        uint8_t *sum)
{
    part = pxr_element_multiply(hash->size, part, power_of(hash, offset));
    for (unsigned i = 0; i < hash->size; i++)
        sum[i] ^= part.byte[i];
}

int pxr_hash_add(const pxr_hash *hash, uint64_t offset, size_t len, const uint8_t *piece,
                 uint8_t *sum)
{
    if (!hash || !sum || (!piece && len > 0))
        return PXR_EINVAL;
    if (len > 0)
        add_part_at(hash, offset, hash_of(hash, len, piece), sum);
    return PXR_OK;
}

int pxr_hash_combine(const pxr_hash *hash, uint64_t offset, const uint8_t *part, uint8_t *sum)
{
    if (!hash || !part || !sum)
        return PXR_EINVAL;
    struct pxr_element element = {{0}};
    memcpy(element.byte, part, hash->size);
    add_part_at(hash, offset, element, sum);
    return PXR_OK;
}
