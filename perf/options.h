/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of ec_perf. */
#ifndef PERF_OPTIONS_H
#define PERF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cases.h"
#include "engine.h"
#include "workload.h"

struct options {
    const char *path[2]; /* library A and library B */
    const char *grid;    /* NULL: the lists below */
    struct lists lists;
    bool limits;
    const char *csv;
    int cpu;
    bool keep_addresses;
    enum arena_pages pages;
    struct placement placement;
    struct engine_options engine;
};

enum options_verdict { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG };

/* Read the command line; explains itself on standard output or error. */
enum options_verdict options_parse(struct options *options, int argc, char **argv);

#endif
