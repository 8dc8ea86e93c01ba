/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of P and Q and Adler-32 of every kernel set that this machine can run,
 * against judge.h.  A case is one entry of a set: `avx2 check PQ`.
 */
#include "check.h"
#include "judge.h"
#include "kernels.h"

#include <string.h>

#define MOST_SOURCES 255
#define MOST_BYTES (16 * 1024)
#define MOST_BLOCKS (MOST_SOURCES + PXR_SPECIAL_PQ)

/* The sources and behind them P, or P and Q: where they are, and what they hold. */
static struct {
    struct check_guard guards[MOST_BLOCKS];
    uint8_t *block[MOST_BLOCKS], *parity[PXR_SPECIAL_PQ];
    uint8_t before[MOST_BLOCKS][MOST_BYTES];
} room;

static void make_room(void)
{
    for (unsigned i = 0; i < MOST_BLOCKS; i++)
        room.guards[i] = check_guard_new(MOST_BYTES);
}

/* One entry of a set, and one stripe to check. */
struct trial {
    const struct pxr_kernels *set;
    unsigned special, k;
    size_t len;
};

static unsigned blocks_of(const struct trial *t)
{
    return t->k + t->special;
}

/* ---------------------------------------------------------------- stripe -- */

/* Random sources and the right P and Q, in the blocks that were placed. */
static void fill_blocks(const struct trial *t)
{
    for (unsigned i = 0; i < blocks_of(t); i++) {
        if (i < t->k)
            check_fill(room.block[i], t->len);
        else
            memset(room.block[i], 0, t->len);
    }
    for (unsigned r = 0; r < t->special; r++)
        room.parity[r] = room.block[t->k + r];
    judge_syndrome(t->len, 0, t->k, (const uint8_t *const *)room.block, room.parity[0],
                   t->special == PXR_SPECIAL_PQ ? room.parity[1] : NULL);
    for (unsigned i = 0; i < blocks_of(t); i++)
        memcpy(room.before[i], room.block[i], t->len);
}

static void prepare(const struct trial *t, enum check_placement placement)
{
    for (unsigned i = 0; i < blocks_of(t); i++)
        room.block[i] = check_place(&room.guards[i], t->len, placement);
    fill_blocks(t);
}

static void check_blocks(const struct trial *t)
{
    for (unsigned i = 0; i < blocks_of(t); i++) {
        CHECK_BYTES(room.block[i], room.before[i], t->len);
        CHECK_UNTOUCHED(&room.guards[i], room.block[i], t->len);
    }
}

/* ---------------------------------------------------------------- checks -- */

static size_t run(const struct trial *t)
{
    const unsigned flags = (unsigned)check_random() & PXR_STREAM;
    return t->set->check[t->special](t->len, t->k, (const uint8_t *const *)room.block,
                                     room.parity, flags);
}

/* One bit at `first` is wrong, in some block, and often others behind it are: the
   answer is a block that begins there or less than a step before. */
static void wrong_from(const struct trial *t, size_t first)
{
    const unsigned block = (unsigned)check_below(blocks_of(t));
    const unsigned other = (unsigned)check_below(blocks_of(t));
    const size_t later = first + 1 + check_below(2 * t->set->step);
    const uint8_t bit = (uint8_t)(1u << check_below(8));
    room.block[block][first] ^= bit;
    if (later < t->len)
        room.block[other][later] ^= 0x81;
    const size_t at = run(t);
    CHECK(at <= first && first - at < t->set->step);
    room.block[block][first] ^= bit;
    if (later < t->len)
        room.block[other][later] ^= 0x81;
}

/* None wrong, and the first, the last and some others. */
static void attempt(const struct trial *t)
{
    check_at("len=%ld k=%ld", (long)t->len, t->k, 0, 0);
    CHECK_INT((long long)run(t), (long long)t->len);
    if (t->len > 0) {
        wrong_from(t, 0);
        wrong_from(t, t->len - 1);
        wrong_from(t, check_below(t->len));
    }
    check_blocks(t);
}

static void sweep_lengths(struct trial t)
{
    const size_t step = t.set->step;
    for (t.len = 0; t.len <= 2 * step + 1 || t.len <= 300; t.len++)
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++) {
            const bool matters = t.len <= 1 || check_border(t.len, step) ||
                                 (t.len < step && placement == CHECK_AT_END);
            if (!matters && (!check_sampled() || (t.len > 512 && check_below(8) > 0)))
                continue;
            t.k = (unsigned)(t.len % 6);
            prepare(&t, placement);
            attempt(&t);
        }
}

/* A difference at every offset, with no source, one and some. */
static void sweep_offsets(struct trial t)
{
    for (t.k = 0; t.k <= 4; t.k++) {
        t.len = 2 * t.set->step + 1 + check_below(t.set->step);
        prepare(&t, CHECK_ANYWHERE);
        for (size_t first = 0; first < t.len; first++) {
            check_at("len=%ld k=%ld first=%ld", (long)t.len, t.k, (long)first, 0);
            if (check_border(first, 64) || check_sampled())
                wrong_from(&t, first);
        }
        check_blocks(&t);
    }
}

