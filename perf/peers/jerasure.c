/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jerasure 2.0 over gf-complete, called as Ceph's plugin calls it: jerasure_matrix_encode with
 * 8-bit symbols for a stripe, and the region multiplication of its field for one source's
 * contribution to a parity shard.
 *
 * The shards of a call must have the same address modulo 16, or gf-complete aborts; ec_perf's
 * always do.  Lengths are free: gf-complete works byte by byte on what lies before and behind
 * the 16-byte blocks. jerasure's manual asks for multiples of the size of long nevertheless, so
 * Ceph pads; nothing is padded here.
 */
#include <string.h>

#include <jerasure.h>

#include "peer.h"

enum { SYMBOL_BITS = 8 };

const char *isal_get_version_str(void)
{
    return "jerasure 2.0 with gf-complete";
}

/* The tables hold jerasure's matrix of int, which is smaller. */
void ec_init_tables(int k, int rows, u8 *matrix, u8 *tables)
{
    for (int i = 0; i < k * rows; i++) {
        int coefficient = matrix[i];
        memcpy(tables + sizeof(int) * (size_t)i, &coefficient, sizeof(int));
    }
}

/* ec_perf's tables lie on cache lines, and malloc's are aligned for int, too. */
static int *coefficients(u8 *tables)
{
    return (int *)(void *)tables;
}

void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **sources, u8 **targets)
{
    jerasure_matrix_encode(k, rows, SYMBOL_BITS, coefficients(tables), (char **)sources,
                           (char **)targets, len);
}

void ec_encode_data_update(int len, int k, int rows, int vec_i, u8 *tables, u8 *source,
                           u8 **targets)
{
    for (int r = 0; r < rows; r++)
        galois_w08_region_multiply((char *)source, coefficients(tables)[r * k + vec_i], len,
                                   (char *)targets[r], 1);
}

void gf_vect_mul_init(u8 c, u8 *table)
{
    table[0] = c;
}

int gf_vect_mul(int len, u8 *table, void *source, void *target)
{
    galois_w08_region_multiply(source, table[0], len, target, 0);
    return 0;
}
