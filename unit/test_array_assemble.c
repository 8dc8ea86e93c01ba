/* SPDX-License-Identifier: BSD-3-Clause */
/* Which devices make an array of md, by their superblocks. */
#include "check.h"
#include "md_forge.h"
#include "memory_member.h"
#include "permxor_array_md.h"

#include <string.h>

enum { DEVICES = 5 };

static uint8_t image[FORGE_DEVICE];

static struct forge forges[DEVICES];
static struct pxa_md_super supers[DEVICES];
static struct pxr_error why;
static struct pxa_md_set set;
static enum pxa_md_use use[DEVICES];

/* Four members, and device 4 as a spare. */
static void make_forges(unsigned minor)
{
    for (unsigned i = 0; i < DEVICES; i++) {
        forges[i] = forge_raid6(minor);
        forges[i].device = i;
    }
}

static void examine(unsigned i)
{
    struct memory_member device = {.bytes = image, .size = sizeof image};
    memset(image, 0, sizeof image);
    forge_write(&forges[i], sizeof image, image + forge_place(forges[i].minor, sizeof image));
    if (pxa_md_examine(&memory_calls, &device, sizeof image, &supers[i], sizeof supers[i],
                       &why) != PXR_OK)
        CHECK_STR(why.text, "");
}

static int assemble(void)
{
    for (unsigned i = 0; i < DEVICES; i++)
        examine(i);
    why.text[0] = '\0';
    return pxa_md_assemble(supers, sizeof supers[0], DEVICES, &set, sizeof set, use, &why);
}

static void check_refused(const char *part)
{
    CHECK_INT(assemble(), PXA_EREFUSED);
    if (!CHECK(strstr(why.text, part) != NULL))
        CHECK_STR(why.text, part);
}

static void test_whole(unsigned minor)
{
    make_forges(minor);
    const struct forge first = forges[0];
    forges[0] = forges[3]; /* another order */
    forges[3] = first;
    CHECK_INT(assemble(), PXR_OK);
    CHECK(set.device[0] == 3 && set.device[1] == 1 && set.device[2] == 2 && set.device[3] == 0);
    CHECK_INT(set.missing, 0);
    CHECK_INT((long long)set.incomplete, 0);
    CHECK_INT(use[4], PXA_MD_NO_MEMBER);
    CHECK(set.geometry.data == 2 && set.geometry.parity == 2 && set.geometry.chunk == 65536 &&
          set.geometry.layout == PXA_LEFT_SYMMETRIC && set.geometry.member_size == 512 << 10);
    CHECK_INT(pxa_geometry_check(&set.geometry, NULL), PXR_OK);
}

static void test_stale(unsigned minor)
{
    make_forges(minor);
    forges[2].events = 98;
    forges[3].events = 99; /* not stale: md may have crashed between two superblocks */
    CHECK_INT(assemble(), PXR_OK);
    CHECK_INT(use[2], PXA_MD_STALE);
    CHECK_INT(use[3], PXA_MD_USED);
    CHECK(set.device[2] == -1 && set.missing == 1);
}

/* The newest superblocks say that device 2 has failed; its own is one event behind. */
static void test_removed(unsigned minor)
{
    make_forges(minor);
    for (unsigned i = 0; i < DEVICES; i++)
        forges[i].roles[2] = FORGE_FAULTY;
    forges[2].roles[2] = 2;
    forges[2].events = 99;
    CHECK_INT(assemble(), PXR_OK);
    CHECK_INT(use[2], PXA_MD_REMOVED);
    CHECK_INT(supers[0].roles[2], PXA_MD_FAULTY);
    CHECK_INT(set.missing, 1);
    forges[2].events = 100; /* as new as those that contradict it */
    check_refused("contradict each other about member 2");
}

static void test_rebuilding(void)
{
    make_forges(2);
    forges[2].features = 2;
    CHECK_INT(assemble(), PXR_OK);
    CHECK_INT(use[2], PXA_MD_REBUILDING);
    CHECK_INT(set.missing, 1);
    forges[2].features = 2 | 128; /* added again; a bitmap says which parts are out of date */
    forges[2].recovered = 65536;
    CHECK_INT(assemble(), PXR_OK);
    CHECK_INT(use[2], PXA_MD_BY_BITMAP);
    forges[2].features = 2;
    CHECK_INT(assemble(), PXR_OK);
    CHECK_INT(use[2], PXA_MD_USED);
    CHECK_INT((long long)set.incomplete, 4);
    for (unsigned i = 0; i < DEVICES; i++)
        forges[i].roles[4] = 2;
    forges[4].features = 16 | 2;
    forges[4].recovered = 65536;
    CHECK_INT(assemble(), PXR_OK);
    CHECK_INT(use[4], PXA_MD_REPLACES);
    CHECK_INT(set.device[2], 2);
    const struct forge replacement = forges[4];
    forges[4] = forges[2]; /* in the other order */
    forges[2] = replacement;
    CHECK_INT(assemble(), PXR_OK);
    CHECK_INT(use[2], PXA_MD_REPLACES);
    CHECK_INT(set.device[2], 4);
}

