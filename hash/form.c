/* SPDX-License-Identifier: BSD-3-Clause */
#include "form.h"

#include <stdlib.h>

#include "explain.h"

pxr_hash *pxr_hash_new(const struct pxr_hash_form *form, unsigned size, size_t bytes,
                       struct pxr_error *why)
{
    pxr_hash *const made = malloc(bytes);
    if (made)
        *made = (pxr_hash){form, size};
    else
        pxr_explain(why, "out of memory");
    return made;
}

void pxr_hash_free(pxr_hash *hash)
{
    free(hash);
}

unsigned pxr_hash_size(const pxr_hash *hash)
{
    return hash ? hash->size : 0;
}

int pxr_hash_add(const pxr_hash *hash, uint64_t offset, size_t len, const uint8_t *piece,
                 uint8_t *sum)
{
    if (!hash || !sum || (!piece && len > 0))
        return PXR_EINVAL;
    if (len > 0)
        hash->form->add(hash, offset, len, piece, sum);
    return PXR_OK;
}

int pxr_hash_combine(const pxr_hash *hash, uint64_t offset, const uint8_t *part, uint8_t *sum)
{
    if (!hash || !part || !sum || !hash->form->combine)
        return PXR_EINVAL;
    hash->form->combine(hash, offset, part, sum);
    return PXR_OK;
}
