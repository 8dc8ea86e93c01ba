/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zfec's C core.  Its encoder multiplies by rows of a matrix that fec_new would fill with a
 * code of its own; here the rows are the caller's.  It has no update.
 */
#include <string.h>

#include <fec.h>

#include "peer.h"

const char *isal_get_version_str(void)
{
    return "zfec " ZFEC_VERSION;
}

void ec_init_tables(int k, int rows, u8 *matrix, u8 *tables)
{
    fec_init();
    memcpy(tables, matrix, (size_t)k * (size_t)rows);
}

void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **sources, u8 **targets)
{
    /* The upper k rows, the identity, are never read: block numbers begin at k. */
    gf matrix[256 * 256];
    unsigned blocks[256];
    fec_t code = {
        .k = (unsigned short)k, .n = (unsigned short)(k + rows), .enc_matrix = matrix};
    memcpy(matrix + (size_t)k * (size_t)k, tables, (size_t)k * (size_t)rows);
    for (int r = 0; r < rows; r++)
        blocks[r] = (unsigned)(k + r);
    fec_encode(&code, (const gf *const *)sources, targets, blocks, (size_t)rows, (size_t)len);
}
