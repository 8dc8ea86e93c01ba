/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the command permxor in a child process. */
#ifndef PXR_UNIT_CORRUPT_COMMAND_H
#define PXR_UNIT_CORRUPT_COMMAND_H

#include "corrupt_folder.h"

enum { COMMAND_WORDS = FOLDER_FILES + 24, COMMAND_WORD = 512 };

struct command {
    char word[COMMAND_WORDS][COMMAND_WORD];
    unsigned count;
    int status; /* of the run: the exit status, or 1000 and a signal */
    struct bytes out, err;
};

/* The command begins anew with one word, and gets another one. */
void command_begin(struct command *command, const char *word);
void command_add(struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Run it, with files below `folder` for what it prints.  `seed` is for what it
 * draws at random: ids and temporary names.
 */
void command_run(struct command *command, const char *folder, uint64_t seed);
void command_free(struct command *command);

#endif
