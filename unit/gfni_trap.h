/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included ahead of every file (-include): the assembler puts ud2 in front of
 * each GFNI instruction that the compiler writes, so that it traps on CPUs that
 * have GFNI too and the emulator (gfni_emulator.h) takes it up behind the ud2.
 *
 * Each macro has the name of an instruction, which it takes off itself before it writes the
 * instruction, and gets back afterwards: it does not call itself.  Needs GNU as, which clang
 * calls with -fno-integrated-as.
 */
#ifndef PXR_UNIT_GFNI_TRAP_H
#define PXR_UNIT_GFNI_TRAP_H

__asm__(".macro pxr_trap name\n"
        ".macro \\name operands:vararg\n"
        "    ud2\n"
        "    .purgem \\name\n"
        "    \\name \\operands\n"
        "    pxr_trap \\name\n"
        ".endm\n"
        ".endm\n"
        ".irp name, gf2p8affineqb, gf2p8affineinvqb, gf2p8mulb\n"
        "pxr_trap \\name\n"
        "pxr_trap v\\name\n"
        ".endr\n");

#endif
