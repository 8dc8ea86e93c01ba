/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor_raid.h - RAID-5 and RAID-6 parity, and the scans around it.  permxor.h, which it
 * includes, states the conventions.
 *
 * Terms.  A stripe is n data blocks D[0]..D[n-1] of len bytes each, 1 <= n <=
 * PXR_RAID_MAX_DATA, and their parity blocks
 *
 *     P = sum of D[i]          Q = sum of 2^i * D[i]        (the syndrome)
 *
 * in GF(2^8), polynomial 0x11d: the same bytes as Linux md RAID-6 (H. P. Anvin, "The
 * mathematics of RAID-6"), D[i] being the block that md gives the coefficient 2^i.
 * Where a function takes all blocks as one array, P is entry n and Q entry n+1.
 * RAID-5 has P alone.
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

/* 2 has order 255: from 256 data blocks on, two would have the same coefficient. */
#define PXR_RAID_MAX_DATA 255

/*
 * Compute P and Q.  data: n pointers.  p or q NULL: the other alone is computed.
 *   PXR_EINVAL  n out of range, data or a data block NULL, or both p and q NULL
 */
int pxr_raid_generate(unsigned n, size_t len, pxr_inputs data, uint8_t *p,
                      uint8_t *q) PXR_CHECKED;

/* --------------------------------------------------------------- checking -- */

/* No single block explains what was found. */
#define PXR_RAID_UNKNOWN (~0u)

struct pxr_raid_report {
    size_t first_p; /* the first byte in which P disagrees with the data, or len */
    size_t first_q; /* the same of Q; len where there is no Q */
    /* The block whose change alone, in any of its bytes, would make all agree: a data
       block's index, n for P, n+1 for Q; else PXR_RAID_UNKNOWN. */
    unsigned suspect;
};

/*
 * Compare P and Q with the data; nothing is written but the report.
 * q NULL: P alone is compared, and no suspect can be told.
 * report NULL: the check ends at the first difference.  With a report it goes on for
 * as long as the report may change.
 * How a data block is found: if D[z] alone is wrong, by E, then P is off by E and Q by
 * 2^z * E in every byte, and no other z gives that quotient (Anvin, section 4).  Two
 * wrong blocks may pass for a third one; the more bytes are wrong, the less likely.
 *   PXR_OK         all agree; suspect is PXR_RAID_UNKNOWN
 *   PXR_EMISMATCH
 *   PXR_EINVAL     n out of range, data, a data block or p NULL
 */
int pxr_raid_check(unsigned n, size_t len, pxr_inputs data, const uint8_t *p, const uint8_t *q,
                   struct pxr_raid_report *report) PXR_CHECKED;

/* -------------------------------------------------------- partial changes -- */

/*
 * Add the contribution of some data blocks to P and Q (the partial syndrome; Linux's
 * xor_syndrome):
 *     P += sum of blocks[i],  Q += sum of 2^(first+i) * blocks[i],   i < count
 * blocks[i] NULL: data block first+i is left out.  first + count <= PXR_RAID_MAX_DATA.
 * A read-modify-write calls it with the changed blocks' old contents and again with
 * their new ones, or once with the differences.  The cost is that of the blocks that
 * are there, and of a doubling for a gap between them: nothing is spent on those before
 * the first one and beyond the last.
 * p or q NULL: that parity is left out.
 *   PXR_EINVAL  blocks NULL, the range too long, or both p and q NULL
 */
int pxr_raid_xor_syndrome(unsigned first, unsigned count, size_t len, pxr_inputs blocks,
                          uint8_t *p, uint8_t *q) PXR_CHECKED;

/*
 * Bring P and Q up to date after data block `index` changed from old_block to
 * new_block.  old_block NULL stands for zeros.  p or q NULL: it is left out.
 *   PXR_EINVAL  index >= PXR_RAID_MAX_DATA, new_block NULL, or both p and q NULL
 */
int pxr_raid_update(unsigned index, size_t len, const uint8_t *old_block,
                    const uint8_t *new_block, uint8_t *p, uint8_t *q) PXR_CHECKED;

/* What is known of a block before a write: flags. */
enum {
    PXR_RAID_CHANGED = 1, /* data: it will be overwritten as a whole */
    PXR_RAID_CACHED = 2,  /* its present contents are in memory */
    PXR_RAID_FAILED = 4   /* its present contents cannot be read */
};

enum pxr_raid_method {
    PXR_RAID_READ_MODIFY_WRITE, /* read what changes, and P and Q; pxr_raid_update() */
    PXR_RAID_RECONSTRUCT_WRITE  /* read what stays; pxr_raid_generate() */
};

/* In place of a count: the method needs a block that cannot be read. */
#define PXR_RAID_IMPOSSIBLE (~0u)

struct pxr_raid_plan {
    enum pxr_raid_method method;
    unsigned read_modify_write; /* blocks that this method has to read */
    unsigned reconstruct_write;
};

/*
 * Which way to write costs fewer reads.  state: n+2 entries of flags, D[0]..D[n-1], P,
 * Q.  A failed parity is neither read nor written: that of an array without it.  Where
 * no data block changes, or no parity is left, nothing is to be read either way.  The
 * same number of reads goes to reconstruct-write, which computes P and Q afresh and so
 * does not carry an error in them on (md's choice too).
 *   PXR_EINVAL  n out of range, a NULL
 *   PXR_ETOOFEW both are impossible: the failed blocks are to be recovered first
 */
int pxr_raid_write_plan(unsigned n, const uint8_t *state,
                        struct pxr_raid_plan *plan) PXR_CHECKED;

/* --------------------------------------------------------------- recovery -- */

/*
 * Recover lost blocks into their place.
 * blocks: n+2 pointers; the buffers of the lost ones are overwritten, the others only
 * read.  blocks[n] or blocks[n+1] NULL: there is no P, or no Q, and none is wanted.
 * lost: the indices of lost_count lost blocks, in any order; none is OK and does nothing.
 *   PXR_EINVAL   n or an index out of range, an index twice, a data block NULL, a lost
 *                block NULL, blocks or lost NULL
 *   PXR_ETOOFEW  more data blocks lost than parity blocks left
 */
int pxr_raid_recover(unsigned n, size_t len, uint8_t *const *blocks, unsigned lost_count,
                     const unsigned *lost) PXR_CHECKED;

/* ------------------------------------------------------------------ scans -- */

/* The buffers of these may be NULL where their length is 0, and only there. */

/* Offset of the first byte in which a and b differ; len when none does. */
size_t pxr_compare(const void *a, const void *b, size_t len);

/* Offset of the first byte that is not zero; len when all are. */
size_t pxr_find_nonzero(const void *buffer, size_t len);

/*
 * The Adler-32 checksum (RFC 1950, section 8.2) of len bytes that follow those that
 * `adler` is the checksum of; 1 is that of none.  The same number as zlib's adler32().
 */
uint32_t pxr_adler32(uint32_t adler, const void *buffer, size_t len);

/* The checksum of two pieces joined, from that of each and the second one's length. */
uint32_t pxr_adler32_combine(uint32_t first, uint32_t second, uint64_t second_len);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
