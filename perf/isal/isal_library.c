/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the measured functions come from. */
#include <stdio.h>

#include "../lineup.h"
#include "isa-l.h"
#include "isal_perf.h"
#include "permxor.h"

static const struct isal_functions own = {
    {
        .gen_rs_matrix = gf_gen_rs_matrix,
        .invert_matrix = gf_invert_matrix,
        .init_tables = ec_init_tables,
        .mul_init = gf_vect_mul_init,
        .encode = ec_encode_data,
        .update = ec_encode_data_update,
        .dot_prod = gf_vect_dot_prod,
        .mul = gf_vect_mul,
    },
    xor_gen,
    pq_gen,
};

static int mul_base(int len, u8 *table, void *source, void *target)
{
    return gf_vect_mul_base(len, table, source, target);
}

const struct isal_functions isal_portable = {
    {
        .gen_rs_matrix = gf_gen_rs_matrix,
        .invert_matrix = gf_invert_matrix,
        .init_tables = ec_init_tables_base,
        .mul_init = gf_vect_mul_init_base,
        .encode = ec_encode_data_base,
        .update = ec_encode_data_update_base,
        .dot_prod = gf_vect_dot_prod_base,
        .mul = mul_base,
    },
    xor_gen_base,
    pq_gen_base,
};

bool isal_find_functions(struct run *run)
{
    struct functions *code = &run->call.code;
    run->call = own;
    if (run->library_path == NULL)
        return true;
    if (!library_open(&run->library, run->library_path))
        return false;
    library_functions(&run->library, "", code);
    library_lookup(&run->library, "xor_gen", "", &run->call.xor_gen);
    library_lookup(&run->library, "pq_gen", "", &run->call.pq_gen);
    /* A library that only codes gets its matrices from the functions of this build. */
    if (code->gen_rs_matrix == NULL)
        code->gen_rs_matrix = gf_gen_rs_matrix;
    if (code->invert_matrix == NULL)
        code->invert_matrix = gf_invert_matrix;
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
