/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set that calls use. */
#ifndef PXR_DISPATCH_H
#define PXR_DISPATCH_H

#include <stdatomic.h>

#include "kernels.h"

/* The set that calls use, or NULL before it is chosen; and the function that chooses it. */
extern _Atomic(const struct pxr_kernels *) pxr_chosen_kernels;
const struct pxr_kernels *pxr_choose_kernels(void);

static inline const struct pxr_kernels *pxr_kernels_if_chosen(void)
{
    return atomic_load_explicit(&pxr_chosen_kernels, memory_order_acquire);
}

static inline const struct pxr_kernels *pxr_kernels(void)
{
    const struct pxr_kernels *kernels = pxr_kernels_if_chosen();
    return __builtin_expect(kernels != NULL, 1) ? kernels : pxr_choose_kernels();
}

#endif
