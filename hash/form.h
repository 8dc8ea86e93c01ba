/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms of hashes behind one type.  A form defines its own structure, which begins with a
 * struct pxr_hash and lies in memory of malloc().
 */
#ifndef PXR_FORM_H
#define PXR_FORM_H

#include "permxor_hash.h"

/* The functions of a form.  No pointer is NULL, and len is not 0. */
struct pxr_hash_form {
    void (*add)(const pxr_hash *hash, uint64_t offset, size_t len, const uint8_t *piece,
                uint8_t *sum);
    /* NULL: the hash of a part does not follow from its hash at offset 0. */
    void (*combine)(const pxr_hash *hash, uint64_t offset, const uint8_t *part, uint8_t *sum);
};

struct pxr_hash {
    const struct pxr_hash_form *form;
    unsigned size; /* bytes of a hash */
};

/* Makes a structure of a form: `bytes` bytes, which begin with its struct pxr_hash.  The rest
   is for the caller to fill in.  Returns NULL with a message when there is no memory. */
pxr_hash *pxr_hash_new(const struct pxr_hash_form *form, unsigned size, size_t bytes,
                       struct pxr_error *why);

#endif
