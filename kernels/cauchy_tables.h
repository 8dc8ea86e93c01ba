/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of ISA-L's Cauchy matrix.  ISA-L's interface hands over tables and no code, so every
 * call looks whether they are those of this matrix.  What its structure needs depends only on
 * the numbers of shards and on the kernel set.  The first call of a code works that out, and
 * later calls find it.
 */
#ifndef PXR_CAUCHY_TABLES_H
#define PXR_CAUCHY_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf256.h"
#include "kernels.h"
#include "structure.h"
#include "wide.h"

/* How a kernel set encodes a code by its structure. */
struct pxr_cauchy {
    unsigned k, count;
    const struct pxr_kernels *kernels;
    struct pxr_structure pass;     /* levels = 0: not by a pass of structure.h */
    struct pxr_wide steps;         /* levels = 0: not by the steps of wide.h */
    const uint8_t *coefficients;   /* row by row; NULL: they are not kept */
    const struct pxr_cauchy *next; /* another code, with the same hash */
};

/* Room for a code that is not kept. */
enum { PXR_CAUCHY_CONSTANTS = 512 };
struct pxr_cauchy_room {
    struct pxr_cauchy code;
    uint64_t constants[PXR_CAUCHY_CONSTANTS * PXR_TABLE / sizeof(uint64_t)];
};

/* Returns whether tables may be those of the Cauchy matrix, and of a code whose structure pays.
   Only the first coefficient is looked at, because short calls of other matrices ask this, too.
   Hardly any code of four rows and an odd number of sources has a structure. */
static inline bool pxr_may_be_cauchy(unsigned k, unsigned count, const uint8_t *tables)
{
    return count >= PXR_STRUCTURED_ROWS + k % 2 && tables[1] == pxr_inverse[k % 256];
}

/* Returns whether tables, in the layout of ec_init_tables(), are those of the first `count`
   parity rows of ISA-L's Cauchy matrix of k sources. */
bool pxr_is_cauchy(unsigned k, unsigned count, const uint8_t *tables);

/* The same for a known code, in less than half the time. */
bool pxr_is_code(const struct pxr_cauchy *code, const uint8_t *tables);

/* Returns the code of so many sources and rows, or NULL if it is not known. */
const struct pxr_cauchy *pxr_cauchy_known(const struct pxr_kernels *kernels, unsigned k,
                                          unsigned count);

/* Works out the code of these tables of the Cauchy matrix, and keeps it for later calls if
   there is memory left.  Otherwise it lives in the caller's room. */
const struct pxr_cauchy *pxr_cauchy_work_out(const struct pxr_kernels *kernels, unsigned k,
                                             unsigned count, const uint8_t *tables,
                                             struct pxr_cauchy_room *room);

#endif
