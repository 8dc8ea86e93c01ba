/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dot products and multiplications of every kernel set that this machine can
 * run, against judge.h; test_kernel_scans has the other operations.  A case is one
 * entry of a set's tables: `avx2 PQ+3` is the dot product with two special rows and
 * three general ones, `avx2 mad 2` the product of one source for two outputs.  With
 * --bench the same entries are timed after they were tested.
 */
#include "check.h"
#include "judge.h"
#include "kernels.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MOST_SOURCES 255
#define MOST_BYTES (16 * 1024)
#define MOST_OUTPUTS (2 + PXR_MAX_ROWS)
/* Flags of the tests alone: mad is given `old`; dot is given NULL for some zeros. */
#define CHANGE 32
#define ABSENT 64
#define ALL_FLAGS (PXR_STREAM | PXR_ACCUMULATE | PQ_FLAGS | CHANGE | ABSENT)
/* With these P and Q have tables of one coefficient each, and no others. */
#define PQ_FLAGS (PXR_SHIFT | PXR_MIX | PXR_FOLD)

static const unsigned some_k[] = {0, 1, 2, 3, 5, 10, 17, 32, 100, 255};

/* One entry of a set: dot or mad, the other is NULL. */
struct entry {
    const struct pxr_kernels *set;
    pxr_dot_fn *dot;
    pxr_mad_fn *mad;
    unsigned specials, generals;
};

/* One call to try. */
struct trial {
    size_t len;
    unsigned k, flags;
    enum check_placement placement;
    bool in_place; /* most outputs are sources */
    bool repeated; /* some sources are the same buffer */
};

/* The buffers of all trials, and what the next call is given of them. */
static struct {
    struct check_guard sources[MOST_SOURCES], tables[PXR_MAX_ROWS], old_source;
    struct check_guard outputs[MOST_OUTPUTS], addends[MOST_OUTPUTS];
    uint8_t *src[MOST_SOURCES], *tbl[PXR_MAX_ROWS], *old;
    uint8_t *dst[2 * MOST_OUTPUTS]; /* outputs, then what dot adds to them */
    uint8_t src_before[MOST_SOURCES][MOST_BYTES], old_before[MOST_BYTES];
    uint8_t added_before[MOST_OUTPUTS][MOST_BYTES];
    uint8_t tbl_before[PXR_MAX_ROWS][MOST_SOURCES * PXR_TABLE];
    uint8_t expected[MOST_OUTPUTS][MOST_BYTES];
    uint8_t coefficients[MOST_OUTPUTS][MOST_SOURCES], pair[2];
    bool source_absent[MOST_SOURCES], addend_absent[MOST_OUTPUTS];
} room;

static unsigned outputs_of(const struct entry *entry)
{
    return entry->specials + entry->generals;
}

static void make_room(void)
{
    for (unsigned j = 0; j < MOST_SOURCES; j++)
        room.sources[j] = check_guard_new(MOST_BYTES);
    for (unsigned g = 0; g < PXR_MAX_ROWS; g++)
        room.tables[g] = check_guard_new(MOST_SOURCES * PXR_TABLE);
    for (unsigned r = 0; r < MOST_OUTPUTS; r++) {
        room.outputs[r] = check_guard_new(MOST_BYTES);
        room.addends[r] = check_guard_new(MOST_BYTES);
    }
    room.old_source = check_guard_new(MOST_BYTES);
}

/* ---------------------------------------------------------------- trial -- */

/* Some buffers of an ABSENT trial are zeros, in whose place the call is given NULL. */
static bool make_absent(const struct trial *trial, uint8_t *buffer)
{
    if (!(trial->flags & ABSENT) || check_below(3) > 0)
        return false;
    memset(buffer, 0, trial->len);
    return true;
}

static bool is_pq_alone(const struct entry *entry)
{
    return entry->mad == NULL && entry->specials == PXR_SPECIAL_PQ && entry->generals == 0;
}

