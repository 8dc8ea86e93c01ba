/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of a set: makes the library's object from the options and from headers. */
#ifndef PXR_TOOLS_CODING_H
#define PXR_TOOLS_CODING_H

#include "options.h"
#include "shard.h"

/* The largest w of any code: that of pxr_code_create_bits(). */
enum { CODING_W_MOST = 257 };

/* Works like pxr_code_create(), with k, m, matrix, w and packetsize of a header. */
int coding_create(pxr_code **code, const struct shard_header *header, struct pxr_error *why);

/*
 * Makes the code that the options ask for, and fills in these fields of the header.  Where w
 * and packetsize are not given, values that suit the matrix are chosen.
 */
int coding_choose(pxr_code **code, struct shard_header *header, const struct options *options,
                  const char *subcommand);

/*
 * Chooses a size that is a multiple of `step`.  It is the size that an option asked for.  If
 * that is 0, it is the multiple that is nearest to the usual size.
 */
int coding_size(const char *subcommand, const char *option, size_t asked, size_t usual,
                uint64_t step, size_t *size);

/* Chooses the cell size of the header, after coding_choose(): whole units, and a multiple of
   64. */
int coding_choose_cell(struct shard_header *header, size_t asked);

/* Writes "4+2 jerasure_cauchy_good w=8 packetsize=1024". */
#define CODING_TEXT 80
void coding_text(const struct shard_header *header, char out[CODING_TEXT]);

/* Prints a line about a set to standard output: its id, its code, its length and its stripes.
 */
void coding_say_set(const struct shard_header *header);

#endif
