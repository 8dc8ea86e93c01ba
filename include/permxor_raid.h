/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file permxor_raid.h RAID-5 and RAID-6 parity, and functions that scan buffers.
 *
 * This header includes permxor.h.  The rules in the first comment of permxor.h hold for every
 * function here, too.  No function here allocates memory.
 *
 * A stripe is n data blocks D[0] to D[n-1] of len bytes each, with n from 1 to
 * PXR_RAID_MAX_DATA, and their parity blocks
 *
 *     P = sum of D[i]          Q = sum of 2^i * D[i]        (the syndrome)
 *
 * in GF(2^8) with polynomial 0x11d.  When D[i] is the block to which md gives the coefficient
 * 2^i, these are the bytes of Linux md's RAID-6 (H. P. Anvin, "The mathematics of RAID-6").
 * RAID-5 has P alone.  P and Q are separate arguments of every function.  Where a block needs a
 * number, P has number n and Q has number n+1.
 *
 *     int status = pxr_raid_generate(n, len, data, p, q);
 *     ...
 *     const unsigned lost[] = {3, n};              // D[3] and P
 *     status = pxr_raid_recover(n, len, data, p, q, 2, lost);
 *
 * Blocks must not overlap one another.
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

/**
 * The most data blocks of a stripe. 2 has order 255 in the field, so of 256 data blocks two
 * would have the same coefficient.
 */
#define PXR_RAID_MAX_DATA 255

/**
 * Computes P and Q of n data blocks.  When p or q is NULL, the call computes only the other
 * one.
 *
 * \param n The number of data blocks.
 * \param len The length of each block in bytes.
 * \param data n pointers to data blocks.
 * \param p Becomes P.
 * \param q Becomes Q.
 *
 * \retval PXR_OK The parity is written.
 * \retval PXR_EINVAL n is out of range, data or a data block is NULL, or both p and q are NULL.
 */
int pxr_raid_generate(unsigned n, size_t len, pxr_inputs data, uint8_t *p,
                      uint8_t *q) PXR_CHECKED;

/* --------------------------------------------------------------- checking -- */

/** Stands in place of a block's number: no single block explains the disagreement. */
#define PXR_RAID_UNKNOWN (~0u)

/** What pxr_raid_check() found. */
struct pxr_raid_report {
    size_t first_p; /**< The first byte at which P disagrees with the data, or len. */
    size_t first_q; /**< The same for Q; also len when q is NULL. */
    /**
     * The number of the block that explains the disagreement: when its bytes change, all blocks
     * agree.  It is PXR_RAID_UNKNOWN when there is no such block, or when nothing disagrees.
     */
    unsigned suspect;
};

/**
 * Compares P and Q with the data, and writes nothing but the report.
 *
 * How the call finds a wrong data block: when D[z] alone is wrong, by E, then P is wrong by E
 * and Q by 2^z * E in every byte, and no other z gives this quotient (Anvin, section 4).  Two
 * wrong blocks may look like a third one; this becomes less likely with each byte that is
 * wrong.
 *
 * \param n The number of data blocks.
 * \param len The length of each block in bytes.
 * \param data n pointers to data blocks.
 * \param p P, which is needed.
 * \param q Q. When it is NULL, the call compares P alone, and then it can suspect no block.
 * \param report May be NULL, and then the check ends at the first difference.  Otherwise the
 *     check ends when more bytes cannot change the report.
 * \param size The size of *report.
 *
 * \retval PXR_OK P and Q agree with the data.
 * \retval PXR_EMISMATCH P or Q disagrees with the data.
 * \retval PXR_EINVAL n is out of range, or data, a data block or p is NULL.
 */
int pxr_raid_check(unsigned n, size_t len, pxr_inputs data, const uint8_t *p, const uint8_t *q,
                   struct pxr_raid_report *report, size_t size) PXR_CHECKED;

/* -------------------------------------------------------- partial changes -- */

/**
 * Adds the contribution of some data blocks to P and Q (their partial syndrome):
 *
 *     P += sum over i < count of blocks[i]
 *     Q += sum over i < count of 2^(first+i) * blocks[i]
 *
 * A read-modify-write calls it with the old contents of the changed blocks and again with their
 * new contents, or once with the differences.  The time depends on the number of blocks that
 * are there.  Each block that is left out between them costs up to one doubling.  Blocks before
 * the first one that is there, and behind the last one, cost nothing.
 *
 * \param first The number of the first data block.
 * \param count The number of entries of blocks. first + count is at most PXR_RAID_MAX_DATA.
 * \param len The length of each block in bytes.
 * \param blocks Where blocks[i] is NULL, data block first+i is left out.
 * \param p P.  When it is NULL, P is left out.
 * \param q Q.  When it is NULL, Q is left out.
 *
 * \retval PXR_OK P and Q are changed.
 * \retval PXR_EINVAL blocks is NULL, the range is too long, or both p and q are NULL.
 */
int pxr_raid_accumulate(unsigned first, unsigned count, size_t len, pxr_inputs blocks,
                        uint8_t *p, uint8_t *q) PXR_CHECKED;

