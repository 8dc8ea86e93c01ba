/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 0/1 matrices of jerasure's techniques.
 *
 * Block (i, j) of such a matrix has w rows and w columns.  It says how the w packets of parity
 * shard i follow from those of data shard j.  A code is MDS if and only if every square matrix
 * of blocks is nonsingular (code_matrix.c says why).  For two parity shards of which the first
 * is the sum of all data, this means that every block X_j of the second parity shard, and every
 * sum of two of these blocks, is nonsingular.
 */
#include "packet_matrix.h"

#include "word_matrix.h"

/* ----------------------------------------------------------- GF(2^w) -- */

static uint32_t doubled(uint32_t a, unsigned w)
{
    return pxr_word_mul(pxr_word_field_of(w), a, 2);
}

static uint32_t product(uint32_t a, uint32_t b, unsigned w)
{
    return pxr_word_mul(pxr_word_field_of(w), a, b);
}

static uint32_t inverse(uint32_t a, unsigned w)
{
    return pxr_word_inverse(pxr_word_field_of(w), a);
}

/* Returns the number of ones in the matrix of an element. */
static unsigned ones_of(uint32_t e, unsigned w)
{
    unsigned ones = 0;
    for (unsigned x = 0; x < w; x++, e = doubled(e, w))
        ones += (unsigned)__builtin_popcount(e);
    return ones;
}

/* ------------------------------------------------------------- blocks -- */

static void set(struct pxr_bits *bits, unsigned row, unsigned column)
{
    pxr_set_bit(pxr_bits_row(bits, row), column);
}

/* Multiplication by e is linear over GF(2).  Its matrix has in column x the product e*2^x of e
   and basis element x. */
static void fill_element(struct pxr_bits *bits, unsigned i, unsigned j, uint32_t e, unsigned w)
{
    for (unsigned x = 0; x < w; x++, e = doubled(e, w))
        for (unsigned l = 0; l < w; l++)
            if (e >> l & 1)
                set(bits, i * w + l, j * w + x);
}

static void fill_identity(struct pxr_bits *bits, unsigned i, unsigned j, unsigned w)
{
    for (unsigned x = 0; x < w; x++)
        set(bits, i * w + x, j * w + x);
}

static void fill_identities(struct pxr_bits *bits, unsigned k, unsigned w)
{
    for (unsigned j = 0; j < k; j++)
        fill_identity(bits, 0, j, w);
}

/* -------------------------------------------------------------- Cauchy -- */

/* 1/(x + y) of points that are all different: row i has the point i, and column j has the point
   m+j. */
static uint32_t cauchy(const struct pxr_packet_shape *s, unsigned i, unsigned j)
{
    return inverse(i ^ (s->m + j), s->w);
}

static void fill_cauchy_orig(struct pxr_bits *bits, const struct pxr_packet_shape *s)
{
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned j = 0; j < s->k; j++)
            fill_element(bits, i, j, cauchy(s, i, j), s->w);
}

/* Up to this w, jerasure has lists of the best elements for two parity shards. */
#define MOST_LISTED_W 11
static bool is_listed(const struct pxr_packet_shape *s)
{
    return s->m == 2 && s->w >= 2 && s->w <= MOST_LISTED_W && s->k < 1u << s->w;
}

/* Returns the element that follows e in the order of the number of ones; elements with equally
   many ones are in the order of their values.  For e = 0 it returns the first element. */
static uint32_t next_best(uint32_t e, unsigned w)
{
    const unsigned ones = e ? ones_of(e, w) : 0;
    unsigned least = UINT32_MAX;
    uint32_t best = 0;
    for (uint32_t c = 1; c < 1u << w; c++) {
        const unsigned n = ones_of(c, w);
        if ((n > ones || (n == ones && c > e)) && n < least) {
            least = n;
            best = c;
        }
    }
    return best;
}

/* A row of ones and a row of different elements are MDS.  The elements with the fewest ones
   take the fewest xors. */
static void fill_best(struct pxr_bits *bits, const struct pxr_packet_shape *s)
{
    uint32_t e = 0;
    fill_identities(bits, s->k, s->w);
    for (unsigned j = 0; j < s->k; j++)
        fill_element(bits, 1, j, e = next_best(e, s->w), s->w);
}

