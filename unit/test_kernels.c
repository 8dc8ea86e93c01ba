/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dot products and multiplications of every kernel set that this machine can run, compared
 * with judge.h; test_kernel_scans tests the other operations.  A case is one entry of a set's
 * tables: `avx2 PQ+3` is the dot product with two special rows and three general ones, and
 * `avx2 mad 2` multiplies one source for two outputs.  With --bench, each entry is timed after
 * its test.
 */
#include "check.h"
#include "kernel_trial.h"

#include <stdio.h>
#include <time.h>

static const unsigned some_k[] = {0, 1, 2, 3, 5, 10, 17, 32, 100, 255};

/* --------------------------------------------------------------- sweeps -- */

/* Random flags.  One call in four has PXR_DOWNWARDS without other flags of the library, because
   kernels have functions of their own for this case. */
static uint32_t any_flags(void)
{
    const uint32_t any = (uint32_t)check_random() & TRIAL_FLAGS;
    return check_below(4) == 0 ? PXR_DOWNWARDS | (any & TRIAL_ABSENT) : any;
}

/* Whether a length is near a multiple of the largest block. */
static bool is_border(const struct entry *entry, size_t len)
{
    return check_border(len, entry->set->step);
}

/* Whether a length is tried even with little effort.  This is so at the borders of blocks, and
   for every tail after which a vector that reads too far would meet the guard page. */
static bool length_matters(const struct entry *entry, size_t len,
                           enum check_placement placement)
{
    return len <= 1 || is_border(entry, len) ||
           (len < entry->set->step && placement == CHECK_AT_END);
}

static void sweep_places(const struct entry *entry)
{
    struct check_spot spot = {0};
    while (check_next_spot(&spot))
        trial_attempt(entry, (struct trial){.len = spot.len,
                                            .k = (unsigned)check_below(6),
                                            .flags = check_below(2) ? any_flags() : 0,
                                            .in_place = check_below(4) == 0,
                                            .spot = &spot});
}

/* Every length up to two blocks and one byte, at both guard pages.  Of the lengths from
   EVERY_LENGTH on, only the borders and one in eight are tried: the step of a set whose vectors
   may have any size is only an upper bound. */
#define EVERY_LENGTH 513
static void sweep_lengths(const struct entry *entry)
{
    for (size_t len = 0; len <= 2 * entry->set->step + 1 || len <= CHECK_SHORT; len++) {
        if (len >= EVERY_LENGTH && !is_border(entry, len) && check_below(8) > 0)
            continue;
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++) {
            const unsigned k = 1 + (unsigned)(len % 5);
            if (length_matters(entry, len, placement) || check_sampled())
                trial_attempt(entry, (struct trial){len, k, 0, placement, false, false, NULL});
            if (check_sampled())
                trial_attempt(entry, (struct trial){len, 6 - k, any_flags(), placement, false,
                                                    false, NULL});
            if (check_sampled())
                trial_attempt(
                    entry, (struct trial){len, k, any_flags(), placement, true, false, NULL});
        }
    }
}

/* Each number of sources in some_k, at the lengths around a block's border.  With less effort,
   at least at one of these lengths. */
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
                    trial_attempt(entry, (struct trial){lengths[l], some_k[i], any_flags(),
                                                        placement, l == 4, i % 2 == 1, NULL});
}

static void sweep_flags(const struct entry *entry)
{
    for (uint32_t low = 0; low <= PXR_SMALL_BLOCKS; low++)
        for (unsigned round = 0; round < check_effort(1); round++) {
            const uint32_t flags = low | (any_flags() & ~(uint32_t)PXR_SMALL_BLOCKS);
            size_t len = check_below(6 * entry->set->step);
            unsigned k = (unsigned)check_below(9);
            trial_attempt(entry, (struct trial){len, k, flags & TRIAL_FLAGS, CHECK_ANYWHERE,
                                                check_below(2), check_below(2), NULL});
        }
}

/* Every buffer at every offset from a cache line, with a length that exceeds the kernel's
   largest block. */
static void sweep_alignment(const struct entry *entry)
{
    const unsigned offsets = check_effort(64), apart = 64 / offsets;
    for (unsigned number = 0; number < offsets; number++) {
        const struct check_spot spot = {
            .offset = number * apart + (unsigned)check_below(apart),
            .to_end = check_below(2),
        };
        trial_attempt(entry, (struct trial){.len = 2 * entry->set->step + 7,
                                            .k = 3,
                                            .flags = any_flags(),
                                            .in_place = check_below(4) == 0,
                                            .spot = &spot});
    }
}

/* Lengths at which the kernel may prefetch or write around the caches. */
static void sweep_long(const struct entry *entry)
{
    for (unsigned round = 0; round < check_effort(80); round++) {
        const bool longest = round % 16 == 0;
        const size_t len = check_below(longest ? 12000 : 3000);
        const unsigned k = (unsigned)check_below(longest ? 24 : 12);
        trial_attempt(entry, (struct trial){len, k, any_flags(), round % CHECK_PLACEMENTS,
                                            round % 5 == 0, round % 7 == 0, NULL});
    }
}

/* ---------------------------------------------------------------- bench -- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints the source bytes per second of ten sources of 4 KiB (one source for mad): the best of
   several rounds. */
static void bench(const struct entry *entry, const char *name)
{
    const struct trial trial =
        trial_allowed(entry, (struct trial){4096, 10, 0, CHECK_AT_START, false, false, NULL});
    double best = 1e9;
    trial_prepare(entry, &trial);
    for (unsigned round = 0; round < 20; round++) {
        const unsigned calls = 500;
        double begin = seconds();
        for (unsigned call = 0; call < calls; call++)
            trial_run(entry, &trial);
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
    sweep_places(entry);
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
                const struct entry entry = {.set = set,
                                            .dot = set->dot[special][generals],
                                            .form = set->form,
                                            .specials = special,
                                            .generals = generals};
                test_entry(&entry, operation[special]);
            }
    for (enum pxr_form form = 0; form < PXR_FORMS; form++)
        for (unsigned generals = 1; generals <= PXR_MAX_ROWS; generals++)
            if (set->plain[form][generals] != NULL) {
                const struct entry entry = {.set = set,
                                            .plain = set->plain[form][generals],
                                            .form = form,
                                            .generals = generals};
                test_entry(&entry, form == PXR_MATRICES ? "plain matrices " : "plain ");
            }
    for (unsigned special = 0; special <= PXR_SPECIAL_P; special++)
        for (unsigned generals = 0; generals <= PXR_MAX_ROWS; generals++)
            if (set->mad[special][generals] != NULL) {
                const struct entry entry = {.set = set,
                                            .mad = set->mad[special][generals],
                                            .specials = special,
                                            .generals = generals};
                test_entry(&entry, special ? "mad P+" : "mad ");
            }
    test_entry(&(struct entry){.set = set,
                               .plain = set->plain[PXR_TABLES][1],
                               .form = PXR_TABLES,
                               .generals = 1,
                               .one = true},
               "plain one ");
    test_entry(
        &(struct entry){
            .set = set, .mad = set->mad[PXR_SPECIAL_NONE][1], .generals = 1, .one = true},
        "add one ");
}

int main(int argc, char **argv)
{
    check_start("test_kernels", argc, argv);
    trial_start();
    check_each_kernel_set(test_set);
    return check_finish();
}
