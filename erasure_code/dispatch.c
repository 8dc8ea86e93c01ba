/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry of kernel sets, and the choice among them: the first row that
 * this machine can run, or the one that PERMXOR_KERNELS names.
 */
#include "config.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu.h"
#include "kernels.h"
#include "permxor.h"

#define DECLARE(name) extern const struct pxr_kernels pxr_kernels_##name;
PXR_KERNEL_SETS(DECLARE)

#define ROW(name) &pxr_kernels_##name,
const struct pxr_kernels *const pxr_registry[] = {PXR_KERNEL_SETS(ROW) ROW(base) NULL};

#ifdef PXR_ARCH_PORTABLE
struct pxr_cpu pxr_cpu_detect(void)
{
    return (struct pxr_cpu){0};
}
#endif

bool pxr_never(const struct pxr_cpu *cpu)
{
    (void)cpu;
    return false;
}

bool pxr_kernels_usable(const struct pxr_kernels *kernels)
{
    const struct pxr_cpu cpu = pxr_cpu_detect();
    return kernels->usable(&cpu);
}

static const struct pxr_kernels *const *find(const char *name)
{
    const struct pxr_kernels *const *row = pxr_registry;
    while (*row && strcmp((*row)->name, name) != 0)
        row++;
    return row;
}

/* The first row from `row` on that is usable and preferred; base always is. */
static const struct pxr_kernels *best_from(const struct pxr_kernels *const *row)
{
    const struct pxr_cpu cpu = pxr_cpu_detect();
    while (!(*row)->usable(&cpu) || !(*row)->preferred(&cpu))
        row++;
    return *row;
}

const struct pxr_kernels *pxr_kernels_at_most(const char *name)
{
    const struct pxr_kernels *const *row = find(name);
    if (!*row)
        return &pxr_kernels_base;
    return pxr_kernels_usable(*row) ? *row : best_from(row);
}

/* ---------------------------------------------------------------- caches -- */

/* Where the C library does not know it. */
#define L2_BYTES_GUESS ((size_t)1 << 20)

size_t pxr_l2_bytes(void)
{
    static _Atomic size_t known;
    size_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes == 0) {
        long answer = -1;
#ifdef _SC_LEVEL2_CACHE_SIZE
        answer = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
        bytes = answer > 0 ? (size_t)answer : L2_BYTES_GUESS;
        atomic_store_explicit(&known, bytes, memory_order_relaxed);
    }
    return bytes;
}

/* --------------------------------------------------------------- choice -- */

struct choice {
    const struct pxr_kernels *kernels;
    const char *reason;
    const char *refused; /* PERMXOR_KERNELS' value when it could not be followed */
};

static const char *forced_name(void)
{
#ifdef HAVE_SECURE_GETENV
    const char *name = secure_getenv("PERMXOR_KERNELS");
#else
    const char *name = NULL;
#endif
    return name && *name ? name : NULL;
}

static struct choice choose(void)
{
    const char *name = forced_name();
    if (!name)
        return (struct choice){best_from(pxr_registry), "the best set that this CPU can run",
                               NULL};
    const struct pxr_kernels *forced = *find(name);
    if (!forced)
        return (struct choice){best_from(pxr_registry),
                               "PERMXOR_KERNELS names no kernel set; the best set that this "
                               "CPU can run is used",
                               name};
    if (!pxr_kernels_usable(forced))
        return (struct choice){best_from(pxr_registry),
                               "PERMXOR_KERNELS names a kernel set that this CPU cannot run; "
                               "the best one that it can is used",
                               name};
    return (struct choice){forced, "PERMXOR_KERNELS asks for it", NULL};
}

/* What was chosen, published once.  Threads that race to the first call each
   choose the same and one of them publishes, so there is no lock to take.  The
   reason is stored first, so whoever sees a set chosen sees its reason. */
_Atomic(const struct pxr_kernels *) pxr_chosen_kernels;
static _Atomic(const char *) chosen_reason;

const struct pxr_kernels *pxr_choose_kernels(void)
{
    const struct choice choice = choose();
    const struct pxr_kernels *kernels = NULL;
    atomic_store(&chosen_reason, choice.reason);
    if (!atomic_compare_exchange_strong(&pxr_chosen_kernels, &kernels, choice.kernels))
        return kernels;
    if (choice.refused)
        fprintf(stderr, "permxor: PERMXOR_KERNELS=%s: %s (%s)\n", choice.refused, choice.reason,
                choice.kernels->name);
    return choice.kernels;
}

const char *pxr_kernel_reason(void)
{
    pxr_kernels();
    return atomic_load(&chosen_reason);
}

int pxr_kernel_info(unsigned index, struct pxr_kernel_info *info)
{
    const unsigned rows = sizeof pxr_registry / sizeof pxr_registry[0] - 1;
    if (!info || index >= rows)
        return PXR_EINVAL;
    const struct pxr_kernels *row = pxr_registry[index];
    *info = (struct pxr_kernel_info){row->name, row->needs, pxr_kernels_usable(row),
                                     row == pxr_kernels()};
    return PXR_OK;
}
