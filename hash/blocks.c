/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cut the bytes into rows of W.  Byte c of row r has the power b^(r*W + c), so the sum is
 *
 *     sum over c < W of  b^c * S[c]        S[c] = sum over r of  b^(W*r) * x[r*W + c]
 *
 * S is a string of W elements of F.  Kept as d rows of W bytes, its row i is a dot product of
 * the rows of bytes: the coefficients are the bytes i of b^(W*r), which are the same for all
 * columns. So S is what a code with d parity shards computes, and every kernel set sums at the
 * speed at which it encodes.
 *
 * A block has R rows.  Blocks follow one another by Horner's rule,
 *
 *     S = (a power of b) * S + (the dot product of the block)
 *
 * Multiplying by an element is linear over GF(2^8): it is a d by d matrix, whose column j is
 * the element times t^j.  So the d rows of S are d more sources of the same dot product.
 *
 * In the end S is folded: columns that are W' apart are added up, again by Horner's rule, S[c]
 * += b^(W') * S[c + W'].  When few columns are left, scalars do the rest.
 *
 * There are three shapes of blocks.
 *
 * - Narrow ones, for a few bytes and for ends.
 * - Wide ones.  Like the narrow ones they lie one behind the other, and are visited from the
 * last to the first: S is multiplied by b^(W*R).
 * - Far ones, for bytes that come from memory.  Prefetchers follow streams, and the rows of a
 * wide block are too short for them.  So the bytes are cut into regions, and a region into R
 * long rows.  A far block is W columns of all these rows.  Blocks are visited from the first to
 * the last, as prefetchers go: S is multiplied by b^(-W), and the end makes up for that.
 */
#include "blocks.h"

#include <string.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"

/* Rows in a block for each byte of an element.  Of the products, d*R are for the bytes of the
   block and d*d for S, so the second part is a quarter of the first. */
#define ROWS_PER_BYTE 4
#define MOST_ROWS (ROWS_PER_BYTE * PXR_MAX_DEGREE)

/* S has at most so many bytes, and a wide block 4 times as many: with both copies of S it fits
   a cache of the core. */
#define MOST_STATE 8192

/* Columns of narrow rows, and those that scalars add up. */
#define NARROW 64
#define LAST 4

/* The wide blocks in a region: rows of 14 to 64 KiB. */
#define BLOCKS_OF_REGION 33

/* ------------------------------------------------------------- creation -- */

