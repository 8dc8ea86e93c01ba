/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "registry.h"

#include <stdatomic.h>
#include <string.h>

#include "cpu.h"

#define DECLARE(name) extern const struct pxr_kernels pxr_kernels_##name;
PXR_KERNEL_SETS(DECLARE)

#define ROW(name) &pxr_kernels_##name,
const struct pxr_kernels *const pxr_registry[] = {PXR_KERNEL_SETS(ROW) ROW(base) NULL};

#ifdef PXR_ARCH_PORTABLE
uint32_t pxr_cpu_detect(void)
{
    return 0;
}
#endif

static bool has(uint32_t features)
{
    /* The answer is kept, because asking the CPU takes microseconds in a virtual machine.  The
       feature that no CPU has marks that the CPU was asked. */
    static _Atomic uint32_t known;
    const uint32_t looked = PXR_CPU_NONE_HAS_IT;
    uint32_t cpu = atomic_load_explicit(&known, memory_order_relaxed);
    if (!(cpu & looked)) {
        cpu = pxr_cpu_detect() | looked;
        atomic_store_explicit(&known, cpu, memory_order_relaxed);
    }
    return (cpu & ~looked & features) == features;
}

bool pxr_kernels_usable(const struct pxr_kernels *kernels)
{
    return has(kernels->requires);
}

static const struct pxr_kernels *const *find(const char *name)
{
    const struct pxr_kernels *const *row = pxr_registry;
    while (*row && strcmp((*row)->name, name) != 0)
        row++;
    return row;
}

const struct pxr_kernels *pxr_kernels_find(const char *name)
{
    return *find(name);
}

/* Returns the first set from `row` on that is usable and preferred. base always is. */
static const struct pxr_kernels *best_from(const struct pxr_kernels *const *row)
{
    while (!has((*row)->requires | (*row)->prefers))
        row++;
    return *row;
}

const struct pxr_kernels *pxr_kernels_best(void)
{
    return best_from(pxr_registry);
}

const struct pxr_kernels *pxr_kernels_at_most(const char *name)
{
    const struct pxr_kernels *const *row = find(name);
    if (!*row)
        return &pxr_kernels_base;
    return pxr_kernels_usable(*row) ? *row : best_from(row);
}
