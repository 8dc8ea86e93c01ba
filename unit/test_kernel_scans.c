/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of P and Q, and Adler-32, of every kernel set that this machine can run, compared
 * with judge.h.  A case is one entry of a set, for example `avx2 check PQ`.
 */
#include "check.h"
#include "judge.h"
#include "kernels.h"
#include "raid_stripe.h"

#include <string.h>

struct entry {
    const struct pxr_kernels *set;
    unsigned special;
};

/* The number of blocks of the stripe that the entry reads.  There may be no Q, and there may be
   no data. */
static unsigned blocks_of(const struct entry *e)
{
    return raid.n + e->special;
}

/* ---------------------------------------------------------------- checks -- */

static size_t run(const struct entry *e)
{
    const unsigned flags =
        (unsigned)check_random() &
        (PXR_STREAM | PXR_SMALL_BLOCKS | PXR_DOWNWARDS | PXR_AHEAD_SOURCES(5) | PXR_AHEAD_L2);
    return e->set->check[e->special](raid.len, raid.n, (const uint8_t *const *)raid.block,
                                     raid.block + raid.n, flags);
}

/* Changes one bit at `first` in some block, and often bits of a byte behind it.  The kernel
   must return an offset that is `first` or less than one step before it. */
static void wrong_from(const struct entry *e, size_t first)
{
    const unsigned block = (unsigned)check_below(blocks_of(e));
    const unsigned other = (unsigned)check_below(blocks_of(e));
    const size_t later = first + 1 + check_below(2 * e->set->step);
    const uint8_t bit = (uint8_t)(1u << check_below(8));
    raid.block[block][first] ^= bit;
    if (later < raid.len)
        raid.block[other][later] ^= 0x81;
    const size_t at = run(e);
    CHECK(at <= first && first - at < e->set->step);
    raid.block[block][first] ^= bit;
    if (later < raid.len)
        raid.block[other][later] ^= 0x81;
}

/* Checks the stripe as it is, then with an error at the first, the last and some other byte. */
static void attempt(const struct entry *e)
{
    check_at("len=%ld k=%ld", (long)raid.len, raid.n, 0, 0);
    CHECK_INT((long long)run(e), (long long)raid.len);
    if (raid.len > 0) {
        wrong_from(e, 0);
        wrong_from(e, raid.len - 1);
        wrong_from(e, check_below(raid.len));
    }
    raid_check();
}

static void sweep_places(const struct entry *e)
{
    struct check_spot spot = {0};
    while (check_next_spot(&spot)) {
        raid_fill_at((unsigned)check_below(6), &spot);
        attempt(e);
    }
}

/* Lengths beyond those of sweep_places(). */
static void sweep_lengths(const struct entry *e)
{
    const size_t step = e->set->step;
    for (size_t len = CHECK_SHORT + 1; len <= 2 * step + 1; len++)
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++) {
            const bool matters =
                check_border(len, step) || (len < step && placement == CHECK_AT_END);
            if (!matters && (!check_sampled() || (len > 512 && check_below(8) > 0)))
                continue;
            raid_fill((unsigned)(len % 6), len, placement);
            attempt(e);
        }
}

/* A difference at every offset, with 0 to 4 sources. */
static void sweep_offsets(const struct entry *e)
{
    for (unsigned k = 0; k <= 4; k++) {
        raid_fill(k, 2 * e->set->step + 1 + check_below(e->set->step), CHECK_ANYWHERE);
        for (size_t first = 0; first < raid.len; first++) {
            check_at("len=%ld k=%ld first=%ld", (long)raid.len, k, (long)first, 0);
            if (check_border(first, 64) || check_sampled())
                wrong_from(e, first);
        }
        raid_check();
    }
}

static void sweep_sources(const struct entry *e)
{
    static const unsigned some_k[] = {0, 1, 2, 3, 7, 10, 17, 32, 33, 100, 254, 255};
    for (size_t i = 0; i < sizeof some_k / sizeof *some_k; i++)
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++) {
            raid_fill(some_k[i], check_below(4 * e->set->step), placement);
            attempt(e);
        }
}

/* Every block at every offset from a cache line, with a length that exceeds the kernel's
   largest block. */
static void sweep_alignment(const struct entry *e)
{
    const unsigned offsets = check_effort(64), apart = 64 / offsets;
    for (unsigned number = 0; number < offsets; number++) {
        const unsigned offset = number * apart + (unsigned)check_below(apart);
        raid_fill_at(3, &(struct check_spot){.len = 2 * e->set->step + 7, .offset = offset});
        attempt(e);
    }
}

/* Lengths at which the kernel may prefetch. */
static void sweep_long(const struct entry *e)
{
    for (unsigned round = 0; round < check_effort(40); round++) {
        raid_fill((unsigned)check_below(12), check_below(round % 8 == 0 ? 12000 : 3000),
                  round % CHECK_PLACEMENTS);
        attempt(e);
    }
}

static void test_check(const struct pxr_kernels *set, unsigned special, const char *name)
{
    const struct entry entry = {set, special};
    if (!check_case("%s check %s", set->name, name))
        return;
    sweep_places(&entry);
    sweep_lengths(&entry);
    sweep_offsets(&entry);
    sweep_sources(&entry);
    sweep_alignment(&entry);
    sweep_long(&entry);
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
 * Sums are largest when all bytes are 0xff.  The lengths are those at which lanes of 32 bits
 * have to be reduced several times.  A kernel may add 1024 vectors before it reduces, and a
 * vector has at most a quarter of the set's step.  With four times as many vectors the lanes
 * would overflow.
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
    const struct check_guard *guard = &raid.guard[0];
    struct check_spot spot = {0};
    if (!check_case("%s adler32", set->name))
        return;
    while (check_next_spot(&spot)) {
        uint8_t *bytes = check_at_spot(guard, spot.len, &spot, 0);
        check_fill(bytes, spot.len);
        adler_of(set, bytes, spot.len);
    }
    for (size_t len = CHECK_SHORT + 1; len <= 2 * set->step + 1; len++)
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
    raid_start();
    check_each_kernel_set(test_set);
    return check_finish();
}
