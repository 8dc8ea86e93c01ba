/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Encoding by matrices of numbers and of bits, and single rows of them.
 */
#include <stdlib.h>

#include "dot.h"
#include "erasures.h"
#include "field.h"
#include "jerasure.h"

static void encode(const char *function, int k, int m, int w, const int *matrix, char **data,
                   char **coding, int size, int packetsize)
{
    struct jer_dot dot;
    if (!matrix) {
        jer_complain(function, "there is no matrix");
        return;
    }
    if (k < 1 || m < 1)
        return;
    if (packetsize == 0 && jer_dot_is_sum(w, size, matrix, (size_t)m * (size_t)k))
        w = 1;
    else if (!jer_dot_valid(function, w, size, packetsize))
        return;
    if (!jer_dot_open(&dot, function, w, packetsize, k, m))
        return;
    jer_dot_use(&dot, data);
    for (int r = 0; r < m; r++)
        jer_dot_add(&dot, matrix + (size_t)r * jer_row_numbers(k, w, packetsize), coding[r]);
    jer_dot_run(&dot, (size_t)size);
    jer_dot_close(&dot);
}

void jerasure_matrix_encode(int k, int m, int w, int *matrix, char **data_ptrs,
                            char **coding_ptrs, int size)
{
    encode(__func__, k, m, w, matrix, data_ptrs, coding_ptrs, size, 0);
}

void jerasure_bitmatrix_encode(int k, int m, int w, int *bitmatrix, char **data_ptrs,
                               char **coding_ptrs, int size, int packetsize)
{
    if (packetsize < 1)
        jer_complain(__func__, "packetsize=%d: a packet has at least one byte", packetsize);
    else
        encode(__func__, k, m, w, bitmatrix, data_ptrs, coding_ptrs, size, packetsize);
}

static void dot_product(const char *function, int k, int w, const int *row, const int *src_ids,
                        int dest_id, char **data, char **coding, int size, int packetsize)
{
    struct jer_dot dot;
    if (k < 1 || !jer_dot_open(&dot, function, w, packetsize, k, 1))
        return;
    for (int j = 0; j < k; j++)
        dot.src[j] = (uint8_t *)jer_device(k, data, coding, src_ids ? src_ids[j] : j);
    jer_dot_add(&dot, row, jer_device(k, data, coding, dest_id));
    jer_dot_run(&dot, (size_t)size);
    jer_dot_close(&dot);
}

void jerasure_matrix_dotprod(int k, int w, int *matrix_row, int *src_ids, int dest_id,
                             char **data_ptrs, char **coding_ptrs, int size)
{
    if (k > 0 && jer_dot_is_sum(w, size, matrix_row, (size_t)k))
        w = 1;
    if (w == 1 ? size >= 0 : jer_region_valid(__func__, w, size))
        dot_product(__func__, k, w, matrix_row, src_ids, dest_id, data_ptrs, coding_ptrs, size,
                    0);
}

void jerasure_bitmatrix_dotprod(int k, int w, int *bitmatrix_row, int *src_ids, int dest_id,
                                char **data_ptrs, char **coding_ptrs, int size, int packetsize)
{
    if (packetsize < 1)
        jer_complain(__func__, "packetsize=%d: a packet has at least one byte", packetsize);
    else if (jer_dot_valid(__func__, w, size, packetsize))
        dot_product(__func__, k, w, bitmatrix_row, src_ids, dest_id, data_ptrs, coding_ptrs,
                    size, packetsize);
}

void jerasure_do_parity(int k, char **data_ptrs, char *parity_ptr, int size)
{
    int *const ones = k > 0 ? malloc(sizeof *ones * (size_t)k) : NULL;
    for (int j = 0; ones && j < k; j++)
        ones[j] = 1;
    if (ones && size > 0)
        dot_product(__func__, k, 1, ones, NULL, k, data_ptrs, &parity_ptr, size, 0);
    free(ones);
}
