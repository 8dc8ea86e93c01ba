/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting.h - how the programs that compare in tables measure: the common part of their command
 * line, and the values that result from it.
 */
#ifndef PERF_SETTING_H
#define PERF_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "command_line.h"
#include "engine.h"
#include "samples.h"
#include "walk.h"

struct setting {
    /* what the command line asks for */
    const char *csv;
    int wanted_cpu;
    bool keep_addresses;
    enum arena_pages pages;
    struct placement placement;
    struct engine_options engine;
    /* what the system grants */
    int cpu; /* -1: not pinned */
    bool fixed_addresses;
};

#define SETTING_DEFAULTS                                                                       \
    {                                                                                          \
        .wanted_cpu = -1, .cpu = -1, .placement = {.offset = 0, .displace = BUFFERS_DISPLACE}, \
        .engine = ENGINE_DEFAULTS                                                              \
    }

/* clang-format off */
/* Rows of options that every program has.  AT(member) is where a member of the setting is. */
#define SETTING_BASIC_OPTIONS(AT)                                      \
    {"time", OPTION_SECONDS, AT(engine.total_seconds), 0, 0},          \
    {"cpu", OPTION_INT, AT(wanted_cpu), 0, 4095},                      \
    {"set", OPTION_MIB, AT(placement.cold_set), 1, 1 << 20},           \
    {"pages", OPTION_PAGES, AT(pages), 0, 0},                          \
    {"keep-addresses", OPTION_FLAG, AT(keep_addresses), 0, 0}

#define SETTING_CSV_OPTION(AT) {"csv", OPTION_TEXT, AT(csv), 0, 0}
#define SETTING_DISPLACE_OPTION(AT) {"displace", OPTION_LINES, AT(placement.displace), 0, 4095}

/* All options of a comparison of subjects on shards. */
#define SETTING_OPTIONS(AT)                                            \
    SETTING_BASIC_OPTIONS(AT),                                         \
    SETTING_CSV_OPTION(AT),                                            \
    SETTING_DISPLACE_OPTION(AT),                                       \
    {"rounds", OPTION_SIZE, AT(engine.min_rounds), 1, SAMPLES_ROUNDS}, \
    {"batch", OPTION_SECONDS, AT(engine.batch_seconds), 0, 0},         \
    {"pass-time", OPTION_SECONDS, AT(engine.pass_seconds), 0, 0},      \
    {"offset", OPTION_SIZE, AT(placement.offset), 0, 63}
/* clang-format on */

/* Print the lines of the help: for SETTING_OPTIONS, and for the basic ones and --csv alone. */
void setting_help(void);
void setting_basic_help(void);

/*
 * Open the CSV file that --csv names, and empty it. *csv is NULL where it names none.  Returns
 * false, with a message, when that fails.  Programs call it after they have got all else that
 * they need, and before they measure.
 */
bool csv_open(FILE **csv, const char *path);

/* Close the file; NULL is allowed.  Returns false, with a message, when not everything could be
   written. */
bool csv_close(FILE *csv);

/* Put the setting into effect, except for the core.  The program executes itself again to have
   its addresses fixed. */
void setting_hold_still(struct setting *setting, char **argv);

/* The same, and print the command. */
void setting_apply(struct setting *setting, int argc, char **argv);

/* Pin this thread to its core.  Call it after all libraries are open: a thread that one of them
   has started (a runtime's) would inherit the core, and would wake up within another library's
   batch.  The core decides how large a cold set is, unless the command line does. */
void setting_pin(struct setting *setting);

/* Print the machine and the setting. */
void setting_describe(const struct setting *setting);

/* Print how shards lie, and what a figure counts. */
void setting_describe_shards(const struct setting *setting);

#endif
