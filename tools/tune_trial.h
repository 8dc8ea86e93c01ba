/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trials of values of a setting: each value is measured with calls of one shape, in the caches
 * and from memory, and is compared with the first value.
 */
#ifndef PXR_TOOLS_TUNE_TRIAL_H
#define PXR_TOOLS_TUNE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../perf/buffers.h"
#include "../perf/engine.h"
#include "permxor.h"

enum { TUNE_WARM, TUNE_COLD, TUNE_MODES };

enum { TUNE_MOST_VALUES = 16, TUNE_TEXT = 96 };

/* The kinds of calls, in the order of their names in settings. */
enum tune_work {
    TUNE_DOT,
    TUNE_DOT_WIDE,
    TUNE_ONE,
    TUNE_ONE_WIDE,
    TUNE_P,
    TUNE_P_WIDE,
    TUNE_PQ,
    TUNE_PQ_WIDE,
    TUNE_STRUCTURED,
    TUNE_STRUCTURED_WIDE,
    TUNE_UPDATE,
    TUNE_STEPS,
    TUNE_WORKS
};

/* The number and length of shards.  A call touches `data` and `outputs`. */
struct tune_shape {
    enum tune_work work;
    unsigned data, outputs;
    size_t length;
    bool in[TUNE_MODES]; /* where calls of this place find their memory */
};

/* One value of the setting that is measured. */
struct tune_trial {
    struct tune_stand *stand;
    char value[TUNE_TEXT], line[2 * TUNE_TEXT];
    struct spread ratio[TUNE_MODES]; /* to the rate of the first one */
    double mean, quartile, worst;
};

/* Where trials take place. */
struct tune_stand {
    double seconds; /* of a comparison */
    struct arena arena;
    uint8_t **shards;
    size_t stripes, next;
    bool failed;       /* a call failed */
    uint8_t *expected; /* what the default computes, before other values are measured */
    pxr_code *code;    /* the code of the shape */
    struct tune_shape shape;
    unsigned comparisons, noisy, causes; /* causes of noise, in any comparison */
};

/* Prints that there is not enough memory, and returns an exit code. */
int tune_no_memory(void);

/* Reserves memory for calls from memory.  The members are zero before, except `seconds`.  Close
   the stand in any case.  This and the next two print their messages and return an exit code.
 */
int tune_stand_open(struct tune_stand *s, size_t bytes);

/* Makes this the shape of the calls. */
int tune_stand_take(struct tune_stand *s, const struct tune_shape *shape);

/* Compares the trials with the first of them. */
int tune_stand_compare(struct tune_stand *s, struct tune_trial *trials, unsigned count);

void tune_stand_close(struct tune_stand *s);

bool tune_trial_is_better(const struct tune_trial *trial);

/* Returns the best trial, or the first one when none is better. */
const struct tune_trial *tune_trial_best(const struct tune_trial *trials, unsigned count);

#endif
