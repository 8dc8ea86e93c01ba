/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RAID and the scans around it: ISA-L's functions, those of permxor_raid.h, and the operations
 * with which the latter are compared.
 */
#include <string.h>

#include "operations.h"

/* ---------------------------------------------------------------- batches -- */

/* The block Q of a row of data, P and Q, or NULL where there is none. */
static u8 *q_of(const struct workload *w, u8 **row)
{
    return w->shape.m == 2 ? row[w->shape.k + 1] : NULL;
}

/* ISA-L does not say what its checks return other than 0, so only that is compared. */
BATCH(xor_gen_batch, s->value = s->call.xor_gen(k + m, len, (void **)row) != 0)
BATCH(xor_check_batch, s->value = s->call.xor_check(k + m, len, (void **)row) != 0)
BATCH(pq_gen_batch, s->value = s->call.pq_gen(k + m, len, (void **)row) != 0)
BATCH(pq_check_batch, s->value = s->call.pq_check(k + m, len, (void **)row) != 0)
BATCH(detect_batch, s->value = s->call.isal_zero_detect(row[0], size) != 0)
BATCH(checksum_batch, s->value = s->call.isal_adler32(1, row[0], size))

BATCH(generate_batch, s->value = s->call.pxr_raid_generate((unsigned)k, size, row, row[k],
                                                           q_of(w, row)) != PXR_OK)
BATCH(change_batch, s->value = s->call.pxr_raid_update(w->first, size, row[0], row[1], row[2],
                                                       row[3]) != PXR_OK)
BATCH(accumulate_batch,
      s->value = s->call.pxr_raid_accumulate(w->first, w->span, size, row, row[w->span],
                                             row[w->span + 1]) != PXR_OK)
BATCH(check_batch, s->value = s->call.pxr_raid_check((unsigned)k, size, row, row[k],
                                                     q_of(w, row), NULL, 0) != PXR_OK)
BATCH(report_batch, struct pxr_raid_report report;
      s->value = s->call.pxr_raid_check((unsigned)k, size, row, row[k], q_of(w, row), &report,
                                        sizeof report) != PXR_OK)
BATCH(recover_batch,
      s->value = s->call.pxr_raid_recover((unsigned)k, size, row, row[k], q_of(w, row),
                                          (unsigned)w->outputs, w->written) != PXR_OK)
BATCH(compare_batch, s->value = s->call.pxr_compare(row[0], row[1], size) != size)
BATCH(memcmp_batch, s->value = memcmp(row[0], row[1], size) != 0)
BATCH(zero_batch, s->value = s->call.pxr_find_nonzero(row[0], size) != size)
BATCH(adler_batch, s->value = s->call.pxr_adler32(1, row[0], size))

/* ------------------------------------------------------------- comparison -- */

static void expect_generated(struct subject *s)
{
    const struct workload *w = s->work;
    const size_t len = (size_t)w->shape.len;
    for (size_t r = 0; r < w->outputs; r++)
        memset(w->targets[r], 0, len);
    parity_add(w->data, w->sources, len, w->targets[0], w->outputs == 2 ? w->targets[1] : NULL);
}

/* An update adds a block as it was and as it will be, in the same place. */
static void expect_changed(struct subject *s)
{
    const struct workload *w = s->work;
    u8 *data[PXR_MAX_SHARDS] = {NULL};
    for (size_t i = 0; i < 2; i++) {
        data[w->first] = w->sources[i];
        parity_add(w->first + 1, data, (size_t)w->shape.len, w->targets[0], w->targets[1]);
    }
}

static void expect_accumulated(struct subject *s)
{
    const struct workload *w = s->work;
    u8 *data[PXR_MAX_SHARDS] = {NULL};
    memcpy(data + w->first, w->sources, w->span * sizeof(u8 *));
    parity_add(w->first + w->span, data, (size_t)w->shape.len, w->targets[0], w->targets[1]);
}

/* ------------------------------------------------------------------ table -- */

/* What rows of a kind have in common.  The help of our own functions' rows begins with the name
   of the function. */
#define ISAL(name, text, ...) \
    OPERATION(name, text, .group = GROUP_RAID, TIMES(name), __VA_ARGS__)
#define OWN(its_name, function, text, ...) \
    OPERATION(its_name, function text, .group = GROUP_OWN, TIMES(function), __VA_ARGS__)
#define GENERATE(number) ON_DISKS(READS_K, number), .row = ROW_ALL, .expect = expect_generated
#define CHECK(number, what)                                                              \
    ON_DISKS(READS_K, number), .writes = WRITES_NOTHING, .row = ROW_ALL, .judges = true, \
                               .holds = (what)
