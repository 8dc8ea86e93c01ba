/* SPDX-License-Identifier: BSD-3-Clause */
#include "call.h"

#include "cpu.h"

/*
 * The bytes that a call touches decide how outputs are written.  What does not
 * fit the core's own cache is written around the caches: that saves reading
 * every line of an output before it is overwritten, and leaves the room to the
 * sources.  Measured on an Emerald Rapids Xeon (L2 of 2 MiB), streaming against
 * ordinary stores: footprint 0.9 MiB 0.92 and 1.8 MiB 0.86 in cache; 2.25 to 3.5
 * MiB, codes and RAID, 1.04 to 1.5 in the last-level cache and 1.0 to 1.33 from
 * memory; 4.5 to 7 MiB 1.0 to 1.06 and 1.28 to 1.33; 14 MiB 1.24.
 */
unsigned pxr_policy_beyond(size_t footprint)
{
    return footprint > pxr_l2_bytes() ? PXR_STREAM : 0;
}
