/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of ISA-L's interface. */
#include "raid_subject.h"

/* What a check returns beside 0 is not said. */
static size_t run_array(const struct raid_subject *s, u8 **row)
{
    return s->call.array((int)(s->n + s->op->parities), (int)s->len, (void **)row) != 0;
}

static size_t run_detect(const struct raid_subject *s, u8 **row)
{
    return s->call.detect(row[0], s->len) != 0;
}

static size_t run_adler(const struct raid_subject *s, u8 **row)
{
    return s->call.adler(1, row[0], s->len);
}

const struct raid_op raid_peers[] = {
    {
        .name = "xor_gen",
        .what = "P of n blocks",
        .parities = 1,
        .writes = true,
        .run = run_array,
    },
    {
        .name = "xor_check",
        .what = "whether P is that of n blocks, which it is",
        .parities = 1,
        .stage = STAGE_PARITY,
        .run = run_array,
    },
    {
        .name = "pq_gen",
        .what = "P and Q of n blocks",
        .parities = 2,
        .writes = true,
        .run = run_array,
    },
    {
        .name = "pq_check",
        .what = "whether P and Q are those of n blocks, which they are",
        .parities = 2,
        .stage = STAGE_PARITY,
        .run = run_array,
    },
    {
        .name = "isal_zero_detect",
        .what = "whether a buffer is zero, which it is",
        .data = DATA_ONE,
        .stage = STAGE_ZERO,
        .run = run_detect,
    },
    {
        .name = "isal_adler32",
        .what = "the Adler-32 of a buffer",
        .data = DATA_ONE,
        .run = run_adler,
    },
};
const size_t raid_peer_count = sizeof(raid_peers) / sizeof(raid_peers[0]);
