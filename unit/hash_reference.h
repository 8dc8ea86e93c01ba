/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definitions of permxor_hash.h, one byte at a time, over judge.h's multiplication.  It
 * shares nothing with hash/.
 */
#ifndef PXR_UNIT_HASH_REFERENCE_H
#define PXR_UNIT_HASH_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_MOST = 16, SKETCH = 4 };

/* product = a * b in the field of this degree; product may be a or b. */
void reference_multiply(unsigned d, const uint8_t *a, const uint8_t *b, uint8_t *product);

/* sum = the hash of these bytes with the key b. */
void reference_hash(unsigned d, const uint8_t *b, size_t len, const uint8_t *bytes,
                    uint8_t *sum);

/* sum = the sketch of Ceph's pull request 71721 of these bytes, of which the first is at this
   offset in its shard. */
void reference_sketch(uint64_t offset, size_t len, const uint8_t *bytes, uint8_t *sum);

#endif
