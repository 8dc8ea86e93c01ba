/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor_raid.h - RAID-5 and RAID-6 parity, and functions that scan buffers.  It includes
 * permxor.h, whose first comment tells what holds for every function.
 *
 * Terms.  A stripe is n data blocks D[0] to D[n-1] of len bytes each, with n from 1 to
 * PXR_RAID_MAX_DATA, and their parity blocks
 *
 *     P = sum of D[i]          Q = sum of 2^i * D[i]        (the syndrome)
 *
 * in GF(2^8), polynomial 0x11d.  These are the bytes of Linux md's RAID-6 (H. P. Anvin, "The
 * mathematics of RAID-6"), when D[i] is the block to which md gives the coefficient 2^i.
 * RAID-5 has P alone.  P and Q are arguments of their own everywhere; where a block needs a
 * number, P has number n and Q has n+1.
 *
 *     int status = pxr_raid_generate(n, len, data, p, q);
 *     ...
 *     const unsigned lost[] = {3, n};              D[3] and P
 *     status = pxr_raid_recover(n, len, data, p, q, 2, lost);
 *
 * No function here allocates memory.  Blocks do not overlap one another.
 */
#ifndef PERMXOR_RAID_H
#define PERMXOR_RAID_H

#include "permxor.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* 2 has order 255, so from 256 data blocks on two would have the same coefficient. */
#define PXR_RAID_MAX_DATA 255

/*
 * Computes P and Q of n data blocks.  Where p or q is NULL, it computes the other one alone.
 *   PXR_EINVAL  n is out of range, data or a data block is NULL, or both p and q are
 */
int pxr_raid_generate(unsigned n, size_t len, pxr_inputs data, uint8_t *p,
                      uint8_t *q) PXR_CHECKED;

/* --------------------------------------------------------------- checking -- */

/* In place of a block's number: no single block explains what was found. */
#define PXR_RAID_UNKNOWN (~0u)

struct pxr_raid_report {
    size_t first_p; /* the first byte at which P disagrees with the data, or len */
    size_t first_q; /* the same of Q, or len where there is no Q */
    /* The number of the block that explains it: when its bytes change, all agree.
       PXR_RAID_UNKNOWN where there is no such block, or nothing to explain. */
    unsigned suspect;
};

/*
 * Compares P and Q with the data, and writes nothing but the report.  Where q is NULL it
 * compares P alone, and then it can suspect no block.  report may be NULL: then the check ends
 * at the first difference.  With a report, of `size` bytes, it goes on as long as the report
 * may change.
 *
 * How it finds a data block: when D[z] alone is wrong, by E, then P is off by E and Q by
 * 2^z * E in every byte, and no other z gives this quotient (Anvin, section 4).  Two wrong
 * blocks may look like a third one; the more bytes are wrong, the less likely this is.
 *   PXR_OK         all agree
 *   PXR_EMISMATCH  P or Q disagrees with the data
 *   PXR_EINVAL     n is out of range, or data, a data block or p is NULL
 */
int pxr_raid_check(unsigned n, size_t len, pxr_inputs data, const uint8_t *p, const uint8_t *q,
                   struct pxr_raid_report *report, size_t size) PXR_CHECKED;

/* -------------------------------------------------------- partial changes -- */

/*
 * Adds what some data blocks contribute to P and Q (their partial syndrome):
 *
 *     P += sum of blocks[i],  Q += sum of 2^(first+i) * blocks[i],   i < count
 *
 * Where blocks[i] is NULL, data block first+i is left out.  first + count is at most
 * PXR_RAID_MAX_DATA.  A read-modify-write calls it with the old contents of the changed blocks
 * and again with the new ones, or once with their differences.  It takes the time of the blocks
 * that are there, and of a doubling for each gap between them; the blocks before the first one
 * and behind the last one cost nothing.  Where p or q is NULL, that parity is left out.
 *   PXR_EINVAL  blocks is NULL, the range is too long, or both p and q are NULL
 */
int pxr_raid_accumulate(unsigned first, unsigned count, size_t len, pxr_inputs blocks,
                        uint8_t *p, uint8_t *q) PXR_CHECKED;

