/* SPDX-License-Identifier: BSD-3-Clause */
/* The superblock of a file. */
#ifndef PXA_HOST_SUPERBLOCK_H
#define PXA_HOST_SUPERBLOCK_H

#include "file.h"

#include "core/disk.h"

/*
 * Reads the superblock with the highest sequence.  `good` becomes a set of the places that have
 * a superblock which is right.  Returns PXR_OK, PXA_ENONE, PXA_EREFUSED (there is one that this
 * version does not know), PXA_EDAMAGED (there is only one whose checksum or fields are wrong),
 * PXA_EIO, or PXR_ENOMEM.
 */
int superblock_read(const struct file *file, struct disk_super *super, unsigned *good);

/* Fills in a random uuid.  Returns PXR_OK, or PXA_EIO with a message. */
int superblock_uuid(uint8_t uuid[16], struct pxr_error *why);

/* Whether a file has no superblock, so that it may become a new member.  Otherwise it returns
   another status with a message. */
int file_check_free(const struct file *file, struct pxr_error *why);

#endif
