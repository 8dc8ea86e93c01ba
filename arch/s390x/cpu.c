/* SPDX-License-Identifier: BSD-3-Clause */
/* AT_HWCAP: the kernel reports the vector facility when it also saves the vector registers. */
#include <sys/auxv.h>

#include "cpu.h"
#include "machine.h"

uint32_t pxr_cpu_detect(void)
{
    return getauxval(AT_HWCAP) & HWCAP_S390_VX ? PXR_CPU_VX : 0;
}

void pxr_cpu_identify(struct pxr_core *core)
{
    *core = (struct pxr_core){.maker = PXR_MAKER_Z};
}
