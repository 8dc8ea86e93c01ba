/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer entry for permxor_raid.h.  The input chooses a stripe, losses, changes and
 * damage, and buffers to scan; judge.h says what must come out.  Every buffer is an
 * allocation of its own, so that a sanitizer sees a step beyond any of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "judge.h"
#include "permxor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_BLOCKS (PXR_RAID_MAX_DATA + 2)

struct subject {
    unsigned n;
    size_t len;
    uint8_t *block[MOST_BLOCKS]; /* P is block[n], Q block[n+1] */
};

static const uint8_t *const *data_of(const struct subject *s)
{
    return (const uint8_t *const *)s->block;
}

static uint8_t *allocate(size_t len)
{
    uint8_t *bytes = calloc(1, len + (len == 0));
    REQUIRE(bytes != NULL);
    return bytes;
}

static uint8_t *copy_of(const uint8_t *bytes, size_t len)
{
    uint8_t *copy = allocate(len);
    if (len > 0) /* bytes may be NULL: there was no input */
        memcpy(copy, bytes, len);
    return copy;
}

/* ------------------------------------------------------------- the stripe -- */

/* What P and Q are off by, to free(). */
static void parity_off(const struct subject *s, uint8_t **p, uint8_t **q)
{
    *p = copy_of(s->block[s->n], s->len);
    *q = copy_of(s->block[s->n + 1], s->len);
    judge_syndrome(s->len, 0, s->n, data_of(s), *p, *q);
}

static size_t first_nonzero(const uint8_t *bytes, size_t len)
{
    size_t i = 0;
    while (i < len && bytes[i] == 0)
        i++;
    return i;
}

static void require_right(const struct subject *s)
{
    uint8_t *p, *q;
    parity_off(s, &p, &q);
    REQUIRE(first_nonzero(p, s->len) == s->len);
    REQUIRE(first_nonzero(q, s->len) == s->len);
    free(p);
    free(q);
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

/* What recovery is to say of these losses; whether each block is lost goes to is_lost. */
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
        free(given[missing]);
        given[missing] = NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        lost[i] = take_below(in, s->n + 2 + (choice == 0x80));
        if (lost[i] < s->n + 2 && given[lost[i]])
            memset(given[lost[i]], 0xA5, s->len);
    }
    const int status = expected_status(s, given, count, lost, is_lost);
    REQUIRE(pxr_raid_recover(s->n, s->len, given, count, lost) == status);
    for (unsigned i = 0; i < s->n + 2; i++) {
        bool spoilt = false;
        for (unsigned l = 0; l < count; l++)
            spoilt |= lost[l] == i;
        for (size_t b = 0; given[i] && b < s->len; b++)
            REQUIRE(given[i][b] == (spoilt && status != PXR_OK ? 0xA5 : s->block[i][b]));
        free(given[i]);
    }
}

/* ---------------------------------------------------------------- changes -- */

static void try_update(struct input *in, struct subject *s)
{
    const unsigned index = take_below(in, s->n);
    uint8_t *const fresh = allocate(s->len);
    take_bytes(in, fresh, s->len);
    REQUIRE(pxr_raid_update(index, s->len, s->block[index], fresh, s->block[s->n],
                            s->block[s->n + 1]) == PXR_OK);
    free(s->block[index]);
    s->block[index] = fresh;
    require_right(s);
}

/* Some blocks leave the stripe, and come back. */
static void try_syndrome(struct input *in, const struct subject *s)
{
    const unsigned first = take_below(in, s->n), count = take_below(in, s->n - first + 1);
    const uint8_t *blocks[PXR_RAID_MAX_DATA + 1];
    uint8_t *p = copy_of(s->block[s->n], s->len), *q = copy_of(s->block[s->n + 1], s->len);
    const unsigned chance = 1 + take(in) % 4;
    for (unsigned i = 0; i < count; i++)
        blocks[i] = take(in) % chance ? NULL : s->block[first + i];
    REQUIRE(pxr_raid_xor_syndrome(first, count, s->len, blocks, p, q) == PXR_OK);
    judge_syndrome(s->len, first, count, blocks, p, q);
    REQUIRE(memcmp(p, s->block[s->n], s->len) == 0);
    REQUIRE(memcmp(q, s->block[s->n + 1], s->len) == 0);
    free(p);
    free(q);
}

/* ---------------------------------------------------------------- damage -- */

/* Whether a change of the block alone would make all agree. */
static bool explains(const struct subject *s, unsigned block, const uint8_t *p,
                     const uint8_t *q)
{
    if (block >= s->n)
        return first_nonzero(block == s->n ? q : p, s->len) == s->len;
    uint8_t power = 1;
    for (unsigned i = 0; i < block; i++)
        power = judge_mul(2, power);
    for (size_t i = 0; i < s->len; i++)
        if (q[i] != judge_mul(power, p[i]))
            return false;
    return true;
}

static void try_check(struct input *in, struct subject *s)
{
    for (unsigned errors = take(in) % 5; errors > 0 && s->len > 0; errors--)
        s->block[take_below(in, s->n + 2)][take_below(in, (unsigned)s->len)] ^= take(in);
    uint8_t *p, *q;
    parity_off(s, &p, &q);
    struct pxr_raid_report got;
    const int status =
        pxr_raid_check(s->n, s->len, data_of(s), s->block[s->n], s->block[s->n + 1], &got);
    REQUIRE(got.first_p == first_nonzero(p, s->len));
    REQUIRE(got.first_q == first_nonzero(q, s->len));
    const bool agree = got.first_p == s->len && got.first_q == s->len;
    REQUIRE(status == (agree ? PXR_OK : PXR_EMISMATCH));
    unsigned suspect = PXR_RAID_UNKNOWN;
    for (unsigned i = 0; i < s->n + 2 && !agree && suspect == PXR_RAID_UNKNOWN; i++)
        if (explains(s, i, p, q))
            suspect = i;
    REQUIRE(got.suspect == suspect);
    free(p);
    free(q);
}

/* ------------------------------------------------------------------ scans -- */

/* What is left of the input, and a copy with a byte or none changed. */
static void try_scans(struct input *in)
{
    const size_t at = take_below(in, 2000);
    const uint8_t change = take(in);
    const size_t len = in->size;
    uint8_t *const bytes = copy_of(in->data, len), *const other = copy_of(in->data, len);
    if (at < len)
        other[at] ^= change;
    REQUIRE(pxr_compare(bytes, other, len) == (at < len && change ? at : len));
    REQUIRE(pxr_find_nonzero(bytes, len) == first_nonzero(bytes, len));
    const uint32_t adler = pxr_adler32(1, bytes, len);
    REQUIRE(adler == judge_adler32(1, bytes, len));
    const size_t split = at < len ? at : len;
    REQUIRE(pxr_adler32_combine(pxr_adler32(1, bytes, split),
                                pxr_adler32(1, bytes + split, len - split),
                                len - split) == adler);
    free(bytes);
    free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool started;
    if (!started)
        judge_start();
    started = true;

    struct input in = {data, size};
    struct subject s = {0};
    if (take(&in) % 4 == 0) {
        try_scans(&in);
        return 0;
    }
    try_generate(&in, &s);
    for (unsigned times = 1 + take(&in) % 3; times > 0; times--)
        try_recover(&in, &s);
    try_update(&in, &s);
    try_syndrome(&in, &s);
    try_check(&in, &s);
    for (unsigned i = 0; i < s.n + 2; i++)
        free(s.block[i]);
    return 0;
}
