/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * erasure.h - a code of k + p shards some of which are lost.
 *
 * A stripe is the k data shards, the p parity shards, and room for the `losses` shards that a
 * decode rebuilds.
 */
#ifndef PERF_ISAL_ERASURE_H
#define PERF_ISAL_ERASURE_H

#include "isal_perf.h"

struct erasure {
    struct run *run;
    u8 generator[RUN_MAX_SHARDS * RUN_MAX_SHARDS]; /* identity on top */
    uint16_t lost[RUN_MAX_SHARDS];
    uint16_t encode_shards[RUN_MAX_SHARDS];     /* data, then parity */
    uint16_t decode_shards[2 * RUN_MAX_SHARDS]; /* the k that are left, then the rebuilt ones */

    /* The rows and tables in use, the encoder's or the decoder's. */
    int rows;
    u8 tables[32 * RUN_MAX_SHARDS * RUN_MAX_SHARDS / 4]; /* k * p <= (k+p)^2 / 4 */
};

/* Choose losses among the first `among` shards in the same way as ISA-L's programs, print the
   lines that these programs begin with, and lay the stripes out. */
bool erasure_open(struct erasure *e, struct run *run, const char *title, int among);

/* Take the encoder or the decoder into use; the argument is a struct erasure.  Returns false,
   with a message, where the shards that are left do not suffice. */
bool erasure_use_encoder(void *erasure);
bool erasure_use_decoder(void *erasure);

/* The job of an encode or a decode, with all shards in one call. */
struct job erasure_encode(struct erasure *e, const char *name, void (*call)(void *, u8 **));
struct job erasure_decode(struct erasure *e, const char *name, void (*call)(void *, u8 **));

#endif
