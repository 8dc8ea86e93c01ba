/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPUID and XGETBV.  An instruction set is available when the CPU has it and the operating
 * system saves the registers that it uses.
 */
#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"

/* Returns the register state that the operating system saves: bits 1 and 2 for ymm, 5 to 7 for
   opmasks and zmm.  Returns 0 where XGETBV does not exist. */
static uint32_t saved_state(uint32_t leaf1_ecx)
{
    if (!(leaf1_ecx & bit_OSXSAVE))
        return 0;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

uint32_t pxr_cpu_detect(void)
{
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    uint32_t cpu = c & bit_SSSE3 ? PXR_CPU_SSSE3 : 0;
    const uint32_t state = saved_state(c);
    const bool ymm = (state & 0x06) == 0x06;
    const bool zmm = (state & 0xe6) == 0xe6;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return cpu;
    if (ymm && (b & bit_AVX2))
        cpu |= PXR_CPU_AVX2;
    if (zmm && (b & bit_AVX512F) && (b & bit_AVX512BW) && (b & bit_BMI2))
        cpu |= PXR_CPU_AVX512BW;
    return cpu | (c & bit_GFNI ? PXR_CPU_GFNI : 0);
}
