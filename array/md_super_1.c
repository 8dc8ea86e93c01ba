/* SPDX-License-Identifier: BSD-3-Clause */
/* Metadata 1.0, 1.1 and 1.2, which differ in the place of the superblock. */
#include "config.h"

#include "md_super.h"
#include "why.h"

#include <inttypes.h>
#include <string.h>

/* Offsets of fields.  All numbers are little-endian. */
enum {
    AT_MAGIC = 0,
    AT_MAJOR = 4,
    AT_FEATURES = 8,
    AT_UUID = 16,
    AT_NAME = 32,
    AT_CREATED = 64,
    AT_LEVEL = 72,
    AT_LAYOUT = 76,
    AT_SIZE = 80, /* in sectors, as all sizes and offsets are */
    AT_CHUNK = 88,
    AT_MEMBERS = 92,
    AT_DATA_OFFSET = 128,
    AT_SUPER_OFFSET = 144,
    AT_RECOVERY_OFFSET = 152,
    AT_DEVICE = 160,
    AT_BAD_SHIFT = 185,
    AT_BAD_SIZE = 186,
    AT_BAD_OFFSET = 188,
    AT_EVENTS = 200,
    AT_RESYNC_OFFSET = 208,
    AT_CHECKSUM = 216,
    AT_DEVICES = 220,
    AT_ROLES = 256
};

enum {
    HAS_RECOVERY_OFFSET = 2,
    RESHAPE_ACTIVE = 4,
    HAS_BAD_BLOCKS = 8,
    IS_REPLACEMENT = 16,
    NEW_OFFSET = 64,
    RECOVERY_BY_BITMAP = 128,
    HAS_JOURNAL = 512,
    HAS_PPL = 1024,
    HAS_PPLS = 2048,
    KNOWN_FEATURES = 0x1fff
};

enum { SECTOR = 512, NAME_SIZE = 32, MOST_BAD_SECTORS = 8, MOST_BAD_SHIFT = 16 };

#define MOST_SECTORS (PXA_MAX_MEMBER_SIZE / SECTOR)

static uint64_t field(const uint8_t *bytes, unsigned at, unsigned count)
{
    return pxa_md_number(bytes + at, count, false);
}

/* The sum of the superblock's words, without the word that holds the sum.  The last role is
   half a word when the number of roles is odd. */
static uint32_t sum_of(const uint8_t *bytes, unsigned devices)
{
    const unsigned size = AT_ROLES + 2 * devices;
    uint64_t sum = 0;
    unsigned at = 0;
    for (; at + 4 <= size; at += 4)
        sum += at == AT_CHECKSUM ? 0 : field(bytes, at, 4);
    if (at < size)
        sum += field(bytes, at, 2);
    return (uint32_t)sum + (uint32_t)(sum >> 32);
}

static unsigned flags_of(const uint8_t *bytes, uint64_t features)
{
    unsigned flags = 0;
    if (field(bytes, AT_RESYNC_OFFSET, 8) < field(bytes, AT_SIZE, 8))
        flags |= PXA_MD_UNCLEAN;
    if (features & (RESHAPE_ACTIVE | NEW_OFFSET))
        flags |= PXA_MD_RESHAPE;
    if (features & IS_REPLACEMENT)
        flags |= PXA_MD_REPLACEMENT;
    if (features & HAS_JOURNAL)
        flags |= PXA_MD_HAS_JOURNAL;
    if (features & (HAS_PPL | HAS_PPLS))
        flags |= PXA_MD_HAS_PPL;
    if ((features & HAS_RECOVERY_OFFSET) && (features & RECOVERY_BY_BITMAP))
        flags |= PXA_MD_RECOVERS_BY_BITMAP;
    if (features & ~(uint64_t)KNOWN_FEATURES)
        flags |= PXA_MD_UNKNOWN;
    return flags;
}

/* A device that is being rebuilt is in sync up to its recovery offset, unless a bitmap says
   which parts are.  An image may also be cut off. */
static uint64_t valid_bytes(const uint8_t *bytes, uint64_t features, uint64_t device,
                            uint64_t start, uint64_t member_size)
{
    uint64_t valid = member_size;
    if (features & HAS_RECOVERY_OFFSET) {
        const uint64_t sectors = field(bytes, AT_RECOVERY_OFFSET, 8);
        valid = sectors < member_size / SECTOR ? sectors * SECTOR : member_size;
        if (features & RECOVERY_BY_BITMAP)
            valid = 0;
    }
    const uint64_t there = device > start ? device - start : 0;
    return valid < there ? valid : there;
}

