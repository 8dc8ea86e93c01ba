/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor verify --hashes: whether shards belong together, from their hashes alone. */
#ifndef PXR_TOOLS_VERIFY_HASHES_H
#define PXR_TOOLS_VERIFY_HASHES_H

#include "options.h"

/* Reads the operands, and reports each set that has hashes in them.  Returns the status of the
   worst. */
int verify_hashes(const struct options *options);

#endif