static void place_sources(const struct entry *entry, const struct trial *trial)
{
    for (unsigned j = 0; j < trial->k; j++) {
        room.source_absent[j] = false;
        if (trial->repeated && j > 0 && check_below(2)) {
            room.src[j] = room.src[check_below(j)];
        } else {
            room.src[j] = check_place(&room.sources[j], trial->len, trial->placement);
            check_fill(room.src[j], trial->len);
            room.source_absent[j] = is_pq_alone(entry) && make_absent(trial, room.src[j]);
        }
        memcpy(room.src_before[j], room.src[j], trial->len);
    }
    room.old = NULL;
    if (trial->flags & CHANGE) {
        room.old = check_place(&room.old_source, trial->len, trial->placement);
        check_fill(room.old, trial->len);
        memcpy(room.old_before, room.old, trial->len);
    }
}

static void place_table(const struct trial *trial, unsigned g, unsigned count,
                        const uint8_t *coefficients)
{
    const size_t size = (size_t)count * PXR_TABLE;
    room.tbl[g] = check_place(&room.tables[g], size, trial->placement);
    judge_tables(count, coefficients, room.tbl[g]);
    memcpy(room.tbl_before[g], room.tbl[g], size);
}

/* The coefficients c and d of PXR_SHIFT and PXR_MIX. */
static void place_pair(const struct trial *trial)
{
    check_fill(room.pair, sizeof room.pair);
    for (unsigned g = 0; g < sizeof room.pair; g++)
        place_table(trial, g, 1, &room.pair[g]);
    for (unsigned j = 0; j < trial->k && trial->flags & PXR_SHIFT; j++)
        room.coefficients[1][j] = judge_mul(room.pair[0], room.coefficients[1][j]);
}

/* Random coefficients, with more zeros and ones than chance would bring. */
static void place_tables(const struct entry *entry, const struct trial *trial)
{
    for (unsigned r = 0; r < outputs_of(entry); r++) {
        uint8_t *row = room.coefficients[r];
        uint8_t power = 1;
        for (unsigned j = 0; j < trial->k; j++, power = judge_mul(2, power)) {
            if (r < entry->specials)
                row[j] = r == 0 ? 1 : power;
            else
                row[j] = check_below(4) ? (uint8_t)check_random() : (uint8_t)check_below(3);
        }
        if (r >= entry->specials)
            place_table(trial, r - entry->specials, trial->k, row);
    }
    if (trial->flags & PQ_FLAGS)
        place_pair(trial);
}

/* The source that output r of an in-place trial is; -1 where it is none.
   Outputs are distinct: only sources with a buffer of their own are taken. */
static int source_for_output(const struct trial *trial, unsigned r)
{
    if (!trial->in_place || trial->k == 0)
        return -1;
    for (unsigned attempt = 0; attempt < 8; attempt++) {
        unsigned j = (unsigned)check_below(trial->k);
        bool taken = false;
        for (unsigned other = 0; other < r; other++)
            taken |= room.dst[other] == room.src[j];
        if (!taken)
            return (int)j;
    }
    return -1;
}

static void place_outputs(const struct entry *entry, const struct trial *trial)
{
    for (unsigned r = 0; r < outputs_of(entry); r++) {
        int j = source_for_output(trial, r);
        if (j >= 0) {
            room.dst[r] = room.src[j];
        } else {
            room.dst[r] = check_place(&room.outputs[r], trial->len, trial->placement);
            check_fill(room.dst[r], trial->len);
        }
    }
}

/* What dot adds to the outputs: each output itself, or a buffer of its own. */
static void place_addends(const struct entry *entry, const struct trial *trial)
{
    const unsigned outputs = outputs_of(entry);
    for (unsigned r = 0; r < outputs; r++) {
        uint8_t *added = room.dst[r];
        room.addend_absent[r] = false;
        if (entry->mad == NULL && trial->flags & PXR_ACCUMULATE && check_below(2)) {
            added = check_place(&room.addends[r], trial->len, trial->placement);
            check_fill(added, trial->len);
            room.addend_absent[r] = make_absent(trial, added);
        }
        room.dst[outputs + r] = added;
        memcpy(room.added_before[r], added, trial->len);
    }
}

/* Q = c*P + d*Q */
static void judge_mix(size_t len)
{
    static uint8_t mixed[MOST_BYTES];
    memset(mixed, 0, len);
    judge_dot(len, 2, room.pair, (const uint8_t *const[]){room.expected[0], room.expected[1]},
              mixed);
    memcpy(room.expected[1], mixed, len);
}

