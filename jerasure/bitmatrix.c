/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coding by matrices of bits.
 */
#include "jerasure.h"

#include <stdlib.h>

#include "bits.h"
#include "dot.h"
#include "erasures.h"
#include "field.h"
#include "units.h"

/* ---------------------------------------------------------- matrices ---- */

int *jerasure_matrix_to_bitmatrix(int k, int m, int w, int *matrix)
{
    if (!matrix || k < 1 || m < 1 || w < 1 || w > JER_MOST_BITS)
        return NULL;
    const int columns = k * w;
    int *const bits = malloc(sizeof *bits * (size_t)columns * (size_t)(m * w));
    for (int i = 0; bits && i < m; i++) {
        for (int j = 0; j < k; j++) {
            int power = matrix[i * k + j];
            for (int y = 0; y < w; y++) {
                for (int x = 0; x < w; x++)
                    bits[(i * w + x) * columns + j * w + y] = power >> x & 1;
                power = galois_single_multiply(power, 2, w);
            }
        }
    }
    return bits;
}

/* Returns whether the inverse exists.  If inv is not NULL, the inverse is written there. */
static bool invert(const int *mat, int *inv, unsigned n)
{
    struct pxr_bits bits = jer_bits_of(mat, n, n);
    struct pxr_bits inverse = jer_bits_new(n, n);
    const bool inverted = bits.word && inverse.word && jer_bits_invert(&bits, &inverse);
    for (unsigned r = 0; inverted && inv && r < n; r++)
        jer_bits_write(&inverse, r, inv + (size_t)r * n);
    free(bits.word);
    free(inverse.word);
    return inverted;
}

int jerasure_invert_bitmatrix(int *mat, int *inv, int rows)
{
    return invert(mat, inv, (unsigned)rows) ? 0 : -1;
}

int jerasure_invertible_bitmatrix(int *mat, int rows)
{
    return invert(mat, NULL, (unsigned)rows);
}
