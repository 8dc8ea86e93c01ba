/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls over the hashes of a stripe, for a caller in Go.  Go may pass the address of its bytes
 * to C, but not an array of such addresses.  So the hashes of all shards come in one buffer,
 * one behind the other, and the array is made here.
 */
#ifndef PERMXOR_GO_HASH_CALL_H
#define PERMXOR_GO_HASH_CALL_H

#include <permxor_hash.h>

enum pxr_go_hash_op { PXR_GO_HASH_ENCODE, PXR_GO_HASH_CHECK, PXR_GO_HASH_LOCATE };

struct pxr_go_hash_result {
    int status;
    unsigned index; /* of PXR_GO_HASH_LOCATE */
};

/* missing[i] is not 0 if hash i is not there. */
static inline struct pxr_go_hash_result pxr_go_hashes(const pxr_hash *hash,
                                                      const pxr_code *code,
                                                      enum pxr_go_hash_op op, uint8_t *sums,
                                                      const uint8_t *missing)
{
    const unsigned k = pxr_code_k(code), total = k + pxr_code_m(code);
    const unsigned size = pxr_hash_size(hash);
    uint8_t *sum[PXR_MAX_SHARDS];
    struct pxr_go_hash_result result = {PXR_EINVAL, 0};
    for (unsigned i = 0; i < total; i++)
        sum[i] = missing[i] ? NULL : sums + (size_t)size * i;
    switch (op) {
    case PXR_GO_HASH_ENCODE:
        result.status = pxr_hash_encode(hash, code, sum, sum + k);
        break;
    case PXR_GO_HASH_CHECK:
        result.status = pxr_hash_check(hash, code, sum);
        break;
    case PXR_GO_HASH_LOCATE:
        result.status = pxr_hash_locate(hash, code, sum, &result.index);
        break;
    }
    return result;
}

#endif
