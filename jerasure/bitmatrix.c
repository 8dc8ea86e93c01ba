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

/* Rows of ints as bits; its word is NULL without memory. */
static struct pxr_bits read_rows(const int *numbers, int rows, int columns)
{
    struct pxr_bits bits = jer_bits_new((unsigned)rows, (unsigned)columns);
    for (int r = 0; bits.word && r < rows; r++)
        jer_bits_read(&bits, (unsigned)r, numbers + (size_t)r * (size_t)columns);
    return bits;
}

int jerasure_invert_bitmatrix(int *mat, int *inv, int rows)
{
    struct pxr_bits bits = read_rows(mat, rows, rows);
    struct pxr_bits inverse = jer_bits_new((unsigned)rows, (unsigned)rows);
    const bool inverted = bits.word && inverse.word && jer_bits_invert(&bits, &inverse);
    for (int r = 0; inverted && r < rows; r++)
        jer_bits_write(&inverse, (unsigned)r, inv + (size_t)r * (size_t)rows);
    free(bits.word);
    free(inverse.word);
    return inverted ? 0 : -1;
}

int jerasure_invertible_bitmatrix(int *mat, int rows)
{
    struct pxr_bits bits = read_rows(mat, rows, rows);
    struct pxr_bits inverse = jer_bits_new((unsigned)rows, (unsigned)rows);
    const bool invertible = bits.word && inverse.word && jer_bits_invert(&bits, &inverse);
    free(bits.word);
    free(inverse.word);
    return invertible;
}
