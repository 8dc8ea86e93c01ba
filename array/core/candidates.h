/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXA_CORE_CANDIDATES_H
#define PXA_CORE_CANDIDATES_H

#include "disk.h"

/* A device, by what its places for superblocks have. */
struct candidate {
    int status; /* of disk_super_join() */
    struct disk_super super;
};

struct chosen {
    unsigned newest; /* a device with the most events, and of those the last written */
    int device[PXA_MAX_MEMBERS]; /* by role: the current member, or -1 */
};

/* Returns PXR_OK, PXA_ENONE, PXA_EREFUSED or PXR_ETOOFEW, with *why. */
int candidates_choose(const struct candidate *devices, unsigned count, struct chosen *chosen,
                      struct pxr_error *why);

/* Whether the core may write to the devices.  If not, returns PXA_EREFUSED, with *why. */
int candidates_check_features(const struct candidate *devices, unsigned count,
                              struct pxr_error *why);

/* Whether two superblocks describe one array in the same way, apart from its members' states.
 */
bool candidates_same_array(const struct disk_super *a, const struct disk_super *b);

#endif
