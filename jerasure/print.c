/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <stdio.h>

#include "field.h"
#include "jerasure.h"

/* Returns the number of digits of the largest number of w bits. */
static int digits_of_width(int w)
{
    const uint64_t largest = (UINT64_C(1) << (w > 0 && w <= JER_MOST_BITS ? w : 1)) - 1;
    return snprintf(NULL, 0, "%llu", (unsigned long long)largest);
}

void jerasure_print_matrix(int *matrix, int rows, int cols, int w)
{
    const int digits = digits_of_width(w);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            printf("%s%*u%s", j > 0 ? " " : "", digits, (unsigned)matrix[i * cols + j],
                   j == cols - 1 ? "\n" : "");
}

void jerasure_print_bitmatrix(int *matrix, int rows, int cols, int w)
{
    if (w < 1) {
        jer_complain(__func__, "w=%d: a number has at least one bit", w);
        return;
    }
    for (int i = 0; i < rows; i++) {
        if (i > 0 && i % w == 0)
            putchar('\n');
        for (int j = 0; j < cols; j++)
            printf("%s%d", j > 0 && j % w == 0 ? " " : "", matrix[i * cols + j]);
        putchar('\n');
    }
}
