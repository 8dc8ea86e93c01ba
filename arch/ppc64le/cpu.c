/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks the kernel about the CPU.  AT_HWCAP has the vector units, which a guest may lack
 * whatever its processor is.  AT_HWCAP2 has the level of the architecture.
 */
#include <sys/auxv.h>

#include "cpu.h"
#include "machine.h"

/* The bits of PPC_FEATURE_* and PPC_FEATURE2_*.  C libraries have different names for these,
   and older ones have none. */
#define HAS_ALTIVEC 0x10000000ul
#define HAS_VSX 0x00000080ul
#define ARCH_2_07 0x80000000ul
#define VEC_CRYPTO 0x02000000ul
#define ARCH_3_00 0x00800000ul
#define ARCH_3_1 0x00040000ul

uint32_t pxr_cpu_detect(void)
{
    const unsigned long units = getauxval(AT_HWCAP), level = getauxval(AT_HWCAP2);
    if (!(units & HAS_ALTIVEC) || !(units & HAS_VSX))
        return 0;
    return ((level & ARCH_2_07) && (level & VEC_CRYPTO) ? PXR_CPU_VPERMXOR : 0) |
           (level & ARCH_3_00 ? PXR_CPU_POWER9 : 0) | (level & ARCH_3_1 ? PXR_CPU_POWER10 : 0);
}

void pxr_cpu_identify(struct pxr_core *core)
{
    *core = (struct pxr_core){.maker = PXR_MAKER_POWER};
}