static void judge_outputs(const struct entry *entry, const struct trial *trial)
{
    const uint8_t *before[MOST_SOURCES], *const before_change = room.old_before;
    for (unsigned j = 0; j < trial->k; j++)
        before[j] = room.src_before[j];
    for (unsigned r = 0; r < outputs_of(entry); r++) {
        if (trial->flags & (PXR_ACCUMULATE | CHANGE))
            memcpy(room.expected[r], room.added_before[r], trial->len);
        else
            memset(room.expected[r], 0, trial->len);
        judge_dot(trial->len, trial->k, room.coefficients[r], before, room.expected[r]);
        if (trial->flags & CHANGE)
            judge_dot(trial->len, 1, room.coefficients[r], &before_change, room.expected[r]);
    }
    if (trial->flags & PXR_MIX)
        judge_mix(trial->len);
    if (trial->flags & PXR_FOLD)
        judge_dot(trial->len, 1, (const uint8_t[]){1},
                  (const uint8_t *const[]){room.expected[1]}, room.expected[0]);
}

static bool is_output(const struct entry *entry, const uint8_t *buffer)
{
    for (unsigned r = 0; r < outputs_of(entry); r++)
        if (room.dst[r] == buffer)
            return true;
    return false;
}

/* The guard that a buffer lies in. */
static const struct check_guard *guard_of(const struct check_guard *guards, unsigned count,
                                          const uint8_t *buffer)
{
    for (unsigned i = 0; i < count; i++)
        if (buffer >= guards[i].room && buffer <= guards[i].room + guards[i].capacity)
            return &guards[i];
    return NULL;
}

/* The tables of the general rows, or those of PXR_SHIFT and PXR_MIX. */
static void check_tables(const struct entry *entry, const struct trial *trial)
{
    const bool pair = (trial->flags & PQ_FLAGS) != 0;
    const size_t size = (pair ? 1 : (size_t)trial->k) * PXR_TABLE;
    for (unsigned g = 0; g < (pair ? 2 : entry->generals); g++) {
        CHECK_BYTES(room.tbl[g], room.tbl_before[g], size);
        CHECK_UNTOUCHED(&room.tables[g], room.tbl[g], size);
    }
}

static void check_outcome(const struct entry *entry, const struct trial *trial)
{
    const unsigned outputs = outputs_of(entry);
    for (unsigned r = 0; r < outputs_of(entry); r++) {
        const struct check_guard *guard = guard_of(room.outputs, MOST_OUTPUTS, room.dst[r]);
        CHECK_BYTES(room.dst[r], room.expected[r], trial->len);
        if (guard != NULL)
            CHECK_UNTOUCHED(guard, room.dst[r], trial->len);
        if (room.dst[outputs + r] != room.dst[r])
            CHECK_BYTES(room.dst[outputs + r], room.added_before[r], trial->len);
    }
    for (unsigned j = 0; j < trial->k; j++) {
        const struct check_guard *guard = guard_of(room.sources, MOST_SOURCES, room.src[j]);
        CHECK_UNTOUCHED(guard, room.src[j], trial->len);
        if (!is_output(entry, room.src[j]))
            CHECK_BYTES(room.src[j], room.src_before[j], trial->len);
    }
    if (room.old != NULL)
        CHECK_BYTES(room.old, room.old_before, trial->len);
    check_tables(entry, trial);
}

static void run(const struct entry *entry, const struct trial *trial)
{
    const bool multiplies = entry->generals > 0 || trial->flags & PQ_FLAGS;
    const uint8_t *const *tbl = multiplies ? (const uint8_t *const *)room.tbl : NULL;
    const unsigned flags = trial->flags & ~(unsigned)(CHANGE | ABSENT);
    const unsigned outputs = outputs_of(entry);
    const uint8_t *src[MOST_SOURCES];
    uint8_t *dst[2 * MOST_OUTPUTS];
    for (unsigned j = 0; j < trial->k; j++)
        src[j] = room.source_absent[j] ? NULL : room.src[j];
    for (unsigned r = 0; r < outputs; r++) {
        dst[r] = room.dst[r];
        dst[outputs + r] = room.addend_absent[r] ? NULL : room.dst[outputs + r];
    }
    if (entry->mad != NULL)
        entry->mad(trial->len, tbl, src[0], room.old, dst, flags);
    else
        entry->dot(trial->len, trial->k, tbl, src, dst, flags);
}

