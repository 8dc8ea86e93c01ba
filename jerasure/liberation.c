/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bit matrices for RAID-6 with few ones, as arrays of int.
 */
#include "liberation.h"

#include <stdlib.h>

#include "bits.h"
#include "packet_matrix.h"

/* Above it, the number of bits of a matrix of w data devices is no int. */
enum { MOST = 1024 };

/* k <= w is all that the callers have to check. */
static int *bit_matrix(enum pxr_matrix matrix, int k, int w)
{
    if (k < 1 || k > w || w > MOST)
        return NULL;
    const struct pxr_packet_shape shape = {(unsigned)k, 2, (unsigned)w, matrix};
    struct pxr_bits bits = jer_bits_new(2 * shape.w, shape.k * shape.w);
    int *const numbers = malloc(sizeof *numbers * bits.rows * bits.columns);
    if (bits.word && numbers) {
        pxr_packet_matrix_fill(&bits, &shape);
        for (unsigned r = 0; r < bits.rows; r++)
            jer_bits_write(&bits, r, numbers + (size_t)r * bits.columns);
        free(bits.word);
        return numbers;
    }
    free(numbers);
    free(bits.word);
    return NULL;
}

int *liberation_coding_bitmatrix(int k, int w)
{
    return bit_matrix(PXR_JERASURE_LIBERATION, k, w);
}

int *blaum_roth_coding_bitmatrix(int k, int w)
{
    return bit_matrix(PXR_JERASURE_BLAUM_ROTH, k, w);
}

int *liber8tion_coding_bitmatrix(int k)
{
    return bit_matrix(PXR_JERASURE_LIBER8TION, k, 8);
}
