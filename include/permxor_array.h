/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file permxor_array.h Arrays of members with parity: where blocks are, what a write has to
 * read, and reading while members are missing.
 *
 * This header includes permxor.h. permxor_array_md.h adds Linux md's superblocks.  The library
 * is libpermxor_array, which uses libpermxor through its public headers only.  It has no
 * threads, and it opens no files: a program gives it a function that reads from a member.  It
 * never writes to a member.
 *
 *     struct pxa_geometry geometry = {
 *         .data = 4, .parity = 2, .layout = PXA_LEFT_SYMMETRIC,
 *         .chunk = 65536, .member_size = 1 << 30};
 *     pxa_array *array;
 *     struct pxr_error why;
 *     if (pxa_array_create(&array, &geometry, PXR_ISAL_VAND, members,
 *                          sizeof members[0], &why) != PXR_OK)
 *         give_up(why.text);
 *     int status =
 *         pxa_read(array, offset, len, buffer, PXA_TRUST, NULL, 0);
 *     ...
 *     pxa_array_free(array);
 *
 * Terms
 *
 * An array has k + m members.  Each member is divided into chunks.  The chunks at one place of
 * all members are a row, which holds k blocks of data and m blocks of parity.  In a row, blocks
 * 0 to k-1 hold the data in the order of their addresses, and blocks k to k+m-1 hold the
 * parity. The layout says which member holds which block of which row.
 *
 * A set of blocks of a row, or of members, is a pxa_mask: bit i stands for block or member i.
 *
 * Rules for every function below: sizes and offsets are in bytes.  A call returns PXR_OK,
 * another value of enum pxr_status, or a value of enum pxa_status.  Structures that later
 * releases may extend at their ends are passed with their sizes, as in permxor.h, and arrays of
 * them with the size of one element.  struct pxa_geometry, pxa_row, pxa_place, pxa_state and
 * pxa_range never change.  Any thread may call any function at any time, also on one array, if
 * the members' functions allow that.
 */
#ifndef PERMXOR_ARRAY_H
#define PERMXOR_ARRAY_H

#include "permxor.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** The most members of an array: as many as a pxa_mask has bits. */
#define PXA_MAX_MEMBERS 64

/** The largest chunk. */
#define PXA_MAX_CHUNK (UINT32_C(1) << 30)

/** The largest member.  With 64 members, addresses in the array still fit in 63 bits. */
#define PXA_MAX_MEMBER_SIZE (UINT64_C(1) << 56)

/** A set of blocks of a row, or of members: bit i stands for number i. */
typedef uint64_t pxa_mask;

/** What calls return besides the values of enum pxr_status. */
enum pxa_status {
    PXA_EIO = 64,      /**< Too many members have failed or could not be read. */
    PXA_ENONE = 65,    /**< There is no superblock. */
    PXA_EDAMAGED = 66, /**< There is a superblock, but its checksum or a field is wrong. */
    PXA_EREFUSED = 67  /**< The members are intact, but this library does not read them. */
};

/** Returns one line of English for a status of this library or of libpermxor. */
const char *pxa_strerror(int status);

/* ------------------------------------------------------------- geometry -- */

/**
 * Where the blocks of a row are.  The names are mdadm's, and so are the places for one and two
 * parity blocks.  doc/array.md has the rules and pictures.  The first six layouts take any
 * number of parity blocks, and the others take two.
 */
enum pxa_layout {
    PXA_LEFT_ASYMMETRIC = 0,
    PXA_RIGHT_ASYMMETRIC,
    PXA_LEFT_SYMMETRIC,
    PXA_RIGHT_SYMMETRIC,
    PXA_PARITY_FIRST,
    PXA_PARITY_LAST, /**< Also the layout of RAID-4, and of a plain set of k + m shards. */
    PXA_DDF_ZERO_RESTART,
    PXA_DDF_N_RESTART,
    PXA_DDF_N_CONTINUE,
    PXA_LEFT_ASYMMETRIC_6, /**< RAID-5 with Q on a member of its own; so are those below. */
    PXA_RIGHT_ASYMMETRIC_6,
    PXA_LEFT_SYMMETRIC_6,
    PXA_RIGHT_SYMMETRIC_6,
    PXA_PARITY_FIRST_6,
    PXA_LAYOUTS /**< How many there are. */
};

