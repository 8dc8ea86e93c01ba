/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file permxor_array_md.h Superblocks of Linux md: which devices are which members of an
 * array, and the geometry of that array.
 *
 * This header includes permxor_array.h, whose rules hold here, too.  Nothing here writes.
 *
 *     struct pxa_md_super supers[DEVICES];
 *     for (unsigned i = 0; i < DEVICES; i++)
 *         if (pxa_md_examine(&calls, device[i], bytes[i], &supers[i],
 *                            sizeof supers[i], &why) != PXR_OK)
 *             supers[i].major = PXA_MD_NONE;
 *     status = pxa_md_assemble(supers, sizeof supers[0], DEVICES,
 *                              &set, sizeof set, use, &why);
 *
 * Then pxa_array_create() takes set.geometry, the devices in the order of set.device, and
 * PXR_ISAL_VAND.
 */
#ifndef PERMXOR_ARRAY_MD_H
#define PERMXOR_ARRAY_MD_H

#include "permxor_array.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** The most devices that a superblock names. */
#define PXA_MD_MAX_DEVICES 1920

/** The most ranges of md's list of bad blocks that this library reads. */
#define PXA_MD_MAX_BAD 512

/** Roles of devices that are not members. */
enum {
    PXA_MD_SPARE = 0xffff,  /**< The device holds no data of the array. */
    PXA_MD_FAULTY = 0xfffe, /**< md has removed the device from the array. */
    PXA_MD_JOURNAL = 0xfffd /**< The device is the array's journal. */
};

/** What else a superblock says, as flags. */
enum {
    PXA_MD_UNCLEAN = 1,     /**< The array was not stopped cleanly, or not yet synced. */
    PXA_MD_RESHAPE = 2,     /**< A reshape is in progress. */
    PXA_MD_REPLACEMENT = 4, /**< The device replaces another one of the same role. */
    PXA_MD_HAS_JOURNAL = 8, /**< The array has a journal. */
    PXA_MD_HAS_PPL = 16,    /**< The array has partial parity logs. */
    PXA_MD_BIG_ENDIAN = 32, /**< Metadata 0.90 that a big-endian machine wrote. */
    PXA_MD_UNKNOWN = 64,    /**< The array has features that this library does not know. */
    PXA_MD_RECOVERS_BY_BITMAP = 128, /**< A bitmap says which parts are in sync. */
    PXA_MD_ENDS_EARLY = 256          /**< The device ends before its blocks begin. */
};

/** In place of a major number: the device has no superblock. */
#define PXA_MD_NONE (~0u)

/** A superblock of Linux md. */
struct pxa_md_super {
    unsigned major;       /**< 0 or 1 */
    unsigned minor;       /**< 90, or 0 to 2, which is the place of the superblock. */
    uint8_t uuid[16];     /**< The array's. */
    char name[33];        /**< The array's; "" in metadata 0.90. */
    int32_t level;        /**< md's RAID level, which may be one that this library refuses. */
    uint32_t layout;      /**< md's number of the layout. */
    uint32_t members;     /**< How many members the array has. */
    uint64_t chunk;       /**< The length of a block. */
    uint64_t member_size; /**< The bytes of blocks on each member. */
    uint64_t start;       /**< Where these blocks begin on this device. */
    uint64_t valid;       /**< Up to where the device is in sync, from `start` on. */
    uint64_t events;      /**< Counts changes of the array.  A stale member has fewer. */
    uint64_t created;     /**< When the array was created: seconds since 1970. */
    unsigned flags;       /**< PXA_MD_UNCLEAN and so on. */
    unsigned device;      /**< The number of this device in `roles`. */
    unsigned role;        /**< Which member this device is, or one of the roles above. */
    unsigned devices;     /**< How many entries `roles` has. */
    uint16_t
        roles[PXA_MD_MAX_DEVICES]; /**< The roles of all devices, as this one knows them. */
    uint64_t bad_offset;           /**< Where the list of bad blocks is on this device. */
    uint32_t bad_size;             /**< Its length; 0: there is none. */
    unsigned bad_shift;            /**< Its unit is 512 bytes shifted by this. */
};

