/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's word on the CPU: a bit of AT_HWCAP2 is there when the CPU has the
 * instructions and the kernel saves the registers that they work on.
 */
#include <sys/auxv.h>

#include "cpu.h"

/* The bits of PPC_FEATURE2_*, which C libraries name differently, and older ones
   not at all. */
#define ARCH_2_07 0x80000000ul
#define VEC_CRYPTO 0x02000000ul
#define ARCH_3_00 0x00800000ul
#define ARCH_3_1 0x00040000ul

struct pxr_cpu pxr_cpu_detect(void)
{
    const unsigned long bits = getauxval(AT_HWCAP2);
    return (struct pxr_cpu){
        .vpermxor = (bits & ARCH_2_07) && (bits & VEC_CRYPTO),
        .power9 = bits & ARCH_3_00,
        .power10 = bits & ARCH_3_1,
    };
}
