/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor array WORD ...: arrays that can be written.  They are experimental. */
#ifndef PXR_TOOLS_CMD_ARRAY_H
#define PXR_TOOLS_CMD_ARRAY_H

#include "options.h"
#include "permxor.h"

/* argv[0] is "array". */
int array_dispatch(int argc, char **argv);
int array_help(int argc, char **argv);

int array_create(const struct options *options);
int array_assemble(const struct options *options);
int array_serve(const struct options *options);
int array_examine(const struct options *options);
int array_verify(const struct options *options);
int array_status(const struct options *options);
int array_fail(const struct options *options);
int array_add(const struct options *options);
int array_remove(const struct options *options);
int array_replace(const struct options *options);
int array_readd(const struct options *options);
int array_scrub(const struct options *options);
int array_limits(const struct options *options);

/* The exit code for a status of the library or of array/host. */
int array_exit_code(int status);

/* Complains if `array WORD` has no operands, and returns the exit code. */
int array_need_files(const struct options *options, const char *word);
/* Complains that the operands are no array, in a message that numbers them as devices, and
   returns the exit code. */
int array_complain_devices(const struct options *options, const char *word, int status,
                           const struct pxr_error *why);

#endif
