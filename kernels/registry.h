/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel sets that this library has, and which of them this machine can run. */
#ifndef PXR_REGISTRY_H
#define PXR_REGISTRY_H

#include <stdbool.h>

#include "kernels.h"

/* The best set comes first, and NULL ends the list.  The last row (base) runs anywhere. */
extern const struct pxr_kernels *const pxr_registry[];
extern const struct pxr_kernels pxr_kernels_base;

/* Returns the set of this name, or NULL if there is none. */
const struct pxr_kernels *pxr_kernels_find(const char *name);

/* Returns whether this CPU and operating system can run a set. */
bool pxr_kernels_usable(const struct pxr_kernels *kernels);

/* Returns the first set that is usable and preferred. */
const struct pxr_kernels *pxr_kernels_best(void);

/* Returns what ISA-L's names with an instruction set in them run: the set of this name if it is
   usable, else the first preferred set of the rows below it.  If no set has this name, returns
   base. */
const struct pxr_kernels *pxr_kernels_at_most(const char *name);

#endif