static unsigned ones_of_row(const uint32_t *row, uint32_t factor, unsigned k, unsigned w)
{
    unsigned ones = 0;
    for (unsigned j = 0; j < k; j++)
        ones += ones_of(product(row[j], factor, w), w);
    return ones;
}

/* Returns the factor that leaves a row with the fewest ones: 1, or the inverse of one of the
   row's entries.  Of equal factors it returns the first. */
static uint32_t best_factor(const uint32_t *row, unsigned k, unsigned w)
{
    uint32_t best = 1;
    unsigned least = ones_of_row(row, 1, k, w);
    for (unsigned j = 0; j < k; j++) {
        const uint32_t factor = inverse(row[j], w);
        const unsigned ones = ones_of_row(row, factor, k, w);
        if (ones < least) {
            least = ones;
            best = factor;
        }
    }
    return best;
}

/* The rows and columns of an MDS matrix may be multiplied by anything but zero.  First each
   column is multiplied so that the first row is ones, and then each other row so that it has
   few ones. */
static void fill_improved(struct pxr_bits *bits, const struct pxr_packet_shape *s)
{
    uint32_t row[PXR_MAX_SHARDS];
    fill_identities(bits, s->k, s->w);
    for (unsigned i = 1; i < s->m; i++) {
        for (unsigned j = 0; j < s->k; j++)
            row[j] = product(cauchy(s, i, j), s->m + j, s->w);
        const uint32_t factor = best_factor(row, s->k, s->w);
        for (unsigned j = 0; j < s->k; j++)
            fill_element(bits, i, j, product(row[j], factor, s->w), s->w);
    }
}

/* ------------------------------------------------ two parity shards alone -- */

/* Plank's Liberation codes: X_j rotates the packets by j, and for j > 0 has one additional one.
 */
static void fill_liberation(struct pxr_bits *bits, const struct pxr_packet_shape *s)
{
    const unsigned w = s->w;
    fill_identities(bits, s->k, w);
    for (unsigned j = 0; j < s->k; j++) {
        for (unsigned r = 0; r < w; r++)
            set(bits, w + r, j * w + (r + j) % w);
        if (j > 0) {
            const unsigned y = j * ((w - 1) / 2) % w;
            set(bits, w + y, j * w + (y + j - 1) % w);
        }
    }
}

/*
 * The codes of Blaum and Roth.  Let p = w + 1 be prime.  The packets are the coefficients of a
 * polynomial modulo 1 + x + ... + x^w, and X_j multiplies by x^j.  Rows are counted from 1.
 * Row l of the product has the coefficient l + j modulo p.  Where l + j is p, it has the two
 * coefficients that follow from the modulus.
 */
static void fill_blaum_roth(struct pxr_bits *bits, const struct pxr_packet_shape *s)
{
    const unsigned w = s->w, p = w + 1;
    fill_identities(bits, s->k, w);
    fill_identity(bits, 1, 0, w);
    for (unsigned j = 1; j < s->k; j++) {
        for (unsigned l = 1; l <= w; l++) {
            if (l + j != p) {
                set(bits, w + l - 1, j * w + (l + j) % p - 1);
                continue;
            }
            const unsigned half = j % 2 ? p / 2 + 1 + j / 2 : j / 2;
            set(bits, w + l - 1, j * w + j - 1);
            set(bits, w + l - 1, j * w + half - 1);
        }
    }
}

/* Plank's Liber8tion code, which was found by a search: the column of each of the 8 rows of
   X_j, and the row and column of one additional one, except for X_0. */
static const struct {
    uint8_t column[8], extra_row, extra_column;
} liber8tion[8] = {
    {{0, 1, 2, 3, 4, 5, 6, 7}, 0, 0}, {{7, 3, 0, 2, 6, 1, 5, 4}, 4, 7},
    {{6, 2, 4, 0, 7, 3, 1, 5}, 1, 3}, {{2, 5, 7, 6, 0, 3, 4, 1}, 5, 4},
    {{5, 6, 1, 7, 2, 4, 3, 0}, 2, 0}, {{1, 2, 3, 4, 5, 6, 7, 0}, 7, 2},
    {{3, 0, 6, 5, 1, 7, 4, 2}, 6, 5}, {{4, 7, 1, 5, 3, 2, 0, 6}, 3, 1},
};