/* What kernels.h allows of a trial: mad has one source, which only a single
   output may be, and each operation has its own flags. */
static struct trial allowed(const struct entry *entry, struct trial trial)
{
    if (entry->mad != NULL) {
        trial.k = 1;
        trial.in_place &= outputs_of(entry) == 1;
        trial.flags &= PXR_ACCUMULATE | CHANGE;
    } else {
        trial.flags &= PXR_STREAM | PXR_ACCUMULATE | PQ_FLAGS | ABSENT;
        if (!is_pq_alone(entry))
            trial.flags &= ~(unsigned)PQ_FLAGS;
    }
    return trial;
}

static void prepare(const struct entry *entry, const struct trial *trial)
{
    place_sources(entry, trial);
    place_tables(entry, trial);
    place_outputs(entry, trial);
    place_addends(entry, trial);
}

static void attempt(const struct entry *entry, struct trial wish)
{
    const struct trial trial = allowed(entry, wish);
    check_at("len=%ld k=%ld flags=%ld placement=%ld (+10 in place, +100 repeated)",
             (long)trial.len, trial.k, trial.flags,
             (long)trial.placement + 10L * trial.in_place + 100L * trial.repeated);
    prepare(entry, &trial);
    judge_outputs(entry, &trial);
    run(entry, &trial);
    check_outcome(entry, &trial);
}

/* --------------------------------------------------------------- sweeps -- */

static unsigned any_flags(void)
{
    return (unsigned)check_random() & ALL_FLAGS;
}

/* Around the border of a largest block. */
static bool is_border(const struct entry *entry, size_t len)
{
    return check_border(len, entry->set->step);
}

/* What less effort does not leave out: the borders of blocks, and every tail
   where reading on, as vectors do, meets the guard page. */
static bool length_matters(const struct entry *entry, size_t len,
                           enum check_placement placement)
{
    return len <= 1 || is_border(entry, len) ||
           (len < entry->set->step && placement == CHECK_AT_END);
}

/* Every length up to two blocks and one byte, at both guard pages.  Where a step is
   but a bound for vectors of any size, one in eight of the lengths that are long. */
#define EVERY_LENGTH 513
static void sweep_lengths(const struct entry *entry)
{
    for (size_t len = 0; len <= 2 * entry->set->step + 1; len++) {
        if (len >= EVERY_LENGTH && !is_border(entry, len) && check_below(8) > 0)
            continue;
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++) {
            const unsigned k = 1 + (unsigned)(len % 5);
            if (length_matters(entry, len, placement) || check_sampled())
                attempt(entry, (struct trial){len, k, 0, placement, false, false});
            if (check_sampled())
                attempt(entry,
                        (struct trial){len, 6 - k, any_flags(), placement, false, false});
            if (check_sampled())
                attempt(entry, (struct trial){len, k, any_flags(), placement, true, false});
        }
    }
}

/* Every number of sources, at the lengths around a block's border; with less
   effort at one of them. */
static void sweep_sources(const struct entry *entry)
{
    size_t step = entry->set->step;
    const size_t lengths[] = {1, step - 1, step, 2 * step + 1, check_below(4 * step)};
    const size_t count = sizeof lengths / sizeof *lengths;
    const size_t always = check_below(count);
    for (size_t i = 0; i < sizeof some_k / sizeof *some_k; i++)
        for (size_t l = 0; l < count; l++)
            for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++)
                if (l == (always + i) % count || check_sampled())
                    attempt(entry, (struct trial){lengths[l], some_k[i], any_flags(), placement,
                                                  l == 4, i % 2 == 1});
}

static void sweep_flags(const struct entry *entry)
{
    for (unsigned flags = 0; flags <= ALL_FLAGS; flags++)
        for (unsigned round = 0; round < check_effort(1); round++) {
            size_t len = check_below(6 * entry->set->step);
            unsigned k = (unsigned)check_below(9);
            attempt(entry, (struct trial){len, k, flags, CHECK_ANYWHERE, check_below(2),
                                          check_below(2)});
        }
}