/* The list lies a signed number of sectors from the superblock. */
static int find_bad_blocks(const uint8_t *bytes, uint64_t at, uint64_t device,
                           struct pxa_md_super *super, struct pxr_error *why)
{
    const uint64_t sectors = field(bytes, AT_BAD_SIZE, 2);
    const int64_t offset =
        (int64_t)at + (int64_t)(int32_t)field(bytes, AT_BAD_OFFSET, 4) * SECTOR;
    if (sectors == 0)
        return PXR_OK;
    super->bad_shift = (unsigned)field(bytes, AT_BAD_SHIFT, 1);
    if (sectors > MOST_BAD_SECTORS || super->bad_shift > MOST_BAD_SHIFT || offset < 0 ||
        (uint64_t)offset + sectors * SECTOR > device)
        return pxa_because(why, PXA_EDAMAGED,
                           "superblock: its list of bad blocks is out of range");
    super->bad_offset = (uint64_t)offset;
    super->bad_size = (uint32_t)sectors * SECTOR;
    return PXR_OK;
}

static int parse_roles(const uint8_t *bytes, struct pxa_md_super *super, struct pxr_error *why)
{
    super->device = (unsigned)field(bytes, AT_DEVICE, 4);
    super->role = PXA_MD_SPARE;
    for (unsigned i = 0; i < super->devices; i++) {
        super->roles[i] = (uint16_t)field(bytes, AT_ROLES + 2 * i, 2);
        if (super->roles[i] >= PXA_MD_JOURNAL || super->roles[i] < super->members)
            continue;
        if (!(super->flags & PXA_MD_RESHAPE))
            return pxa_because(why, PXA_EDAMAGED,
                               "superblock: device %u has role %u, but the array has %" PRIu32
                               " members",
                               i, super->roles[i], super->members);
        super->roles[i] = PXA_MD_SPARE; /* the reshape removes this member */
    }
    if (super->device < super->devices)
        super->role = super->roles[super->device];
    return PXR_OK;
}

static int parse_sizes(const uint8_t *bytes, uint64_t device, struct pxa_md_super *super,
                       struct pxr_error *why)
{
    const uint64_t chunk = field(bytes, AT_CHUNK, 4), size = field(bytes, AT_SIZE, 8);
    const uint64_t start = field(bytes, AT_DATA_OFFSET, 8);
    super->members = (uint32_t)field(bytes, AT_MEMBERS, 4);
    super->level = (int32_t)field(bytes, AT_LEVEL, 4);
    super->layout = (uint32_t)field(bytes, AT_LAYOUT, 4);
    super->chunk = chunk * SECTOR;
    if (super->members > PXA_MD_MAX_MEMBERS || size > MOST_SECTORS || start > MOST_SECTORS ||
        (pxa_md_has_parity(super->level) && (chunk == 0 || super->chunk > PXA_MAX_CHUNK)))
        return pxa_because(why, PXA_EDAMAGED,
                           "superblock: %" PRIu32 " members of %" PRIu64
                           " sectors from %" PRIu64 " on, in chunks of %" PRIu64
                           ": out of range",
                           super->members, size, start, chunk);
    super->member_size = size * SECTOR;
    super->start = start * SECTOR;
    super->valid = valid_bytes(bytes, field(bytes, AT_FEATURES, 4), device, super->start,
                               super->member_size);
    if (device <= super->start)
        super->flags |= PXA_MD_ENDS_EARLY;
    return PXR_OK;
}

int pxa_md_parse_1(const uint8_t *bytes, uint64_t at, uint64_t device,
                   struct pxa_md_super *super, struct pxr_error *why)
{
    if (field(bytes, AT_MAGIC, 4) != PXA_MD_MAGIC || field(bytes, AT_MAJOR, 4) != 1)
        return PXA_ENONE;
    const uint64_t devices = field(bytes, AT_DEVICES, 4);
    const uint64_t features = field(bytes, AT_FEATURES, 4);
    if (devices > PXA_MD_MAX_DEVICES)
        return pxa_because(why, PXA_EDAMAGED,
                           "superblock: it names %" PRIu64 " devices, but has room for %d",
                           devices, PXA_MD_MAX_DEVICES);
    if (sum_of(bytes, (unsigned)devices) != field(bytes, AT_CHECKSUM, 4))
        return pxa_because(why, PXA_EDAMAGED, "superblock: its checksum is wrong");
    if (field(bytes, AT_SUPER_OFFSET, 8) != at / SECTOR)
        return pxa_because(why, PXA_EDAMAGED,
                           "superblock: it was written for sector %" PRIu64
                           " of another device, and is at sector %" PRIu64 " here",
                           field(bytes, AT_SUPER_OFFSET, 8), at / SECTOR);
    super->major = 1;
    super->devices = (unsigned)devices;
    super->events = field(bytes, AT_EVENTS, 8);
    super->created = field(bytes, AT_CREATED, 8) & ((UINT64_C(1) << 40) - 1); /* then us */
    super->flags = flags_of(bytes, features);
    memcpy(super->uuid, bytes + AT_UUID, sizeof super->uuid);
    memcpy(super->name, bytes + AT_NAME, NAME_SIZE);
    int status = parse_sizes(bytes, device, super, why);
    if (status == PXR_OK)
        status = parse_roles(bytes, super, why);
    if (status == PXR_OK && (features & HAS_BAD_BLOCKS))
        status = find_bad_blocks(bytes, at, device, super, why);
    return status;
}
