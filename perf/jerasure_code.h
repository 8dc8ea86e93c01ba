/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jerasure_code.h - a code by jerasure's own calls, on rows of k + m shards.
 *
 * Of several ways that jerasure has this is a fast one that programs take.  Packets are encoded
 * by a smart schedule that is made before, and decoded by jerasure_schedule_decode_lazy(),
 * which makes its schedule within the call.  Words are encoded and decoded by
 * jerasure_matrix_encode() and _decode(); the latter inverts within the call.
 *
 * jerasure has no function that updates parity.  Of packets, the plain schedule of one shard's
 * columns is an update once each copy in it is an xor; of words, a product that is added is
 * one.
 */
#ifndef PERF_JERASURE_CODE_H
#define PERF_JERASURE_CODE_H

#include "workload.h"

struct jerasure_code;

/* The code that an operation wants of a library, and the shards that its decode rebuilds. NULL,
   or why there is none; *code is to be closed either way. */
const char *jerasure_open(struct jerasure_code **code, const struct library *library,
                          const struct workload *work);

/* NULL is allowed. */
void jerasure_close(struct jerasure_code *code);

void jerasure_encode(const struct jerasure_code *code, int len, u8 **row);
void jerasure_decode(const struct jerasure_code *code, int len, u8 **row);

/* What the last data shard changes by, row[0], into the m parity shards behind it. */
void jerasure_update(const struct jerasure_code *code, int len, u8 **row);

#endif
