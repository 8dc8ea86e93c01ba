/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The features that kernel sets require of a CPU, as bits. arch/<name>/cpu.c sets the bits that
 * the CPU has, and each set lists the bits that it requires (kernels.h).  The requirements are
 * data and not functions: a function would be compiled with the flags of its set, and might
 * itself contain the instructions that it is meant to keep from running.
 */
#ifndef PXR_CPU_H
#define PXR_CPU_H

#include <stddef.h>
#include <stdint.h>

enum pxr_cpu_feature {
    /* x86-64; each bit also means that the operating system saves the registers */
    PXR_CPU_SSSE3 = 1 << 0,
    PXR_CPU_AVX2 = 1 << 1,
    PXR_CPU_AVX512BW = 1 << 2, /* with avx512f and bmi2 */
    PXR_CPU_GFNI = 1 << 3,     /* the instructions alone; their vector width follows from the
                                  other bits */

    /* aarch64 */
    PXR_CPU_NEON = 1 << 4,
    PXR_CPU_SHA3 = 1 << 5,      /* EOR3 on NEON's registers */
    PXR_CPU_FAST_EOR3 = 1 << 6, /* EOR3 is faster than two EORs */
    PXR_CPU_SVE = 1 << 7,
    PXR_CPU_SVE2 = 1 << 8,     /* has EOR3 on SVE's registers */
    PXR_CPU_WIDE_SVE = 1 << 9, /* vectors of more than 128 bits */

    /* ppc64le */
    PXR_CPU_VPERMXOR = 1 << 10, /* VSX, and POWER8's crypto instructions */
    PXR_CPU_POWER9 = 1 << 11,   /* ISA 3.0 */
    PXR_CPU_POWER10 = 1 << 12,  /* ISA 3.1 */

    PXR_CPU_RVV = 1 << 13, /* riscv64: V 1.0 */
    PXR_CPU_VX = 1 << 14,  /* s390x */

    /* loongarch64 */
    PXR_CPU_LSX = 1 << 15,
    PXR_CPU_LASX = 1 << 16,

    PXR_CPU_NONE_HAS_IT = 1 << 30 /* for sets that are used only when asked for */
};

/* Asks the CPU that this code runs on. */
uint32_t pxr_cpu_detect(void);

#endif
