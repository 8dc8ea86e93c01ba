/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A libisal.so.2 with a fault, which otherwise calls the library that $RIGHT_ISAL names.  The
 * tests of this folder must detect it.  FAULT chooses one of the faults.
 */
#include <dlfcn.h>
#include <stdlib.h>

enum { PARITY = 1, TAIL = 2, MATRIX = 3, SINGULAR = 4, PRODUCT = 5 };

typedef unsigned char u8;

void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **data, u8 **coding);
void ec_init_tables(int k, int rows, u8 *matrix, u8 *tables);
void gf_gen_rs_matrix(u8 *matrix, int m, int k);
void gf_gen_cauchy1_matrix(u8 *matrix, int m, int k);
int gf_invert_matrix(u8 *in, u8 *out, int n);
u8 gf_mul(u8 a, u8 b);

static void *right(const char *name)
{
    static void *handle;
    if (handle == NULL)
        handle = dlopen(getenv("RIGHT_ISAL"), RTLD_NOW | RTLD_LOCAL);
    return handle != NULL ? dlsym(handle, name) : NULL;
}

void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **data, u8 **coding)
{
    void (*encode)(int, int, int, u8 *, u8 **, u8 **) = right("ec_encode_data");
    encode(len, k, rows, tables, data, coding);
    if (FAULT == PARITY && rows > 1)
        coding[rows - 1][0] ^= 1;
    if (FAULT == TAIL && len % 64 != 0)
        coding[0][len - 1] ^= 0x80;
}

void ec_init_tables(int k, int rows, u8 *matrix, u8 *tables)
{
    void (*init)(int, int, u8 *, u8 *) = right("ec_init_tables");
    init(k, rows, matrix, tables);
}

void gf_gen_rs_matrix(u8 *matrix, int m, int k)
{
    void (*gen)(u8 *, int, int) = right("gf_gen_rs_matrix");
    gen(matrix, m, k);
    if (FAULT == MATRIX && m > k + 3)
        matrix[m * k - 1] ^= 2;
}

void gf_gen_cauchy1_matrix(u8 *matrix, int m, int k)
{
    void (*gen)(u8 *, int, int) = right("gf_gen_cauchy1_matrix");
    gen(matrix, m, k);
    if (FAULT == MATRIX && m > k + 3)
        matrix[m * k - 1] ^= 2;
}

int gf_invert_matrix(u8 *in, u8 *out, int n)
{
    int (*invert)(u8 *, u8 *, int) = right("gf_invert_matrix");
    const int status = invert(in, out, n);
    return FAULT == SINGULAR && n == 5 ? -1 : status;
}

u8 gf_mul(u8 a, u8 b)
{
    u8 (*mul)(u8, u8) = right("gf_mul");
    return FAULT == PRODUCT && a > 0x80 && b > 0x80 ? 0 : mul(a, b);
}
