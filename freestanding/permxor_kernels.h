/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Erasure coding and RAID parity for code without a C library, such as a module of an operating
 * system's kernel.  The object file permxor-kernels.o has these functions.  It needs memcpy()
 * and memset() of its surroundings, and nothing else.  Its functions change nothing but the
 * buffers that they are given, allocate nothing and take no lock.
 *
 * The set of kernels is an argument.  The caller has to do two things:
 *
 *   - It asks whether the CPU has the instructions of the set (SSSE3, AVX2 or NEON).
 *   - It saves the vector registers of whoever is interrupted, and restores them afterwards: in
 *     Linux kernel_fpu_begin() and kernel_fpu_end(), or kernel_neon_begin() and
 *     kernel_neon_end().
 *
 * pxr_kernels_base asks for neither.  It runs anywhere, and touches general registers only.
 *
 * Buffers may have any length and any alignment.  A matrix is stored row by row. Multiplication
 * is in GF(2^8) modulo x^8+x^4+x^3+x^2+1, as in ISA-L and in Linux md.
 */
#ifndef PERMXOR_KERNELS_H
#define PERMXOR_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pxr_kernels;
extern const struct pxr_kernels pxr_kernels_base;
#ifdef __x86_64__
extern const struct pxr_kernels pxr_kernels_ssse3, pxr_kernels_avx2;
#endif
#ifdef __aarch64__
extern const struct pxr_kernels pxr_kernels_neon;
#endif

/* Bytes of the table of one coefficient, and the most shards of a code. */
#define PXK_TABLE 32
#define PXK_MOST_SHARDS 256

/* ------------------------------------------------- without vector registers -- */

uint8_t pxk_mul(uint8_t a, uint8_t b);
uint8_t pxk_inverse(uint8_t a); /* 0 for a = 0 */

/* Expands n coefficients into n tables of PXK_TABLE bytes. */
void pxk_tables(size_t n, const uint8_t *coefficients, uint8_t *tables);

/* Writes the m parity rows of ISA-L's Cauchy matrix: m*k coefficients.  k + m is at most
   PXK_MOST_SHARDS. */
void pxk_cauchy(uint8_t *rows, unsigned m, unsigned k);

/* Computes out = in^-1, n by n, and destroys in.  Returns false if in has no inverse, or n is
   not in 1 to PXK_MOST_SHARDS.  Takes about 4 KiB of stack for n up to 64. */
bool pxk_invert(uint8_t *in, uint8_t *out, unsigned n);

/* ------------------------------------------------------------ with any set -- */

/* dst[r] = sum over j < k of coefficient r*k + j * src[j], for `rows` outputs.  With up to 6
   outputs, an output may be the same buffer as a source. */
void pxk_encode(const struct pxr_kernels *set, size_t len, unsigned k, unsigned rows,
                const uint8_t *tables, const uint8_t *const *src, uint8_t *const *dst);

/* dst[r] += coefficient r*k + index * src, for `rows` outputs. */
void pxk_update(const struct pxr_kernels *set, size_t len, unsigned k, unsigned rows,
                unsigned index, const uint8_t *tables, const uint8_t *src, uint8_t *const *dst);

/* P = dst[0], and with pq also Q = dst[1], as in Linux md: Q is the sum of 2^j * src[j]. */
void pxk_parity(const struct pxr_kernels *set, bool pq, size_t len, unsigned k,
                const uint8_t *const *src, uint8_t *const *dst);

/* Returns len if dst has that parity; otherwise an offset at or before the first wrong byte, in
   the same block of at most 1 KiB. */
size_t pxk_check_parity(const struct pxr_kernels *set, bool pq, size_t len, unsigned k,
                        const uint8_t *const *src, uint8_t *const *dst);

#endif