static void sweep_sources(struct trial t)
{
    static const unsigned some_k[] = {0, 1, 2, 3, 7, 10, 17, 32, 33, 100, 254, 255};
    for (size_t i = 0; i < sizeof some_k / sizeof *some_k; i++)
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++) {
            t.k = some_k[i];
            t.len = check_below(4 * t.set->step);
            prepare(&t, placement);
            attempt(&t);
        }
}

/* Every block at every offset from a cache line. */
static void sweep_alignment(struct trial t)
{
    const unsigned offsets = check_effort(64), apart = 64 / offsets;
    t.k = 3;
    t.len = 2 * t.set->step + 7;
    for (unsigned number = 0; number < offsets; number++) {
        const size_t offset = number * apart + check_below(apart);
        for (unsigned i = 0; i < blocks_of(&t); i++)
            room.block[i] = check_from_start(&room.guards[i], t.len, (offset + 21 * i) % 64);
        fill_blocks(&t);
        attempt(&t);
    }
}

/* Lengths at which it may prefetch. */
static void sweep_long(struct trial t)
{
    for (unsigned round = 0; round < check_effort(40); round++) {
        t.k = (unsigned)check_below(12);
        t.len = check_below(round % 8 == 0 ? 12000 : 3000);
        prepare(&t, round % CHECK_PLACEMENTS);
        attempt(&t);
    }
}

static void test_check(const struct pxr_kernels *set, unsigned special, const char *name)
{
    const struct trial t = {.set = set, .special = special};
    if (!check_case("%s check %s", set->name, name))
        return;
    sweep_lengths(t);
    sweep_offsets(t);
    sweep_sources(t);
    sweep_alignment(t);
    sweep_long(t);
}

/* --------------------------------------------------------------- adler32 -- */

static const uint32_t some_seeds[] = {1, 0, 0xfff0fff0, 0xfff1fff1, 0xffffffff};

static uint32_t any_seed(void)
{
    const size_t number = check_below(2 * sizeof some_seeds / sizeof *some_seeds);
    return number < sizeof some_seeds / sizeof *some_seeds ? some_seeds[number]
                                                           : (uint32_t)check_random();
}

static void adler_of(const struct pxr_kernels *set, const uint8_t *bytes, size_t len)
{
    const uint32_t seed = any_seed();
    check_at("len=%ld seed=0x%lx", (long)len, (long)seed, 0, 0);
    CHECK_INT(set->adler32(seed, bytes, len), judge_adler32(seed, bytes, len));
}

/*
 * Sums are largest where all bytes are 0xff, over lengths at which lanes of 32 bits are
 * reduced again and again: a set may go on for 1024 vectors, which are no longer than a
 * quarter of its step; four times as many would overflow.
 */
static void adler_of_most(const struct pxr_kernels *set)
{
    const size_t between = 1024 * set->step / 4, len = 4 * between + set->step + 3;
    struct check_guard guard = check_guard_new(len);
    uint8_t *bytes = check_to_end(&guard, len, 0);
    memset(bytes, 0xff, len);
    adler_of(set, bytes, len);
    adler_of(set, bytes + len - between, between);
    adler_of(set, bytes + len - between + 1, between - 1);
    for (unsigned round = 0; round < check_effort(4); round++) {
        const size_t some = check_below(len);
        adler_of(set, bytes + len - some, some);
    }
    check_fill(bytes, len);
    adler_of(set, bytes, len);
    check_guard_free(&guard);
}

static void test_adler(const struct pxr_kernels *set)
{
    const struct check_guard *guard = &room.guards[0];
    if (!check_case("%s adler32", set->name))
        return;
    for (size_t len = 0; len <= 2 * set->step + 1 || len <= 300; len++)
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++) {
            if (!check_border(len, 16) && !check_sampled())
                continue;
            uint8_t *bytes = check_place(guard, len, placement);
            check_fill(bytes, len);
            adler_of(set, bytes, len);
        }
    for (unsigned offset = 0; offset < 64; offset++) {
        const size_t len = set->step + check_below(set->step);
        uint8_t *bytes = check_from_start(guard, len, offset);
        check_fill(bytes, len);
        adler_of(set, bytes, len);
    }
    adler_of_most(set);
}

static void test_set(const struct pxr_kernels *set)
{
    test_check(set, PXR_SPECIAL_P, "P");
    test_check(set, PXR_SPECIAL_PQ, "PQ");
    test_adler(set);
}

int main(int argc, char **argv)
{
    check_start("test_kernel_scans", argc, argv);
    judge_start();
    make_room();
    check_each_kernel_set(test_set);
    return check_finish();
}