/* Members that are valid in part: by a rebuild, by bad blocks, or because they were cut off. */
static void test_incomplete(void)
{
    make_forges(2);
    CHECK_INT(assemble(), PXR_OK);
    supers[0].bad_size = 4096;
    supers[2].valid -= 1;
    CHECK_INT(pxa_md_assemble(supers, sizeof supers[0], DEVICES, &set, sizeof set, use, &why),
              PXR_OK);
    CHECK(set.incomplete == 5 && set.missing == 0);
    make_forges(2);
    CHECK_INT(assemble(), PXR_OK);
    struct memory_member device = {.bytes = image, .size = forges[3].start};
    memset(image, 0, sizeof image);
    forge_write(&forges[3], sizeof image, image + forge_place(2, sizeof image));
    CHECK_INT(
        pxa_md_examine(&memory_calls, &device, device.size, &supers[3], sizeof supers[3], &why),
        PXR_OK);
    CHECK_INT(pxa_md_assemble(supers, sizeof supers[0], DEVICES, &set, sizeof set, use, &why),
              PXR_OK);
    CHECK(use[3] == PXA_MD_CUT_OFF && set.missing == 1);
    make_forges(2);
    for (unsigned i = 0; i < DEVICES; i++)
        forges[i].size += 512; /* behind the last whole chunk */
    CHECK_INT(assemble(), PXR_OK);
    supers[2].valid -= 512;
    CHECK_INT(pxa_md_assemble(supers, sizeof supers[0], DEVICES, &set, sizeof set, use, &why),
              PXR_OK);
    CHECK_INT((long long)set.incomplete, 0);
}

/* A program that was compiled with a newer header has larger superblocks. */
static void test_sizes(void)
{
    static struct {
        struct pxa_md_super super;
        uint64_t later;
    } wide[DEVICES];
    make_forges(2);
    CHECK_INT(assemble(), PXR_OK);
    for (unsigned i = 0; i < DEVICES; i++) {
        memset(&wide[i], 0x55, sizeof wide[i]);
        wide[i].super = supers[i];
    }
    memset(&set, 0, sizeof set);
    CHECK_INT(
        pxa_md_assemble(&wide[0].super, sizeof wide[0], DEVICES, &set, sizeof set, use, &why),
        PXR_OK);
    CHECK(set.missing == 0 && set.device[3] == 3 && set.geometry.data == 2);
    CHECK_INT(
        pxa_md_assemble(supers, sizeof supers[0] - 1, DEVICES, &set, sizeof set, use, &why),
        PXR_EINVAL);
}

static void test_refused(void)
{
    make_forges(2);
    forges[1].uuid = 8;
    check_refused("different arrays");
    make_forges(2);
    forges[4].device = 1;
    check_refused("both claim to be member 1");
    make_forges(2);
    for (unsigned i = 0; i < DEVICES; i++) {
        forges[i].features = 4;
        forges[i].members = 3; /* a reshape takes member 3 away, which still has its role */
    }
    check_refused("reshape");
    static const struct {
        int level;
        unsigned layout, members;
        uint32_t features;
        const char *part;
    } cases[] = {
        {1, 0, 4, 0, "of level 1"},      {6, 7, 4, 0, "no layout of number 7"},
        {5, 16, 4, 0, "no layout"},      {6, 2, 4, 4, "reshape"},
        {6, 2, 4, 1 << 14, "features"},  {-4, 0, 4, 0, "of level -4"},
        {6, 2, 65, 0, "has 65 members"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_forges(2);
        for (unsigned device = 0; device < DEVICES; device++) {
            forges[device].level = cases[i].level;
            forges[device].layout = cases[i].layout;
            forges[device].members = cases[i].members;
            forges[device].features = cases[i].features;
        }
        check_refused(cases[i].part);
    }
    for (unsigned i = 0; i < DEVICES; i++)
        supers[i].major = PXA_MD_NONE;
    CHECK_INT(pxa_md_assemble(supers, sizeof supers[0], DEVICES, &set, sizeof set, use, &why),
              PXA_ENONE);
    CHECK_INT(pxa_md_assemble(NULL, sizeof supers[0], 1, &set, sizeof set, use, &why),
              PXR_EINVAL);
}

int main(int argc, char **argv)
{
    static const unsigned minors[] = {0, 1, 2, 90};
    check_start("test_array_assemble", argc, argv);
    for (unsigned i = 0; i < sizeof minors / sizeof minors[0]; i++) {
        if (check_case("a whole array, minor %u", minors[i]))
            test_whole(minors[i]);
        if (check_case("a stale device, minor %u", minors[i]))
            test_stale(minors[i]);
        if (check_case("a removed device, minor %u", minors[i]))
            test_removed(minors[i]);
    }
    if (check_case("devices that are being rebuilt"))
        test_rebuilding();
    if (check_case("incomplete members"))
        test_incomplete();
    if (check_case("sizes of structures"))
        test_sizes();
    if (check_case("refused arrays"))
        test_refused();
    return check_finish();
}
