/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel reports single-letter extensions as bits of AT_HWCAP, and reports V only when it
 * also saves the vector registers.  Linux has done so since 6.5, for the ratified V 1.0.  Older
 * kernels of vendors set the same bit for the draft 0.7.1, whose instructions have the same
 * encodings and other meanings.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "cpu.h"
#include "machine.h"

#define HWCAP_V (1ul << ('V' - 'A'))

/*
 * Returns whether the processor understands `vsetvli length, zero, e8, m1, ta, ma`, which any V
 * executes.  The draft has no ta and ma; it sets the length to zero, as it does for every vtype
 * that it does not know.  The instruction is written as a number (0x0c0 is that vtype), because
 * this file is compiled and assembled without V. It is in a function of its own, because
 * compilers that know of V may rely on vtype.
 */
__attribute__((noinline)) static bool ratified(void)
{
    unsigned long length;
    __asm__ volatile(".insn i 0x57, 7, %0, zero, 0x0c0" : "=r"(length));
    return length != 0;
}

uint32_t pxr_cpu_detect(void)
{
    return getauxval(AT_HWCAP) & HWCAP_V && ratified() ? PXR_CPU_RVV : 0;
}

void pxr_cpu_identify(struct pxr_core *core)
{
    *core = (struct pxr_core){.maker = PXR_MAKER_RISCV};
}