static void fill_liber8tion(struct pxr_bits *bits, const struct pxr_packet_shape *s)
{
    fill_identities(bits, s->k, 8);
    for (unsigned j = 0; j < s->k; j++) {
        for (unsigned r = 0; r < 8; r++)
            set(bits, 8 + r, 8 * j + liber8tion[j].column[r]);
        set(bits, 8u + liber8tion[j].extra_row, 8 * j + liber8tion[j].extra_column);
    }
}

/* -------------------------------------------------------- which shapes -- */

static bool is_prime(unsigned n)
{
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

/* The largest field for which there is a polynomial. */
#define MOST_FIELD_W 32

static int check_cauchy(const struct pxr_packet_shape *s, struct pxr_error *why)
{
    if (s->w > MOST_FIELD_W) {
        pxr_explain(why, "w=%u: %s needs w from 1 to %d", s->w, pxr_matrix_name(s->matrix),
                    MOST_FIELD_W);
        return PXR_EINVAL;
    }
    const bool best = s->matrix == PXR_JERASURE_CAUCHY_GOOD && is_listed(s);
    if (best || s->w >= 9 || s->k + s->m <= 1u << s->w)
        return PXR_OK;
    pxr_explain(why, "%s with w=%u has at most %u shards, but k=%u, m=%u are more",
                pxr_matrix_name(s->matrix), s->w, 1u << s->w, s->k, s->m);
    return PXR_EINVAL;
}

/* What the matrices for two parity shards have in common. */
static int check_raid6(const struct pxr_packet_shape *s, struct pxr_error *why)
{
    if (s->m == 2 && s->k <= s->w)
        return PXR_OK;
    if (s->m != 2)
        pxr_explain(why, "m=%u: %s needs m=2", s->m, pxr_matrix_name(s->matrix));
    else
        pxr_explain(why, "k=%u: %s with w=%u has at most %u data shards", s->k,
                    pxr_matrix_name(s->matrix), s->w, s->w);
    return PXR_EINVAL;
}

/* Checks the matrices that are MDS when `prime` is a prime number. */
static int check_prime(const struct pxr_packet_shape *s, unsigned prime, const char *name,
                       struct pxr_error *why)
{
    const int status = check_raid6(s, why);
    if (status != PXR_OK || (prime > 2 && is_prime(prime)))
        return status;
    pxr_explain(why, "w=%u: %s is MDS only if %s is a prime number above 2", s->w,
                pxr_matrix_name(s->matrix), name);
    return PXR_ENOTMDS;
}

static int check_liber8tion(const struct pxr_packet_shape *s, struct pxr_error *why)
{
    if (s->w == 8)
        return check_raid6(s, why);
    pxr_explain(why, "w=%u: %s needs w=8", s->w, pxr_matrix_name(s->matrix));
    return PXR_EINVAL;
}

int pxr_packet_matrix_check(const struct pxr_packet_shape *shape, struct pxr_error *why)
{
    switch (shape->matrix) {
    case PXR_JERASURE_CAUCHY_ORIG:
    case PXR_JERASURE_CAUCHY_GOOD:
        return check_cauchy(shape, why);
    case PXR_JERASURE_LIBERATION:
        return check_prime(shape, shape->w, "w", why);
    case PXR_JERASURE_BLAUM_ROTH:
        return check_prime(shape, shape->w + 1, "w+1", why);
    case PXR_JERASURE_LIBER8TION:
        return check_liber8tion(shape, why);
    case PXR_CUSTOM_BITS:
        pxr_explain(why, "a custom matrix needs its rows; use pxr_code_create_bits_custom()");
        return PXR_EINVAL;
    default:
        break;
    }
    pxr_explain(why, "matrix=%d: not a matrix of packets", (int)shape->matrix);
    return PXR_EINVAL;
}

void pxr_packet_matrix_fill(struct pxr_bits *bits, const struct pxr_packet_shape *shape)
{
    switch (shape->matrix) {
    case PXR_JERASURE_CAUCHY_ORIG:
        fill_cauchy_orig(bits, shape);
        break;
    case PXR_JERASURE_CAUCHY_GOOD:
        if (is_listed(shape))
            fill_best(bits, shape);
        else
            fill_improved(bits, shape);
        break;
    case PXR_JERASURE_LIBERATION:
        fill_liberation(bits, shape);
        break;
    case PXR_JERASURE_BLAUM_ROTH:
        fill_blaum_roth(bits, shape);
        break;
    case PXR_JERASURE_LIBER8TION:
        fill_liber8tion(bits, shape);
        break;
    default:
        break;
    }
}
