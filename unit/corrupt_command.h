/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the command permxor in a child process. */
#ifndef PXR_UNIT_CORRUPT_COMMAND_H
#define PXR_UNIT_CORRUPT_COMMAND_H

#include "corrupt_folder.h"

enum { COMMAND_WORDS = FOLDER_FILES + 24, COMMAND_WORD = 512 };

struct command {
    char word[COMMAND_WORDS][COMMAND_WORD];
    unsigned count;
    int status; /* after a run: the exit status, or 1000 plus the number of a signal */
    struct bytes out, err;
};

/* Begins a new command with this word, and adds a word to a command. */
void command_begin(struct command *command, const char *word);
void command_add(struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Runs the command.  Two files in `folder` take what it prints. `seed` determines its random
 * numbers: ids and temporary names.
 */
void command_run(struct command *command, const char *folder, uint64_t seed);
void command_free(struct command *command);

#endif
