/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "machine.h"

#include <errno.h>

#include "cpu.h"

#define SYSFS "/sys/devices/system/cpu/cpu0"

#ifdef PXR_ARCH_PORTABLE
void pxr_cpu_identify(struct pxr_core *core)
{
    *core = (struct pxr_core){.maker = PXR_MAKER_UNKNOWN};
}
#endif

/* Whether all is known that must be: there need not be a third level. */
static bool complete(const struct pxr_core *core)
{
    return core->cache[PXR_L1].bytes && core->cache[PXR_L2].bytes;
}

struct pxr_record pxr_record_of_this_machine(void)
{
    const int error = errno;
    struct pxr_core core;
    pxr_cpu_identify(&core);
    if (!complete(&core))
        pxr_core_ask_sysfs(&core, SYSFS);
    if (!complete(&core))
        pxr_core_ask_sysconf(&core);
    errno = error;
    return pxr_record_of(&core);
}

/* --------------------------------------------------------- publication -- */

static size_t *number(struct pxr_machine *machine, unsigned i)
{
    size_t *const numbers[PXR_NUMBERS] = {&machine->l1_bytes,     &machine->own_bytes,
                                          &machine->shared_bytes, &machine->ahead_from,
                                          &machine->wide_from,    &machine->piece_bytes};
    return numbers[i];
}

static uint32_t *way(struct pxr_machine *machine, unsigned i)
{
    return &machine->way[0][0] + (i - PXR_NUMBERS);
}

void pxr_record_publish(const struct pxr_record *record)
{
    struct pxr_machine from = record->machine;
    for (unsigned i = 0; i < PXR_NUMBERS; i++)
        __atomic_store_n(number(&pxr_machine, i), *number(&from, i), __ATOMIC_RELAXED);
    for (unsigned i = PXR_NUMBERS; i < PXR_SETTINGS; i++)
        __atomic_store_n(way(&pxr_machine, i), *way(&from, i), __ATOMIC_RELAXED);
}

size_t pxr_l2_bytes(void)
{
    return PXR_MACHINE(own_bytes);
}
