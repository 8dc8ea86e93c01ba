/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AT_HWCAP: the kernel reports LSX and LASX where it also saves their registers.
 */
#include <sys/auxv.h>

#include "cpu.h"
#include "machine.h"

/* Named in glibc's headers since 2.36 only. */
#ifndef HWCAP_LOONGARCH_LSX
#define HWCAP_LOONGARCH_LSX (1 << 4)
#define HWCAP_LOONGARCH_LASX (1 << 5)
#endif

uint32_t pxr_cpu_detect(void)
{
    const unsigned long has = getauxval(AT_HWCAP);
    return (has & HWCAP_LOONGARCH_LSX ? PXR_CPU_LSX : 0) |
           (has & HWCAP_LOONGARCH_LASX ? PXR_CPU_LASX : 0);
}

void pxr_cpu_identify(struct pxr_core *core)
{
    *core = (struct pxr_core){.maker = PXR_MAKER_LOONGSON};
}
