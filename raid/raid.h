/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the RAID functions have in common.  P and Q are the two special rows of
 * kernels.h; here are the passes that yield them.
 */
#ifndef PXR_RAID_H
#define PXR_RAID_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* The offset of the first byte that is not zero, and of the first in which a and b
   differ; len where there is none. */
size_t pxr_scan_nonzero(const struct pxr_kernels *kernels, const uint8_t *p, size_t len);
size_t pxr_scan_difference(const struct pxr_kernels *kernels, const uint8_t *a,
                           const uint8_t *b, size_t len);

#endif
