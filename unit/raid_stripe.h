/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stripe of data blocks, P and Q for the tests of permxor_raid.h, under guard pages.  judge.h
 * alone computes P and Q.  P is the xor of the blocks.  Q is their sum with the coefficients
 * 2^i modulo 0x11d.  Linux md writes the same P and Q for the same blocks.
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
    uint8_t right[RAID_MOST_BLOCKS][RAID_MOST_BYTES]; /* what the blocks must hold */
    struct check_guard guard[RAID_MOST_BLOCKS];
};
extern struct raid_stripe raid;

/* Call this once, before the others.  It also starts the judge. */
void raid_start(void);

/* Random data and its P and Q; raid.right is a copy. */
void raid_fill(unsigned n, size_t len, enum check_placement placement);
void raid_fill_at(unsigned n, const struct check_spot *spot);

/* Writes wrong bytes into a block. */
void raid_spoil(unsigned block);

/* Checks that all blocks hold the right bytes, and that nothing around them was written. */
bool raid_check(void);

/* A random length below RAID_MOST_BYTES, short more often than long. */
size_t raid_any_length(void);

#endif
