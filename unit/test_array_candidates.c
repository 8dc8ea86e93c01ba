/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: who is a current member, and which members this version knows. */
#include "array_rig.h"
#include "check.h"
#include "core/candidates.h"

#include <string.h>

/* What the superblock of a member says, as far as candidates are judged by it. */
static struct disk_super some_super(unsigned k, unsigned m)
{
    struct disk_super super = {.data = k, .parity = m, .sequence = 77, .events = 5};
    for (unsigned i = 0; i < k + m; i++) {
        memset(super.roles[i].uuid, (int)i + 1, 16);
        super.roles[i].state = CORE_IN_SYNC;
    }
    return super;
}

/* -------------------------------------------------------------- candidates -- */

static void make_candidates(struct candidate *candidates, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        candidates[i].status = PXR_OK;
        candidates[i].super = some_super(n - 2, 2);
        candidates[i].super.role = i;
        memcpy(candidates[i].super.member_uuid, candidates[i].super.roles[i].uuid, 16);
    }
}

/* Member `role` leaves, and the members of `told` know of it. */
static void leave(struct candidate *candidates, unsigned n, unsigned role, unsigned told)
{
    for (unsigned i = 0; i < n; i++)
        if (told >> i & 1) {
            candidates[i].super.events++;
            candidates[i].super.roles[role].state = CORE_FAILED;
            candidates[i].super.roles[role].left = candidates[i].super.events;
        }
}

static void check_candidates(void)
{
    struct candidate c[5];
    struct chosen chosen;
    struct pxr_error why;
    make_candidates(c, 5);
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXR_OK);
    for (int i = 0; i < 5; i++)
        CHECK_INT(chosen.device[i], i);
    leave(c, 5, 4, 0xf); /* all are told: member 4 is stale */
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXR_OK);
    CHECK_INT(chosen.device[4], -1);
    make_candidates(c, 5);
    leave(c, 5, 4, 1); /* a crash before the others were told */
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXR_OK);
    CHECK(chosen.device[4] == -1 && chosen.device[3] == 3);
    CHECK_INT(candidates_choose(c + 1, 4, &chosen, &why), PXR_OK);
    CHECK(chosen.device[4] == 3);
    leave(c, 5, 0, 0x1e); /* both sides went on alone */
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    leave(c, 5, 1, 0x1c);
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    CHECK(strstr(why.text, "two candidates") != NULL);
    make_candidates(c, 5);
    c[2].super.uuid[0]++;
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    make_candidates(c, 5);
    c[2].super = c[1].super;
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    make_candidates(c, 5);
    CHECK_INT(candidates_choose(c, 2, &chosen, &why), PXR_ETOOFEW);
    c[0].status = c[1].status = PXA_ENONE;
    CHECK_INT(candidates_choose(c, 2, &chosen, &why), PXA_ENONE);
}

/* ---------------------------------------------------------------- features -- */

enum { ALL_PLACES = (1 << DISK_PLACES) - 1 };

/* Writes the superblock of a member to a set of its places. */
static void put_super(struct disk_super super, unsigned places)
{
    uint8_t *bytes = rig.store[super.role].bytes;
    for (super.place = 0; super.place < DISK_PLACES; super.place++)
        if (places >> super.place & 1)
            disk_super_put(bytes + disk_super_at(super.place, rig.size), &super);
}

static unsigned writes(void)
{
    unsigned count = 0;
    for (unsigned role = 0; role < rig.width; role++)
        count += rig.store[role].writes;
    return count;
}

/* One member with a feature that is not known is enough, and nothing is written then. */
static void check_features(uint32_t incompatible, uint32_t read_only, unsigned places)
{
    struct outcome back = {false, 0};
    check_at("features %lx and %lx, places %lx", incompatible, read_only, places, 0);
    rig_begin(2, 1, 4096, false, NULL);
    rig_write(0, 3 * CORE_BLOCK);
    CHECK_INT(rig_stop(), PXR_OK);
    const struct disk_super super = rig_super(2);
    struct disk_super other = super;
    other.incompatible = incompatible;
    other.read_only = read_only;
    put_super(other, places);
    const unsigned before = writes();
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 3), PXA_EREFUSED);
    CHECK_INT(writes(), before);
    CHECK_INT(rig_assemble(0, 2), PXR_OK);
    core_readd(rig.core, 2, rig.member[2], rig_job_done, &back);
    rig_drain();
    CHECK(back.ended && back.status == PXA_EREFUSED);
    put_super(super, ALL_PLACES);
    rig_readd(2);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

static void check_features_of_candidates(void)
{
    struct candidate c[5];
    struct chosen chosen;
    struct pxr_error why;
    make_candidates(c, 5);
    CHECK_INT(candidates_check_features(c, 5, &why), PXR_OK);
    c[3].super.read_only = 0x24;
    CHECK_INT(candidates_check_features(c, 5, &why), PXA_EREFUSED);
    CHECK(strstr(why.text, "device 3 ") != NULL && strstr(why.text, "0x24") != NULL);
    c[3].status = PXA_EDAMAGED;
    CHECK_INT(candidates_check_features(c, 5, &why), PXR_OK);
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXR_OK);
    c[3].status = PXA_EREFUSED;
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    CHECK(strstr(why.text, "device 3 has a format or features") != NULL);
}

int main(int argc, char **argv)
{
    check_start("test_array_candidates", argc, argv);
    if (check_case("candidates"))
        check_candidates();
    if (check_case("features that writers do not know"))
        check_features(0, 1u << 31, ALL_PLACES);
    if (check_case("features that nobody knows"))
        for (unsigned places = 1; places <= ALL_PLACES; places++)
            check_features(1u << places, 0, places);
    if (check_case("features of candidates that are not known"))
        check_features_of_candidates();
    return check_finish();
}
