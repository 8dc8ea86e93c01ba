/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel sets that this library has, and which of them this machine can run. */
#ifndef PXR_REGISTRY_H
#define PXR_REGISTRY_H

#include <stdbool.h>

#include "kernels.h"

/* Best first, ending in NULL; the last row (base) runs anywhere. */
extern const struct pxr_kernels *const pxr_registry[];
extern const struct pxr_kernels pxr_kernels_base;

/* The set of this name; NULL where there is none. */
const struct pxr_kernels *pxr_kernels_find(const char *name);

/* Whether this CPU and operating system can run a set. */
bool pxr_kernels_usable(const struct pxr_kernels *kernels);

/* The first set that is usable and preferred. */
const struct pxr_kernels *pxr_kernels_best(void);

/* The set of that name where it is usable, else the first preferred one of the
   rows below it, or base where there is no such name: what ISA-L's names with an
   instruction set in them run. */
const struct pxr_kernels *pxr_kernels_at_most(const char *name);

#endif
