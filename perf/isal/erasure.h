/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * erasure.h - a code of k + p shards some of which are lost.
 *
 * A stripe is the k data shards, the p parity shards, and room for the `losses`
 * shards that a decode brings back.
 */
#ifndef PERF_ISAL_ERASURE_H
#define PERF_ISAL_ERASURE_H

#include "isal_perf.h"

struct erasure {
    struct run *run;
    u8 generator[RUN_MAX_SHARDS * RUN_MAX_SHARDS]; /* identity on top */
    uint16_t lost[RUN_MAX_SHARDS];
    uint16_t encode_shards[RUN_MAX_SHARDS];     /* data, then parity */
    uint16_t decode_shards[2 * RUN_MAX_SHARDS]; /* k that are left, then those brought back */

    /* What is used at the moment: the encoder's rows or the decoder's. */
    int rows;
    u8 tables[32 * RUN_MAX_SHARDS * RUN_MAX_SHARDS / 4]; /* k * p <= (k+p)^2 / 4 */
};

/* Choose losses among the first `among` shards, the same as ISA-L's programs choose,
   print the lines that these begin with, and lay the stripes out. */
bool erasure_open(struct erasure *e, struct run *run, const char *title, int among);

/* Both take a struct erasure; false, with a message, where the shards that are left do
   not suffice. */
bool erasure_use_encoder(void *erasure);
bool erasure_use_decoder(void *erasure);

/* A line for one of them, all shards in a call. */
struct job erasure_encode(struct erasure *e, const char *name, void (*call)(void *, u8 **));
struct job erasure_decode(struct erasure *e, const char *name, void (*call)(void *, u8 **));

#endif
