/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing values of the machine record: the ways in which calls of each kind use memory of
 * each size, the shard length from which on they do so, and the size of pieces. doc/tune.md has
 * the rule.
 */
#ifndef PXR_TOOLS_TUNE_WAYS_H
#define PXR_TOOLS_TUNE_WAYS_H

#include <stdio.h>

#include "options.h"

struct tune_ways;

/* Measures all of these with a kernel set.  It takes some five to fifteen times the seconds of
   the options.  Afterwards the set is selected, and the best values are applied
   (pxr_tune_apply()).  Prints its messages and returns an exit code.  Free *ways in any case.
 */
int tune_ways_measure(struct tune_ways **ways, const char *set, const struct options *options,
                      int core);
void tune_ways_free(struct tune_ways *ways);

/* Prints what was changed, and the gain. */
void tune_ways_report(FILE *out, const char *prefix, const struct tune_ways *ways);

#endif