/**
 * Brings P and Q up to date after data block `index` changed from old_block to new_block.
 *
 * \param index The number of the data block.
 * \param len The length of each block in bytes.
 * \param old_block The old contents.  NULL stands for zeros.
 * \param new_block The new contents.
 * \param p P.  When it is NULL, P is left out.
 * \param q Q.  When it is NULL, Q is left out.
 *
 * \retval PXR_OK P and Q are up to date.
 * \retval PXR_EINVAL index is not below PXR_RAID_MAX_DATA, new_block is NULL, or both p and q
 *     are NULL.
 */
int pxr_raid_update(unsigned index, size_t len, const uint8_t *old_block,
                    const uint8_t *new_block, uint8_t *p, uint8_t *q) PXR_CHECKED;

/** What is known about a block before a write, as flags. */
enum {
    PXR_RAID_CHANGED = 1, /**< Of a data block: the write replaces all of it. */
    PXR_RAID_CACHED = 2,  /**< Its present contents are in memory. */
    PXR_RAID_FAILED = 4   /**< Its present contents cannot be read. */
};

/** The two ways to write a part of a stripe. */
enum pxr_raid_method {
    PXR_RAID_READ_MODIFY_WRITE, /**< Read the changing blocks, P and Q; then pxr_raid_update()
                                 */
    PXR_RAID_RECONSTRUCT_WRITE  /**< Read the other blocks; then pxr_raid_generate() */
};

/** Stands in place of a count: the method needs a block that cannot be read. */
#define PXR_RAID_IMPOSSIBLE (~0u)

/** The cheaper way to write, and what both ways read. */
struct pxr_raid_plan {
    /** The way that needs fewer reads. */
    enum pxr_raid_method method;
    /** How many blocks a read-modify-write has to read, or PXR_RAID_IMPOSSIBLE. */
    unsigned read_modify_write;
    /** How many blocks a reconstruct-write has to read, or PXR_RAID_IMPOSSIBLE. */
    unsigned reconstruct_write;
};

/**
 * Tells which way to write needs fewer reads.
 *
 * A parity block that has failed is neither read nor written, as if the array did not have it.
 * When no data block changes, or no parity is left, neither way reads anything.  When both ways
 * read the same number of blocks, the plan is to reconstruct: that computes P and Q from all
 * data, and so removes an error that they may have.  (md chooses in the same way.)
 *
 * \param n The number of data blocks.
 * \param data n entries: the flags of each data block.
 * \param p The flags of P.
 * \param q The flags of Q.
 * \param plan Becomes the plan.
 * \param size The size of *plan.
 *
 * \retval PXR_OK *plan is the plan.
 * \retval PXR_EINVAL n is out of range, or a pointer is NULL.
 * \retval PXR_ETOOFEW Both ways are impossible.  Recover the failed blocks first.
 */
int pxr_raid_write_plan(unsigned n, const uint8_t *data, uint8_t p, uint8_t q,
                        struct pxr_raid_plan *plan, size_t size) PXR_CHECKED;

/* --------------------------------------------------------------- recovery -- */

/**
 * Recovers lost blocks into their buffers.
 *
 * \param n The number of data blocks.
 * \param len The length of each block in bytes.
 * \param data n pointers.  The buffers of lost blocks are overwritten; the others are only
 *     read.
 * \param p P.  NULL means that there is no P, and it is not computed.
 * \param q Q.  NULL means that there is no Q, and it is not computed.
 * \param lost_count The number of lost blocks.  With 0 the call does nothing and returns
 *     PXR_OK.
 * \param lost The numbers of the lost blocks, in any order.
 *
 * \retval PXR_OK The lost blocks are recovered.
 * \retval PXR_EINVAL n or a number is out of range, a number is there twice, or data, a data
 *     block, a lost block or lost is NULL.
 * \retval PXR_ETOOFEW More data blocks are lost than parity blocks are left.
 */
int pxr_raid_recover(unsigned n, size_t len, uint8_t *const *data, uint8_t *p, uint8_t *q,
                     unsigned lost_count, const unsigned *lost) PXR_CHECKED;

/* ------------------------------------------------------------------ scans -- */

/**
 * Returns the offset of the first byte in which a and b differ, or len when they are equal.
 * The buffers may be NULL only when len is 0.
 */
size_t pxr_compare(const void *a, const void *b, size_t len);

/**
 * Returns the offset of the first byte that is not zero, or len when all bytes are zero.  The
 * buffer may be NULL only when len is 0.
 */
size_t pxr_find_nonzero(const void *buffer, size_t len);

/**
 * Returns the Adler-32 checksum (RFC 1950, section 8.2) of a text whose last len bytes are in
 * the buffer.  It is the number that zlib's adler32() gives.
 *
 *     // of a and then b
 *     uint32_t sum = pxr_adler32(pxr_adler32(1, a, a_len), b, b_len);
 *
 * \param adler The checksum of the bytes before the buffer. 1 is the checksum of no bytes.
 * \param buffer The last bytes of the text.  It may be NULL only when len is 0.
 * \param len The number of bytes in the buffer.
 */
uint32_t pxr_adler32(uint32_t adler, const void *buffer, size_t len);

/**
 * Returns the checksum of two pieces together, given the checksum of each piece and the length
 * of the second one.
 */
uint32_t pxr_adler32_combine(uint32_t first, uint32_t second, uint64_t second_len);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
