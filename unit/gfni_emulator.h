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

/* Installs the handler of SIGILL.  Operands in memory are not checked for alignment.  If any
   other instruction raises SIGILL, the program ends with a message. */
void gfni_emulate(void);

/* The number of instructions that were emulated so far, in all threads. */
unsigned long gfni_emulated(void);

/* Whether a signal's context (ucontext_t) holds an XSAVE image with this state component.  Some
   emulators of whole CPUs leave it out. */
bool gfni_frame_has(const void *context, unsigned component);

/* ------------------------------------------------------- the two halves -- */

enum gfni_operation { GFNI_AFFINE, GFNI_AFFINE_INVERSE, GFNI_PRODUCT };

/* The address base + scale * index + displacement.  GFNI_NO_REGISTER counts as 0. */
#define GFNI_NO_REGISTER (-1)
struct gfni_address {
    int base, index; /* numbers of general registers, as in the encoding */
    unsigned scale;
    int32_t displacement;
    bool from_next; /* instead of base, add the address of the next instruction */
};

struct gfni_instruction {
    enum gfni_operation operation;
    unsigned length;            /* of the instruction, in bytes */
    unsigned bytes;             /* of its vectors: 16, 32 or 64 */
    bool legacy;                /* the bytes above the lowest 16 do not change */
    unsigned to, first, second; /* vector registers; `second` only if not in_memory */
    bool in_memory;             /* the second operand is at `address` */
    bool broadcast;             /* it is 8 bytes, repeated */
    struct gfni_address address;
    unsigned mask; /* the opmask with a bit for each byte to write; 0: write all */
    bool zeroing;  /* bytes that are not written become 0 */
    uint8_t immediate;
};

/* Decodes the instruction at `code`.  Returns false if this is no GFNI instruction. */
bool gfni_decode(const uint8_t *code, struct gfni_instruction *instruction);

#endif
