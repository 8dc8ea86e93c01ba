/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting.h - how the programs that compare in tables measure: the common part of their command
 * line, and the values that result from it.
 */
#ifndef PERF_SETTING_H
#define PERF_SETTING_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine.h"
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

enum options_verdict { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG };

/* The options' values for getopt_long().  A program's own options follow OPTION_OWN. */
enum {
    OPTION_TIME = 256,
    OPTION_ROUNDS,
    OPTION_BATCH,
    OPTION_PASS_TIME,
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
/* The options of every measurement. */
#define SETTING_BASIC_OPTIONS                             \
    {"time", required_argument, NULL, OPTION_TIME},       \
    {"cpu", required_argument, NULL, OPTION_CPU},         \
    {"set", required_argument, NULL, OPTION_SET},         \
    {"pages", required_argument, NULL, OPTION_PAGES},     \
    {"keep-addresses", no_argument, NULL, OPTION_KEEP},   \
    {"csv", required_argument, NULL, OPTION_CSV},         \
    {"help", no_argument, NULL, OPTION_HELP}

/* The options of a comparison of subjects on shards. */
#define SETTING_OPTIONS                                   \
    SETTING_BASIC_OPTIONS,                                \
    {"rounds", required_argument, NULL, OPTION_ROUNDS},   \
    {"batch", required_argument, NULL, OPTION_BATCH},     \
    {"pass-time", required_argument, NULL, OPTION_PASS_TIME}, \
    {"offset", required_argument, NULL, OPTION_OFFSET},   \
    {"displace", required_argument, NULL, OPTION_DISPLACE}
/* clang-format on */

/* What a program's command line accepts. */
struct command_line {
    const char *letters; /* for getopt_long(), with h */
    const struct option *options;
    void (*help)(const void *options);
    /* Take an option other than help.  Returns false when the value makes no sense. */
    bool (*take)(void *options, int option, const char *text);
};

/* Read all options into `options`.  The arguments that are no options follow from optind on. */
enum options_verdict command_line_read(const struct command_line *line, void *options, int argc,
                                       char **argv);

/* Print the lines of the help: for SETTING_OPTIONS, and for the basic ones alone. */
void setting_help(void);
void setting_basic_help(void);

/* Take one of SETTING_OPTIONS other than help.  Returns false when the value makes no sense. */
bool setting_take(struct setting *setting, int option, const char *text);

/* Write to standard error what is wrong with a value. */
enum options_verdict options_wrong(const char *what, const char *value);

/* The value of a macro that stands for a number, as text for such messages. */
#define TEXT_OF(x) #x
#define TEXT(macro) TEXT_OF(macro)

/* Read a number between least and most.  Returns false where the text is none. */
bool read_number(const char *text, long least, long most, long *value);

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
