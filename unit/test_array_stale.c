/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core: members that lose writes of pages of checksums.  Random histories of trims,
 * writes, crashes, and members that leave, come back or are replaced.  At no time are more than
 * m members lost or at fault, so the array always has to hold what the model holds.
 */
#include "array_rig.h"
#include "check.h"
#include "mask.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8192, SEVERAL_PAGES = 8 << 20, ROUNDS = 30, CYCLES = 4 };

static bool one_in(unsigned count)
{
    return rig_below(count) == 0;
}

static void any_trim(void)
{
    uint64_t offset = rig_below(rig.capacity), len = rig_below(200000);
    if (one_in(2))
        offset -= offset % rig_stripe_size();
    if (len > rig.capacity - offset)
        len = rig.capacity - offset;
    rig_trim(offset, len, one_in(2));
}

static void write_stripe(void)
{
    const uint64_t size = rig_stripe_size();
    rig_write(rig_below(rig.capacity / size) * size, size);
}

/* Only trims, sometimes: what else changes makes a scrub write the pages. */
static void any_ops(unsigned count)
{
    const bool only_trims = one_in(3);
    for (unsigned i = 0; i < count; i++) {
        if (only_trims || one_in(3))
            any_trim();
        else if (one_in(3))
            write_stripe();
        else
            rig_random_ops(1);
        if (one_in(10)) {
            core_commit(rig.core);
            rig_drain();
        }
    }
}

/* ----------------------------------------------------------------- members -- */

static unsigned parity(void)
{
    return rig_super(0).parity;
}

/* Any roles. */
static pxa_mask some_roles(unsigned count)
{
    pxa_mask roles = 0;
    for (unsigned i = 0; i < count;) {
        const pxa_mask role = mask_of((unsigned)rig_below(rig.width));
        i += (roles & role) == 0;
        roles |= role;
    }
    return roles;
}

static void assemble_without(pxa_mask lost)
{
    struct outcome outcome = {false, 0};
    struct core_member member[PXA_MAX_MEMBERS];
    unsigned count = 0;
    for (unsigned role = 0; role < rig.width; role++)
        if (!mask_has(lost, role))
            member[count++] = rig.member[role];
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    core_assemble(rig.core, member, count, rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    CHECK_INT(outcome.status, PXR_OK);
}

/* The device of a role as a new member. */
static void replace(unsigned role)
{
    static uint64_t number;
    struct outcome outcome = {false, 0};
    uint8_t uuid[16] = "replacement";
    number++;
    memcpy(uuid + 8, &number, sizeof number);
    core_replace(rig.core, role, rig.member[role], uuid, rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    CHECK_INT(outcome.status, PXR_OK);
}

/* ------------------------------------------------------------- stale pages -- */

struct stale {
    pxa_mask roles;
    uint8_t *copy[PXA_MAX_MEMBERS];
};

static struct stale remember(pxa_mask roles)
{
    struct stale stale = {.roles = roles};
    for (unsigned role = 0; role < rig.width; role++)
        if (mask_has(roles, role))
            stale.copy[role] = rig_copy_sums(role);
    return stale;
}

/* The members have lost all writes of some pages since. */
static void bring_back(const struct stale *stale)
{
    const struct disk_layout layout = rig_super(0).layout;
    const uint64_t pages = (layout.data_at - layout.sums_at) / (2 * CORE_BLOCK);
    for (unsigned role = 0; role < rig.width; role++) {
        if (!mask_has(stale->roles, role))
            continue;
        for (uint64_t page = 0; page < pages; page++)
            if (pages == 1 || one_in(2))
                rig_bring_back_page(role, stale->copy[role], page);
        free(stale->copy[role]);
    }
}

/* ------------------------------------------------------------------ rounds -- */

/* Ends the use of the array.  Returns whether that was a crash. */
static bool leave_array(void)
{
    if (!one_in(3)) {
        CHECK_INT(rig_stop(), PXR_OK);
        return false;
    }
    CHECK_INT(rig_run(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
    core_free(rig.core);
    return true;
}

/* A member whose pages may be stale leaves, sometimes before anything has read them. */
static void leave_and_come_back(unsigned role)
{
    CHECK_INT(core_fail(rig.core, role), PXR_OK);
    if (one_in(2))
        rig_write(rig_below(rig.capacity - 100), 100);
    if (one_in(2)) {
        CHECK_INT(rig_stop(), PXR_OK);
        assemble_without(mask_of(role));
    }
    if (one_in(3))
        any_ops(3);
    rig_readd(role);
    if (one_in(2))
        any_ops(3);
}

static void check_scrub(void)
{
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    rig_check_all();
}

/* The stale members are good again, so that any others may be lost. */
static void lose_others(void)
{
    const pxa_mask lost = some_roles((unsigned)rig_below(parity() + 1));
    CHECK_INT(rig_stop(), PXR_OK);
    assemble_without(lost);
    rig_check_all();
    if (one_in(2))
        any_ops(3);
    for (unsigned role = 0; role < rig.width; role++) {
        if (mask_has(lost, role) && one_in(2))
            rig_readd(role);
        else if (mask_has(lost, role))
            replace(role);
    }
    rig_check_all();
}

/* Returns how it has left the array, and gets how the last one has. */
static bool check_cycle(bool crashed)
{
    const unsigned bad = (unsigned)rig_below(rig.width),
                   count = 1 + (unsigned)rig_below(parity());
    pxa_mask roles = 0;
    for (unsigned i = 0; i < count; i++)
        roles |= mask_of((bad + i) % rig.width);
    if (crashed && one_in(2))
        rig_make_page_newer(bad);
    const struct stale stale = remember(roles);
    assemble_without(0);
    if (!crashed || one_in(2))
        any_ops(1 + (unsigned)rig_below(12));
    leave_array();
    bring_back(&stale);
    assemble_without(0);
    if (one_in(2))
        leave_and_come_back(bad);
    rig_check_all();
    if (one_in(4))
        any_ops(3);
    check_scrub();
    lose_others();
    any_ops((unsigned)rig_below(4));
    return leave_array();
}

static void check_round(unsigned k, unsigned m)
{
    rig.size = one_in(16) ? SEVERAL_PAGES : MEMBER_SIZE;
    rig_begin(k, m, CHUNK, one_in(2), NULL);
    any_ops(10);
    bool crashed = leave_array();
    for (unsigned i = 0; i < CYCLES; i++)
        crashed = check_cycle(crashed);
    rig_end();
}

int main(int argc, char **argv)
{
    static const unsigned codes[][2] = {{2, 1}, {1, 1}, {4, 2}, {1, 2}, {2, 3}, {3, 3}};
    check_start("test_array_stale", argc, argv);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        const unsigned k = codes[i][0], m = codes[i][1];
        if (!check_case("members lose writes of pages, %u+%u", k, m))
            continue;
        for (unsigned round = check_effort(ROUNDS); round > 0; round--)
            check_round(k, m);
    }
    return check_finish();
}