#define SCAN ON_BUFFERS(READS_ONE)
#define ZEROS SCAN, .judges = true, .holds = HOLDS_ZERO
#define COMPARISON ON_BUFFERS(READS_TWO), .judges = true, .holds = HOLDS_EQUAL
#define UPDATE(suffix, where)                                                   \
    OWN("update_" suffix, "pxr_raid_update", " of the " suffix " disk",         \
        ON_DISKS(READS_TWO, 2), .row = ROW_ALL, .adds = true, .place = (where), \
        .against = "gen_pq", .batch = change_batch, .expect = expect_changed)
#define SYNDROME(suffix, text, number, where)                                       \
    OWN("syn_" suffix, "pxr_raid_accumulate", " of " text, ON_DISKS(READS_SOME, 2), \
        .row = ROW_ALL, .adds = true, .place = (where), .count = (number),          \
        .against = "gen_pq", .batch = accumulate_batch, .expect = expect_accumulated)
#define REBUILD(flags) \
    ON_DISKS(READS_K, 2), .writes = WRITES_LOST, .lost = (flags), .holds = HOLDS_PARITY
#define RECOVERY(suffix, text, flags)                                                   \
    OWN("rec_" suffix, "pxr_raid_recover", " of " text, REBUILD(flags), .row = ROW_ALL, \
        .against = "decode_" suffix, .batch = recover_batch)
#define DECODE(suffix, text, flags)                                                  \
    OPERATION("decode_" suffix, "pxr_reconstruct of " text, .group = GROUP_BASELINE, \
              TIMES("pxr_reconstruct"), REBUILD(flags), .row = ROW_HAVE_WANT,        \
              .batch = reconstruct_batch, .prepare = make_code)
#define LOSSES(KIND)                                                         \
    KIND("d", "one data block", LOST_X),                                     \
        KIND("d_q", "one data block from Q, without P", LOST_X | WITHOUT_P), \
        KIND("dp", "one data block and P", LOST_X | LOST_P),                 \
        KIND("dq", "one data block and Q", LOST_X | LOST_Q),                 \
        KIND("dd", "two data blocks", LOST_X | LOST_Y), KIND("pq", "P and Q", LOST_P | LOST_Q)

const struct operation raid_operations[] = {
    ISAL("xor_gen", "P of n blocks", GENERATE(1), .aligned = true, .batch = xor_gen_batch),
    ISAL("xor_check", "whether P is that of n blocks, which it is", CHECK(1, HOLDS_PARITY),
         .aligned = true, .batch = xor_check_batch),
    ISAL("pq_gen", "P and Q of n blocks", GENERATE(2), .aligned = true, .whole = true,
         .batch = pq_gen_batch),
    ISAL("pq_check", "whether P and Q are those of n blocks, which they are",
         CHECK(2, HOLDS_PARITY), .aligned = true, .whole = true, .batch = pq_check_batch),
    ISAL("isal_zero_detect", "whether a buffer is zero, which it is", ZEROS,
         .batch = detect_batch),
    ISAL("isal_adler32", "the Adler-32 of a buffer", SCAN, .batch = checksum_batch),
    OWN("gen_p", "pxr_raid_generate", " of P", GENERATE(1), .batch = generate_batch),
    OWN("gen_pq", "pxr_raid_generate", " of P and Q", GENERATE(2), .batch = generate_batch),
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
    OWN("check_p", "pxr_raid_check", " of P, which is right", CHECK(1, HOLDS_PARITY),
        .against = "gen_p", .batch = check_batch),
    OWN("check", "pxr_raid_check", " of P and Q, which are right", CHECK(2, HOLDS_PARITY),
        .against = "gen_pq", .batch = check_batch),
    OWN("check_report", "pxr_raid_check", " with a report, all being right",
        CHECK(2, HOLDS_PARITY), .against = "gen_pq", .batch = report_batch),
    OWN("check_locate", "pxr_raid_check", " with a report, all of one block being wrong",
        CHECK(2, HOLDS_WRONG), .against = "gen_pq", .batch = report_batch),
    LOSSES(RECOVERY),
    LOSSES(DECODE),
    OWN("compare", "pxr_compare", " of two equal buffers", COMPARISON, .against = "memcmp",
        .batch = compare_batch),
    OPERATION("memcmp", "memcmp of two equal buffers", COMPARISON, .group = GROUP_BASELINE,
              .batch = memcmp_batch),
    OWN("zero", "pxr_find_nonzero", " in zeros", ZEROS, .batch = zero_batch),
    OWN("adler", "pxr_adler32", "", SCAN, .batch = adler_batch),
};
const size_t raid_operation_count = sizeof(raid_operations) / sizeof(raid_operations[0]);
