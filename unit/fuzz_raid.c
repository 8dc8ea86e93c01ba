/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer entry for permxor_raid.h.  The input chooses a stripe, losses, changes and damage,
 * and buffers to scan, through permxor.h and through ISA-L's names; judge.h computes the
 * expected results.  Every buffer ends at the end of an allocation of its own, so that a
 * sanitizer detects an access beyond any of them.  The input decides how far from the
 * allocation's start a buffer begins, and so how it is aligned.
 */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "fuzz_input.h"
#include "isa-l.h"
#include "isal_raid_functions.h"
#include "judge.h"
#include "permxor_raid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_BLOCKS (PXR_RAID_MAX_DATA + 2)

struct subject {
    unsigned n;
    size_t len;
    uint8_t *block[MOST_BLOCKS]; /* P is block[n], Q block[n+1] */
};

static uint8_t *const *data_of(const struct subject *s)
{
    return s->block;
}

/* ---------------------------------------------------------------- buffers -- */

/* `misalignment` decides how far behind an address of malloc() a buffer begins.  It also
   decides by how much more each next buffer is shifted, so that the buffers of a call differ.
   `buffers` counts them. */
static unsigned misalignment, buffers;

/* Keeps the shift in the byte before the buffer, for release(). */
static uint8_t *allocate(size_t len)
{
    const unsigned shift = 1 + (misalignment + buffers++ * (misalignment >> 6 & 3) * 5) % 64;
    uint8_t *room = calloc(1, shift + len);
    REQUIRE(room != NULL);
    room[shift - 1] = (uint8_t)shift;
    return room + shift;
}

static void release(uint8_t *bytes)
{
    if (bytes)
        free(bytes - bytes[-1]);
}

static uint8_t *copy_of(const uint8_t *bytes, size_t len)
{
    uint8_t *copy = allocate(len);
    if (len > 0) /* bytes may be NULL if there is no input */
        memcpy(copy, bytes, len);
    return copy;
}

/* ------------------------------------------------------------- the stripe -- */

/* Sets *p and *q to the xor of P and Q with the right ones.  The caller releases both. */
static void parity_off(const struct subject *s, uint8_t **p, uint8_t **q)
{
    *p = copy_of(s->block[s->n], s->len);
    *q = copy_of(s->block[s->n + 1], s->len);
    judge_syndrome(s->len, 0, s->n, pxr_read_only(data_of(s)), *p, *q);
}

static void require_right(const struct subject *s)
{
    uint8_t *p, *q;
    parity_off(s, &p, &q);
    REQUIRE(judge_first_nonzero(p, s->len) == s->len);
    REQUIRE(judge_first_nonzero(q, s->len) == s->len);
    release(p);
    release(q);
}

static void try_generate(struct input *in, struct subject *s)
{
    const unsigned size = take(in);
    s->n = size == 0xff ? 1 + take_below(in, PXR_RAID_MAX_DATA) : 1 + size % 20;
    s->len = take_below(in, s->n > 20 ? 200 : size % 16 ? 700 : 9000);
    for (unsigned i = 0; i < s->n + 2; i++) {
        s->block[i] = allocate(s->len);
        take_bytes(in, s->block[i], s->len);
    }
    if (take(in) & 1) {
        REQUIRE(pxr_raid_generate(s->n, s->len, data_of(s), s->block[s->n],
                                  s->block[s->n + 1]) == PXR_OK);
    } else {
        REQUIRE(pxr_raid_generate(s->n, s->len, data_of(s), NULL, s->block[s->n + 1]) ==
                PXR_OK);
        REQUIRE(pxr_raid_generate(s->n, s->len, data_of(s), s->block[s->n], NULL) == PXR_OK);
    }
    require_right(s);
}

/* ---------------------------------------------------------------- recover -- */

/* Returns the status that recovery must have for these losses.  Writes to is_lost whether each
   block is lost. */
