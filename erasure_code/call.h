/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls of all kinds look at first: their pointers, and how much memory they touch.
 */
#ifndef PXR_CALL_H
#define PXR_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* No core's cache is so small that a call below this would stream. */
#define PXR_CACHED_ANYWHERE ((size_t)256 << 10)

/* Whether to stream with a footprint above that. */
unsigned pxr_policy_beyond(size_t footprint);

/* PXR_STREAM where a call touches more bytes than the caches are to hold, else 0. */
static inline unsigned pxr_memory_policy(size_t len, size_t shards)
{
    size_t footprint;
    if (__builtin_mul_overflow(len, shards, &footprint))
        return PXR_STREAM;
    return footprint <= PXR_CACHED_ANYWHERE ? 0 : pxr_policy_beyond(footprint);
}

/* Whether all of n pointers are there; false for no array, too.  No early exit:
   pointers are hardly ever NULL, and a loop without branches costs less in short calls. */
static inline bool pxr_all_present(unsigned n, const uint8_t *const *pointers)
{
    if (!pointers)
        return false;
    bool missing = false;
#pragma GCC unroll 4
    for (unsigned i = 0; i < n; i++)
        missing |= !pointers[i];
    return !missing;
}

#endif
