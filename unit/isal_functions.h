/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's coding functions as a table, so that a test can go through all of
 * them, here and in another library.
 */
#ifndef PXR_UNIT_ISAL_FUNCTIONS_H
#define PXR_UNIT_ISAL_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum isal_kind {
    ISAL_ENCODE, /* ec_encode_data: any rows */
    ISAL_DOT,    /* gf_vect_dot_prod: one output */
    ISAL_DOTS,   /* gf_<rows>vect_dot_prod */
    ISAL_UPDATE, /* ec_encode_data_update: any rows, accumulating */
    ISAL_MAD,    /* gf_vect_mad */
    ISAL_MADS,   /* gf_<rows>vect_mad */
    ISAL_MUL     /* gf_vect_mul: one source, one output, returns a status */
};

typedef void isal_code(void); /* the real type depends on the kind */

struct isal_function {
    const char *name;
    enum isal_kind kind;
    int rows; /* 0: any */
    isal_code *ours;
};

/* Ends with a NULL name. */
extern const struct isal_function isal_functions[];

/* The arguments of all kinds.  Functions that accumulate take src[index]. */
struct isal_call {
    int len, k, rows, index;
    uint8_t *tables, **src, **dst;
};

/* Calls `code`.  Returns the result of gf_vect_mul, and 0 for the other functions, which return
   nothing. */
int isal_call(const struct isal_function *function, isal_code *code,
              const struct isal_call *call);

/* Whether the function adds to its outputs. */
static inline bool isal_accumulates(const struct isal_function *function)
{
    return function->kind >= ISAL_UPDATE && function->kind <= ISAL_MADS;
}

#endif
