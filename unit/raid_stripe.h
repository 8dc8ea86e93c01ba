/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stripe of data blocks, P and Q for the tests of permxor_raid.h, under guard pages.
 * P and Q are computed by judge.h alone: P the xor of the blocks, Q their sum with the
 * coefficients 2^i modulo 0x11d, which is what Linux md writes for the same blocks.
 */
#ifndef PXR_UNIT_RAID_STRIPE_H
#define PXR_UNIT_RAID_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"

#define RAID_MOST_DATA 255
#define RAID_MOST_BLOCKS (RAID_MOST_DATA + 2)
#define RAID_MOST_BYTES (16 * 1024)

/* The one stripe, of n data blocks: P is block[n], Q is block[n+1]. */
struct raid_stripe {
    unsigned n;
    size_t len;
    uint8_t *block[RAID_MOST_BLOCKS];
    uint8_t right[RAID_MOST_BLOCKS][RAID_MOST_BYTES]; /* what they hold */
    struct check_guard guard[RAID_MOST_BLOCKS];
};
extern struct raid_stripe raid;

/* Call once, before the others; starts the judge, too. */
void raid_start(void);

/* Random data and its P and Q; raid.right is a copy. */
void raid_fill(unsigned n, size_t len, enum check_placement placement);
void raid_fill_at(unsigned n, const struct check_spot *spot);

/* Other bytes than the right ones into a block. */
void raid_spoil(unsigned block);

/* Whether all blocks hold what is right, and nothing around them was written. */
bool raid_check(void);

/* A length up to RAID_MOST_BYTES, short more often than long. */
size_t raid_any_length(void);

#endif
