/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer entry for superblocks of md.
 *
 * Build: links libpxr_array.la and libcheck.la.
 *
 * Good superblocks of a few devices are changed where the input says.  The checksum would
 * detect nearly every change, so the first byte decides whether it is corrected.  What is
 * accepted has to keep the promises of the headers, and reading such an array must not touch
 * memory outside the devices.
 */
#include "fuzz_input.h"
#include "md_forge.h"
#include "memory_member.h"
#include "permxor_array_md.h"

#include <stdbool.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEVICES = 5, READ_MOST = 1 << 16 };

static const unsigned minors[] = {0, 1, 2, 90};

static uint8_t image[DEVICES][FORGE_DEVICE];
static struct memory_member device[DEVICES];
static struct pxa_md_super super[DEVICES];
static struct pxa_range bad[DEVICES][PXA_MD_MAX_BAD];
static uint8_t buffer[READ_MOST];

static uint64_t take_wide(struct input *in, uint64_t limit)
{
    const uint64_t high = take_below(in, 1 << 16);
    return (high << 16 | take_below(in, 1 << 16)) % limit;
}

/* Changes of a superblock: offset, then value. */
static void change(struct input *in, uint8_t block[FORGE_SIZE])
{
    for (unsigned changes = take(in) % 8; changes > 0; changes--) {
        const unsigned at = (take(in) & 15u) << 8 | take(in);
        block[at] = take(in);
    }
}

static void forge(struct input *in, unsigned i, unsigned minor, bool big, bool seal)
{
    struct forge f = forge_raid6(minor);
    f.device = i;
    f.big = big;
    f.level = 4 + (int)(take(in) % 3);
    for (unsigned other = 0; other < 4; other++)
        memset(image[i] + forge_place(minors[other], FORGE_DEVICE), 0, FORGE_SIZE);
    uint8_t *block = image[i] + forge_place(minor, FORGE_DEVICE);
    forge_write(&f, FORGE_DEVICE, block);
    change(in, block);
    if (seal)
        forge_seal(minor, big, block);
}

static void check_super(const struct pxa_md_super *s, uint64_t bytes)
{
    REQUIRE(s->valid <= s->member_size && s->devices <= PXA_MD_MAX_DEVICES);
    REQUIRE(s->valid == 0 || s->start + s->valid <= bytes);
    REQUIRE(s->member_size <= PXA_MAX_MEMBER_SIZE && s->start <= PXA_MAX_MEMBER_SIZE);
    REQUIRE(s->role < s->members || s->role >= PXA_MD_JOURNAL);
    REQUIRE(s->name[32] == '\0');
    REQUIRE(s->bad_size == 0 || s->bad_offset + s->bad_size <= bytes);
}

static void check_places(struct input *in, const struct pxa_geometry *g)
{
    struct pxa_place place, again;
    uint64_t address;
    const unsigned member = take_below(in, g->data + g->parity);
    const uint64_t size = pxa_rows(g) * g->chunk;
    REQUIRE(pxa_geometry_check(g, NULL) == PXR_OK);
    if (size == 0)
        return;
    const uint64_t offset = take_wide(in, size);
    REQUIRE(pxa_place_on(g, member, offset, &place, &address) == PXR_OK);
    if (address == UINT64_MAX)
        return;
    REQUIRE(pxa_place_of(g, address, &again) == PXR_OK);
    REQUIRE(again.member == member && again.offset == offset);
}

/* Reads a range, with some members missing. */
static void read_some(struct input *in, const struct pxa_md_set *set)
{
    struct pxa_member members[PXA_MAX_MEMBERS] = {{0}};
    const uint64_t capacity = pxa_capacity(&set->geometry);
    const unsigned lost = take(in);
    struct pxa_report report = {0};
    pxa_array *array;
    for (unsigned i = 0; i < set->geometry.data + set->geometry.parity; i++) {
        const int d = set->device[i];
        if (d < 0 || lost >> d & 1)
            continue;
        members[i] = (struct pxa_member){&memory_calls,  &device[d], super[d].start,
                                         super[d].valid, bad[d],     0};
        if (pxa_md_bad_blocks(&memory_calls, &device[d], &super[d], bad[d], PXA_MD_MAX_BAD,
                              &members[i].bad_count) != PXR_OK)
            return;
    }
    if (pxa_array_create(&array, &set->geometry, PXR_ISAL_VAND, members, sizeof members[0],
                         NULL) != PXR_OK)
        return;
    const uint64_t offset = capacity > 0 ? take_wide(in, capacity) : 0;
    size_t len = take_below(in, READ_MOST);
    if (len > capacity - offset)
        len = (size_t)(capacity - offset);
    const int status = pxa_read(array, offset, len, buffer, (enum pxa_trust)(take(in) % 3),
                                &report, sizeof report);
    REQUIRE(status == PXR_OK || status == PXA_EIO || status == PXR_EMISMATCH ||
            status == PXR_EAMBIGUOUS);
    REQUIRE(report.located <= report.disagreeing);
    pxa_array_free(array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    const uint8_t kind = take(&in);
    const unsigned minor = minors[kind & 3];
    enum pxa_md_use use[DEVICES];
    struct pxa_md_set set;
    for (unsigned i = 0; i < DEVICES; i++) {
        forge(&in, i, minor, minor == 90 && (kind & 8), kind & 4);
        const uint64_t bytes = kind & 16 ? FORGE_DEVICE / 2 + take(&in) * 999u : FORGE_DEVICE;
        device[i] = (struct memory_member){.bytes = image[i], .size = bytes};
        if (pxa_md_examine(&memory_calls, &device[i], bytes, &super[i], sizeof super[i],
                           NULL) == PXR_OK)
            check_super(&super[i], bytes);
        else
            super[i].major = PXA_MD_NONE;
    }
    if (pxa_md_assemble(super, sizeof super[0], DEVICES, &set, sizeof set, use, NULL) != PXR_OK)
        return 0;
    check_places(&in, &set.geometry);
    read_some(&in, &set);
    return 0;
}
