/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structures that a call fills in for its caller, who was perhaps compiled with the header of
 * another release.  Fields are added at the end, maybe into what is padding today, so bytes
 * behind the last field that this release knows are zeros.
 */
#ifndef PXR_HAND_OVER_H
#define PXR_HAND_OVER_H

#include <stddef.h>
#include <string.h>

/* Gives a caller, who has room for `size` bytes, our structure up to its last field. */
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
