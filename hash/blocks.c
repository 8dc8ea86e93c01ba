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
 * Blocks are visited from the first to the last, so S is multiplied by b^(-W*R), and the end
 * makes up for that.  Zeros fill the last block.  Kernels take 64 to 256 bytes of each row at a
 * time.  So rows of 128 bytes are read nearly in the order of their addresses, which is what
 * prefetchers follow best.
 *
 * In the end S is folded: S[c] += b^(W/2) * S[c + W/2] for the first half of the columns, and
 * so on until one column is left.
 */
#include "blocks.h"

#include <string.h>

#include "dispatch.h"
#include "encode.h"

/* Of the products of a block, d*R are for its bytes and d*d for S.  With 32 rows or more, the
   second part is at most a quarter of the first. */
#define LEAST_ROWS 32
#define ROWS_PER_BYTE 4
#define MOST_ROWS (ROWS_PER_BYTE * PXR_MAX_DEGREE)

/* The columns of S, and their logarithm. */
#define BITS PXR_FOLDS
#define WIDTH (1 << BITS)

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

static unsigned rows_of(unsigned d)
{
    return ROWS_PER_BYTE * d > LEAST_ROWS ? ROWS_PER_BYTE * d : LEAST_ROWS;
}

size_t pxr_powers_bytes(unsigned d)
{
    return pxr_rows_bytes(rows_of(d) + d, d) + PXR_FOLDS * pxr_rows_bytes(d, d);
}

/* Makes the rows of a block, after which S is multiplied by `step`.  Moves `room` behind them.
 */
static struct pxr_rows make_block(const struct pxr_powers *powers, struct pxr_element step,
                                  uint64_t **room)
{
    const unsigned d = powers->degree, columns = powers->rows + d;
    uint8_t coefficients[PXR_MAX_DEGREE * (MOST_ROWS + PXR_MAX_DEGREE)];
    for (unsigned r = 0; r < powers->rows; r++) {
        const struct pxr_element power = pxr_powers_get(powers, WIDTH * r);
        for (unsigned i = 0; i < d; i++)
            coefficients[i * columns + r] = power.byte[i];
    }
    fill_product(d, step, coefficients + powers->rows, columns);
    uint64_t *const at = *room;
    *room += pxr_rows_bytes(columns, d) / sizeof **room;
    return pxr_rows_expand(columns, d, coefficients, at);
}

/* Makes the rows that multiply S by b^exponent. */
static struct pxr_rows make_product(const struct pxr_powers *powers, uint64_t exponent,
                                    uint64_t **room)
{
    const unsigned d = powers->degree;
    uint8_t coefficients[PXR_MAX_DEGREE * PXR_MAX_DEGREE];
    fill_product(d, pxr_powers_get(powers, exponent), coefficients, d);
    uint64_t *const at = *room;
    *room += pxr_rows_bytes(d, d) / sizeof **room;
    return pxr_rows_expand(d, d, coefficients, at);
}

void pxr_powers_make(unsigned d, struct pxr_element b, struct pxr_powers *powers,
                     uint64_t *room)
{
    const unsigned rows = rows_of(d);
    const struct pxr_element back =
        pxr_element_power(d, pxr_element_inverse(d, b), (uint64_t)WIDTH * rows);
    *powers = (struct pxr_powers){.degree = d, .rows = rows};
    for (unsigned i = 0; i < 64; i++) {
        powers->power[i] = b;
        b = pxr_element_multiply(d, b, b);
    }
    powers->block = make_block(powers, back, &room);
    for (unsigned i = 0; i < PXR_FOLDS; i++)
        powers->fold[i] = make_product(powers, 1U << i, &room);
}

/* -------------------------------------------------------------- summing -- */

/* S, twice: a block reads one of them and writes the other. */
struct sums {
    const struct pxr_powers *powers;
    const struct pxr_kernels *kernels;
    unsigned current;
    uint8_t row[2][PXR_MAX_DEGREE][WIDTH] __attribute__((aligned(64)));
};

/* Starts with S = 0. */
static void start(struct sums *s, const struct pxr_powers *powers)
{
    s->powers = powers;
    s->kernels = pxr_kernels();
    s->current = 0;
    memset(s->row[0], 0, powers->degree * sizeof s->row[0][0]);
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
static void add_rows(struct sums *s, const uint8_t **row)
{
    uint8_t *dst[PXR_MAX_DEGREE];
    for (unsigned i = 0; i < s->powers->degree; i++) {
        row[s->powers->rows + i] = s->row[s->current][i];
        dst[i] = s->row[s->current ^ 1][i];
    }
    run(s->kernels, &s->powers->block, WIDTH, row, dst, 0);
    s->current ^= 1;
}

/* Adds a block that is whole. */
static void add_block(struct sums *s, const uint8_t *at)
{
    const uint8_t *row[MOST_ROWS + PXR_MAX_DEGREE];
    for (unsigned r = 0; r < s->powers->rows; r++)
        row[r] = at + WIDTH * (size_t)r;
    add_rows(s, row);
}

/* Adds a block of which only `len` bytes are there; the rest counts as zeros. */
static void add_part(struct sums *s, size_t len, const uint8_t *at)
{
    const uint8_t *row[MOST_ROWS + PXR_MAX_DEGREE];
    uint8_t part[WIDTH] = {0};
    const size_t whole = len / WIDTH;
    memcpy(part, at + whole * WIDTH, len % WIDTH);
    for (size_t r = 0; r < s->powers->rows; r++)
        row[r] = r < whole ? at + WIDTH * r : r == whole ? part : pxr_zeros;
    add_rows(s, row);
}

/* Folds S to one column, and returns it. */
static struct pxr_element fold(struct sums *s)
{
    uint8_t(*const row)[WIDTH] = s->row[s->current];
    const unsigned d = s->powers->degree;
    for (unsigned bits = BITS; bits-- > 0;) {
        const uint8_t *src[PXR_MAX_DEGREE];
        uint8_t *dst[PXR_MAX_DEGREE];
        for (unsigned i = 0; i < d; i++) {
            dst[i] = row[i];
            src[i] = row[i] + (1 << bits);
        }
        run(s->kernels, &s->powers->fold[bits], 1 << bits, src, dst, PXR_ACCUMULATE);
    }
    struct pxr_element sum = {{0}};
    for (unsigned i = 0; i < d; i++)
        sum.byte[i] = row[i][0];
    return sum;
}

struct pxr_element pxr_powers_sum(const struct pxr_powers *powers, uint64_t offset, size_t len,
                                  const uint8_t *bytes)
{
    const size_t block = WIDTH * (size_t)powers->rows;
    struct sums s;
    start(&s, powers);
    for (; len > block; len -= block, bytes += block, offset += block)
        add_block(&s, bytes);
    if (len == block)
        add_block(&s, bytes);
    else
        add_part(&s, len, bytes);
    /* S has the powers that are right for the last block. */
    return pxr_element_multiply(powers->degree, fold(&s), pxr_powers_get(powers, offset));
}
