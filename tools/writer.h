/* SPDX-License-Identifier: BSD-3-Clause */
/* A shard file that is being written. */
#ifndef PXR_TOOLS_WRITER_H
#define PXR_TOOLS_WRITER_H

#include "output.h"
#include "stripe.h"

/* Creates NAME.index.pxr in a directory. flags and size are those of output_create(). */
int writer_create(struct output *output, const struct shard_header *header, unsigned index,
                  const char *directory, unsigned flags, uint64_t size);

/* Writes the record of one cell.  The threads of the pipeline call it. */
int writer_store(const struct output *output, struct stripe *stripe,
                 const struct shard_header *header, unsigned index);

/* Writes header and trailer, when the length is final. */
int writer_finish(const struct output *output, const struct shard_header *header,
                  unsigned index);

#endif
