/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file gf_vect_mul.h Multiplies a buffer by a constant of GF(2^8), with the polynomial 0x11d.
 * The names, arguments and results are those of ISA-L. Every function is thread-safe.
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

/**
 * Fills gftbl (32 bytes, any alignment) with the nibble table of c: c*0 to c*15, then c*0x00,
 * c*0x10 to c*0xf0.  With NULL it does nothing.
 */
void gf_vect_mul_init(unsigned char c, unsigned char *gftbl);

/**
 * Computes dest[i] = c * src[i] for i < len, with the table of c.
 *
 * \param len The length in bytes, a multiple of 32.  With any other length, also a negative
 *     one, the call returns non-zero and touches nothing.  With 0 it returns 0 and touches
 *     nothing.
 * \param gftbl The table that gf_vect_mul_init() made.
 * \param src The source, len bytes at any alignment.
 * \param dest The target, len bytes at any alignment.  It may be src, but must not overlap it
 *     partly.
 *
 * \return 0, or non-zero for a wrong length or when a pointer is NULL.
 */
int gf_vect_mul(int len, unsigned char *gftbl, void *src, void *dest);

/** gf_vect_mul() in portable C. */
int gf_vect_mul_base(int len, unsigned char *a, unsigned char *src, unsigned char *dest);

/** Does the same as gf_vect_mul_init(). */
void gf_vect_mul_init_base(unsigned char c, unsigned char *gftbl);

#if defined(__x86_64__) || defined(__i386__)
/* gf_vect_mul() with at most SSSE3.  In a 32-bit library these are the portable code. */
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
