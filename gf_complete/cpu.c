/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

int gf_cpu_identified;
int gf_cpu_supports_intel_pclmul;
int gf_cpu_supports_intel_sse4;
int gf_cpu_supports_intel_ssse3;
int gf_cpu_supports_intel_sse3;
int gf_cpu_supports_intel_sse2;
int gf_cpu_supports_arm_neon;

#if defined(__x86_64__) || defined(__i386__)
void cpuid(int info[4], int type)
{
    unsigned eax, ebx, ecx, edx;
    __cpuid_count((unsigned)type, 0, eax, ebx, ecx, edx);
    info[0] = (int)eax;
    info[1] = (int)ebx;
    info[2] = (int)ecx;
    info[3] = (int)edx;
}
#else
void cpuid(int info[4], int type)
{
    (void)type;
    for (int i = 0; i < 4; i++)
        info[i] = 0;
}
#endif

void gf_cpu_identify(void)
{
    int info[4];
    cpuid(info, 1);
    const unsigned c = (unsigned)info[2], d = (unsigned)info[3];
    gf_cpu_supports_intel_sse2 = d >> 26 & 1;
    gf_cpu_supports_intel_sse3 = c & 1;
    gf_cpu_supports_intel_ssse3 = c >> 9 & 1;
    gf_cpu_supports_intel_sse4 = (c >> 19 | c >> 20) & 1;
    gf_cpu_supports_intel_pclmul = c >> 1 & 1;
#if defined(__aarch64__) || defined(__ARM_NEON)
    gf_cpu_supports_arm_neon = 1;
#endif
    gf_cpu_identified = 1;
}