static int expected_status(const struct subject *s, uint8_t *const *given, unsigned count,
                           const unsigned *lost, bool *is_lost)
{
    unsigned lost_data = 0, parities = 0;
    for (unsigned i = 0; i < count; i++) {
        if (lost[i] >= s->n + 2 || is_lost[lost[i]] || !given[lost[i]])
            return PXR_EINVAL;
        is_lost[lost[i]] = true;
        lost_data += lost[i] < s->n;
    }
    for (unsigned i = 0; i < s->n; i++)
        if (!given[i])
            return PXR_EINVAL;
    for (unsigned i = s->n; i < s->n + 2; i++)
        parities += given[i] && !is_lost[i];
    return lost_data > parities ? PXR_ETOOFEW : PXR_OK;
}

static void try_recover(struct input *in, const struct subject *s)
{
    uint8_t *given[MOST_BLOCKS];
    bool is_lost[MOST_BLOCKS] = {false};
    unsigned lost[4];
    const unsigned choice = take(in), count = choice % 5;
    for (unsigned i = 0; i < s->n + 2; i++)
        given[i] = copy_of(s->block[i], s->len);
    if (choice >= 0xe0) { /* one buffer is missing */
        const unsigned missing = take_below(in, s->n + 2);
        release(given[missing]);
        given[missing] = NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        lost[i] = take_below(in, s->n + 2 + (choice == 0x80));
        if (lost[i] < s->n + 2 && given[lost[i]])
            memset(given[lost[i]], 0xA5, s->len);
    }
    const int status = expected_status(s, given, count, lost, is_lost);
    REQUIRE(pxr_raid_recover(s->n, s->len, given, given[s->n], given[s->n + 1], count, lost) ==
            status);
    for (unsigned i = 0; i < s->n + 2; i++) {
        bool spoilt = false;
        for (unsigned l = 0; l < count; l++)
            spoilt |= lost[l] == i;
        for (size_t b = 0; given[i] && b < s->len; b++)
            REQUIRE(given[i][b] == (spoilt && status != PXR_OK ? 0xA5 : s->block[i][b]));
        release(given[i]);
    }
}

/* ---------------------------------------------------------------- changes -- */

enum { P = 1, Q = 2 };

/* A choice of P, Q or both. */
static unsigned take_parities(struct input *in)
{
    return 1 + take(in) % 3;
}

/* Sets *p and *q to copies of the stripe's parities, or to NULL for a parity that is not
   chosen. */
static void copy_parities(const struct subject *s, unsigned which, uint8_t **p, uint8_t **q)
{
    *p = which & P ? copy_of(s->block[s->n], s->len) : NULL;
    *q = which & Q ? copy_of(s->block[s->n + 1], s->len) : NULL;
}

/* Requires that each copy is equal to the stripe's parity, unless the copy is NULL.  Releases
   both. */
static void require_same(const struct subject *s, uint8_t *p, uint8_t *q)
{
    REQUIRE(!p || memcmp(p, s->block[s->n], s->len) == 0);
    REQUIRE(!q || memcmp(q, s->block[s->n + 1], s->len) == 0);
    release(p);
    release(q);
}

/* judge.h removes the block from P, Q or both, and an update without old data must add it
   again. */
static void try_update_without_old(struct input *in, const struct subject *s, unsigned index)
{
    const unsigned which = take_parities(in);
    uint8_t *p, *q;
    copy_parities(s, which, &p, &q);
    judge_syndrome(s->len, index, 1, pxr_read_only(data_of(s) + index), p, q);
    REQUIRE(pxr_raid_update(index, s->len, NULL, s->block[index], p, q) == PXR_OK);
    require_same(s, p, q);
}

/* Writes a new block, by one call or by one call for each of P and Q. */
static void try_update(struct input *in, struct subject *s)
{
    const unsigned index = take_below(in, s->n), which = take_parities(in);
    uint8_t *const fresh = allocate(s->len), *const p = s->block[s->n];
    uint8_t *const q = s->block[s->n + 1], *const old = s->block[index];
    take_bytes(in, fresh, s->len);
    REQUIRE(pxr_raid_update(index, s->len, old, fresh, which & P ? p : NULL,
                            which & Q ? q : NULL) == PXR_OK);
    if (which != (P | Q))
        REQUIRE(pxr_raid_update(index, s->len, old, fresh, which & P ? NULL : p,
                                which & Q ? NULL : q) == PXR_OK);
    release(old);
    s->block[index] = fresh;
    require_right(s);
    try_update_without_old(in, s, index);
}

