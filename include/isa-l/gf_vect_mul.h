/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multiplication of a buffer by a constant of GF(2^8), polynomial 0x11d.
 * Same names, arguments and results as ISA-L's.
 */
#ifndef PXR_ISAL_GF_VECT_MUL_H
#define PXR_ISAL_GF_VECT_MUL_H

#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/*
 * Fill gftbl (32 bytes, any alignment) with the nibble table of c:
 * c*0 .. c*15, then c*0x00, c*0x10 .. c*0xf0.  NULL: nothing is done.
 */
void gf_vect_mul_init(unsigned char c, unsigned char *gftbl);

/*
 * dest[i] = c * src[i] for i < len, with the table of c.
 *   len   bytes, a multiple of 32; any other, a negative one included, returns
 *         non-zero and touches nothing; 0 returns 0 and touches nothing
 *   src, dest   len bytes, any alignment; dest may be src, not overlap partly
 * Returns 0, or non-zero also when a pointer is NULL.  Thread-safe.
 */
int gf_vect_mul(int len, unsigned char *gftbl, void *src, void *dest);

/* The same in portable C. */
int gf_vect_mul_base(int len, unsigned char *a, unsigned char *src, unsigned char *dest);
void gf_vect_mul_init_base(unsigned char c, unsigned char *gftbl);

#if defined(__x86_64__) || defined(__i386__)
/* The same with at most SSSE3; in a 32-bit library the portable code. */
ISAL_LIB_DEPRECATED("call gf_vect_mul()")
int gf_vect_mul_sse(int len, unsigned char *gftbl, void *src, void *dest);
ISAL_LIB_DEPRECATED("call gf_vect_mul()")
int gf_vect_mul_avx(int len, unsigned char *gftbl, void *src, void *dest);
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