/** Returns mdadm's name of a layout, such as "left-symmetric", or NULL if there is none. */
const char *pxa_layout_name(enum pxa_layout layout);

/**
 * Does the reverse of pxa_layout_name().
 *
 * \retval PXR_OK *layout is set.
 * \retval PXR_EINVAL No layout has this name.
 */
int pxa_layout_parse(const char *name, enum pxa_layout *layout) PXR_CHECKED;

/**
 * Translates the number of a layout in md's superblocks.
 *
 * \param level md's RAID level: 4, 5 or 6.
 * \param number md's number of the layout.
 * \param layout Becomes the layout.
 *
 * \retval PXR_OK *layout is set.
 * \retval PXR_EINVAL md has no such layout at this level.
 */
int pxa_layout_of_md(int level, uint32_t number, enum pxa_layout *layout) PXR_CHECKED;

/** The shape of an array. */
struct pxa_geometry {
    unsigned data;          /**< Blocks of data in a row: k, at least 1. */
    unsigned parity;        /**< Blocks of parity in a row: m, at least 1. */
    enum pxa_layout layout; /**< Where they are. */
    uint32_t chunk;         /**< The length of a block. */
    uint64_t member_size; /**< The bytes of blocks on each member.  Only whole chunks count. */
};

/**
 * Checks a geometry.  The other functions take only geometries that pass.
 *
 * \retval PXR_OK The geometry is possible.
 * \retval PXR_EINVAL It is not, and *why (if not NULL) says why.
 */
int pxa_geometry_check(const struct pxa_geometry *geometry, struct pxr_error *why) PXR_CHECKED;

/** Returns the number of rows. */
uint64_t pxa_rows(const struct pxa_geometry *geometry);

/** Returns the number of bytes of data that the array holds. */
uint64_t pxa_capacity(const struct pxa_geometry *geometry);

/** Where the blocks of one row are. */
struct pxa_row {
    uint64_t offset;                 /**< Where the blocks begin, on every member. */
    uint8_t member[PXA_MAX_MEMBERS]; /**< By block: which member holds it. */
    /**
     * By block of data: which shard of the code it is.  md numbers the coefficients of Q in the
     * order of the members, which is not always the order of the addresses.  The DDF layouts
     * skip the numbers of the members that hold P and Q, so numbers go up to k + m - 1 there.
     */
    uint8_t shard[PXA_MAX_MEMBERS];
};

/** Computes where the blocks of a row are.  Any row number is allowed. */
void pxa_row(const struct pxa_geometry *geometry, uint64_t number, struct pxa_row *row);

/** A place in an array, seen from both sides. */
struct pxa_place {
    uint64_t row;    /**< The number of the row. */
    unsigned block;  /**< Which block of the row; from k on it is parity. */
    uint32_t within; /**< The offset within the block. */
    unsigned member; /**< The member that holds the block. */
    uint64_t offset; /**< The offset on the member, from the beginning of its blocks. */
};

/**
 * Finds the place of an address in the array.
 *
 * \retval PXR_OK *place is filled in.
 * \retval PXR_EINVAL The address is not below pxa_capacity().
 */
int pxa_place_of(const struct pxa_geometry *geometry, uint64_t address,
                 struct pxa_place *place) PXR_CHECKED;

/**
 * Finds the place of an offset on a member, and its address if the block is data.
 *
 * \param geometry The geometry.
 * \param member The member.
 * \param offset The offset from the beginning of the member's blocks.
 * \param place Becomes the place.
 * \param address Becomes the address, or UINT64_MAX for parity.
 *
 * \retval PXR_OK *place and *address are set.
 * \retval PXR_EINVAL There is no such member, or the offset is not within its rows.
 */
int pxa_place_on(const struct pxa_geometry *geometry, unsigned member, uint64_t offset,
                 struct pxa_place *place, uint64_t *address) PXR_CHECKED;

