/* SPDX-License-Identifier: BSD-3-Clause */
#include "raid_stripe.h"

#include <string.h>

#include "call.h"
#include "judge.h"

struct raid_stripe raid;

void raid_start(void)
{
    judge_start();
    for (unsigned i = 0; i < RAID_MOST_BLOCKS; i++)
        raid.guard[i] = check_guard_new(RAID_MOST_BYTES);
}

/* Fills the blocks, which have been placed: random data, and its P and Q. */
static void fill(unsigned n, size_t len)
{
    raid.n = n;
    raid.len = len;
    for (unsigned i = 0; i < n + 2; i++)
        if (i < n)
            check_fill(raid.block[i], len);
        else
            memset(raid.block[i], 0, len);
    judge_syndrome(len, 0, n, pxr_read_only(raid.block), raid.block[n], raid.block[n + 1]);
    for (unsigned i = 0; i < n + 2; i++)
        memcpy(raid.right[i], raid.block[i], len);
}

void raid_fill(unsigned n, size_t len, enum check_placement placement)
{
    for (unsigned i = 0; i < n + 2; i++)
        raid.block[i] = check_place(&raid.guard[i], len, placement);
    fill(n, len);
}

void raid_fill_at(unsigned n, const struct check_spot *spot)
{
    for (unsigned i = 0; i < n + 2; i++)
        raid.block[i] = check_at_spot(&raid.guard[i], spot->len, spot, i);
    fill(n, spot->len);
}

void raid_spoil(unsigned block)
{
    for (size_t i = 0; i < raid.len; i++)
        raid.block[block][i] = (uint8_t)~raid.right[block][i];
}

bool raid_check(void)
{
    bool held = true;
    for (unsigned i = 0; i < raid.n + 2; i++) {
        held &= CHECK_BYTES(raid.block[i], raid.right[i], raid.len);
        held &= CHECK_UNTOUCHED(&raid.guard[i], raid.block[i], raid.len);
    }
    return held;
}

size_t raid_any_length(void)
{
    const size_t kind = check_below(16);
    if (kind == 0)
        return check_below(RAID_MOST_BYTES - 64);
    return check_below(kind < 4 ? 2000 : 301);
}
