/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GFNI on an x86-64 CPU that lacks it.  There, a GFNI instruction raises SIGILL.  The signal
 * handler computes the result, writes it into the registers that the return from the signal
 * restores, and steps over the instruction.  A ud2 in front of the instruction makes it trap on
 * any CPU (gfni_trap.h).
 *
 * The tests link it in front of the library with --wrap=pxr_cpu_detect, which makes the library
 * believe that the CPU has GFNI (gfni_cpu.c).
 */
#ifndef PXR_UNIT_GFNI_EMULATOR_H
#define PXR_UNIT_GFNI_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

/* Takes SIGILL.  Operands in memory are not checked for alignment.  Any other instruction that
   raises it ends the program, with a message. */
void gfni_emulate(void);

/* Instructions that were emulated so far, in all threads. */
unsigned long gfni_emulated(void);

/* Whether a signal's context (ucontext_t) holds an XSAVE image with that state
   component: some emulators of whole CPUs leave it out. */
bool gfni_frame_has(const void *context, unsigned component);

/* ------------------------------------------------------- the two halves -- */

enum gfni_operation { GFNI_AFFINE, GFNI_AFFINE_INVERSE, GFNI_PRODUCT };

/* The address base + scale * index + displacement; NO_REGISTER is 0. */
#define GFNI_NO_REGISTER (-1)
struct gfni_address {
    int base, index; /* as instructions number the general registers */
    unsigned scale;
    int32_t displacement;
    bool from_next; /* instead of base: the next instruction's address */
};

struct gfni_instruction {
    enum gfni_operation operation;
    unsigned length;            /* of the instruction in bytes */
    unsigned bytes;             /* of its vectors: 16, 32 or 64 */
    bool legacy;                /* what lies above the 16 bytes stays as it is */
    unsigned to, first, second; /* vector registers; second unless in_memory */
    bool in_memory;             /* the second operand, at address */
    bool broadcast;             /* ... is 8 bytes, repeated */
    struct gfni_address address;
    unsigned mask; /* opmask with a bit for each byte to write; 0 writes all */
    bool zeroing;  /* what is not written becomes 0 */
    uint8_t immediate;
};

/* False when there is no GFNI instruction at `code`. */
bool gfni_decode(const uint8_t *code, struct gfni_instruction *instruction);

#endif