/* ---------------------------------------------------------------- plans -- */

/** What is known about the blocks of a row before a call reads or writes some of them. */
struct pxa_state {
    unsigned data;   /**< k */
    unsigned parity; /**< m. k + m is at most PXA_MAX_MEMBERS. */
    pxa_mask lost;   /**< Blocks that can be neither read nor written. */
    pxa_mask cached; /**< Blocks whose present contents are in memory; they may be lost. */
};

/** How to compute the blocks that a row needs. */
enum pxa_method {
    PXA_DIRECT,            /**< Nothing has to be computed. */
    PXA_READ_MODIFY_WRITE, /**< Parity from the change of the data, and the old parity. */
    PXA_RECONSTRUCT_WRITE, /**< Parity from all data: the new data, and the data that stays. */
    PXA_REBUILD /**< The missing data from any k blocks; then parity from all data. */
};

/** Stands in place of a count: the method is impossible. */
#define PXA_IMPOSSIBLE (~0u)

/** What to do for a row. */
struct pxa_plan {
    enum pxa_method method;
    pxa_mask read;    /**< Blocks to read first. */
    pxa_mask rebuild; /**< Blocks of data to compute from the ones that are known then. */
    pxa_mask write;   /**< Blocks to write. */
    /** By method: how many blocks it would read, or PXA_IMPOSSIBLE. */
    unsigned reads[4];
};

/**
 * Plans a read.  The plan reads as few blocks as possible.
 *
 * \param state What is known about the blocks.
 * \param wanted The blocks whose contents are wanted, data or parity.
 * \param plan Becomes the plan.  Its method is PXA_DIRECT or PXA_REBUILD, it writes nothing,
 *     and `rebuild` is the set of the wanted blocks that are lost; it may contain parity.
 * \param size The size of *plan.
 *
 * \retval PXR_OK *plan is the plan.
 * \retval PXR_EINVAL The numbers are out of range, or a mask names a block that is not there.
 * \retval PXR_ETOOFEW Fewer than k blocks are left, and a wanted one is lost.
 */
int pxa_plan_read(const struct pxa_state *state, pxa_mask wanted, struct pxa_plan *plan,
                  size_t size) PXR_CHECKED;

/**
 * Plans a write.
 *
 * There are three ways to compute the new parity, and the plan takes the one that reads the
 * fewest blocks.  If several ways read equally few, it prefers PXA_RECONSTRUCT_WRITE, which
 * removes an error that the parity may have, and next PXA_READ_MODIFY_WRITE.  When no block
 * changes, the plan is empty.  When no parity is left, the method is PXA_DIRECT, or PXA_REBUILD
 * if that reads less.
 *
 * \param state What is known about the blocks.
 * \param whole The blocks of data of which the write replaces all bytes.
 * \param partial The blocks of data of which the write replaces only some bytes.  Their old
 *     contents are needed in any case.  No block may be in both sets.
 * \param plan Becomes the plan.  It writes the changed blocks and all parity, without those
 *     that are lost.
 * \param size The size of *plan.
 *
 * \retval PXR_OK *plan is the plan.
 * \retval PXR_EINVAL The numbers are out of range, or a mask names a block that is not there.
 * \retval PXR_ETOOFEW More than m blocks are lost.
 */
int pxa_plan_write(const struct pxa_state *state, pxa_mask whole, pxa_mask partial,
                   struct pxa_plan *plan, size_t size) PXR_CHECKED;

/* -------------------------------------------------------------- members -- */

/** The functions of a member.  Later releases may add some at the end. */
struct pxa_member_calls {
    size_t size; /**< sizeof(struct pxa_member_calls) */
    /** Reads exactly len bytes.  Returns 0, or a number of errno.h. */
    int (*read)(void *self, uint64_t offset, size_t len, void *buffer);
};

/** Bytes of a member: from `begin` up to `end`, which does not belong to them. */
struct pxa_range {
    uint64_t begin; /**< The first byte. */
    uint64_t end;   /**< The byte after the last one. */
};

