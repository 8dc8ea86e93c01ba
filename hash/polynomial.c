/* SPDX-License-Identifier: BSD-3-Clause */
/* The polynomial hash of permxor_hash.h.  blocks.c computes it. */
#include <string.h>

#include "blocks.h"
#include "explain.h"
#include "form.h"

struct polynomial {
    struct pxr_hash base;
    struct pxr_powers powers; /* of the key */
    uint64_t room[];          /* the memory that they refer to */
};

static void add_to(uint8_t *sum, unsigned d, struct pxr_element part)
{
    for (unsigned i = 0; i < d; i++)
        sum[i] ^= part.byte[i];
}

static void add(const pxr_hash *hash, uint64_t offset, size_t len, const uint8_t *piece,
                uint8_t *sum)
{
    const struct pxr_powers *const powers = &((const struct polynomial *)hash)->powers;
    add_to(sum, powers->degree, pxr_powers_sum(powers, offset, len, piece));
}

static void combine(const pxr_hash *hash, uint64_t offset, const uint8_t *part, uint8_t *sum)
{
    const struct pxr_powers *const powers = &((const struct polynomial *)hash)->powers;
    const unsigned d = powers->degree;
    struct pxr_element element = {{0}};
    memcpy(element.byte, part, d);
    add_to(sum, d, pxr_element_multiply(d, element, pxr_powers_get(powers, offset)));
}

static const struct pxr_hash_form polynomial = {add, combine};

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
    *hash = pxr_hash_new(&polynomial, size, sizeof(struct polynomial) + pxr_powers_bytes(size),
                         why);
    if (!*hash)
        return PXR_ENOMEM;
    struct polynomial *const made = (struct polynomial *)*hash;
    pxr_powers_make(size, b, &made->powers, made->room);
    return PXR_OK;
}
