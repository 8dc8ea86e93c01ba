/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel_trial.h"

#include <string.h>

#include "judge.h"

#define MOST_SOURCES TRIAL_MOST_SOURCES
#define MOST_BYTES TRIAL_MOST_BYTES
#define MOST_OUTPUTS (2 + PXR_MAX_ROWS)
#define MOST_TABLES ((size_t)PXR_MAX_ROWS * MOST_SOURCES * PXR_TABLE)
#define CHANGE TRIAL_CHANGE
#define ABSENT TRIAL_ABSENT
#define PQ_FLAGS TRIAL_PQ_FLAGS

/* The buffers of all trials, and the parts of them that the next call gets. */
static struct {
    struct check_guard sources[MOST_SOURCES], tables, old_source;
    struct check_guard outputs[MOST_OUTPUTS], addends[MOST_OUTPUTS];
    uint8_t *src[MOST_SOURCES], *rows, *old;
    uint8_t *dst[2 * MOST_OUTPUTS]; /* the outputs, then the buffers that dot adds to them */
    uint8_t src_before[MOST_SOURCES][MOST_BYTES], old_before[MOST_BYTES];
    uint8_t added_before[MOST_OUTPUTS][MOST_BYTES];
    uint8_t rows_before[MOST_TABLES];
    size_t rows_size;
    uint8_t expected[MOST_OUTPUTS][MOST_BYTES];
    uint8_t coefficients[MOST_OUTPUTS][MOST_SOURCES], pair[2];
    bool source_absent[MOST_SOURCES], addend_absent[MOST_OUTPUTS];
} room;

static unsigned outputs_of(const struct entry *entry)
{
    return entry->specials + entry->generals;
}

void trial_start(void)
{
    judge_start();
    for (unsigned j = 0; j < MOST_SOURCES; j++)
        room.sources[j] = check_guard_new(MOST_BYTES);
    room.tables = check_guard_new(MOST_TABLES);
    for (unsigned r = 0; r < MOST_OUTPUTS; r++) {
        room.outputs[r] = check_guard_new(MOST_BYTES);
        room.addends[r] = check_guard_new(MOST_BYTES);
    }
    room.old_source = check_guard_new(MOST_BYTES);
}

/* ---------------------------------------------------------------- places -- */

/* The numbers of the buffers for check_at_spot(). */
enum {
    NUMBER_SOURCE = 0,
    NUMBER_OUTPUT = 7,
    NUMBER_ADDEND = 17,
    NUMBER_TABLE = 27,
    NUMBER_OLD
};

static uint8_t *place(const struct trial *trial, const struct check_guard *guard, size_t len,
                      unsigned number)
{
    if (trial->spot != NULL)
        return check_at_spot(guard, len, trial->spot, number);
    return check_place(guard, len, trial->placement);
}

/* In an ABSENT trial, some buffers are zeros, and the call gets NULL in place of them. */
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
            room.src[j] = place(trial, &room.sources[j], trial->len, NUMBER_SOURCE + j);
            check_fill(room.src[j], trial->len);
            room.source_absent[j] = is_pq_alone(entry) && make_absent(trial, room.src[j]);
        }
        memcpy(room.src_before[j], room.src[j], trial->len);
    }
    room.old = NULL;
    if (trial->flags & CHANGE) {
        room.old = place(trial, &room.old_source, trial->len, NUMBER_OLD);
        check_fill(room.old, trial->len);
        memcpy(room.old_before, room.old, trial->len);
    }
}

/* Places n coefficients in this form, for the next call. */
static void place_coefficients(const struct trial *trial, enum pxr_form form, size_t n,
                               const uint8_t *coefficients)
{
    room.rows_size = n * (form == PXR_MATRICES ? 8 : PXR_TABLE);
    room.rows = place(trial, &room.tables, room.rows_size, NUMBER_TABLE);
    if (form == PXR_MATRICES)
        judge_matrices(n, coefficients, room.rows);
    else
        judge_tables(n, coefficients, room.rows);
    memcpy(room.rows_before, room.rows, room.rows_size);
}

