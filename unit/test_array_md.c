/* SPDX-License-Identifier: BSD-3-Clause */
/* Superblocks of md: what is read, and what is refused. */
#include "check.h"
#include "md_forge.h"
#include "memory_member.h"
#include "permxor_array_md.h"

#include <string.h>

enum { DEVICE = FORGE_DEVICE };

static const unsigned minors[] = {0, 1, 2, 90};
enum { MINORS = sizeof minors / sizeof minors[0] };

static uint8_t image[DEVICE];
static struct pxr_error why;

static int examine(struct pxa_md_super *super, uint64_t size)
{
    struct memory_member device = {.bytes = image, .size = size};
    why.text[0] = '\0';
    return pxa_md_examine(&memory_calls, &device, size, super, sizeof *super, &why);
}

static int forge_and_examine(const struct forge *forge, struct pxa_md_super *super)
{
    memset(image, 0, sizeof image);
    forge_write(forge, DEVICE, image + forge_place(forge->minor, DEVICE));
    return examine(super, DEVICE);
}

/* ---------------------------------------------------------------- fields -- */

static void check_fields(const struct forge *forge)
{
    struct pxa_md_super super;
    if (!CHECK(forge_and_examine(forge, &super) == PXR_OK)) {
        CHECK_STR(why.text, "");
        return;
    }
    CHECK_INT(super.major, forge->minor == 90 ? 0 : 1);
    CHECK_INT(super.minor, forge->minor);
    CHECK_INT(super.level, forge->level);
    CHECK_INT(super.layout, forge->layout);
    CHECK_INT(super.members, forge->members);
    CHECK_INT((long long)super.chunk, forge->chunk);
    CHECK_INT((long long)super.member_size, (long long)forge->size);
    CHECK_INT((long long)super.start, (long long)forge->start);
    CHECK_INT((long long)super.valid, (long long)forge->size);
    CHECK_INT((long long)super.events, (long long)forge->events);
    CHECK_INT((long long)super.created, (long long)forge->created);
    CHECK_INT(super.device, 1);
    CHECK_INT(super.role, 1);
    CHECK_INT(super.uuid[0] + super.uuid[15], 14);
    CHECK_STR(super.name, forge->minor == 90 ? "" : "host:name");
    CHECK_INT(super.flags & ~(unsigned)PXA_MD_BIG_ENDIAN, forge->unclean ? PXA_MD_UNCLEAN : 0);
    CHECK_INT(!!(super.flags & PXA_MD_BIG_ENDIAN), forge->big);
}

static void test_fields(unsigned minor)
{
    struct forge forge = forge_raid6(minor);
    check_fields(&forge);
    forge.unclean = true;
    forge.level = 5;
    forge.layout = 0;
    forge.chunk = 4096;
    forge.events = UINT64_C(0x123456789a);
    check_fields(&forge);
    forge.big = minor == 90;
    check_fields(&forge);
}

