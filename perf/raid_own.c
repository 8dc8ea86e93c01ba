/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of permxor.h around RAID, and what they are held against. */
#include <string.h>

#include "raid_subject.h"

static size_t run_generate(const struct raid_subject *s, u8 **row)
{
    return (size_t)pxr_raid_generate(s->n, s->len, row, row[s->n],
                                     s->op->parities == 2 ? row[s->n + 1] : NULL);
}

static size_t run_update(const struct raid_subject *s, u8 **row)
{
    return (size_t)pxr_raid_update(s->first, s->len, row[0], row[1], row[2], row[3]);
}

static size_t run_syndrome(const struct raid_subject *s, u8 **row)
{
    return (size_t)pxr_raid_accumulate(s->first, s->span, s->len, row, row[s->span],
                                       row[s->span + 1]);
}

static size_t run_check(const struct raid_subject *s, u8 **row)
{
    return (size_t)pxr_raid_check(s->n, s->len, row, row[s->n],
                                  s->op->parities == 2 ? row[s->n + 1] : NULL, NULL, 0);
}

static size_t run_report(const struct raid_subject *s, u8 **row)
{
    struct pxr_raid_report report;
    const int status =
        pxr_raid_check(s->n, s->len, row, row[s->n], row[s->n + 1], &report, sizeof report);
    return (size_t)status ^ report.first_p ^ report.first_q << 1 ^ (size_t)report.suspect << 2;
}

static size_t run_recover(const struct raid_subject *s, u8 **row)
{
    return (size_t)pxr_raid_recover(s->n, s->len, row, row[s->n], row[s->n + 1], s->lost_count,
                                    s->lost);
}

static size_t run_decode(const struct raid_subject *s, u8 **row)
{
    return (size_t)pxr_reconstruct(s->code, s->len, row, row + s->n + 2);
}

static size_t run_compare(const struct raid_subject *s, u8 **row)
{
    return pxr_compare(row[0], row[1], s->len);
}

static size_t run_memcmp(const struct raid_subject *s, u8 **row)
{
    return memcmp(row[0], row[1], s->len) != 0;
}

static size_t run_zero(const struct raid_subject *s, u8 **row)
{
    return pxr_find_nonzero(row[0], s->len);
}

static size_t run_adler(const struct raid_subject *s, u8 **row)
{
    return pxr_adler32(1, row[0], s->len);
}

/* Kinds of rows that differ in a place, a count or a loss. */
#define UPDATE(suffix, where)                                                               \
    {                                                                                       \
        .name = "update_" suffix, .what = "pxr_raid_update of the " suffix " disk",         \
        .data = DATA_CHANGE, .parities = 2, .writes = true, .adds = true, .place = (where), \
        .run = run_update, .against = "gen_pq"                                              \
    }
#define SYNDROME(suffix, text, number, where)                                             \
    {                                                                                     \
        .name = "syn_" suffix, .what = "pxr_raid_accumulate of " text, .data = DATA_SOME, \
        .parities = 2, .writes = true, .adds = true, .place = (where), .count = (number), \
        .run = run_syndrome, .against = "gen_pq"                                          \
    }
#define RECOVERY(suffix, text, flags)                                              \
    {                                                                              \
        .name = "rec_" suffix, .what = "pxr_raid_recover of " text, .parities = 2, \
        .stage = STAGE_PARITY, .lost = (flags), .run = run_recover,                \
        .against = "decode_" suffix, .same = true                                  \
    }
#define DECODE(suffix, text, flags)                                                  \
    {                                                                                \
        .name = "decode_" suffix, .what = "pxr_reconstruct of " text, .parities = 2, \
        .stage = STAGE_PARITY, .lost = (flags), .run = run_decode, .decodes = true   \
    }
#define LOSSES(KIND)                                                         \
    KIND("d", "one data block", LOST_X),                                     \
        KIND("d_q", "one data block from Q, without P", LOST_X | WITHOUT_P), \
        KIND("dp", "one data block and P", LOST_X | LOST_P),                 \
        KIND("dq", "one data block and Q", LOST_X | LOST_Q),                 \
        KIND("dd", "two data blocks", LOST_X | LOST_Y), KIND("pq", "P and Q", LOST_P | LOST_Q)

const struct raid_op raid_own[] = {
    {
        .name = "gen_p",
        .what = "pxr_raid_generate of P",
        .parities = 1,
        .writes = true,
        .run = run_generate,
    },
    {
        .name = "gen_pq",
        .what = "pxr_raid_generate of P and Q",
        .parities = 2,
        .writes = true,
        .run = run_generate,
    },
    UPDATE("first", PLACE_FRONT),
    UPDATE("middle", PLACE_MIDDLE),
    UPDATE("last", PLACE_END),
    SYNDROME("1", "one disk in the middle", 1, PLACE_MIDDLE),
    SYNDROME("2_front", "the first two disks", 2, PLACE_FRONT),
    SYNDROME("2_middle", "two disks in the middle", 2, PLACE_MIDDLE),
    SYNDROME("2_end", "the last two disks", 2, PLACE_END),
    SYNDROME("4_front", "the first four disks", 4, PLACE_FRONT),
    SYNDROME("4_middle", "four disks in the middle", 4, PLACE_MIDDLE),
    SYNDROME("4_end", "the last four disks", 4, PLACE_END),
    SYNDROME("half_front", "the first half of the disks", COUNT_HALF, PLACE_FRONT),
    SYNDROME("half_middle", "half of the disks, in the middle", COUNT_HALF, PLACE_MIDDLE),
    SYNDROME("half_end", "the last half of the disks", COUNT_HALF, PLACE_END),
    SYNDROME("second", "every second disk", COUNT_SECOND, PLACE_FRONT),
    {
        .name = "check_p",
        .what = "pxr_raid_check of P, which is right",
        .parities = 1,
        .stage = STAGE_PARITY,
        .run = run_check,
        .against = "gen_p",
    },
    {
        .name = "check",
        .what = "pxr_raid_check of P and Q, which are right",
        .parities = 2,
        .stage = STAGE_PARITY,
        .run = run_check,
        .against = "gen_pq",
    },
    {
        .name = "check_report",
        .what = "pxr_raid_check with a report, all being right",
        .parities = 2,
        .stage = STAGE_PARITY,
        .run = run_report,
        .against = "gen_pq",
    },
    {
        .name = "check_locate",
        .what = "pxr_raid_check with a report, all of one block being wrong",
        .parities = 2,
        .stage = STAGE_WRONG,
        .run = run_report,
        .against = "gen_pq",
    },
    LOSSES(RECOVERY),
    LOSSES(DECODE),
    {
        .name = "compare",
        .what = "pxr_compare of two equal buffers",
        .data = DATA_PAIR,
        .stage = STAGE_EQUAL,
        .run = run_compare,
        .against = "memcmp",
    },
    {
        .name = "memcmp",
        .what = "memcmp of two equal buffers",
        .data = DATA_PAIR,
        .stage = STAGE_EQUAL,
        .run = run_memcmp,
    },
    {
        .name = "zero",
        .what = "pxr_find_nonzero in zeros",
        .data = DATA_ONE,
        .stage = STAGE_ZERO,
        .run = run_zero,
    },
    {
        .name = "adler",
        .what = "pxr_adler32",
        .data = DATA_ONE,
        .run = run_adler,
    },
};
const size_t raid_own_count = sizeof(raid_own) / sizeof(raid_own[0]);