/* Sources at every offset from a cache line and outputs at every other one. */
static void sweep_alignment(const struct entry *entry)
{
    const size_t len = 2 * entry->set->step + 7;
    const unsigned offsets = check_effort(64), apart = 64 / offsets;
    for (unsigned number = 0; number < offsets; number++) {
        const size_t offset = number * apart + check_below(apart);
        const struct trial trial =
            allowed(entry, (struct trial){len, 3, any_flags(), CHECK_AT_START, false, false});
        check_at("len=%ld source offset=%ld flags=%ld", (long)len, (long)offset, trial.flags,
                 0);
        prepare(entry, &trial);
        if (room.old != NULL) {
            room.old = check_from_start(&room.old_source, len, (offset + 45) % 64);
            memcpy(room.old, room.old_before, len);
        }
        for (unsigned j = 0; j < trial.k; j++) {
            room.src[j] = check_from_start(&room.sources[j], len, (offset + 21 * j) % 64);
            memcpy(room.src[j], room.src_before[j], len);
        }
        for (unsigned r = 0; r < outputs_of(entry); r++) {
            room.dst[r] =
                check_from_start(&room.outputs[r], len, (37 * offset + 11 * r + 1) % 64);
            check_fill(room.dst[r], len);
        }
        place_addends(entry, &trial);
        judge_outputs(entry, &trial);
        run(entry, &trial);
        check_outcome(entry, &trial);
    }
}

/* Lengths at which the body may change its way: it may prefetch, or stream. */
static void sweep_long(const struct entry *entry)
{
    for (unsigned round = 0; round < check_effort(80); round++) {
        const bool longest = round % 16 == 0;
        const size_t len = check_below(longest ? 12000 : 3000);
        const unsigned k = (unsigned)check_below(longest ? 24 : 12);
        attempt(entry, (struct trial){len, k, any_flags(), round % CHECK_PLACEMENTS,
                                      round % 5 == 0, round % 7 == 0});
    }
}

/* ---------------------------------------------------------------- bench -- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Source bytes per second of ten sources (mad: one) of 4 KiB, the best of some
   rounds. */
static void bench(const struct entry *entry, const char *name)
{
    const struct trial trial =
        allowed(entry, (struct trial){4096, 10, 0, CHECK_AT_START, false, false});
    double best = 1e9;
    prepare(entry, &trial);
    for (unsigned round = 0; round < 20; round++) {
        const unsigned calls = 500;
        double begin = seconds();
        for (unsigned call = 0; call < calls; call++)
            run(entry, &trial);
        double each = (seconds() - begin) / calls;
        best = each < best ? each : best;
    }
    printf("%-24s %8.2f GB/s\n", name, 1e-9 * (double)(trial.len * trial.k) / best);
}

/* ----------------------------------------------------------------- main -- */

static void test_entry(const struct entry *entry, const char *operation)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s%u", entry->set->name, operation, entry->generals);
    if (!check_case("%s", name))
        return;
    sweep_lengths(entry);
    sweep_sources(entry);
    sweep_flags(entry);
    sweep_alignment(entry);
    sweep_long(entry);
    if (check_bench())
        bench(entry, name);
}

static void test_set(const struct pxr_kernels *set)
{
    static const char *const operation[PXR_SPECIALS] = {"general ", "P+", "PQ+"};
    for (unsigned special = 0; special < PXR_SPECIALS; special++)
        for (unsigned generals = 0; generals <= PXR_MAX_ROWS; generals++)
            if (set->dot[special][generals] != NULL) {
                const struct entry entry = {set, set->dot[special][generals], NULL, special,
                                            generals};
                test_entry(&entry, operation[special]);
            }
    for (unsigned special = 0; special <= PXR_SPECIAL_P; special++)
        for (unsigned generals = 0; generals <= PXR_MAX_ROWS; generals++)
            if (set->mad[special][generals] != NULL) {
                const struct entry entry = {set, NULL, set->mad[special][generals], special,
                                            generals};
                test_entry(&entry, special ? "mad P+" : "mad ");
            }
}

int main(int argc, char **argv)
{
    check_start("test_kernels", argc, argv);
    judge_start();
    make_room();
    check_each_kernel_set(test_set);
    return check_finish();
}
