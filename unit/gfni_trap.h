/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included ahead of every file (-include).  It makes the assembler put ud2 in front of each
 * GFNI instruction that the compiler writes, so that it traps on CPUs that have GFNI, too.  The
 * emulator (gfni_emulator.h) continues behind the ud2.
 *
 * Each macro has the name of an instruction.  It removes its own name before it writes the
 * instruction, and restores it afterwards, so it does not call itself.  Needs GNU as, which
 * clang calls with -fno-integrated-as.
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
