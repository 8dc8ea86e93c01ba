/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXA_HOST_CREATE_H
#define PXA_HOST_CREATE_H

#include "core/core.h"

/* What a new array is to be. */
struct host_shape {
    unsigned data, parity;
    uint32_t chunk;
    const char *name; /* at most 31 bytes */
    bool force;       /* overwrite arrays that the files have */
};

/*
 * Makes an array of data + parity files.  All that they have is lost.  *capacity becomes the
 * bytes of data that it holds.  Returns PXR_OK, PXR_EINVAL (the shape is impossible, or a file
 * is too small), PXA_EREFUSED (a file is in use, or has a superblock of an array), PXA_EIO, or
 * PXR_ENOMEM.
 */
int host_create(char *const *paths, const struct host_shape *shape, uint8_t uuid[16],
                uint64_t *capacity, struct pxr_error *why);

#endif
