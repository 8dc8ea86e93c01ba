/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine record: what is known of the machine that this runs on, and what follows from
 * it for calls that are long enough to think about memory.  No kernel and no plan of a call
 * has a constant of its own for any of this.
 */
#ifndef PXR_MACHINE_H
#define PXR_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* Kinds of calls, which use memory in ways of their own. */
enum pxr_work {
    PXR_WORK_DOT,      /* some outputs from a few sources */
    PXR_WORK_DOT_WIDE, /* from wide_from sources and more */
    PXR_WORK_PQ,       /* P and Q alone: little arithmetic for what is moved */
    PXR_WORK_PQ_WIDE,
    PXR_WORK_UPDATE, /* one source or a few into some outputs, which are read, too */
    PXR_WORKS
};

/* The smallest cache that holds all that a call touches.  Whether it is there when the call
   begins, nobody can know. */
enum pxr_place { PXR_PLACE_L1, PXR_PLACE_OWN, PXR_PLACE_SHARED, PXR_PLACE_MEMORY, PXR_PLACES };

struct pxr_machine {
    size_t l1_bytes;     /* a core's data cache */
    size_t own_bytes;    /* the largest cache that a core shares with no other */
    size_t shared_bytes; /* a core's share of the last level */

    size_t ahead_from;  /* calls with shorter shards take no way at all */
    unsigned wide_from; /* so many sources make a wide call */
    size_t piece_bytes; /* sources and outputs of one piece of a call of several passes */
    uint32_t way[PXR_WORKS][PXR_PLACES]; /* flags of kernels.h: enum pxr_flags */
};

/* The record that calls use. */
extern struct pxr_machine pxr_machine;

#endif
