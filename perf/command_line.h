/* SPDX-License-Identifier: BSD-3-Clause */
/* command_line.h - the options of a program, as rows of a table. */
#ifndef PERF_COMMAND_LINE_H
#define PERF_COMMAND_LINE_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* What becomes of an option's value. */
enum option_kind {
    OPTION_FLAG,    /* bool; the option has no value */
    OPTION_TEXT,    /* const char * */
    OPTION_INT,     /* int */
    OPTION_BYTES,   /* int with a unit of K, M or G, which are 1024-fold each */
    OPTION_SIZE,    /* size_t */
    OPTION_LINES,   /* size_t, whole cache lines */
    OPTION_MIB,     /* size_t, given in MiB */
    OPTION_SECONDS, /* double */
    OPTION_PAGES    /* enum arena_pages */
};

struct option_row {
    const char *name; /* a single letter is a short option, which has a value */
    enum option_kind kind;
    size_t at;        /* where the value goes in the program's structure */
    long least, most; /* of a number; the most bytes of a text, 0: any number */
};

#define OPTIONS_MOST 32

struct command_line {
    const struct option_row *rows; /* without help */
    size_t count;                  /* at most OPTIONS_MOST */
    void (*help)(const void *options);
};

enum options_verdict { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG };

/* Read all options into `options`.  The arguments that are no options follow from optind on.
   Explains a mistake on standard error, and prints the help on standard output. */
enum options_verdict command_line_read(const struct command_line *line, void *options, int argc,
                                       char **argv);

/* The same for a program that takes no arguments but options. */
enum options_verdict command_line_read_alone(const struct command_line *line, void *options,
                                             int argc, char **argv);

/* Write to standard error what is wrong with a value. */
enum options_verdict options_wrong(const char *what, const char *value);

#endif
