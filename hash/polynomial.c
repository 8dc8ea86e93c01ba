/* SPDX-License-Identifier: BSD-3-Clause */
/* The polynomial hash of permxor_hash.h.  blocks.c computes it. */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "explain.h"
#include "permxor_hash.h"

struct pxr_hash {
    struct pxr_powers powers; /* of the key */
    uint64_t room[];          /* the memory that they refer to */
};

int pxr_hash_create(pxr_hash **hash, unsigned size, const uint8_t *key, struct pxr_error *why)
{
    if (!hash) {
        pxr_explain(why, "hash is NULL: there is no place for the result");
        return PXR_EINVAL;
    }
    *hash = NULL;
    if (!pxr_is_degree(size)) {
        pxr_explain(why, "size=%u: a hash has 4, 8 or 16 bytes", size);
        return PXR_EINVAL;
    }
    struct pxr_element b = {{0, 1}};
    if (key)
        memcpy(b.byte, key, size);
    if (!pxr_element_generates(size, b)) {
        pxr_explain(why, "the key is in a smaller field; use other random bytes");
        return PXR_EINVAL;
    }
    struct pxr_hash *const made = malloc(sizeof *made + pxr_powers_bytes(size));
    if (!made) {
        pxr_explain(why, "out of memory");
        return PXR_ENOMEM;
    }
    pxr_powers_make(size, b, &made->powers, made->room);
    *hash = made;
    return PXR_OK;
}

void pxr_hash_free(pxr_hash *hash)
{
    free(hash);
}

unsigned pxr_hash_size(const pxr_hash *hash)
{
    return hash ? hash->powers.degree : 0;
}

/* sum += b^offset * part */
static void add_at(const struct pxr_hash *hash, uint64_t offset, struct pxr_element part,
                   uint8_t *sum)
{
    const unsigned d = hash->powers.degree;
    part = pxr_element_multiply(d, part, pxr_powers_get(&hash->powers, offset));
    for (unsigned i = 0; i < d; i++)
        sum[i] ^= part.byte[i];
}

int pxr_hash_add(const pxr_hash *hash, uint64_t offset, size_t len, const uint8_t *piece,
                 uint8_t *sum)
{
    if (!hash || !sum || (!piece && len > 0))
        return PXR_EINVAL;
    if (len > 0)
        add_at(hash, offset, pxr_powers_sum(&hash->powers, len, piece), sum);
    return PXR_OK;
}

int pxr_hash_combine(const pxr_hash *hash, uint64_t offset, const uint8_t *part, uint8_t *sum)
{
    if (!hash || !part || !sum)
        return PXR_EINVAL;
    struct pxr_element element = {{0}};
    memcpy(element.byte, part, hash->powers.degree);
    add_at(hash, offset, element, sum);
    return PXR_OK;
}
