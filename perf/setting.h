/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting.h - how the programs that compare in tables measure: the part of their
 * command line that is common, and what it is carried out as.
 */
#ifndef PERF_SETTING_H
#define PERF_SETTING_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine.h"
#include "walk.h"

struct setting {
    /* as the command line says */
    const char *csv;
    int wanted_cpu;
    bool keep_addresses;
    enum arena_pages pages;
    struct placement placement;
    struct engine_options engine;
    /* as the system grants */
    int cpu; /* -1: not pinned */
    bool fixed_addresses;
};

#define SETTING_DEFAULTS                                                                 \
    {                                                                                    \
        .wanted_cpu = -1,                                                                \
        .placement = {.offset = 0, .displace = BUFFERS_DISPLACE, .cold_set = 512 << 20}, \
        .engine = ENGINE_DEFAULTS                                                        \
    }

enum options_verdict { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG };

/* The options' values for getopt_long(); the program's own ones follow OPTION_OWN. */
enum {
    OPTION_TIME = 256,
    OPTION_CPU,
    OPTION_SET,
    OPTION_OFFSET,
    OPTION_DISPLACE,
    OPTION_PAGES,
    OPTION_KEEP,
    OPTION_CSV,
    OPTION_HELP,
    OPTION_OWN
};

/* clang-format off */
#define SETTING_OPTIONS                                   \
    {"time", required_argument, NULL, OPTION_TIME},       \
    {"cpu", required_argument, NULL, OPTION_CPU},         \
    {"set", required_argument, NULL, OPTION_SET},         \
    {"offset", required_argument, NULL, OPTION_OFFSET},   \
    {"displace", required_argument, NULL, OPTION_DISPLACE}, \
    {"pages", required_argument, NULL, OPTION_PAGES},     \
    {"keep-addresses", no_argument, NULL, OPTION_KEEP},   \
    {"csv", required_argument, NULL, OPTION_CSV},         \
    {"help", no_argument, NULL, OPTION_HELP}
/* clang-format on */

/* The lines of the help. */
void setting_help(void);

/* Take one of SETTING_OPTIONS but help; false when the value makes no sense. */
bool setting_take(struct setting *setting, int option, const char *text);

/* Tells standard error what is wrong with a value. */
enum options_verdict options_wrong(const char *what, const char *value);

/* A number between least and most; false where the text is none. */
bool read_number(const char *text, long least, long most, long *value);

/* Carry it out: the program executes itself again to have its addresses fixed. */
void setting_hold_still(struct setting *setting, char **argv);

/* The same, and print the command. */
void setting_apply(struct setting *setting, int argc, char **argv);

/* Describe machine and setting; `bytes`: what a figure counts, such as "k*len". */
void setting_describe(const struct setting *setting, const char *bytes);

#endif
