/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of ec_perf. */
#ifndef PERF_OPTIONS_H
#define PERF_OPTIONS_H

#include <stdbool.h>

#include "cases.h"
#include "setting.h"

struct options {
    char **subjects; /* see lineup.h */
    size_t subject_count;
    struct cases cases;
    bool baseline, limits;
    struct setting setting;
};

/* Read the command line.  Explains a mistake on standard error, and prints the help on standard
   output. */
enum options_verdict options_parse(struct options *options, int argc, char **argv);

#endif