/**
 * Looks for a superblock of Linux md: metadata 1.2, 1.1, 1.0 and 0.90.  It verifies the
 * checksum and bounds every field by the size of the device.  When there are several, it takes
 * the one of the array that was created last, as mdadm does.
 *
 * \param device The functions of the device.
 * \param self The first argument of these functions.
 * \param bytes The size of the device.
 * \param super Becomes the superblock.
 * \param size The size of *super.
 * \param why May be NULL.  Otherwise it gets a message when the call fails.
 *
 * \retval PXR_OK *super is filled in.
 * \retval PXA_ENONE The device has no superblock.
 * \retval PXA_EDAMAGED It has one, but its checksum or a field is wrong.
 * \retval PXA_EIO It cannot be read.
 * \retval PXR_EINVAL A pointer is NULL.
 */
int pxa_md_examine(const struct pxa_member_calls *device, void *self, uint64_t bytes,
                   struct pxa_md_super *super, size_t size, struct pxr_error *why) PXR_CHECKED;

/**
 * Reads md's list of the bad blocks of a device.
 *
 * \param device The functions of the device.
 * \param self The first argument of these functions.
 * \param super The device's superblock.
 * \param bad Room for `room` ranges.  Their offsets are from the beginning of the device.
 * \param room The number of ranges; PXA_MD_MAX_BAD are always enough.
 * \param count Becomes the number of ranges.
 *
 * \retval PXR_OK The list is read.
 * \retval PXA_EIO It cannot be read.
 * \retval PXA_EDAMAGED It does not fit in the room.
 */
int pxa_md_bad_blocks(const struct pxa_member_calls *device, void *self,
                      const struct pxa_md_super *super, struct pxa_range *bad, unsigned room,
                      unsigned *count) PXR_CHECKED;

/** Whether a device is used, and why not. */
enum pxa_md_use {
    PXA_MD_USED,       /**< It is a member. */
    PXA_MD_NOTHING,    /**< It has no superblock: PXA_MD_NONE. */
    PXA_MD_STALE,      /**< The array was changed without it. */
    PXA_MD_NO_MEMBER,  /**< It is a spare, a journal, or faulty. */
    PXA_MD_REMOVED,    /**< The newest superblock says that it is no member any more. */
    PXA_MD_REPLACES,   /**< It was to replace a member, which is still there. */
    PXA_MD_REBUILDING, /**< Its rebuild has only begun. */
    PXA_MD_CUT_OFF,    /**< It ends before its blocks begin. */
    PXA_MD_BY_BITMAP   /**< It was added again, and a bitmap says which parts are in sync. */
};

/** Returns one English phrase for such a value. */
const char *pxa_md_use_text(enum pxa_md_use use);

/** The array that the superblocks of several devices describe. */
struct pxa_md_set {
    struct pxa_geometry geometry;
    int newest;                  /**< The device whose superblock is the newest. */
    int device[PXA_MAX_MEMBERS]; /**< By member: the device, or -1 if it is missing. */
    unsigned missing;            /**< How many members are missing. */
    unsigned flags;              /**< The flags of the newest superblock. */
    /**
     * Members that are there, but are not valid as a whole: they are being rebuilt or cut off,
     * or have bad blocks.
     */
    pxa_mask incomplete;
};

/**
 * Finds out which devices are which members of an array.  The devices may be in any order.
 *
 * A device is stale, and not used, when its count of events is more than one behind the newest,
 * as in md.  Two devices that both claim one role are refused, and so are devices of equal
 * events that contradict each other.
 *
 * \param supers The superblocks of the devices.
 * \param super_size The size of one of them: sizeof(struct pxa_md_super).
 * \param count How many devices, at most PXA_MD_MAX_DEVICES.
 * \param set Becomes the set.
 * \param size The size of *set.
 * \param use `count` entries: whether each device is used.
 * \param why May be NULL.  Otherwise it gets a message when the call fails.
 *
 * \retval PXR_OK *set and use are filled in.  Too many members may still be missing: see
 *     set->missing.
 * \retval PXR_EINVAL An argument is NULL or out of range.
 * \retval PXA_ENONE No device has a superblock.
 * \retval PXA_EREFUSED The devices belong to several arrays or contradict each other, or the
 * array is of another level, is being reshaped, or has features that this library does not
 * know.
 */
int pxa_md_assemble(const struct pxa_md_super *supers, size_t super_size, unsigned count,
                    struct pxa_md_set *set, size_t size, enum pxa_md_use *use,
                    struct pxr_error *why) PXR_CHECKED;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
