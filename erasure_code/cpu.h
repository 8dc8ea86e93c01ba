/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel sets' predicates look at.  Each architecture fills in its
 * own members (arch/<name>/cpu.c).
 */
#ifndef PXR_CPU_H
#define PXR_CPU_H

#include <stdbool.h>
#include <stddef.h>

struct pxr_cpu {
    /* x86-64; each includes that the operating system saves the registers */
    bool ssse3;
    bool avx2;
    bool avx512bw; /* with avx512f */
    bool gfni;     /* the instructions; a width comes from the others */

    /* aarch64 */
    bool neon;
    bool sha3;          /* EOR3 on NEON's registers */
    bool narrow_eor3;   /* which is slower than two EORs */
    bool sve, sve2;     /* sve2 has EOR3 on SVE's */
    unsigned sve_bytes; /* of a vector */

    /* ppc64le */
    bool vpermxor; /* POWER8's vector category, with the crypto instructions */
    bool power9;   /* ISA 3.0 */
    bool power10;  /* ISA 3.1 */

    /* riscv64 */
    bool rvv; /* V 1.0 */

    /* s390x */
    bool vx;

    /* loongarch64 */
    bool lsx, lasx;
};

/* Look at the CPU that this runs on. */
struct pxr_cpu pxr_cpu_detect(void);

/* The size of a core's own cache. */
size_t pxr_l2_bytes(void);

#endif
