/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: its cache of clean blocks.  The simulator has histories with a cache, too.
 */
#include "array_rig.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t some_uuid[16] = "0123456789abcde";

static unsigned reads_of_all(void)
{
    unsigned reads = 0;
    for (unsigned i = 0; i < rig.width; i++) {
        reads += rig.store[i].reads;
        rig.store[i].reads = 0;
    }
    return reads;
}

static struct core_status status_of(void)
{
    struct core_status status;
    core_status(rig.core, &status);
    return status;
}

static unsigned reads_of_write(uint64_t offset, uint64_t len)
{
    (void)reads_of_all();
    rig_write(offset, len);
    return reads_of_all();
}

static unsigned reads_of_read(uint64_t offset, uint64_t len)
{
    (void)reads_of_all();
    CHECK_INT(rig_run(CORE_READ, offset, len, rig.buffer, false), PXR_OK);
    CHECK(memcmp(rig.buffer, rig.model + offset, len) == 0);
    return reads_of_all();
}

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ------------------------------------------------------------------- reads -- */

/* What was read or written is read again without the members. */
static void check_hot(unsigned k, unsigned m)
{
    const struct core_options options = {.cache = 4096}, none = {.cache = 0};
    const unsigned alone = least_of(1 + m, k - 1);
    rig_begin(k, m, CORE_BLOCK, false, &options);
    rig_write(0, rig.capacity);
    rig_reassemble(&none, 0, k + m);
    CHECK_INT(reads_of_write(0, CORE_BLOCK), alone);
    CHECK_INT(reads_of_write(0, CORE_BLOCK), alone);
    CHECK_INT(reads_of_read(0, CORE_BLOCK), 1);
    CHECK_INT(status_of().cache_hits + status_of().cache_misses + status_of().cached, 0);
    CHECK_INT(rig_stop(), PXR_OK);
    CHECK_INT(core_create(&rig.core, &options), PXR_OK);
    CHECK_INT(rig_assemble(0, k + m), PXR_OK);
    CHECK_INT(rig_run(CORE_READ, rig.capacity - 1, 1, rig.buffer, false), PXR_OK);
    CHECK_INT(reads_of_write(0, CORE_BLOCK), alone);
    CHECK_INT(reads_of_write(0, CORE_BLOCK), 0);
    CHECK_INT(reads_of_write(100, 200), 0);
    CHECK_INT(reads_of_write(0, (uint64_t)k * CORE_BLOCK), 0);
    CHECK_INT(reads_of_write(CORE_BLOCK / 2, CORE_BLOCK), 0);
    CHECK_INT(reads_of_read(0, (uint64_t)k * CORE_BLOCK), 0);
    const uint64_t next = (uint64_t)k * CORE_BLOCK;
    CHECK_INT(reads_of_read(next, CORE_BLOCK), 1);
    CHECK_INT(reads_of_read(next, CORE_BLOCK), 0);
    CHECK(status_of().cache_hits > 0);
    CHECK(status_of().cache_misses >= alone + 2);
    CHECK(status_of().cached > k);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* ------------------------------------------------------------------- space -- */

/* The cache takes no page away from those who work, however small the pool is. */
static void check_small(unsigned k, unsigned m, unsigned cache)
{
    const struct core_options options = {.pages = core_least_pages(k, m), .cache = cache};
    rig_begin(k, m, 8192, true, &options);
    rig_write(0, rig.capacity);
    for (unsigned i = 0; i < 10; i++) {
        rig_random_ops(20);
        rig_check_all();
        CHECK(core_check(rig.core) == NULL);
        const struct core_status status = status_of();
        CHECK_INT(status.cache, cache);
        CHECK(status.cached > 0 && status.cached <= options.pages + cache);
    }
    core_commit(rig.core);
    rig_drain();
    CHECK_INT(status_of().pages_free, options.pages);
    rig_reassemble(&options, m, k);
    rig_random_ops(40);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

static void check_options(void)
{
    const struct core_options options = {.cache = CORE_MOST_PAGES + 1};
    struct core *core;
    CHECK_INT(core_create(&core, &options), PXR_EINVAL);
}

/* ----------------------------------------------------------------- members -- */

/* A scrub looks at the members, whatever the cache has. */
static void check_scrub(unsigned k, unsigned m)
{
    const struct core_options options = {.cache = 4096};
    const struct disk_super super =
        (rig_begin(k, m, CORE_BLOCK, false, &options), rig_super(0));
    rig_write(0, rig.capacity);
    rig_check_all();
    for (unsigned i = 0; i < m; i++)
        rig.store[i].bytes[super.layout.data_at + 5] ^= 1;
    CHECK_INT(reads_of_read(0, (uint64_t)k * CORE_BLOCK), 0);
    CHECK_INT(rig_scrub(false).scrub_bad, m);
    CHECK_INT(rig_scrub(true).scrub_repaired, m);
    CHECK_INT(rig_scrub(false).scrub_bad, 2 * m); /* both scrubs together */
    CHECK_INT(reads_of_read(0, (uint64_t)k * CORE_BLOCK), 0);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* What a member held that has left is not taken for what it would hold now, neither while it is
   away nor when it, or another one, is back. */
static void check_leaving(unsigned k, unsigned m, bool back)
{
    const struct core_options options = {.cache = 4096, .sync_window = 1};
    struct outcome outcome = {false, 0};
    rig_begin(k, m, CORE_BLOCK, false, &options);
    rig_write(0, rig.capacity);
    rig_check_all();
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_check_all();
    rig_write(0, rig.capacity / 2);
    CHECK_INT(rig_run(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
    rig_check_all();
    rig.store[1].hold_read = true; /* of the rebuild, in the first stripe */
    if (back) {
        rig_readd(0);
    } else {
        core_replace(rig.core, 0, rig.member[0], some_uuid, rig_job_done, &outcome);
        rig_drain();
        CHECK(outcome.ended && outcome.status == PXR_OK);
    }
    CHECK_INT(status_of().state[0], CORE_REBUILDING);
    (void)reads_of_read(rig.capacity / 4, rig.capacity / 4);
    rig_release(&rig.store[1], 0);
    rig_drain();
    rig_check_all();
    CHECK_INT(status_of().state[0], CORE_IN_SYNC);
    for (unsigned i = 1; i <= m; i++)
        CHECK_INT(core_fail(rig.core, i), PXR_OK);
    rig_check_all();
    rig_random_ops(40);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Trimmed rows are zeros, and what is written to a part of them does not bring the rest back.
 */
static void check_trim(unsigned k, unsigned m)
{
    const struct core_options options = {.cache = 4096};
    rig_begin(k, m, CORE_BLOCK, false, &options);
    rig_write(0, rig.capacity);
    rig_check_all();
    const unsigned before = status_of().cached;
    rig_trim(0, (uint64_t)k * CORE_BLOCK, true);
    core_commit(rig.core);
    rig_drain();
    CHECK_INT(status_of().cached, before - (k + m));
    rig_check_all();
    rig_write(CORE_BLOCK, 300);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* --------------------------------------------------------------- checksums -- */

/* Lets memory forget the checksums of the first page, by looking at all others. */
static void forget_sums(uint64_t far)
{
    for (unsigned i = 0; i < 2; i++) {
        CHECK_INT(rig_run(CORE_READ, far, 1, rig.buffer, false), PXR_OK);
        CHECK_INT(rig_run(CORE_READ, rig.capacity - 1, 1, rig.buffer, false), PXR_OK);
    }
}

/*
 * A member loses the write of a page of checksums, and memory has forgotten the page.  What the
 * cache has does not match the old checksum then, just as what is in place.  And a block that
 * is older than what is in place must not be left there, for it would match.
 */
static void check_lost_page(void)
{
    const struct core_options options = {.cache = 4096, .sum_pages = 1};
    const unsigned role = 0;
    rig.size = LARGE_MEMBER;
    rig_begin(2, 1, CORE_BLOCK, false, &options);
    const uint64_t far = rig.capacity / 2;
    rig_write(0, 2 * CORE_BLOCK);
    rig_write(far, CORE_BLOCK);
    rig_write(rig.capacity - 2 * CORE_BLOCK, CORE_BLOCK);
    forget_sums(far);
    uint8_t *copy = rig_copy_sums(role);
    CHECK_INT(reads_of_read(0, 2 * CORE_BLOCK) > 0, 1); /* pages of checksums */
    CHECK_INT(reads_of_read(0, 2 * CORE_BLOCK), 0);
    rig_write(0, 2 * CORE_BLOCK);
    forget_sums(far);
    forget_sums(far);
    rig_bring_back_page(role, copy, 0);
    CHECK_INT(rig_run(CORE_READ, 0, 2 * CORE_BLOCK, rig.buffer, false), PXR_OK);
    CHECK(memcmp(rig.buffer, rig.model, 2 * (size_t)CORE_BLOCK) == 0);
    CHECK(status_of().bad_sums[role] > 0);
    free(copy);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

int main(int argc, char **argv)
{
    static const unsigned codes[][2] = {{2, 1}, {4, 2}, {3, 3}, {8, 3}};
    check_start("test_array_cache", argc, argv);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        const unsigned k = codes[i][0], m = codes[i][1];
        if (check_case("hot blocks of %u+%u", k, m))
            check_hot(k, m);
        if (check_case("a small cache of %u+%u", k, m))
            for (unsigned cache = 1; cache < 40; cache += 13)
                check_small(k, m, cache);
        if (check_case("a scrub of %u+%u", k, m))
            check_scrub(k, m);
        if (check_case("a member of %u+%u leaves", k, m)) {
            check_leaving(k, m, false);
            check_leaving(k, m, true);
        }
        if (check_case("a trim in %u+%u", k, m))
            check_trim(k, m);
    }
    if (check_case("a lost page of checksums"))
        check_lost_page();
    if (check_case("impossible options"))
        check_options();
    return check_finish();
}
