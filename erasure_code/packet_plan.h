/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that make codes of packets and their plans share. */
#ifndef PXR_PACKET_PLAN_H
#define PXR_PACKET_PLAN_H

#include <stdbool.h>

#include "code.h"

/* Copies the w columns of each of these shards, side by side.  The caller frees out->word.
   When memory ran out, out->word is NULL and the function returns false. */
bool pxr_bits_select(struct pxr_bits *out, const struct pxr_bits *in, unsigned w,
                     unsigned count, const uint16_t *shard);

/* Tests every way to lose m shards.  Returns PXR_OK, PXR_ENOTMDS, PXR_EUNPROVEN or PXR_ENOMEM.
 */
int pxr_packets_prove_mds(const struct pxr_code *code, struct pxr_error *why);

#endif
