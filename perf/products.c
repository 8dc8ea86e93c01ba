/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints as CSV how many products for each source byte an encoding by ISA-L's Cauchy matrix
 * takes, in the form that is chosen for long shards and in the matrix itself: for the code k+m,
 * or with --up-to for all of k+1 .. k+m.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "permxor.h"
#include "structure.h"
#include "wide.h"

static void print_code(unsigned k, unsigned m)
{
    struct pxr_structure structure;
    struct pxr_wide wide;
    pxr_cheaper_find(&(struct pxr_wide_matrix){.k = k, .count = m},
                     pxr_kernels()->transform_levels, &structure, &wide);
    unsigned products = k * m, levels = 0;
    const char *form = "matrix";
    if (wide.levels) {
        form = "steps";
        products = pxr_wide_products(&wide);
        levels = wide.levels;
    } else if (structure.levels) {
        form = "pass";
        products = pxr_structure_products(&structure);
        levels = structure.levels;
    }
    printf("%u,%u,%s,%u,%.3f\n", k, m, form, 1u << levels, (double)products / k);
}

int main(int argc, char **argv)
{
    const bool all = argc == 4 && strcmp(argv[3], "--up-to") == 0;
    const int k = argc >= 3 ? atoi(argv[1]) : 0, m = argc >= 3 ? atoi(argv[2]) : 0;
    if ((argc != 3 && !all) || k < 1 || m < 1 || k > PXR_MAX_SHARDS - m) {
        fprintf(stderr, "usage: products K M [--up-to] (K + M is at most 256)\n");
        return 2;
    }
    puts("k,m,form,lanes,products");
    for (int rows = all ? 1 : m; rows <= m; rows++)
        print_code((unsigned)k, (unsigned)rows);
    return 0;
}
