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
/* With these flags, P and Q have tables of one coefficient each, and there are no other
   tables. */
#define TRIAL_PQ_FLAGS (PXR_SHIFT | PXR_MIX | PXR_FOLD)
/* Flags that only the tests know.  TRIAL_CHANGE: mad gets `old`.  TRIAL_ABSENT: dot gets NULL
   in place of some buffers of zeros. */
#define TRIAL_CHANGE (1u << 30)
#define TRIAL_ABSENT (1u << 31)
/* Flags to prefetch sources and outputs, each at some distance. */
#define TRIAL_AHEAD (PXR_AHEAD_SOURCES(5) | PXR_AHEAD_OUTPUTS(2) | PXR_AHEAD_L2)
#define TRIAL_FLAGS                                                                    \
    (PXR_STREAM | PXR_ACCUMULATE | TRIAL_PQ_FLAGS | PXR_DOWNWARDS | PXR_SMALL_BLOCKS | \
     TRIAL_AHEAD | TRIAL_CHANGE | TRIAL_ABSENT)

/* One function of a kernel set.  One of dot, plain and mad is given, and the others are NULL.
   With `one`, the trial calls the set's function for a single row instead: plain_one in place
   of plain, or add_one in place of a mad that adds. */
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
    bool in_place;                 /* most outputs are also sources */
    bool repeated;                 /* some sources are the same buffer */
    const struct check_spot *spot; /* if not NULL, used instead of the placement */
};

/* Call this once, before the others.  It also starts the judge. */
void trial_start(void);

/* Reduces a trial to what kernels.h allows.  mad has one source, which may also be the output
   only if there is a single output.  Each operation has its own flags. */
struct trial trial_allowed(const struct entry *entry, struct trial trial);

/* trial_prepare() fills the buffers of an allowed trial.  trial_run() calls the kernel on
   them. */
void trial_prepare(const struct entry *entry, const struct trial *trial);
void trial_run(const struct entry *entry, const struct trial *trial);

/* Runs the allowed part of the trial once, and checks the results. */
void trial_attempt(const struct entry *entry, struct trial wish);

#endif
