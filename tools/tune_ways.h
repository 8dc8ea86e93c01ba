/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing values of the machine record: the ways in which calls of each kind use memory of
 * each size, the length from which on they do, and the size of pieces.  doc/tune.md has the
 * rule.
 */
#ifndef PXR_TOOLS_TUNE_WAYS_H
#define PXR_TOOLS_TUNE_WAYS_H

#include <stdio.h>

#include "options.h"

struct tune_ways;

/* Measure all of it with a kernel set, in some five to fifteen times the seconds of the
   options, and leave the set selected and the best values applied (pxr_tune_apply).  Prints
   its messages and returns an exit code; *ways is to be freed in any case. */
int tune_ways_measure(struct tune_ways **ways, const char *set, const struct options *options,
                      int core);
void tune_ways_free(struct tune_ways *ways);

/* What was changed, and what that gains. */
void tune_ways_report(FILE *out, const char *prefix, const struct tune_ways *ways);

#endif