/*
 * Brings P and Q up to date after data block `index` changed from old_block to new_block.
 * old_block may be NULL, which stands for zeros.  Where p or q is NULL, that parity is left
 * out.
 *   PXR_EINVAL  index is not below PXR_RAID_MAX_DATA, new_block is NULL, or both p and q are
 */
int pxr_raid_update(unsigned index, size_t len, const uint8_t *old_block,
                    const uint8_t *new_block, uint8_t *p, uint8_t *q) PXR_CHECKED;

/* What is known of a block before a write, as flags. */
enum {
    PXR_RAID_CHANGED = 1, /* of a data block: all of it will be overwritten */
    PXR_RAID_CACHED = 2,  /* its present contents are in memory */
    PXR_RAID_FAILED = 4   /* its present contents cannot be read */
};

enum pxr_raid_method {
    PXR_RAID_READ_MODIFY_WRITE, /* read what changes, and P and Q; then pxr_raid_update() */
    PXR_RAID_RECONSTRUCT_WRITE  /* read what stays; then pxr_raid_generate() */
};

/* In place of a count: the method needs a block that cannot be read. */
#define PXR_RAID_IMPOSSIBLE (~0u)

struct pxr_raid_plan {
    enum pxr_raid_method method;
    unsigned read_modify_write; /* how many blocks this method has to read */
    unsigned reconstruct_write;
};

/*
 * Tells which way to write needs fewer reads.  data has n entries, the flags of each data
 * block; p and q are the flags of P and Q.  A parity that has failed is neither read nor
 * written, as in an array without it.  Where no data block changes, or no parity is left,
 * neither way reads anything.  When both read the same number of blocks, the plan is to
 * reconstruct: that computes P and Q afresh, and so removes an error that they may have.  (md
 * chooses so, too.)
 *   PXR_EINVAL   n is out of range, or a pointer is NULL
 *   PXR_ETOOFEW  both ways are impossible; the failed blocks have to be recovered first
 */
int pxr_raid_write_plan(unsigned n, const uint8_t *data, uint8_t p, uint8_t q,
                        struct pxr_raid_plan *plan, size_t size) PXR_CHECKED;

/* --------------------------------------------------------------- recovery -- */

/*
 * Recovers lost blocks into their places.  data has n pointers; the buffers of lost blocks are
 * overwritten, and the others are only read.  p or q may be NULL where there is no such parity;
 * it is not computed then.  lost has the numbers of the lost_count lost blocks, in any order;
 * with none, nothing is done, and the status is PXR_OK.
 *   PXR_EINVAL   n or a number is out of range, a number is there twice, data, a data block, a
 *                lost block or lost is NULL
 *   PXR_ETOOFEW  more data blocks are lost than parity blocks are left
 */
int pxr_raid_recover(unsigned n, size_t len, uint8_t *const *data, uint8_t *p, uint8_t *q,
                     unsigned lost_count, const unsigned *lost) PXR_CHECKED;

/* ------------------------------------------------------------------ scans -- */

/* The buffers of these may be NULL where their length is 0, and only there. */

/* Returns the offset of the first byte in which a and b differ, or len when none does. */
size_t pxr_compare(const void *a, const void *b, size_t len);

/* Returns the offset of the first byte that is not zero, or len when all are zeros. */
size_t pxr_find_nonzero(const void *buffer, size_t len);

/*
 * Returns the Adler-32 checksum (RFC 1950, section 8.2) of a text, whose last len bytes are in
 * the buffer, and whose bytes before have the checksum `adler`; 1 is the checksum of no bytes.
 * It is the number that zlib's adler32() gives.
 *
 *     uint32_t sum = pxr_adler32(pxr_adler32(1, a, a_len), b, b_len);      of a and then b
 */
uint32_t pxr_adler32(uint32_t adler, const void *buffer, size_t len);

/* Returns the checksum of two pieces together, of which it is given each one's checksum. */
uint32_t pxr_adler32_combine(uint32_t first, uint32_t second, uint64_t second_len);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
