/* SPDX-License-Identifier: BSD-3-Clause */
#include "call.h"

#include "cpu.h"

/*
 * The bytes that a call touches decide how outputs are written.  What does not
 * fit the core's own cache is written around the caches: that saves reading
 * every line of an output before it is overwritten.  Measured on an Emerald
 * Rapids Xeon (L2 of 2 MiB), 10+4, streaming against ordinary stores:
 * footprint 0.9 MiB 0.92 and 1.8 MiB 0.86 in cache, 3.5 MiB 1.19, 14 MiB 1.24;
 * 4+2 and 10+4 of 4.5 to 7 MiB 1.0 to 1.06 in the last-level cache and 1.28 to
 * 1.33 from memory.  The factor leaves calls alone whose outputs the caller will
 * still find in a core's share of the last-level cache.
 */
#define STREAM_L2_FACTOR 2

unsigned pxr_policy_beyond(size_t footprint)
{
    return footprint / STREAM_L2_FACTOR > pxr_l2_bytes() ? PXR_STREAM : 0;
}
