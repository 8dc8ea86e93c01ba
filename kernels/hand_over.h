/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fills in structures for a caller who may have been compiled with the header of another
 * release.  Later releases add fields at the end, perhaps in what is padding today.  So bytes
 * behind the last field that this release knows are set to zero.
 */
#ifndef PXR_HAND_OVER_H
#define PXR_HAND_OVER_H

#include <stddef.h>
#include <string.h>

/* Copies our structure, up to its last field, to a caller who has room for `size` bytes. */
#define PXR_HAND_OVER(to, size, ours, last) \
    pxr_hand_over(to, size, &(ours),        \
                  (size_t)((const char *)(&(ours).last + 1) - (const char *)&(ours)))

static inline void pxr_hand_over(void *to, size_t size, const void *ours, size_t known)
{
    memcpy(to, ours, size < known ? size : known);
    if (size > known)
        memset((char *)to + known, 0, size - known);
}

#endif
