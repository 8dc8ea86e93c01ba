/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "superblock.h"

#include "why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static int read_place(const struct file *file, unsigned place, uint8_t *block,
                      struct disk_super *super)
{
    if (file_read(file, disk_super_at(place, file->size), CORE_BLOCK, block) != 0)
        return PXA_EIO;
    return disk_super_check(block, place, file->size, super);
}

int superblock_read(const struct file *file, struct disk_super *super, unsigned *good)
{
    *good = 0;
    if (file->size < 8 * CORE_BLOCK)
        return PXA_ENONE;
    uint8_t *block = malloc(CORE_BLOCK);
    struct disk_super *found = malloc(sizeof *found);
    int status = block != NULL && found != NULL ? PXA_ENONE : PXR_ENOMEM;
    for (unsigned place = 0; status != PXR_ENOMEM && place < DISK_PLACES; place++) {
        const int here = read_place(file, place, block, found);
        *good |= (unsigned)(here == PXR_OK) << place;
        status = disk_super_join(status, super, here, found);
    }
    free(block);
    free(found);
    return status;
}

int superblock_uuid(uint8_t uuid[16], struct pxr_error *why)
{
    return getrandom(uuid, 16, 0) == 16
               ? PXR_OK
               : pxa_because(why, PXA_EIO, "there are no random numbers: %s", strerror(errno));
}

int file_check_free(const struct file *file, struct pxr_error *why)
{
    unsigned good;
    struct disk_super *super = malloc(sizeof *super);
    const int found = super != NULL ? superblock_read(file, super, &good) : PXR_ENOMEM;
    free(super);
    switch (found) {
    case PXA_ENONE:
        return PXR_OK;
    case PXR_OK:
    case PXA_EDAMAGED:
    case PXA_EREFUSED:
        return pxa_because(why, PXA_EREFUSED,
                           "%s: it has a superblock of an array; use --force to overwrite it",
                           file->path);
    case PXR_ENOMEM:
        return pxa_because(why, found, "there is not enough memory");
    default:
        return pxa_because(why, found, "%s: it cannot be read", file->path);
    }
}
