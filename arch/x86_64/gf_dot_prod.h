/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The assembly dot products of gf_dot_prod.asm.  For every byte pos <= i < pos + len, and for
 * every output g (each function has its own number of outputs),
 *     dst[g][i] = sum over j < k of  coefficient(g, j) * src[j][i]
 * where tables holds k nibble tables of PXR_TABLE bytes for each row, row by row.
 *
 * len is a positive multiple of the vector, PXR_SSSE3_VECTOR or PXR_AVX2_VECTOR, and k >= 1.
 * Any alignment is allowed.  An output may be the same buffer as a source, but must not overlap
 * it partly.  Nothing outside the buffers is read or written (prefetch hints may name addresses
 * behind a source).
 */
#ifndef PXR_GF_DOT_PROD_H
#define PXR_GF_DOT_PROD_H

#include <stddef.h>
#include <stdint.h>

#define PXR_SSSE3_VECTOR 16
#define PXR_AVX2_VECTOR 32

typedef void pxr_dot_asm_fn(size_t len, size_t k, const uint8_t *tables,
                            const uint8_t *const *src, uint8_t *const *dst, size_t pos);

/* The functions, by the number of outputs.  Those with _ahead prefetch the sources. */
extern pxr_dot_asm_fn pxr_dot_ssse3_1, pxr_dot_ssse3_2, pxr_dot_ssse3_3;
extern pxr_dot_asm_fn pxr_dot_ssse3_4, pxr_dot_ssse3_5, pxr_dot_ssse3_6;
extern pxr_dot_asm_fn pxr_dot_ssse3_1_ahead, pxr_dot_ssse3_2_ahead, pxr_dot_ssse3_3_ahead;
extern pxr_dot_asm_fn pxr_dot_ssse3_4_ahead, pxr_dot_ssse3_5_ahead, pxr_dot_ssse3_6_ahead;

extern pxr_dot_asm_fn pxr_dot_avx2_1, pxr_dot_avx2_2, pxr_dot_avx2_3;
extern pxr_dot_asm_fn pxr_dot_avx2_4, pxr_dot_avx2_5, pxr_dot_avx2_6;
extern pxr_dot_asm_fn pxr_dot_avx2_1_ahead, pxr_dot_avx2_2_ahead, pxr_dot_avx2_3_ahead;
extern pxr_dot_asm_fn pxr_dot_avx2_4_ahead, pxr_dot_avx2_5_ahead, pxr_dot_avx2_6_ahead;

#endif
