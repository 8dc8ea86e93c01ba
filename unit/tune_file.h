/* SPDX-License-Identifier: BSD-3-Clause */
/* Tune files for the tests, in a folder of its own for each program. */
#ifndef PXR_UNIT_TUNE_FILE_H
#define PXR_UNIT_TUNE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes the folder, below TMPDIR where that is set; the path of a file in it
   that is not there yet.  Dies when there can be none. */
const char *tune_file_begin(void);

/* Removes both. */
void tune_file_end(void);

/* Writes the file anew; false when it cannot. */
bool tune_file_write(const char *cpu, const char *kernels, mode_t mode);

/* The same in format 2, with these lines and no set. */
bool tune_file_settings(const char *cpu, const char *lines);

#endif
