/* SPDX-License-Identifier: BSD-3-Clause */
/* What CPUID tells about the core and its caches. */
#ifndef PXR_X86_64_IDENTIFY_H
#define PXR_X86_64_IDENTIFY_H

#include <stdint.h>

#include "machine.h"

/* The answer of CPUID. */
struct pxr_cpuid {
    uint32_t eax, ebx, ecx, edx;
};

/* Asks a leaf that exists, as leaf 0 and leaf 0x80000000 tell. */
typedef struct pxr_cpuid pxr_cpuid_fn(uint32_t leaf, uint32_t subleaf);

void pxr_x86_identify(struct pxr_core *core, pxr_cpuid_fn *cpuid);

#endif
