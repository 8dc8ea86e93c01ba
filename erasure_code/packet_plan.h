/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the two files share that make codes of packets and their plans.
 */
#ifndef PXR_PACKET_PLAN_H
#define PXR_PACKET_PLAN_H

#include <stdbool.h>

#include "code.h"

/* The w columns of each of these shards, side by side; out->word is to be freed, and NULL where
   memory ran out, which makes it false. */
bool pxr_bits_select(struct pxr_bits *out, const struct pxr_bits *in, unsigned w,
                     unsigned count, const uint16_t *shard);

/* Tests every way to lose m shards: PXR_OK, PXR_ENOTMDS, PXR_EUNPROVEN, PXR_ENOMEM. */
int pxr_packets_prove_mds(const struct pxr_code *code, struct pxr_error *why);

#endif