/* Places the coefficients c and d of PXR_SHIFT and PXR_MIX. */
static void place_pair(const struct trial *trial)
{
    check_fill(room.pair, sizeof room.pair);
    place_coefficients(trial, PXR_TABLES, sizeof room.pair, room.pair);
    for (unsigned j = 0; j < trial->k && trial->flags & PXR_SHIFT; j++)
        room.coefficients[1][j] = judge_mul(room.pair[0], room.coefficients[1][j]);
}

/* The number of coefficients from one row to the next.  mad gets one column of a matrix, which
   may have more columns. */
static unsigned coefficients_apart(const struct entry *entry, const struct trial *trial)
{
    return entry->mad != NULL ? 1 + (unsigned)(trial->len % 3) : trial->k;
}

/* Places random coefficients, with more zeros and ones than chance would bring. */
static void place_tables(const struct entry *entry, const struct trial *trial)
{
    static uint8_t all[PXR_MAX_ROWS * MOST_SOURCES];
    const unsigned apart = coefficients_apart(entry, trial);
    check_fill(all, (size_t)entry->generals * apart);
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
            memcpy(all + (size_t)(r - entry->specials) * apart, row, trial->k);
    }
    if (trial->flags & PQ_FLAGS)
        place_pair(trial);
    else
        place_coefficients(trial, entry->form, (size_t)entry->generals * apart, all);
}

/* The number of the source whose buffer is also output r in an in-place trial, or -1 if the
   output has a buffer of its own.  All outputs must be different buffers, so a buffer that is
   an output already is not taken again. */
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
            room.dst[r] = place(trial, &room.outputs[r], trial->len, NUMBER_OUTPUT + r);
            check_fill(room.dst[r], trial->len);
        }
    }
}

/* Chooses what dot adds to each output: the output itself, or a buffer of its own. */
static void place_addends(const struct entry *entry, const struct trial *trial)
{
    const unsigned outputs = outputs_of(entry);
    for (unsigned r = 0; r < outputs; r++) {
        uint8_t *added = room.dst[r];
        room.addend_absent[r] = false;
        if (entry->mad == NULL && trial->flags & PXR_ACCUMULATE && check_below(2)) {
            added = place(trial, &room.addends[r], trial->len, NUMBER_ADDEND + r);
            check_fill(added, trial->len);
            room.addend_absent[r] = make_absent(trial, added);
        }
        room.dst[outputs + r] = added;
        memcpy(room.added_before[r], added, trial->len);
    }
}

/* -------------------------------------------------------------- judgement -- */

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

static void check_outcome(const struct entry *entry, const struct trial *trial)
{
    const unsigned outputs = outputs_of(entry);
    for (unsigned r = 0; r < outputs_of(entry); r++) {
        const struct check_guard *guard = guard_of(room.outputs, MOST_OUTPUTS, room.dst[r]);
        CHECK_BYTES(room.dst[r], room.expected[r], trial->len);
        if (guard != NULL)
            CHECK_UNTOUCHED(guard, room.dst[r], trial->len);
        if (room.dst[outputs + r] != room.dst[r]) {
            CHECK_BYTES(room.dst[outputs + r], room.added_before[r], trial->len);
            CHECK_UNTOUCHED(&room.addends[r], room.dst[outputs + r], trial->len);
        }
    }
    for (unsigned j = 0; j < trial->k; j++) {
        const struct check_guard *guard = guard_of(room.sources, MOST_SOURCES, room.src[j]);
        CHECK_UNTOUCHED(guard, room.src[j], trial->len);
        if (!is_output(entry, room.src[j]))
            CHECK_BYTES(room.src[j], room.src_before[j], trial->len);
    }
    if (room.old != NULL) {
        CHECK_BYTES(room.old, room.old_before, trial->len);
        CHECK_UNTOUCHED(&room.old_source, room.old, trial->len);
    }
    CHECK_BYTES(room.rows, room.rows_before, room.rows_size);
    CHECK_UNTOUCHED(&room.tables, room.rows, room.rows_size);
}

