/* SPDX-License-Identifier: BSD-3-Clause */
#include "word_matrix.h"

#include "dispatch.h"

/* 1/a = a^(2^w - 2), because a^(2^w - 1) = 1.  This is the product of the w - 1 powers a^2,
   a^4, a^8 and so on. */
uint32_t pxr_word_inverse(struct pxr_word_field field, uint32_t a)
{
    uint32_t power = a, all = 1;
    for (unsigned i = 1; i < field.w; i++) {
        power = pxr_word_mul(field, power, power);
        all = pxr_word_mul(field, all, power);
    }
    return all;
}

/* ----------------------------------------------------------- elimination -- */

/* The number of rows that are added to at a time. */
#define MOST_ROWS 8

/*
 * dst[r] (+)= factor[r] * row, for up to MOST_ROWS rows of n entries.
 *
 * An entry takes 32 bits and uses w of them; the other bits are zeros.  So it consists of one
 * word of w bits, and of words that are 0 and whose products are 0.  To the kernels n entries
 * are 4n bytes of words, in either byte order.
 *
 * It is not inlined, because its room would then stay on the caller's stack during other calls.
 */
static __attribute__((noinline)) void multiply(struct pxr_word_field field, const uint32_t *row,
                                               unsigned n, unsigned count,
                                               const uint32_t *factor, uint32_t *const *dst,
                                               bool add)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    const uint8_t *const src = (const uint8_t *)row;
    uint64_t room[MOST_ROWS * PXR_WORDS_MAP / sizeof(uint64_t)];
    uint8_t *to[MOST_ROWS];
    struct pxr_words words = {.k = 0};
    for (unsigned r = 0; r < count; r++)
        to[r] = (uint8_t *)dst[r];
    pxr_words_expand(&words, field, 1, count, factor, kernels->form, room);
    pxr_words_dot(kernels, n * sizeof *row, &words, &src, to, add);
}

void pxr_word_add_multiples(struct pxr_word_field field, const uint32_t *row, unsigned n,
                            unsigned count, const uint32_t *factor, uint32_t *matrix,
                            size_t stride)
{
    uint32_t factors[MOST_ROWS], *dst[MOST_ROWS];
    unsigned rows = 0;
    for (unsigned r = 0; r < count; r++) {
        if (factor[r] != 0) {
            factors[rows] = factor[r];
            dst[rows++] = matrix + r * stride;
        }
        if (rows == MOST_ROWS || (r + 1 == count && rows > 0)) {
            multiply(field, row, n, rows, factors, dst, true);
            rows = 0;
        }
    }
}

/*
 * No pivot is 0: before the division, pivot p is the determinant of the first p + 1 rows and
 * columns, divided by the determinant of the first p, and neither of them is 0.  The columns
 * before the pivot's column are done: the pivot's row has zeros there.
 */
void pxr_word_eliminate(struct pxr_word_field field, uint32_t *matrix, unsigned n,
                        unsigned columns)
{
    uint32_t factor[PXR_MAX_WORD_SHARDS];
    for (unsigned p = 0; p < n; p++) {
        uint32_t *const column = matrix + p, *const pivot = column + (size_t)p * columns;
        const uint32_t c = pxr_word_inverse(field, *pivot);
        multiply(field, pivot, columns - p, 1, &c, &pivot, false);
        for (unsigned r = 0; r < n; r++)
            factor[r] = r == p ? 0 : column[(size_t)r * columns];
        pxr_word_add_multiples(field, pivot, columns - p, n, factor, column, columns);
    }
}

/* -------------------------------------------------------------- matrices -- */

/*
 * The points are 0, 1, ..., k+m-2 and infinity. code_matrix.c derives the coefficients for
 * bytes, and they are the same in any field: 1 in the first row, and then
 *
 *     (k - j)/k * x/(x - j)  at point x = k + r,   and at infinity  (k - j)/k.
 *
 * Each x - j, which is x ^ j, is a number of as few bits as the points have, so there are few
 * numbers to invert.
 */
static void fill_van(struct pxr_word_field field, uint32_t *rows, unsigned k, unsigned m)
{
    uint32_t inverse[PXR_MAX_WORD_SHARDS], *const last = rows + (size_t)(m - 1) * k;
    unsigned end = 1;
    for (; end < k + m; end *= 2)
        for (unsigned d = end; d < 2 * end; d++)
            inverse[d] = pxr_word_inverse(field, d);
    for (unsigned j = 0; j < k; j++)
        last[j] = pxr_word_mul(field, k ^ j, inverse[k]);
    for (unsigned r = 1; r + 1 < m; r++)
        for (unsigned j = 0, x = k + r; j < k; j++)
            rows[(size_t)r * k + j] =
                pxr_word_mul(field, pxr_word_mul(field, last[j], x), inverse[x ^ j]);
    for (unsigned j = 0; j < k; j++)
        rows[j] = 1;
}

void pxr_word_matrix_fill(struct pxr_word_field field, uint32_t *rows, unsigned k, unsigned m,
                          enum pxr_matrix matrix)
{
    if (matrix == PXR_JERASURE_VAN) {
        fill_van(field, rows, k, m);
        return;
    }
    uint32_t power = 1;
    for (unsigned j = 0; j < k; j++) {
        rows[j] = 1;
        rows[k + j] = power;
        power = pxr_word_mul(field, power, 2);
    }
}
