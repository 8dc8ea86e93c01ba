/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXR_NBDKIT_SHARDS_H
#define PXR_NBDKIT_SHARDS_H

#include "files.h"

/* Whether a member is a folder, or looks like a shard. */
bool shards_among(const struct files *files);

#endif
