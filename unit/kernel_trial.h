/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call of a kernel.  Its buffers are placed under guard pages and filled, and judge.h
 * computes what the call must write.  Then the test checks that it wrote this and nothing else.
 */
#ifndef PXR_UNIT_KERNEL_TRIAL_H
#define PXR_UNIT_KERNEL_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "check.h"
#include "kernels.h"

#define TRIAL_MOST_SOURCES 255
#define TRIAL_MOST_BYTES (16 * 1024)
/* With these P and Q have tables of one coefficient each, and no others. */
#define TRIAL_PQ_FLAGS (PXR_SHIFT | PXR_MIX | PXR_FOLD)
/* Flags of the tests alone: mad is given `old`; dot is given NULL for some zeros. */
#define TRIAL_CHANGE (1u << 30)
#define TRIAL_ABSENT (1u << 31)
/* Some distance to prefetch at, of sources and of outputs. */
#define TRIAL_AHEAD (PXR_AHEAD_SOURCES(5) | PXR_AHEAD_OUTPUTS(2))
#define TRIAL_FLAGS                                                                    \
    (PXR_STREAM | PXR_ACCUMULATE | TRIAL_PQ_FLAGS | PXR_DOWNWARDS | PXR_SMALL_BLOCKS | \
     TRIAL_AHEAD | TRIAL_CHANGE | TRIAL_ABSENT)

/* One entry of a set: dot, plain or mad, the others are NULL; with `one`, what the set has for
   one row in place of plain, or of mad that adds. */
struct entry {
    const struct pxr_kernels *set;
    pxr_dot_fn *dot;
    pxr_plain_fn *plain;
    pxr_mad_fn *mad;
    enum pxr_form form; /* of the coefficients */
    unsigned specials, generals;
    bool one;
};

/* One call to try. */
struct trial {
    size_t len;
    unsigned k;
    uint32_t flags;
    enum check_placement placement;
    bool in_place;                 /* most outputs are sources */
    bool repeated;                 /* some sources are the same buffer */
    const struct check_spot *spot; /* where given: instead of the placement */
};

/* Call once, before the others; starts the judge, too. */
void trial_start(void);

/* What kernels.h allows of a trial: mad has one source, which only a single output may
   be, and each operation has its own flags. */
struct trial trial_allowed(const struct entry *entry, struct trial trial);

/* Fills the buffers of an allowed trial; calls the kernel on them. */
void trial_prepare(const struct entry *entry, const struct trial *trial);
void trial_run(const struct entry *entry, const struct trial *trial);

/* What is allowed of the trial, once, and whether it did what it is to. */
void trial_attempt(const struct entry *entry, struct trial wish);

#endif
