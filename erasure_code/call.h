/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What calls of all kinds look at first: their pointers, and how much memory they touch.
 */
#ifndef PXR_CALL_H
#define PXR_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

/* The way of a call that is long enough to take one. */
uint32_t pxr_way_of(enum pxr_work work, size_t len, unsigned sources, unsigned outputs);

/* Shorter shards take no way: finding one would take longer than it can save. */
#define PXR_WAYLESS_BYTES 1024

/* How a call of this kind (not a wide one) uses memory: flags of kernels.h. */
static inline uint32_t pxr_way(enum pxr_work work, size_t len, unsigned sources,
                               unsigned outputs)
{
    return len < PXR_WAYLESS_BYTES ? 0 : pxr_way_of(work, len, sources, outputs);
}

/* The work of computing so many parities, P or P and Q. */
static inline enum pxr_work pxr_work_of_parity(unsigned parities)
{
    return parities == 1 ? PXR_WORK_P : PXR_WORK_PQ;
}

/* Whether all of n pointers are there; false for no array, too.  Counting takes a comparison
   and an addition with carry each, and no branches: pointers are hardly ever NULL. */
static inline bool pxr_all_present(unsigned n, const uint8_t *const *pointers)
{
    if (!pointers)
        return false;
    unsigned missing = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < n; i++)
        missing += !pointers[i];
    return missing == 0;
}

/* Whether all sources and outputs of a call are there. */
static inline bool pxr_call_present(unsigned k, const uint8_t *const *src, unsigned count,
                                    uint8_t *const *dst)
{
    return pxr_all_present(k, src) && pxr_all_present(count, (const uint8_t *const *)dst);
}

#endif
