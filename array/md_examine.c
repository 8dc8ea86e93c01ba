/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds md's superblock on a device, and reads its list of bad blocks. */
#include "config.h"

#include "md_super.h"
#include "why.h"

#include <inttypes.h>
#include <string.h>

enum { SECTOR = 512, METADATA_0 = 3 };

/*
 * The places of metadata 1.0, 1.1, 1.2 and 0.90, in this order.  1.0 is 8 to 12 KiB before the
 * end, at a multiple of 4 KiB, and 0.90 is 64 to 128 KiB before the end, at a multiple of 64
 * KiB. Returns false if the device is too small.
 */
static bool place_of(unsigned minor, uint64_t bytes, uint64_t *at)
{
    const uint64_t sectors = bytes / SECTOR;
    switch (minor) {
    case 0:
        *at = sectors >= 16 ? ((sectors - 16) & ~UINT64_C(7)) * SECTOR : 0;
        break;
    case 1:
        *at = 0;
        break;
    case 2:
        *at = 4096;
        break;
    default:
        *at = bytes >= 65536 ? (bytes & ~UINT64_C(65535)) - 65536 : bytes;
    }
    return bytes >= PXA_MD_SUPER_SIZE && *at <= bytes - PXA_MD_SUPER_SIZE &&
           (minor != 0 || sectors >= 16);
}

/* Both 1.0 and 1.1 may be at offset 0 of a very small device.  Then it is 1.1. */
static int parse(const uint8_t *bytes, unsigned minor, uint64_t at, uint64_t device,
                 struct pxa_md_super *super, struct pxr_error *why)
{
    if (minor == METADATA_0)
        return pxa_md_parse_0(bytes, at, super, why);
    super->minor = minor;
    return minor == 0 && at == 0 ? PXA_ENONE : pxa_md_parse_1(bytes, at, device, super, why);
}

static int try_place(const struct pxa_member_calls *device, void *self, uint64_t bytes,
                     unsigned minor, struct pxa_md_super *super, struct pxr_error *why)
{
    uint8_t block[PXA_MD_SUPER_SIZE];
    uint64_t at;
    if (!place_of(minor, bytes, &at))
        return PXA_ENONE;
    const int error = device->read(self, at, sizeof block, block);
    if (error != 0)
        return pxa_because(why, PXA_EIO, "cannot read the place of a superblock: %s",
                           strerror(error));
    memset(super, 0, sizeof *super);
    return parse(block, minor, at, bytes, super, why);
}

int pxa_md_examine(const struct pxa_member_calls *device, void *self, uint64_t bytes,
                   struct pxa_md_super *super, size_t size, struct pxr_error *why)
{
    static const unsigned order[] = {2, 1, 0, METADATA_0};
    if (device == NULL || super == NULL)
        return PXR_EINVAL;
    struct pxa_md_super best, found;
    struct pxr_error message = {""};
    int result = PXA_ENONE;
    pxa_because(why, PXA_ENONE, "it has no superblock of md");
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++) {
        const int status = try_place(device, self, bytes, order[i], &found, &message);
        if (status == PXR_OK && (result != PXR_OK || found.created > best.created)) {
            best = found;
            result = PXR_OK;
        } else if (status != PXR_OK && status != PXA_ENONE && result == PXA_ENONE) {
            result = pxa_because(why, status, "%s", message.text);
        }
    }
    if (result != PXR_OK)
        return result;
    memset(super, 0, size);
    memcpy(super, &best, size < sizeof best ? size : sizeof best);
    return PXR_OK;
}

/* ----------------------------------------------------------- bad blocks -- */

/* An entry is the number of the first unit in the upper 54 bits, and how many follow.  The list
   ends with an entry of ones. */
static bool parse_bad(const uint8_t *entry, unsigned shift, struct pxa_range *range)
{
    const uint64_t value = pxa_md_number(entry, 8, false);
    const uint64_t first = value >> 10, count = value & 1023;
    const uint64_t unit = (uint64_t)SECTOR << shift;
    if (value == UINT64_MAX)
        return false;
    range->begin = first > UINT64_MAX / unit ? UINT64_MAX : first * unit;
    range->end =
        count > (UINT64_MAX - range->begin) / unit ? UINT64_MAX : range->begin + count * unit;
    return true;
}

int pxa_md_bad_blocks(const struct pxa_member_calls *device, void *self,
                      const struct pxa_md_super *super, struct pxa_range *bad, unsigned room,
                      unsigned *count)
{
    uint8_t block[PXA_MD_SUPER_SIZE];
    *count = 0;
    if (super->bad_size == 0)
        return PXR_OK;
    if (super->bad_size > sizeof block)
        return PXA_EDAMAGED;
    if (device->read(self, super->bad_offset, super->bad_size, block) != 0)
        return PXA_EIO;
    struct pxa_range range;
    for (unsigned at = 0; at + 8 <= super->bad_size; at += 8) {
        if (!parse_bad(block + at, super->bad_shift, &range))
            break;
        if (range.begin == range.end)
            continue;
        if (*count == room)
            return PXA_EDAMAGED;
        bad[(*count)++] = range;
    }
    return PXR_OK;
}
