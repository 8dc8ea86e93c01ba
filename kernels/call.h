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

/* The sources that a call may look at to learn where its shards are: all are there. */
struct pxr_sources {
    const uint8_t *const *src;
    unsigned count;
};
#define PXR_UNSEEN ((struct pxr_sources){NULL, 0}) /* nobody looks: the size tells */

/* Shorter shards have no place and take no way: finding one would take longer than it can
   save. */
#define PXR_WAYLESS_BYTES 1024
#define PXR_NO_PLACE PXR_PLACES

enum pxr_place pxr_find_place(size_t len, size_t buffers, struct pxr_sources from);

/* Where the shards of a call are that touches so many of them. */
static inline enum pxr_place pxr_place(size_t len, size_t buffers, struct pxr_sources from)
{
    return len < PXR_WAYLESS_BYTES ? PXR_NO_PLACE : pxr_find_place(len, buffers, from);
}

/* How a call of this kind (not a wide one) uses memory there: flags of kernels.h.  The work of
   a wide call follows that of a narrow one in the enumeration. */
static inline uint32_t pxr_way(enum pxr_work work, enum pxr_place place, unsigned sources)
{
    if (place == PXR_NO_PLACE)
        return 0;
    if (work < PXR_WORK_UPDATE && sources >= PXR_MACHINE(wide_from))
        work++;
    return PXR_MACHINE(way[work][place]);
}

/* The way of an update, which is the same for any number of sources.  The size alone tells
   where its shards are. */
static inline uint32_t pxr_update_way(size_t len, size_t buffers)
{
    return pxr_way(PXR_WORK_UPDATE, pxr_place(len, buffers, PXR_UNSEEN), 0);
}

/* The work of computing so many parities, P or P and Q. */
static inline enum pxr_work pxr_work_of_parity(unsigned parities)
{
    return parities == 1 ? PXR_WORK_P : PXR_WORK_PQ;
}

/* What a caller's shards are from here on: read, and not written.  C, other than C++, has no
   such conversion of its own. */
static inline const uint8_t *const *pxr_read_only(uint8_t *const *shards)
{
    return (const uint8_t *const *)shards;
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
    return pxr_all_present(k, src) && pxr_all_present(count, pxr_read_only(dst));
}

#endif
