/* SPDX-License-Identifier: BSD-3-Clause */
/* Tune files for the tests.  Each program has a folder of its own for them. */
#ifndef PXR_UNIT_TUNE_FILE_H
#define PXR_UNIT_TUNE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes the folder, in TMPDIR if that is set and in /tmp otherwise.  Returns the path of a file
   in it that does not exist yet.  Exits if it cannot make the folder. */
const char *tune_file_begin(void);

/* Removes the file and the folder. */
void tune_file_end(void);

/* Replaces the file.  Returns false if it cannot. */
bool tune_file_write(const char *cpu, const char *kernels, mode_t mode);

/* The same in format 2, with these lines and no kernel set. */
bool tune_file_settings(const char *cpu, const char *lines);

#endif