struct pxr_element pxr_powers_get(const struct pxr_powers *powers, uint64_t exponent)
{
    struct pxr_element result = {{1}};
    for (unsigned i = 0; exponent != 0; i++, exponent >>= 1)
        if (exponent & 1)
            result = pxr_element_multiply(powers->degree, result, powers->power[i]);
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

static size_t block_bytes(unsigned d)
{
    return pxr_rows_bytes(ROWS_PER_BYTE * d + d, d);
}

static size_t fold_bytes(unsigned d)
{
    return pxr_rows_bytes(d, d);
}

size_t pxr_powers_bytes(unsigned d)
{
    return 3 * (block_bytes(d) + fold_bytes(d));
}

/* Makes the rows of a block whose rows are `stride` apart, and after which S is multiplied by
   `step`; and those of a fold, which multiplies by `fold`.  Returns the room behind them. */
static uint64_t *make_shape(const struct pxr_powers *powers, struct pxr_shape *shape,
                            struct pxr_element step, struct pxr_element fold, uint64_t *room)
{
    const unsigned d = powers->degree, columns = powers->rows + d;
    uint8_t coefficients[PXR_MAX_DEGREE * (MOST_ROWS + PXR_MAX_DEGREE)];
    for (unsigned r = 0; r < powers->rows; r++) {
        const struct pxr_element power = pxr_powers_get(powers, (uint64_t)shape->stride * r);
        for (unsigned i = 0; i < d; i++)
            coefficients[i * columns + r] = power.byte[i];
    }
    fill_product(d, step, coefficients + powers->rows, columns);
    shape->block = pxr_rows_expand(columns, d, coefficients, room);
    room += block_bytes(d) / sizeof *room;
    fill_product(d, fold, coefficients, d);
    shape->fold = pxr_rows_expand(d, d, coefficients, room);
    return room + fold_bytes(d) / sizeof *room;
}

void pxr_powers_make(unsigned d, struct pxr_element b, struct pxr_powers *powers,
                     uint64_t *room)
{
    /* An odd number of cache lines, so that the rows of a block begin in different sets of the
       first cache; BLOCKS_OF_REGION is odd for the same reason. */
    const size_t wide = MOST_STATE / d - 64, row = wide * BLOCKS_OF_REGION;
    const struct pxr_element inverse = pxr_element_inverse(d, b);
    *powers = (struct pxr_powers){.degree = d,
                                  .rows = ROWS_PER_BYTE * d,
                                  .far = {.width = wide, .stride = row},
                                  .wide = {.width = wide, .stride = wide},
                                  .narrow = {.width = NARROW, .stride = NARROW}};
    for (unsigned i = 0; i < 64; i++) {
        powers->power[i] = b;
        b = pxr_element_multiply(d, b, b);
    }
    /* From the first column behind a row to the first one of the next region. */
    const uint64_t skip = (uint64_t)row * (powers->rows - 1);
    room = make_shape(powers, &powers->far, pxr_element_power(d, inverse, wide),
                      pxr_element_power(d, inverse, skip), room);
    room = make_shape(powers, &powers->wide, pxr_powers_get(powers, wide * powers->rows),
                      pxr_powers_get(powers, NARROW), room);
    make_shape(powers, &powers->narrow, pxr_powers_get(powers, NARROW * powers->rows),
               pxr_powers_get(powers, LAST), room);
}

/* -------------------------------------------------------------- summing -- */

/* S, twice: a block reads one of them and writes the other.  Row i begins at i * stride. */
struct state {
    const struct pxr_powers *powers;
    const struct pxr_kernels *kernels;
    size_t stride;
    uint32_t way; /* how blocks use memory */
    unsigned current;
    uint8_t room[2][MOST_STATE] __attribute__((aligned(64)));
};

/* The bytes behind the S of wide rows are not used.  They are not cleared either. */
static void state_start(struct state *s, const struct pxr_powers *powers, uint32_t way)
{
    s->powers = powers;
    s->kernels = pxr_kernels();
    s->stride = powers->wide.width;
    s->way = way;
    s->current = 0;
}

/* Returns row i of the current S, or of the other one, from this column on. */
static uint8_t *row_of(struct state *s, unsigned other, unsigned i, size_t column)
{
    return s->room[s->current ^ other] + s->stride * i + column;
}

static void clear(struct state *s, size_t column, size_t width)
{
    for (unsigned i = 0; i < s->powers->degree; i++)
        memset(row_of(s, 0, i, column), 0, width);
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

/* Adds a block whose rows are in row[], which has room for those of S. */
static void add_rows(struct state *s, const struct pxr_shape *shape, const uint8_t **row)
{
    uint8_t *dst[PXR_MAX_DEGREE];
    for (unsigned i = 0; i < s->powers->degree; i++) {
        row[s->powers->rows + i] = row_of(s, 0, i, 0);
        dst[i] = row_of(s, 1, i, 0);
    }
    run(s->kernels, &shape->block, shape->width, row, dst, s->way);
    s->current ^= 1;
}

/* Adds a block that is whole. */
static void add_block(struct state *s, const struct pxr_shape *shape, const uint8_t *at)
{
    const uint8_t *row[MOST_ROWS + PXR_MAX_DEGREE];
    for (unsigned r = 0; r < s->powers->rows; r++)
        row[r] = at + shape->stride * r;
    add_rows(s, shape, row);
}

/* Adds a narrow block of which only `len` bytes are there; the rest counts as zeros. */
static void add_part(struct state *s, const uint8_t *at, size_t len)
{
    const uint8_t *row[MOST_ROWS + PXR_MAX_DEGREE];
    uint8_t part[NARROW] = {0};
    const size_t whole = len / NARROW;
    memcpy(part, at + whole * NARROW, len % NARROW);
    for (size_t r = 0; r < s->powers->rows; r++)
        row[r] = r < whole ? at + NARROW * r : r == whole ? part : pxr_zeros;
    add_rows(s, &s->powers->narrow, row);
}

static void add_narrow(struct state *s, const uint8_t *at, size_t len)
{
    const size_t block = NARROW * (size_t)s->powers->rows, part = len % block;
    clear(s, 0, NARROW);
    if (part > 0)
        add_part(s, at + len - part, part);
    for (len -= part; len > 0; len -= block)
        add_block(s, &s->powers->narrow, at + len - block);
}

/* Narrow blocks were before.  With wide rows, their S has columns of zeros behind it. */
static void add_wide(struct state *s, const uint8_t *at, size_t len)
{
    const struct pxr_shape *const wide = &s->powers->wide;
    const size_t block = wide->width * s->powers->rows;
    clear(s, NARROW, wide->width - NARROW);
    for (; len > 0; len -= block)
        add_block(s, wide, at + len - block);
}

/* S *= the element of a fold. */
static void multiply(struct state *s, const struct pxr_shape *shape)
{
    const uint8_t *src[PXR_MAX_DEGREE];
    uint8_t *dst[PXR_MAX_DEGREE];
    for (unsigned i = 0; i < s->powers->degree; i++) {
        src[i] = row_of(s, 0, i, 0);
        dst[i] = row_of(s, 1, i, 0);
    }
    run(s->kernels, &shape->fold, shape->width, src, dst, 0);
    s->current ^= 1;
}

static void add_regions(struct state *s, const uint8_t *at, size_t count)
{
    const struct pxr_shape *const far = &s->powers->far;
    clear(s, 0, far->width);
    for (size_t n = 0; n < count; n++, at += far->stride * s->powers->rows) {
        if (n > 0)
            multiply(s, far);
        for (size_t column = 0; column < far->stride; column += far->width)
            add_block(s, far, at + column);
    }
}

/* Folds the columns of S to the first `next`. */
static void fold(struct state *s, const struct pxr_shape *shape, size_t next)
{
    const unsigned d = s->powers->degree;
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

/* Folds the narrow columns, and adds up the last ones. */
static struct pxr_element add_up(struct state *s)
{
    const unsigned d = s->powers->degree;
    struct pxr_element sum = {{0}};
    fold(s, &s->powers->narrow, LAST);
    for (unsigned c = LAST; c-- > 0;) {
        sum = pxr_element_multiply(d, sum, s->powers->power[0]);
        for (unsigned i = 0; i < d; i++)
            sum.byte[i] ^= *row_of(s, 0, i, c);
    }
    return sum;
}

static struct pxr_element sum_near(struct state *s, const struct pxr_powers *powers, size_t len,
                                   const uint8_t *at)
{
    const size_t block = powers->wide.width * powers->rows, wide = len / block * block;
    state_start(s, powers, 0);
    add_narrow(s, at + wide, len - wide);
    if (wide > 0) {
        add_wide(s, at, wide);
        fold(s, &powers->wide, NARROW);
    }
    return add_up(s);
}

/* Sums whole regions.  S has the powers that are right for the last block, so the sum is b to
   the offset of that block too low. */
static struct pxr_element sum_far(struct state *s, const struct pxr_powers *powers,
                                  size_t regions, const uint8_t *at, uint32_t way)
{
    const struct pxr_shape *const far = &powers->far;
    state_start(s, powers, way);
    add_regions(s, at, regions);
    fold(s, &powers->wide, NARROW); /* S has the same columns */
    const uint64_t last =
        (uint64_t)far->stride * powers->rows * (regions - 1) + far->stride - far->width;
    return pxr_element_multiply(powers->degree, add_up(s), pxr_powers_get(powers, last));
}

/* There is one state on the stack, whatever a compiler inlines. */
struct pxr_element pxr_powers_sum(const struct pxr_powers *powers, size_t len,
                                  const uint8_t *bytes)
{
    struct state s;
    const size_t region = powers->far.stride * powers->rows, regions = len / region;
    const enum pxr_place place =
        regions == 0 ? PXR_NO_PLACE : pxr_place(len, 1, (struct pxr_sources){&bytes, 1});
    if (place != PXR_PLACE_MEMORY)
        return sum_near(&s, powers, len, bytes);
    /* S is read again at once. */
    const uint32_t way =
        pxr_way(PXR_WORK_DOT, place, powers->rows) & ~(uint32_t)(PXR_STREAM | PXR_BY_MATRIX);
    const size_t done = regions * region;
    const struct pxr_element rest = sum_near(&s, powers, len - done, bytes + done);
    return pxr_element_add(
        sum_far(&s, powers, regions, bytes, way),
        pxr_element_multiply(powers->degree, rest, pxr_powers_get(powers, done)));
}
