/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values with which the tests compare results: dot products over a 256 x 256 table of
 * products that reference.h's bitwise multiplication fills in, and plain loops.
 */
#ifndef PXR_UNIT_JUDGE_H
#define PXR_UNIT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call once, before the others. */
void judge_start(void);

/* a * b */
uint8_t judge_mul(uint8_t a, uint8_t b);

/* dst ^= sum over j < k of coefficients[j] * src[j] */
void judge_dot(size_t len, unsigned k, const uint8_t *coefficients, const uint8_t *const *src,
               uint8_t *dst);

/* p ^= sum over i < count of blocks[i], q ^= sum of 2^(first+i) * blocks[i].  A block that is
   NULL counts as zeros.  If p or q is NULL, it is not computed. */
void judge_syndrome(size_t len, unsigned first, unsigned count, const uint8_t *const *blocks,
                    uint8_t *p, uint8_t *q);

/* The offset of the first byte that is not zero, or len if there is none. */
size_t judge_first_nonzero(const uint8_t *bytes, size_t len);

/* p and q are the bytes by which P and Q of n data blocks are wrong.  Returns whether a change
   of this block alone would make all blocks agree.  For P (block n), this is the case if q is
   zero.  For Q (block n+1), p must be zero.  For data, q must be 2^block times p. */
bool judge_explains(unsigned n, unsigned block, const uint8_t *p, const uint8_t *q, size_t len);

/* Continues `adler`, the Adler-32 of earlier bytes, with len more bytes, one at a time. */
uint32_t judge_adler32(uint32_t adler, const uint8_t *bytes, size_t len);

/* Writes the nibble tables of n coefficients, 32 bytes each. */
void judge_tables(size_t n, const uint8_t *coefficients, uint8_t *tables);

/* Writes the bit matrices of n coefficients, 8 bytes each, as gf2p8affineqb takes them: bit i
   of c*x is the parity of the bits that are set both in byte 7-i of c's matrix and in x. */
void judge_matrices(size_t n, const uint8_t *coefficients, uint8_t *matrices);

/* product = a * b for n x n matrices; product is neither a nor b. */
void judge_matrix_product(unsigned n, const uint8_t *a, const uint8_t *b, uint8_t *product);

/* Whether a is the n x n identity. */
bool judge_identity(unsigned n, const uint8_t *a);

#endif
