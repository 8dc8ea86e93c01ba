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

/* p ^= sum over i < count of blocks[i], q ^= sum of 2^(first+i) * blocks[i]; a block
   that is NULL is left out, and so is p or q. */
void judge_syndrome(size_t len, unsigned first, unsigned count, const uint8_t *const *blocks,
                    uint8_t *p, uint8_t *q);

/* The offset of the first byte that is not zero; len where there is none. */
size_t judge_first_nonzero(const uint8_t *bytes, size_t len);

/* P and Q of n data blocks being off by p and q: whether a change of the block alone
   would make all agree: of P (block n) where Q does, of Q (n+1) where P does, of data
   where Q is off by 2^block times what P is off by. */
bool judge_explains(unsigned n, unsigned block, const uint8_t *p, const uint8_t *q, size_t len);

/* The Adler-32 of len bytes after those that `adler` is of, a byte at a time. */
uint32_t judge_adler32(uint32_t adler, const uint8_t *bytes, size_t len);

/* The nibble tables of n coefficients, 32 bytes each. */
void judge_tables(size_t n, const uint8_t *coefficients, uint8_t *tables);

/* The bit matrices of n coefficients, 8 bytes each, as gf2p8affineqb takes them: bit i of
   c*x is the parity of byte 7-i of c's matrix and x. */
void judge_matrices(size_t n, const uint8_t *coefficients, uint8_t *matrices);

/* product = a * b for n x n matrices; product is neither a nor b. */
void judge_matrix_product(unsigned n, const uint8_t *a, const uint8_t *b, uint8_t *product);

/* Whether a is the n x n identity. */
bool judge_identity(unsigned n, const uint8_t *a);

#endif