/* -------------------------------------------------------------- the trial -- */

/* Makes one call for all bytes.  With some lengths, makes one call for the first third, and a
   second call that starts behind it. */
static void run_plain(const struct entry *entry, const struct trial *trial, const uint8_t *rows,
                      const uint8_t *const *src, uint8_t *const *dst)
{
    const size_t first = trial->len % 7 == 0 ? trial->len / 3 : trial->len;
    entry->plain(first, trial->k, rows, src, dst, 0);
    if (first < trial->len)
        entry->plain(trial->len - first, trial->k, rows, src, dst, first);
}

void trial_run(const struct entry *entry, const struct trial *trial)
{
    const bool multiplies = entry->generals > 0 || trial->flags & PQ_FLAGS;
    const uint8_t *rows = multiplies ? room.rows : NULL;
    const uint32_t flags = trial->flags & ~(uint32_t)(CHANGE | ABSENT);
    const unsigned outputs = outputs_of(entry);
    const uint8_t *src[MOST_SOURCES];
    uint8_t *dst[2 * MOST_OUTPUTS];
    for (unsigned j = 0; j < trial->k; j++)
        src[j] = room.source_absent[j] ? NULL : room.src[j];
    for (unsigned r = 0; r < outputs; r++) {
        dst[r] = room.dst[r];
        dst[outputs + r] = room.addend_absent[r] ? NULL : room.dst[outputs + r];
    }
    if (entry->one && entry->mad != NULL) {
        entry->set->add_one(trial->len, 1, 0, rows, src[0], dst[0]);
    } else if (entry->one) {
        entry->set->plain_one(trial->len, trial->k, rows, src, dst[0]);
    } else if (entry->mad != NULL) {
        const struct pxr_mad_mode mode = {coefficients_apart(entry, trial), flags};
        entry->mad(trial->len, mode, rows, src[0], room.old, dst);
    } else if (entry->plain != NULL) {
        run_plain(entry, trial, rows, src, dst);
    } else {
        entry->dot(trial->len, trial->k, rows, src, dst, flags);
    }
}

struct trial trial_allowed(const struct entry *entry, struct trial trial)
{
    if (entry->mad != NULL) {
        trial.k = 1;
        trial.in_place &= outputs_of(entry) == 1;
        trial.flags &= PXR_ACCUMULATE | CHANGE | TRIAL_AHEAD;
        if (entry->one)
            trial.flags = PXR_ACCUMULATE;
    } else if (entry->plain != NULL) {
        trial.flags = 0;
        if (entry->one) {
            trial.len = trial.len > 0 ? trial.len : 1;
            trial.k = trial.k > 0 ? trial.k : 1;
        }
    } else {
        trial.flags &= ~CHANGE;
        if (!is_pq_alone(entry))
            trial.flags &= ~(uint32_t)PQ_FLAGS;
    }
    return trial;
}

void trial_prepare(const struct entry *entry, const struct trial *trial)
{
    place_sources(entry, trial);
    place_tables(entry, trial);
    place_outputs(entry, trial);
    place_addends(entry, trial);
}

void trial_attempt(const struct entry *entry, struct trial wish)
{
    const struct trial trial = trial_allowed(entry, wish);
    const long where = trial.spot
                           ? 1000L * (long)(2 * trial.spot->offset + trial.spot->to_end + 1)
                           : (long)trial.placement;
    check_at("len=%ld k=%ld flags=0x%lx placement=%ld (+10 in place, +100 repeated, "
             "+1000*(2*offset+end+1) at a spot)",
             (long)trial.len, trial.k, trial.flags,
             where + 10L * trial.in_place + 100L * trial.repeated);
    trial_prepare(entry, &trial);
    judge_outputs(entry, &trial);
    trial_run(entry, &trial);
    check_outcome(entry, &trial);
}
