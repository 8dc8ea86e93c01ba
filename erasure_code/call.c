/* SPDX-License-Identifier: BSD-3-Clause */
#include "call.h"

#include "cpu.h"

/*
 * The bytes that a call touches decide how outputs are written.  What does not
 * fit the core's own cache is written around the caches: that saves reading
 * every line of an output before it is overwritten.  Measured on an Emerald
 * Rapids Xeon (L2 of 2 MiB), 10+4, streaming against ordinary stores:
 * footprint 0.9 MiB 0.92 and 1.8 MiB 0.86 in cache, 3.5 MiB 1.19, 14 MiB 1.24;
 * from memory 1.2 to 1.3 at all of these.  The factor leaves calls alone whose
 * outputs the caller will still find in the last-level cache.
 */
#define STREAM_L2_FACTOR 4

unsigned pxr_policy_beyond(size_t footprint)
{
    return footprint / STREAM_L2_FACTOR > pxr_l2_bytes() ? PXR_STREAM : 0;
}
