/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's RAID calls with the kernel set as one more argument, as in isal.h, and the properties
 * in which the names differ.
 */
#ifndef PXR_ISAL_RAID_INTERNAL_H
#define PXR_ISAL_RAID_INTERNAL_H

#include "kernels.h"

struct pxr_isal_form {
    enum pxr_special parity; /* P, or P and Q: this many of the last buffers */
    int least;               /* the smallest vects */
    int multiple;            /* len must be a multiple of this power of two */
};

extern const struct pxr_isal_form pxr_isal_xor_gen, pxr_isal_xor_check, pxr_isal_pq_of_16,
    pxr_isal_pq_of_32;

int pxr_isal_gen(const struct pxr_kernels *kernels, const struct pxr_isal_form *form, int vects,
                 int len, void **array);
int pxr_isal_check(const struct pxr_kernels *kernels, const struct pxr_isal_form *form,
                   int vects, int len, void **array);

#endif
