/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel reports single-letter extensions as bits of AT_HWCAP, and V only
 * where it also saves the vector registers.  Linux has done so since 6.5, for the
 * ratified V 1.0.  Kernels that vendors made before set the same bit for the draft
 * 0.7.1, whose instructions are encoded alike and mean something else.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "cpu.h"
#include "machine.h"

#define HWCAP_V (1ul << ('V' - 'A'))

/*
 * Whether `vsetvli length, zero, e8, m1, ta, ma`, which any V executes, is
 * understood.  The draft has no ta and ma and makes the length zero, as it does
 * for every vtype that it does not know.  Written as a number (0x0c0 is that
 * vtype), since this file is compiled and assembled without V; and in a function of
 * its own, since compilers that were told of V may count on vtype.
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
