/* SPDX-License-Identifier: BSD-3-Clause */
/* Metadata 0.90: words of 32 bits in the byte order of the machine that wrote them. */
#include "config.h"

#include "md_super.h"
#include "why.h"

#include <inttypes.h>
#include <string.h>

/* Numbers of words. */
enum {
    WORD_MAGIC = 0,
    WORD_MAJOR = 1,
    WORD_MINOR = 2,
    WORD_UUID_0 = 5,
    WORD_CREATED = 6,
    WORD_LEVEL = 7,
    WORD_SIZE = 8, /* in KiB */
    WORD_MEMBERS = 10,
    WORD_UUID_1 = 13, /* and the two words behind it */
    WORD_STATE = 33,
    WORD_CHECKSUM = 38,
    WORD_EVENTS = 39, /* 64 bits */
    WORD_LAYOUT = 64,
    WORD_CHUNK = 65, /* in bytes */
    WORD_DISKS = 128,
    WORD_THIS = 992,
    WORDS = 1024
};

/* Words of the description of a disk. */
enum { DISK_NUMBER = 0, DISK_ROLE = 3, DISK_STATE = 4, DISK_WORDS = 32 };

enum { MOST_DISKS = 27 };

enum { STATE_CLEAN = 1, DISK_FAULTY = 1, DISK_SYNC = 4 };

enum { MINOR = 90, MINOR_RESHAPE = 91 };

static uint32_t word(const uint8_t *bytes, unsigned number, bool big)
{
    return (uint32_t)pxa_md_number(bytes + 4 * (size_t)number, 4, big);
}

/* Some architectures once folded the sum to 16 bits.  So that is all that can be compared. */
static uint32_t folded(uint32_t sum)
{
    sum = (sum & 0xffff) + (sum >> 16);
    return (sum & 0xffff) + (sum >> 16);
}

static uint32_t sum_of(const uint8_t *bytes, bool big)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < WORDS; i++)
        sum += i == WORD_CHECKSUM ? 0 : word(bytes, i, big);
    return (uint32_t)sum + (uint32_t)(sum >> 32);
}

static int parse_roles(const uint8_t *bytes, bool big, struct pxa_md_super *super,
                       struct pxr_error *why)
{
    super->devices = MOST_DISKS;
    for (unsigned i = 0; i < MOST_DISKS; i++) {
        const unsigned disk = WORD_DISKS + i * DISK_WORDS;
        const uint32_t state = word(bytes, disk + DISK_STATE, big);
        const uint32_t role = word(bytes, disk + DISK_ROLE, big);
        super->roles[i] = PXA_MD_SPARE;
        if (state & DISK_FAULTY)
            super->roles[i] = PXA_MD_FAULTY;
        else if (!(state & DISK_SYNC))
            continue;
        else if (role < super->members)
            super->roles[i] = (uint16_t)role;
        else if (!(super->flags & PXA_MD_RESHAPE)) /* which may remove members */
            return pxa_because(why, PXA_EDAMAGED,
                               "superblock: device %u has role %" PRIu32
                               ", but the array has %" PRIu32 " members",
                               i, role, super->members);
    }
    super->device = word(bytes, WORD_THIS + DISK_NUMBER, big);
    super->role = super->device < MOST_DISKS ? super->roles[super->device] : PXA_MD_SPARE;
    return PXR_OK;
}

static int parse_sizes(const uint8_t *bytes, bool big, uint64_t at, struct pxa_md_super *super,
                       struct pxr_error *why)
{
    super->level = (int32_t)word(bytes, WORD_LEVEL, big);
    super->layout = word(bytes, WORD_LAYOUT, big);
    super->members = word(bytes, WORD_MEMBERS, big);
    super->chunk = word(bytes, WORD_CHUNK, big);
    super->member_size = (uint64_t)word(bytes, WORD_SIZE, big) * 1024;
    super->valid = super->member_size;
    if (super->members > MOST_DISKS || super->member_size > at ||
        (pxa_md_has_parity(super->level) &&
         (super->chunk == 0 || super->chunk > PXA_MAX_CHUNK)))
        return pxa_because(why, PXA_EDAMAGED,
                           "superblock: %" PRIu32 " members of %" PRIu64
                           " bytes, in chunks of %" PRIu64 ": out of range",
                           super->members, super->member_size, super->chunk);
    return PXR_OK;
}

int pxa_md_parse_0(const uint8_t *bytes, uint64_t at, struct pxa_md_super *super,
                   struct pxr_error *why)
{
    const bool big = word(bytes, WORD_MAGIC, true) == PXA_MD_MAGIC;
    if ((!big && word(bytes, WORD_MAGIC, false) != PXA_MD_MAGIC) ||
        word(bytes, WORD_MAJOR, big) != 0)
        return PXA_ENONE;
    if (folded(sum_of(bytes, big)) != folded(word(bytes, WORD_CHECKSUM, big)))
        return pxa_because(why, PXA_EDAMAGED, "superblock: its checksum is wrong");
    super->minor = word(bytes, WORD_MINOR, big);
    if (super->minor != MINOR && super->minor != MINOR_RESHAPE)
        return pxa_because(why, PXA_EDAMAGED, "superblock: version 0.%u is not known",
                           super->minor);
    super->flags = big ? PXA_MD_BIG_ENDIAN : 0;
    if (super->minor == MINOR_RESHAPE)
        super->flags |= PXA_MD_RESHAPE;
    if (!(word(bytes, WORD_STATE, big) & STATE_CLEAN))
        super->flags |= PXA_MD_UNCLEAN;
    super->created = word(bytes, WORD_CREATED, big);
    super->events = pxa_md_number(bytes + 4 * (size_t)WORD_EVENTS, 8, big);
    memcpy(super->uuid, bytes + 4 * (size_t)WORD_UUID_0, 4);
    memcpy(super->uuid + 4, bytes + 4 * (size_t)WORD_UUID_1, 12);
    const int status = parse_sizes(bytes, big, at, super, why);
    return status == PXR_OK ? parse_roles(bytes, big, super, why) : status;
}
