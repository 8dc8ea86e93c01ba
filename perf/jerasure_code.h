/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jerasure_code.h - a code by jerasure's own calls, on rows of k + m shards.
 *
 * jerasure has several ways to code; this is a fast one that programs use.  Packets are encoded
 * by a smart schedule that is made before, and decoded by jerasure_schedule_decode_lazy(),
 * which makes its schedule within the call.  Words are encoded and decoded by
 * jerasure_matrix_encode() and _decode(); the latter inverts the matrix within the call.
 *
 * jerasure has no function that updates parity.  For packets, the plain schedule of one shard's
 * columns is an update once each copy in it is replaced by an xor.  For words, a product that
 * is added is an update.
 */
#ifndef PERF_JERASURE_CODE_H
#define PERF_JERASURE_CODE_H

#include "workload.h"

struct jerasure_code;

/* Make the code that an operation wants from a library, with the shards that its decode
   rebuilds.  Returns NULL, or the reason why there is no such code.  The caller closes *code in
   either case. */
const char *jerasure_open(struct jerasure_code **code, const struct library *library,
                          const struct workload *work);

/* NULL is allowed. */
void jerasure_close(struct jerasure_code *code);

void jerasure_encode(const struct jerasure_code *code, int len, u8 **row);
void jerasure_decode(const struct jerasure_code *code, int len, u8 **row);

/* Add the change of the last data shard, which is row[0], to the m parity shards behind it. */
void jerasure_update(const struct jerasure_code *code, int len, u8 **row);

#endif
