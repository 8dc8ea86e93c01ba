/* SPDX-License-Identifier: BSD-3-Clause */
/* AT_HWCAP: the kernel reports LSX and LASX when it also saves their registers. */
#include <sys/auxv.h>

#include "cpu.h"
#include "machine.h"

/* glibc's headers have these names only since 2.36. */
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
