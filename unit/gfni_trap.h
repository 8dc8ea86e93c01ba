/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included ahead of every file (-include): the assembler puts ud2 in front of
 * each GFNI instruction that the compiler writes, so that it traps on CPUs that
 * have GFNI too and the emulator (gfni_emulator.h) takes it up behind the ud2.
 *
 * {load} chooses between two encodings of moves and means nothing here, but
 * what begins with it is no longer the macro's name: the macro does not call
 * itself.  Needs GNU as, which clang calls with -fno-integrated-as.
 */
#ifndef PXR_UNIT_GFNI_TRAP_H
#define PXR_UNIT_GFNI_TRAP_H

__asm__(".irp name, gf2p8affineqb, gf2p8affineinvqb, gf2p8mulb\n"
        ".macro \\name operands:vararg\n"
        "    ud2\n"
        "    {load} \\name \\operands\n"
        ".endm\n"
        ".macro v\\name operands:vararg\n"
        "    ud2\n"
        "    {load} v\\name \\operands\n"
        ".endm\n"
        ".endr\n");

#endif
