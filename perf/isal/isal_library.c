/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the measured functions come from. */
#include <stdio.h>

#include "../lineup.h"
#include "isal_perf.h"
#include "permxor.h"

/* The functions of this build with this ending. */
#define FUNCTIONS(end, product)                                                           \
    {                                                                                     \
        .gf_gen_rs_matrix = gf_gen_rs_matrix, .gf_invert_matrix = gf_invert_matrix,       \
        .gf_vect_mul_init = gf_vect_mul_init##end, .ec_init_tables = ec_init_tables##end, \
        .ec_encode_data = ec_encode_data##end,                                            \
        .ec_encode_data_update = ec_encode_data_update##end,                              \
        .gf_vect_dot_prod = gf_vect_dot_prod##end, .gf_vect_mul = (product),              \
        .xor_gen = xor_gen##end, .pq_gen = pq_gen##end,                                   \
    }

static int mul_base(int len, u8 *table, void *source, void *target)
{
    return gf_vect_mul_base(len, table, source, target);
}

static const struct functions own = FUNCTIONS(, gf_vect_mul);
const struct functions isal_portable = FUNCTIONS(_base, mul_base);

bool isal_find_functions(struct run *run)
{
    run->call = own;
    if (run->library_path == NULL)
        return true;
    if (!library_open(&run->library, run->library_path))
        return false;
    library_functions(&run->library, "", &run->call);
    /* A library that only codes gets its matrices from the functions of this build. */
    if (run->call.gf_gen_rs_matrix == NULL)
        run->call.gf_gen_rs_matrix = gf_gen_rs_matrix;
    if (run->call.gf_invert_matrix == NULL)
        run->call.gf_invert_matrix = gf_invert_matrix;
    return true;
}

bool run_needs(const struct run *run, bool has, const char *name)
{
    if (!has)
        fprintf(stderr, "%s: has no %s\n", run->library.path, name);
    return has;
}

void isal_print_library(const struct run *run)
{
    if (run->library_path != NULL)
        printf("%s (%s)", run->library.path, run->library.version);
    else
        printf("permxor, set %s", selected_set(pxr_kernel_info));
}