/** A member of an array. */
struct pxa_member {
    const struct pxa_member_calls *calls; /**< NULL: the member is missing. */
    void *self;                           /**< The first argument of the functions. */
    uint64_t start;                       /**< Where the member's blocks begin. */
    uint64_t valid; /**< Bytes from `start` on that are in sync.  The others count as lost. */
    const struct pxa_range *bad; /**< Ranges of the member that count as lost; not copied. */
    unsigned bad_count;          /**< How many ranges. */
};

/* -------------------------------------------------------------- reading -- */

/** An array that can be read. */
typedef struct pxa_array pxa_array;

/**
 * Makes an array of members.
 *
 * \param array Becomes the array, or NULL.  The caller frees it with pxa_array_free().
 * \param geometry The geometry.
 * \param matrix The code: a matrix of bytes. PXR_ISAL_VAND with one or two parity blocks gives
 *     the bytes of md's RAID-4, RAID-5 and RAID-6.
 * \param members k + m members.  The call copies them.
 * \param size The size of one of them: sizeof(struct pxa_member).
 * \param why May be NULL.  Otherwise it gets a message when the call fails.
 *
 * \retval PXR_OK *array is the array.
 * \retval PXR_EINVAL The geometry, the matrix or a size is impossible.
 * \retval PXR_ENOTMDS The matrix is not MDS at this size.
 * \retval PXR_ETOOFEW More than m members are missing.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxa_array_create(pxa_array **array, const struct pxa_geometry *geometry,
                     enum pxr_matrix matrix, const struct pxa_member *members, size_t size,
                     struct pxr_error *why) PXR_CHECKED;

/** Frees an array.  NULL is allowed. */
void pxa_array_free(pxa_array *array);

/** What a read does about parity. */
enum pxa_trust {
    PXA_TRUST,  /**< It reads parity only to replace what is lost. */
    PXA_VERIFY, /**< It compares parity with the data, and fails where they disagree. */
    /**
     * It compares parity with the data.  Where one wrong block explains a disagreement, it
     * returns the corrected data; for that, the parity blocks must outnumber the missing
     * members by two.  Where no single block explains the disagreement, it fails.
     */
    PXA_CORRECT
};

/** What reads have found.  Each call adds to these numbers. */
struct pxa_report {
    uint64_t rebuilt;     /**< Bytes of data that were computed from other blocks. */
    uint64_t errors;      /**< Reads of members that failed. */
    pxa_mask failed;      /**< Members of which a read failed. */
    uint64_t disagreeing; /**< Pages of at most 4096 bytes in which parity and data disagree. */
    uint64_t located;     /**< Those of them that one wrong block explains. */
    pxa_mask wrong;       /**< Members that hold such a block. */
    uint64_t unchecked;   /**< Bytes of rows in which no parity was left to compare. */
    uint64_t last_row;    /**< The row of the last disagreement. */
};

/**
 * Reads bytes of the array.  When a member is missing, or a read of it fails, its bytes are
 * computed from other members.
 *
 * \param array The array.
 * \param offset The address of the first byte.
 * \param len The number of bytes.
 * \param buffer Room for them.  After an error its contents are undefined.
 * \param trust What to do about parity.
 * \param report May be NULL.  Otherwise the call adds what it has found, also when it fails.
 *     The caller sets it to zeros before the first call.
 * \param size The size of *report.
 *
 * \retval PXR_OK The bytes are read.
 * \retval PXR_EINVAL A pointer is NULL, or the range ends after pxa_capacity().
 * \retval PXA_EIO More than m members cannot be read at one place.
 * \retval PXR_EMISMATCH With PXA_VERIFY: parity and data disagree.
 * \retval PXR_EAMBIGUOUS With PXA_CORRECT: parity and data disagree, and no single wrong block
 *     explains it.
 * \retval PXR_ENOMEM There is not enough memory.
 */
int pxa_read(const pxa_array *array, uint64_t offset, size_t len, void *buffer,
             enum pxa_trust trust, struct pxa_report *report, size_t size) PXR_CHECKED;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
