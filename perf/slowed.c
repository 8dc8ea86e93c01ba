/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that is known to be slower than another, for the self-test of the lab.  It forwards
 * to the library that PERF_SLOWED_LIBRARY names, and then encodes the first PERF_SLOWED_PERCENT
 * hundredths of each shard again, rounded down to whole cache lines.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char u8;

/* ISA-L's names.  The benchmark does without those that it does not find here. */
void gf_gen_rs_matrix(u8 *matrix, int rows, int k);
void gf_gen_cauchy1_matrix(u8 *matrix, int rows, int k);
void ec_init_tables(int k, int rows, u8 *matrix, u8 *tables);
void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **data, u8 **coding);

static struct {
    __typeof__(gf_gen_rs_matrix) *rs;
    __typeof__(gf_gen_cauchy1_matrix) *cauchy;
    __typeof__(ec_init_tables) *init;
    __typeof__(ec_encode_data) *encode;
    int percent;
} slowed;

/* POSIX promises that dlsym's result can be stored through a pointer to a function pointer. */
static void find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    if (*(void **)function != NULL)
        return;
    fprintf(stderr, "slowed: PERF_SLOWED_LIBRARY has no %s\n", name);
    exit(2);
}

__attribute__((constructor)) static void load(void)
{
    const char *path = getenv("PERF_SLOWED_LIBRARY"), *percent = getenv("PERF_SLOWED_PERCENT");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "slowed: PERF_SLOWED_LIBRARY: %s\n",
                path != NULL ? dlerror() : "is not set");
        exit(2);
    }
    find(library, "gf_gen_rs_matrix", &slowed.rs);
    find(library, "gf_gen_cauchy1_matrix", &slowed.cauchy);
    find(library, "ec_init_tables", &slowed.init);
    find(library, "ec_encode_data", &slowed.encode);
    slowed.percent = percent != NULL ? atoi(percent) : 5;
}

void gf_gen_rs_matrix(u8 *matrix, int rows, int k)
{
    slowed.rs(matrix, rows, k);
}

void gf_gen_cauchy1_matrix(u8 *matrix, int rows, int k)
{
    slowed.cauchy(matrix, rows, k);
}

void ec_init_tables(int k, int rows, u8 *matrix, u8 *tables)
{
    slowed.init(k, rows, matrix, tables);
}

void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **data, u8 **coding)
{
    slowed.encode(len, k, rows, tables, data, coding);
    const long long again = (long long)len * slowed.percent / 100;
    slowed.encode((int)(again / 64 * 64), k, rows, tables, data, coding);
}
