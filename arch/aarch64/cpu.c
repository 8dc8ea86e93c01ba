/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks Linux about the processor.  On other systems it takes what the compiler may assume.
 */
#include "cpu.h"
#include "machine.h"

#ifdef __linux__
#include <stdbool.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

/* The kernel's numbers, for headers that are older than the processor. */
#ifndef HWCAP_ASIMD
#define HWCAP_ASIMD (1 << 1)
#endif
#ifndef HWCAP_CPUID
#define HWCAP_CPUID (1 << 11)
#endif
#ifndef HWCAP_SHA3
#define HWCAP_SHA3 (1 << 17)
#endif
#ifndef HWCAP_SVE
#define HWCAP_SVE (1 << 22)
#endif
#ifndef HWCAP2_SVE2
#define HWCAP2_SVE2 (1 << 1)
#endif
#ifndef PR_SVE_GET_VL
#define PR_SVE_GET_VL 51
#endif
#ifndef PR_SVE_VL_LEN_MASK
#define PR_SVE_VL_LEN_MASK 0xffff
#endif

/* Returns the vector length of the calling thread.  A process may have been given shorter
   vectors than the processor has.  The kernel is asked, because cntb must not run where there
   is no SVE. */
static unsigned sve_bytes(void)
{
    const int answer = prctl(PR_SVE_GET_VL);
    return answer < 0 ? 0 : (unsigned)answer & PR_SVE_VL_LEN_MASK;
}

/* Arm's part numbers of Neoverse V1 and V2. */
#define IS_NEOVERSE_V(midr) \
    ((midr) >> 24 == 0x41 && (((midr) >> 4 & 0xfff) == 0xd40 || ((midr) >> 4 & 0xfff) == 0xd4f))

/* Returns whether two xors of NEON are faster than EOR3.  According to LLVM 19, Neoverse V1 and
   V2 run EOR3 in one of the four vector pipes, which is also one of the two pipes that run TBL.
   So LLVM predicts that neon is 1.2 times as fast as neon_sha3 there (doc/predicted.md). */
static bool eor3_is_narrow(unsigned long has)
{
    unsigned long midr = 0;
    if (has & HWCAP_CPUID) /* the kernel answers in place of the processor */
        __asm__ volatile("mrs %0, midr_el1" : "=r"(midr));
    return IS_NEOVERSE_V(midr & 0xffffffff);
}

uint32_t pxr_cpu_detect(void)
{
    const unsigned long has = getauxval(AT_HWCAP), has2 = getauxval(AT_HWCAP2);
    uint32_t cpu = has & HWCAP_ASIMD ? PXR_CPU_NEON : 0;
    if (has & HWCAP_SHA3)
        cpu |= PXR_CPU_SHA3 | (eor3_is_narrow(has) ? 0 : PXR_CPU_FAST_EOR3);
    if (has & HWCAP_SVE)
        cpu |= PXR_CPU_SVE | (has2 & HWCAP2_SVE2 ? PXR_CPU_SVE2 : 0) |
               (sve_bytes() > 16 ? PXR_CPU_WIDE_SVE : 0);
    return cpu;
}
#else
/* NEON is part of the architecture.  What compilers take for granted, all code here has. */
uint32_t pxr_cpu_detect(void)
{
#ifdef __ARM_FEATURE_SHA3
    return PXR_CPU_NEON | PXR_CPU_SHA3;
#else
    return PXR_CPU_NEON;
#endif
}
#endif

void pxr_cpu_identify(struct pxr_core *core)
{
    *core = (struct pxr_core){.maker = PXR_MAKER_ARM64};
}