/* Every bit of a superblock that the checksum covers. */
static void test_flipped_bits(unsigned minor)
{
    const struct forge forge = forge_raid6(minor);
    struct pxa_md_super super;
    const uint64_t at = forge_place(minor, DEVICE);
    const unsigned covered = minor == 90 ? FORGE_SIZE : 256 + 2 * 16;
    CHECK_INT(forge_and_examine(&forge, &super), PXR_OK);
    for (unsigned bit = 0; bit < 8 * covered; bit++) {
        if (bit >= 8 * 8 && !check_sampled())
            continue;
        image[at + bit / 8] ^= (uint8_t)(1 << bit % 8);
        const int status = examine(&super, DEVICE);
        check_at("bit %ld", bit, 0, 0, 0);
        CHECK(status == PXA_EDAMAGED || (status == PXA_ENONE && bit < 8 * 8));
        image[at + bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    CHECK_INT(examine(&super, DEVICE), PXR_OK);
}

/* Changes a number of a good superblock, and corrects the checksum. */
static void damage(unsigned minor, unsigned at, uint64_t value, unsigned bytes,
                   const char *message)
{
    const struct forge forge = forge_raid6(minor);
    struct pxa_md_super super;
    uint8_t *block = image + forge_place(minor, DEVICE);
    forge_and_examine(&forge, &super);
    forge_put(block, at, value, bytes, false);
    forge_seal(minor, false, block);
    check_at("minor %ld at %ld", minor, at, 0, 0);
    CHECK_INT(examine(&super, DEVICE), PXA_EDAMAGED);
    CHECK(strstr(why.text, message) != NULL);
}

static void test_bounds(void)
{
    for (unsigned minor = 0; minor <= 2; minor++) {
        damage(minor, 80, UINT64_C(1) << 60, 8, "out of range");
        damage(minor, 88, 0, 4, "out of range");
        damage(minor, 88, 0xffffffff, 4, "out of range");
        damage(minor, 92, 2000, 4, "out of range");
        damage(minor, 128, UINT64_MAX, 8, "out of range");
        damage(minor, 144, 9, 8, "sector 9 of another device");
        damage(minor, 220, 1921, 4, "1921 devices");
        damage(minor, 258, 4, 2, "device 1 has role 4");
    }
    damage(90, 4 * 2, 92, 4, "version 0.92");
    damage(90, 4 * 8, 1 << 20, 4, "out of range");
    damage(90, 4 * 10, 28, 4, "out of range");
    damage(90, 4 * 65, 0, 4, "out of range");
    damage(90, 4 * (128 + 32 + 3), 4, 4, "device 1 has role 4");
}

static void test_devices_without(void)
{
    struct pxa_md_super super;
    memset(image, 0, sizeof image);
    for (uint64_t size = 0; size < 20000; size += 500)
        CHECK_INT(examine(&super, size), PXA_ENONE);
    CHECK_INT(examine(&super, DEVICE), PXA_ENONE);
    CHECK_STR(why.text, "it has no superblock of md");
    struct memory_member failing = {.bytes = image, .size = DEVICE, .bad_end = DEVICE};
    CHECK_INT(pxa_md_examine(&memory_calls, &failing, DEVICE, &super, sizeof super, &why),
              PXA_EIO);
    CHECK_INT(pxa_md_examine(NULL, NULL, DEVICE, &super, sizeof super, NULL), PXR_EINVAL);
}

/* A device that was in another array before: the array that was created last counts. */
static void test_two_superblocks(void)
{
    struct forge older = forge_raid6(90), newer = forge_raid6(2);
    struct pxa_md_super super;
    newer.created++;
    forge_and_examine(&older, &super);
    forge_write(&newer, DEVICE, image + forge_place(2, DEVICE));
    CHECK_INT(examine(&super, DEVICE), PXR_OK);
    CHECK_INT(super.minor, 2);
    older.created += 2;
    forge_write(&older, DEVICE, image + forge_place(90, DEVICE));
    CHECK_INT(examine(&super, DEVICE), PXR_OK);
    CHECK_INT(super.minor, 90);
}

static void test_features(void)
{
    static const struct {
        uint32_t feature;
        unsigned flag;
    } features[] = {{1, 0},
                    {4, PXA_MD_RESHAPE},
                    {16, PXA_MD_REPLACEMENT},
                    {64, PXA_MD_RESHAPE},
                    {512, PXA_MD_HAS_JOURNAL},
                    {1024, PXA_MD_HAS_PPL},
                    {2048, PXA_MD_HAS_PPL},
                    {256, 0},
                    {1 << 13, PXA_MD_UNKNOWN}};
    struct pxa_md_super super;
    struct forge forge = forge_raid6(2);
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        forge.features = features[i].feature;
        CHECK_INT(forge_and_examine(&forge, &super), PXR_OK);
        CHECK_INT(super.flags, features[i].flag);
    }
    forge.features = 2;
    forge.recovered = 65536;
    CHECK_INT(forge_and_examine(&forge, &super), PXR_OK);
    CHECK_INT((long long)super.valid, 65536);
    forge.features = 2 | 128;
    CHECK_INT(forge_and_examine(&forge, &super), PXR_OK);
    CHECK_INT((long long)super.valid, 0);
    CHECK_INT(super.flags, PXA_MD_RECOVERS_BY_BITMAP);
}

/* While a reshape removes members, roles of those may still be there. */
static void test_shrinking(unsigned minor)
{
    struct forge forge = forge_raid6(minor);
    struct pxa_md_super super;
    uint8_t *block = image + forge_place(minor, DEVICE);
    forge.members = 3;
    CHECK_INT(forge_and_examine(&forge, &super), PXA_EDAMAGED);
    forge.features = 4;
    forge_and_examine(&forge, &super);
    if (minor == 90) {
        forge_put(block, 4 * 2, 91, 4, false);
        forge_seal(minor, false, block);
    }
    CHECK_INT(examine(&super, DEVICE), PXR_OK);
    CHECK_INT(super.flags, PXA_MD_RESHAPE);
    CHECK_INT(super.roles[2], 2);
    CHECK_INT(super.roles[3], PXA_MD_SPARE);
}

/* An image that was cut off is valid up to its end. */
static void test_cut_off(void)
{
    struct pxa_md_super super;
    const struct forge forge = forge_raid6(2);
    CHECK_INT(forge_and_examine(&forge, &super), PXR_OK);
    CHECK_INT(examine(&super, (128 << 10) + 5000), PXR_OK);
    CHECK_INT((long long)super.valid, 5000);
    CHECK_INT(super.flags, 0);
    CHECK_INT(examine(&super, 8192), PXR_OK);
    CHECK_INT((long long)super.valid, 0);
    CHECK_INT(super.flags, PXA_MD_ENDS_EARLY);
}

static void test_bad_blocks(void)
{
    struct forge forge = forge_raid6(2);
    struct memory_member device = {.bytes = image, .size = DEVICE};
    struct pxa_md_super super;
    struct pxa_range bad[PXA_MD_MAX_BAD];
    unsigned count;
    forge.features = 8;
    forge_and_examine(&forge, &super);
    forge_put(image, 4096 + 186, 8, 2, false);
    forge_put(image, 4096 + 188, 8, 4, false); /* 8 sectors behind the superblock */
    forge_seal(2, false, image + 4096);
    forge_put(image, 8192, UINT64_C(1000) << 10 | 3, 8, false);
    forge_put(image, 8200, UINT64_C(2000) << 10 | 1, 8, false);
    memset(image + 8208, 0xff, 8);
    CHECK_INT(examine(&super, DEVICE), PXR_OK);
    CHECK_INT(pxa_md_bad_blocks(&memory_calls, &device, &super, bad, PXA_MD_MAX_BAD, &count),
              PXR_OK);
    CHECK_INT(count, 2);
    CHECK(bad[0].begin == 512000 && bad[0].end == 513536 && bad[1].begin == 1024000);
    CHECK_INT(pxa_md_bad_blocks(&memory_calls, &device, &super, bad, 1, &count), PXA_EDAMAGED);
    memset(image + 8192, 0xaa, 4096); /* far outside, and no end */
    CHECK_INT(pxa_md_bad_blocks(&memory_calls, &device, &super, bad, PXA_MD_MAX_BAD, &count),
              PXR_OK);
    CHECK_INT(count, PXA_MD_MAX_BAD);
    device.bad_end = DEVICE;
    CHECK_INT(pxa_md_bad_blocks(&memory_calls, &device, &super, bad, PXA_MD_MAX_BAD, &count),
              PXA_EIO);
    forge_put(image, 4096 + 188, UINT64_C(0x80000000), 4, false);
    forge_seal(2, false, image + 4096);
    CHECK_INT(examine(&super, DEVICE), PXA_EDAMAGED);
    CHECK(strstr(why.text, "list of bad blocks") != NULL);
}

static void test_texts(void)
{
    for (int status = PXA_EIO; status <= PXA_EREFUSED; status++)
        CHECK(strcmp(pxa_strerror(status), pxr_strerror(status)) != 0);
    CHECK_STR(pxa_strerror(PXR_ETOOFEW), pxr_strerror(PXR_ETOOFEW));
    for (unsigned i = 0; i <= PXA_MD_BY_BITMAP; i++)
        CHECK(strcmp(pxa_md_use_text((enum pxa_md_use)i), "unknown") != 0);
    CHECK_STR(pxa_md_use_text((enum pxa_md_use)99), "unknown");
}

int main(int argc, char **argv)
{
    check_start("test_array_md", argc, argv);
    for (unsigned i = 0; i < MINORS; i++) {
        if (check_case("fields, minor %u", minors[i]))
            test_fields(minors[i]);
        if (check_case("flipped bits, minor %u", minors[i]))
            test_flipped_bits(minors[i]);
    }
    if (check_case("fields out of bounds"))
        test_bounds();
    if (check_case("devices without a superblock"))
        test_devices_without();
    if (check_case("two superblocks"))
        test_two_superblocks();
    if (check_case("features"))
        test_features();
    for (unsigned i = 0; i < MINORS; i++)
        if (check_case("a reshape that removes members, minor %u", minors[i]))
            test_shrinking(minors[i]);
    if (check_case("an image that is cut off"))
        test_cut_off();
    if (check_case("bad blocks"))
        test_bad_blocks();
    if (check_case("texts"))
        test_texts();
    return check_finish();
}
