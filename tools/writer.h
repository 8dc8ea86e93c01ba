/* SPDX-License-Identifier: BSD-3-Clause */
/* A shard file in the making. */
#ifndef PXR_TOOLS_WRITER_H
#define PXR_TOOLS_WRITER_H

#include "output.h"
#include "stripe.h"

/* Create NAME.index.pxr in a directory; flags and size as in output_create(). */
int writer_create(struct output *output, const struct shard_header *header, unsigned index,
                  const char *directory, unsigned flags, uint64_t size);

/* Write the record of one cell; called from the threads of the pipeline. */
int writer_store(const struct output *output, struct stripe *stripe,
                 const struct shard_header *header, unsigned index);

/* Write header and trailer, when the length is final. */
int writer_finish(const struct output *output, const struct shard_header *header,
                  unsigned index);

#endif
