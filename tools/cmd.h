/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands.  Each prints its messages and returns an exit code. */
#ifndef PXR_TOOLS_CMD_H
#define PXR_TOOLS_CMD_H

#include "options.h"

int cmd_encode(const struct options *options);
int cmd_decode(const struct options *options);
int cmd_verify(const struct options *options);
int cmd_repair(const struct options *options);
int cmd_hash(const struct options *options);
int cmd_info(const struct options *options);
int cmd_bench(const struct options *options);
int cmd_tune(const struct options *options);

#endif
