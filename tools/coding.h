/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of a set: from the options and from headers to the library's object. */
#ifndef PXR_TOOLS_CODING_H
#define PXR_TOOLS_CODING_H

#include "options.h"
#include "shard.h"

/* As pxr_code_create(), of the k, m, matrix, w and packetsize of a header. */
int coding_create(pxr_code **code, const struct shard_header *header, struct pxr_error *why);

/*
 * Make the code that the options ask for, and fill in these fields of the header: where w and
 * packetsize are not given, with what suits the matrix.
 */
int coding_choose(pxr_code **code, struct shard_header *header, const struct options *options,
                  const char *subcommand);

/*
 * A size that is a multiple of `step`: the one that was asked for by an option, or, where that
 * is 0, the one nearest to the usual size.
 */
int coding_size(const char *subcommand, const char *option, size_t asked, size_t usual,
                uint64_t step, size_t *size);

/* The cell size of the header, after coding_choose(): whole units, and a multiple of 64. */
int coding_choose_cell(struct shard_header *header, size_t asked);

/* "4+2 jerasure_cauchy_good w=8 packetsize=1024" */
#define CODING_TEXT 80
void coding_text(const struct shard_header *header, char out[CODING_TEXT]);

#endif