/* The call must remove some blocks from P, Q or both, and judge.h adds them again. */
static void try_syndrome(struct input *in, const struct subject *s)
{
    const unsigned first = take_below(in, s->n), count = take_below(in, s->n - first + 1);
    const unsigned chance = 1 + take(in) % 4, which = take_parities(in);
    uint8_t *blocks[PXR_RAID_MAX_DATA + 1];
    uint8_t *p, *q;
    copy_parities(s, which, &p, &q);
    for (unsigned i = 0; i < count; i++)
        blocks[i] = take(in) % chance ? NULL : s->block[first + i];
    REQUIRE(pxr_raid_accumulate(first, count, s->len, blocks, p, q) == PXR_OK);
    judge_syndrome(s->len, first, count, pxr_read_only(blocks), p, q);
    require_same(s, p, q);
}

/* ------------------------------------------------------------------ plans -- */

/* The plan must say what follows from the state: how many blocks each method reads, and which
   method reads fewer blocks. */
static void try_plan(struct input *in)
{
    uint8_t state[MOST_BLOCKS];
    const unsigned n = 1 + take_below(in, PXR_RAID_MAX_DATA), failing = 1 + take(in) % 32;
    unsigned modify = 0, reconstruct = 0, changes = 0, parities = 0;
    bool can_modify = true, can_reconstruct = true;
    for (unsigned i = 0; i < n + 2; i++) {
        state[i] = (take(in) & 3) | (take(in) % failing == 1 ? PXR_RAID_FAILED : 0);
        const bool is_parity = i >= n, failed = state[i] & PXR_RAID_FAILED;
        const bool changed = state[i] & PXR_RAID_CHANGED, cached = state[i] & PXR_RAID_CACHED;
        const bool modify_needs = is_parity ? !failed : changed;
        const bool reconstruct_needs = !is_parity && !changed;
        changes += !is_parity && changed;
        parities += is_parity && !failed;
        modify += modify_needs && !cached;
        reconstruct += reconstruct_needs && !cached;
        can_modify &= !modify_needs || cached || !failed;
        can_reconstruct &= !reconstruct_needs || cached || !failed;
    }
    if (changes == 0 || parities == 0) {
        modify = reconstruct = 0; /* there is nothing to write */
        can_modify = can_reconstruct = true;
    }
    struct pxr_raid_plan plan;
    const int status =
        pxr_raid_write_plan(n, state, state[n], state[n + 1], &plan, sizeof plan);
    REQUIRE(status == (can_modify || can_reconstruct ? PXR_OK : PXR_ETOOFEW));
    if (status != PXR_OK)
        return;
    modify = can_modify ? modify : PXR_RAID_IMPOSSIBLE;
    reconstruct = can_reconstruct ? reconstruct : PXR_RAID_IMPOSSIBLE;
    REQUIRE(plan.read_modify_write == modify && plan.reconstruct_write == reconstruct);
    REQUIRE(plan.method ==
            (modify < reconstruct ? PXR_RAID_READ_MODIFY_WRITE : PXR_RAID_RECONSTRUCT_WRITE));
}

/* ------------------------------------------------------------ ISA-L's names -- */

/* Calls one function on the right stripe.  A check must find nothing wrong, and any other
   function must make the same P and Q.  Then a check is called with one byte changed. */
static void try_isal(struct input *in, const struct subject *s)
{
    unsigned count = 0;
    while (isal_raid_functions[count].name)
        count++;
    const struct isal_raid_function *const f = &isal_raid_functions[take(in) % count];
    const int vects = (int)(s->n + f->parities), len = (int)s->len;
    const bool valid = vects >= f->least && len % f->multiple == 0;
    void *array[MOST_BLOCKS];
    memcpy(array, s->block, sizeof array);
    for (unsigned r = 0; r < f->parities && valid && !f->checks; r++)
        memset(array[s->n + r], 0x5A, s->len);
    REQUIRE(f->ours(vects, len, array) == !valid);
    require_right(s);
    if (!valid || !f->checks || len == 0)
        return;
    uint8_t *const byte =
        s->block[take_below(in, (unsigned)vects)] + take_below(in, (unsigned)len);
    const uint8_t change = take(in);
    *byte ^= change;
    REQUIRE(f->ours(vects, len, array) == (change != 0));
    *byte ^= change;
}

