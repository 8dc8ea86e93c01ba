/* SPDX-License-Identifier: BSD-3-Clause */
/* A subcommand, with its help. */
#ifndef PXR_TOOLS_SUBCOMMAND_H
#define PXR_TOOLS_SUBCOMMAND_H

#include "options.h"

#include <stddef.h>
#include <stdio.h>

struct subcommand {
    const char *name; /* one word, or two: "array create" */
    unsigned flag;    /* of its options */
    int (*run)(const struct options *);
    const char *operands;
    const char *summary;
    const char *text;
};

extern const char subcommand_exit_codes[];

/* Returns the one of a table whose name ends with this word, or NULL. */
const struct subcommand *subcommand_find(const struct subcommand *table, size_t count,
                                         const char *word);

/* Prints a line for each of a table, with columns of these widths. */
void subcommand_list(FILE *file, const struct subcommand *table, size_t count, int name_width,
                     int operands_width);

void subcommand_help(const struct subcommand *s);

/* Parses the options and runs it, or prints its help.  argv[0] is the last word of its name. */
int subcommand_run(const struct subcommand *s, int argc, char **argv);

#endif
