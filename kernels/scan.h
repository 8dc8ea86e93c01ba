/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans of one or two buffers with a given kernel set. */
#ifndef PXR_SCAN_H
#define PXR_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* Return the offset of the first byte that is not zero, and of the first byte in which a and b
   differ; len where there is no such byte. */
size_t pxr_scan_nonzero(const struct pxr_kernels *kernels, const uint8_t *p, size_t len);
size_t pxr_scan_difference(const struct pxr_kernels *kernels, const uint8_t *a,
                           const uint8_t *b, size_t len);

#endif
