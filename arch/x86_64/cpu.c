/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPUID and XGETBV: an instruction set is there when the CPU has it and the
 * operating system saves the registers that it works on.
 */
#include <cpuid.h>
#include <stdint.h>

#include "cpu.h"

/* The register state that the operating system saves: bits 1 and 2 for ymm,
   5 to 7 for opmasks and zmm.  0 where XGETBV does not exist. */
static uint32_t saved_state(uint32_t leaf1_ecx)
{
    if (!(leaf1_ecx & bit_OSXSAVE))
        return 0;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

struct pxr_cpu pxr_cpu_detect(void)
{
    struct pxr_cpu cpu = {0};
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return cpu;
    cpu.ssse3 = c & bit_SSSE3;
    const uint32_t state = saved_state(c);
    const bool ymm = (state & 0x06) == 0x06;
    const bool zmm = (state & 0xe6) == 0xe6;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return cpu;
    cpu.avx2 = ymm && (b & bit_AVX2);
    cpu.avx512bw = zmm && (b & bit_AVX512F) && (b & bit_AVX512BW);
    cpu.gfni = c & bit_GFNI;
    return cpu;
}
