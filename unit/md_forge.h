/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes superblocks of Linux md, from the documentation of the format.  It shares nothing with
 * array/, which reads them.
 */
#ifndef PXR_UNIT_MD_FORGE_H
#define PXR_UNIT_MD_FORGE_H

#include <stdbool.h>
#include <stdint.h>

enum { FORGE_SIZE = 4096, FORGE_SPARE = 0xffff, FORGE_FAULTY = 0xfffe };

struct forge {
    unsigned minor; /* 0, 1, 2: metadata 1.x; 90: metadata 0.90 */
    bool big;       /* 0.90 in big-endian order */
    int level;
    unsigned layout, members, chunk; /* chunk in bytes */
    uint64_t size, start;            /* bytes of a member, and where they begin */
    uint64_t events, created;
    unsigned device;
    uint16_t roles[16];
    uint8_t uuid; /* every byte of it */
    bool unclean;
    uint32_t features;  /* of metadata 1.x, besides those that follow */
    uint64_t recovered; /* bytes, if bit 1 of the features is set */
};

/* A RAID-6 of four members of 512 KiB, in chunks of 64 KiB, which device 1 of FORGE_DEVICE
   bytes belongs to. */
enum { FORGE_DEVICE = 1 << 20 };
struct forge forge_raid6(unsigned minor);

/* Where the superblock is on a device of this size. */
uint64_t forge_place(unsigned minor, uint64_t device);

/* Fills in a superblock, with its checksum. */
void forge_write(const struct forge *forge, uint64_t device, uint8_t block[FORGE_SIZE]);

/* Corrects the checksum. */
void forge_seal(unsigned minor, bool big, uint8_t block[FORGE_SIZE]);

/* Writes a number to a block. */
void forge_put(uint8_t *block, unsigned at, uint64_t value, unsigned bytes, bool big);

#endif
