/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of permxor_kernels.h, over the kernel sets. */
#include "permxor_kernels.h"

#include <stdatomic.h>
#include <string.h>

#include "dispatch.h"
#include "encode.h"
#include "gf256.h"
#include "kernels.h"
#include "matrix.h"

/* Matrices are inverted with the base set, which needs no vector registers. */
_Atomic(const struct pxr_kernels *) pxr_chosen_kernels = &pxr_kernels_base;

const struct pxr_kernels *pxr_choose_kernels(void)
{
    return &pxr_kernels_base;
}

uint8_t pxk_mul(uint8_t a, uint8_t b)
{
    return pxr_mul(a, b);
}

uint8_t pxk_inverse(uint8_t a)
{
    return pxr_inverse[a];
}

void pxk_tables(size_t n, const uint8_t *coefficients, uint8_t *tables)
{
    for (size_t i = 0; i < n; i++)
        memcpy(tables + PXR_TABLE * i, pxr_nibble[coefficients[i]], PXR_TABLE);
}

void pxk_cauchy(uint8_t *rows, unsigned m, unsigned k)
{
    pxr_matrix_cauchy(rows, m, k);
}

bool pxk_invert(uint8_t *in, uint8_t *out, unsigned n)
{
    return n > 0 && n <= PXK_MOST_SHARDS && pxr_matrix_invert(in, out, n);
}

void pxk_encode(const struct pxr_kernels *set, size_t len, unsigned k, unsigned rows,
                const uint8_t *tables, const uint8_t *const *src, uint8_t *const *dst)
{
    for (unsigned n; rows > 0; rows -= n, dst += n, tables += (size_t)PXR_TABLE * k * n) {
        n = pxr_rows_of_pass(rows);
        set->dot[PXR_SPECIAL_NONE][n](len, k, tables, src, dst, 0);
    }
}

void pxk_update(const struct pxr_kernels *set, size_t len, unsigned k, unsigned rows,
                unsigned index, const uint8_t *tables, const uint8_t *src, uint8_t *const *dst)
{
    const struct pxr_mad_mode mode = {k, PXR_ACCUMULATE};
    tables += (size_t)PXR_TABLE * index;
    for (unsigned n; rows > 0; rows -= n, dst += n, tables += (size_t)PXR_TABLE * k * n) {
        n = pxr_rows_of_pass(rows);
        set->mad[PXR_SPECIAL_NONE][n](len, mode, tables, src, NULL, dst);
    }
}

void pxk_parity(const struct pxr_kernels *set, bool pq, size_t len, unsigned k,
                const uint8_t *const *src, uint8_t *const *dst)
{
    set->dot[pq ? PXR_SPECIAL_PQ : PXR_SPECIAL_P][0](len, k, NULL, src, dst, 0);
}

size_t pxk_check_parity(const struct pxr_kernels *set, bool pq, size_t len, unsigned k,
                        const uint8_t *const *src, uint8_t *const *dst)
{
    return set->check[pq ? PXR_SPECIAL_PQ : PXR_SPECIAL_P](len, k, src, dst, 0);
}
