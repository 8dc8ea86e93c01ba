/* SPDX-License-Identifier: BSD-3-Clause */
#include "call.h"

/* The first place that is large enough for all that is touched, but for short shards. */
static enum pxr_place place_of(size_t len, size_t buffers)
{
    size_t footprint;
    if (__builtin_mul_overflow(len, buffers, &footprint))
        return PXR_PLACE_MEMORY;
    if (footprint <= PXR_MACHINE(l1_bytes))
        return PXR_PLACE_L1;
    if (len < PXR_MACHINE(ahead_from))
        return PXR_PLACE_SHORT;
    if (footprint <= PXR_MACHINE(own_bytes))
        return PXR_PLACE_OWN;
    return footprint <= PXR_MACHINE(shared_bytes) ? PXR_PLACE_SHARED : PXR_PLACE_MEMORY;
}

/* The work of a wide call follows that of a narrow one in the enumeration. */
uint32_t pxr_way_of(enum pxr_work work, size_t len, unsigned sources, unsigned outputs)
{
    if (work != PXR_WORK_UPDATE && sources >= PXR_MACHINE(wide_from))
        work++;
    return PXR_MACHINE(way[work][place_of(len, (size_t)sources + outputs)]);
}
