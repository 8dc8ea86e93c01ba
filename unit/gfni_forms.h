/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms of the GFNI instructions on which the emulator is tested, and the functions that
 * execute them.
 */
#ifndef PXR_UNIT_GFNI_FORMS_H
#define PXR_UNIT_GFNI_FORMS_H

#include "gfni_emulator.h"

#include <stdint.h>

/* The state before and after a form.  A guard page follows directly. */
struct machine {
    uint8_t vector[32][64];
    uint64_t mask[8];
    uint64_t address; /* of the operand in memory */
    uint8_t memory[512];
};

/* What a form needs.  Each level includes the levels before it. */
enum level { SSE, AVX, AVX512, AVX512VL };

typedef void transfer_fn(void);
typedef void form_fn(struct machine *machine, transfer_fn *load, transfer_fn *store);

/*
 * Which bytes are written: all of them, or the bytes whose bit is set in opmask k.  The other
 * bytes do not change (MERGE_BY) or become 0 (ZERO_BY).  BROADCAST is added if the operand in
 * memory is 8 bytes, repeated.
 */
enum { ALL = 0, ZERO = 8, BROADCAST = 16 };
#define MERGE_BY(k) (k)
#define ZERO_BY(k) (ZERO | (k))

#define IN_MEMORY (-1)
struct form {
    enum level level;
    enum gfni_operation operation;
    uint8_t immediate;
    unsigned bytes, to, first;
    int second;
    unsigned written;
    const char *text;
};

extern const struct form gfni_forms[];
extern const unsigned gfni_form_count;

/* The functions of the forms: [0] has ud2 in front of the instruction, [1] has not. */
extern form_fn *const unit_gfni_forms[][2];

/* Each loads all registers of a level from a machine, or stores them there. */
transfer_fn unit_gfni_load_sse, unit_gfni_store_sse;
transfer_fn unit_gfni_load_avx, unit_gfni_store_avx;
transfer_fn unit_gfni_load_avx512, unit_gfni_store_avx512;

/* The same as load, for a machine whose first 16 vectors are 0.  These registers are then in
   their initial state.  CPUs and signal frames distinguish this state from a register that
   holds zeros. */
transfer_fn unit_gfni_clear_avx, unit_gfni_clear_avx512;

#endif