/* ---------------------------------------------------------------- damage -- */

/* Checks without Q, and without a report. */
static void try_brief_checks(const struct subject *s, size_t first_p, int status)
{
    const int p_status = first_p == s->len ? PXR_OK : PXR_EMISMATCH;
    const uint8_t *const p = s->block[s->n], *const q = s->block[s->n + 1];
    struct pxr_raid_report got;
    REQUIRE(pxr_raid_check(s->n, s->len, data_of(s), p, NULL, &got, sizeof got) == p_status);
    REQUIRE(got.first_p == first_p && got.first_q == s->len);
    REQUIRE(got.suspect == PXR_RAID_UNKNOWN);
    REQUIRE(pxr_raid_check(s->n, s->len, data_of(s), p, NULL, NULL, 0) == p_status);
    REQUIRE(pxr_raid_check(s->n, s->len, data_of(s), p, q, NULL, 0) == status);
}

static void try_check(struct input *in, struct subject *s)
{
    for (unsigned errors = take(in) % 5; errors > 0 && s->len > 0; errors--)
        s->block[take_below(in, s->n + 2)][take_below(in, (unsigned)s->len)] ^= take(in);
    uint8_t *p, *q;
    parity_off(s, &p, &q);
    struct pxr_raid_report got;
    const int status = pxr_raid_check(s->n, s->len, data_of(s), s->block[s->n],
                                      s->block[s->n + 1], &got, sizeof got);
    REQUIRE(got.first_p == judge_first_nonzero(p, s->len));
    REQUIRE(got.first_q == judge_first_nonzero(q, s->len));
    const bool agree = got.first_p == s->len && got.first_q == s->len;
    REQUIRE(status == (agree ? PXR_OK : PXR_EMISMATCH));
    unsigned suspect = PXR_RAID_UNKNOWN;
    for (unsigned i = 0; i < s->n + 2 && !agree && suspect == PXR_RAID_UNKNOWN; i++)
        if (judge_explains(s->n, i, p, q, s->len))
            suspect = i;
    REQUIRE(got.suspect == suspect);
    try_brief_checks(s, got.first_p, status);
    release(p);
    release(q);
}

/* ------------------------------------------------------------------ scans -- */

/* Scans what is left of the input, and compares it with a copy in which at most one byte is
   different. */
static void try_scans(struct input *in)
{
    const size_t at = take_below(in, 2000);
    const uint8_t change = take(in);
    const size_t len = in->size;
    uint8_t *const bytes = copy_of(in->data, len), *const other = copy_of(in->data, len);
    if (at < len)
        other[at] ^= change;
    REQUIRE(pxr_compare(bytes, other, len) == (at < len && change ? at : len));
    REQUIRE(pxr_find_nonzero(bytes, len) == judge_first_nonzero(bytes, len));
    REQUIRE(isal_zero_detect(bytes, len) == (judge_first_nonzero(bytes, len) < len));
    const uint32_t seed = change % 4 ? 1 : change * 0x01010101u;
    const uint32_t adler = pxr_adler32(seed, bytes, len);
    REQUIRE(adler == judge_adler32(seed, bytes, len));
    REQUIRE(isal_adler32(seed, bytes, len) == adler);
    const size_t split = at < len ? at : len;
    REQUIRE(pxr_adler32_combine(pxr_adler32(seed, bytes, split),
                                pxr_adler32(1, bytes + split, len - split),
                                len - split) == adler);
    release(bytes);
    release(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool started;
    if (!started)
        judge_start();
    started = true;

    struct input in = {data, size};
    struct subject s = {0};
    const unsigned kind = take(&in) % 8;
    misalignment = take(&in);
    buffers = 0;
    if (kind <= 1) {
        try_scans(&in);
        return 0;
    }
    if (kind == 2) {
        try_plan(&in);
        return 0;
    }
    try_generate(&in, &s);
    try_isal(&in, &s);
    for (unsigned times = 1 + take(&in) % 3; times > 0; times--)
        try_recover(&in, &s);
    try_update(&in, &s);
    try_syndrome(&in, &s);
    try_check(&in, &s);
    for (unsigned i = 0; i < s.n + 2; i++)
        release(s.block[i]);
    return 0;
}
