/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which devices are current members of an array.  A pure function of their superblocks.
 *
 * The superblocks with the most events say which members took part in the last change.  A
 * member that they call in sync, or being rebuilt, is current even when its own superblock is
 * older: then the change was not complete, and so nothing was answered that depends on it.  A
 * member that they call failed is stale; but if its own superblock is as new as its leaving, it
 * was changed apart from the others, and there are two candidates.
 */
#include "config.h"

#include "candidates.h"

#include "why.h"

#include <inttypes.h>
#include <string.h>

static bool is_newer(const struct disk_super *a, const struct disk_super *b)
{
    return a->events > b->events || (a->events == b->events && a->sequence > b->sequence);
}

static int find_newest(const struct candidate *devices, unsigned count)
{
    int newest = -1;
    for (unsigned i = 0; i < count; i++)
        if (devices[i].status == PXR_OK &&
            (newest < 0 || is_newer(&devices[i].super, &devices[newest].super)))
            newest = (int)i;
    return newest;
}

bool candidates_same_array(const struct disk_super *a, const struct disk_super *b)
{
    return memcmp(a->uuid, b->uuid, 16) == 0 && a->data == b->data && a->parity == b->parity &&
           a->chunk == b->chunk && a->region == b->region && a->matrix_hash == b->matrix_hash &&
           memcmp(&a->layout, &b->layout, sizeof a->layout) == 0;
}

static int check_all(const struct candidate *devices, unsigned count, unsigned newest,
                     struct pxr_error *why)
{
    const struct disk_super *best = &devices[newest].super;
    for (unsigned i = 0; i < count; i++) {
        const struct disk_super *super = &devices[i].super;
        if (devices[i].status != PXR_OK)
            continue;
        if (!candidates_same_array(super, best))
            return pxa_because(why, PXA_EREFUSED,
                               "devices %u and %u belong to different arrays; leave out the "
                               "devices of one of them",
                               i, newest);
        for (unsigned j = 0; j < i; j++)
            if (devices[j].status == PXR_OK &&
                memcmp(super->member_uuid, devices[j].super.member_uuid, 16) == 0)
                return pxa_because(why, PXA_EREFUSED,
                                   "devices %u and %u are the same member; leave out one of "
                                   "them",
                                   j, i);
        if (super->events == best->events && disk_config_hash(super) != disk_config_hash(best))
            return pxa_because(why, PXA_EREFUSED,
                               "two candidates: devices %u and %u were changed without each "
                               "other, up to the same number of events, %" PRIu64
                               "; leave out the wrong one",
                               i, newest, best->events);
    }
    return PXR_OK;
}

int candidates_check_features(const struct candidate *devices, unsigned count,
                              struct pxr_error *why)
{
    for (unsigned i = 0; i < count; i++)
        if (devices[i].status == PXR_OK && devices[i].super.read_only != 0)
            return pxa_because(why, PXA_EREFUSED,
                               "device %u has features that this version does not know (bits "
                               "0x%" PRIx32 "), so it may read the array, but not write to it; "
                               "use a newer version",
                               i, devices[i].super.read_only);
    return PXR_OK;
}

/* Decides about a device.  Returns PXR_OK and whether it is current. */
static int judge(const struct candidate *devices, unsigned i, unsigned newest, bool *current,
                 struct pxr_error *why)
{
    const struct disk_super *super = &devices[i].super;
    const struct disk_role *role = &devices[newest].super.roles[super->role];
    *current = false;
    if (memcmp(role->uuid, super->member_uuid, 16) != 0)
        return PXR_OK; /* it was replaced */
    *current = role->state == CORE_IN_SYNC || role->state == CORE_REBUILDING;
    if (!*current && super->events >= role->left)
        return pxa_because(why, PXA_EREFUSED,
                           "two candidates: device %u has %" PRIu64 " events, but device %u "
                           "says that it left at %" PRIu64 "; leave out the wrong one",
                           i, super->events, newest, role->left);
    return PXR_OK;
}

/* The array must not go on without such a device: it would count as failed from then on, though
   another version could read it. */
static int check_known(const struct candidate *devices, unsigned count, struct pxr_error *why)
{
    for (unsigned i = 0; i < count; i++)
        if (devices[i].status == PXA_EREFUSED)
            return pxa_because(why, PXA_EREFUSED,
                               "device %u has a format or features that this version does not "
                               "know, so it cannot use the array; use a newer version",
                               i);
    return PXR_OK;
}

int candidates_choose(const struct candidate *devices, unsigned count, struct chosen *chosen,
                      struct pxr_error *why)
{
    int status = check_known(devices, count, why);
    if (status != PXR_OK)
        return status;
    const int newest = find_newest(devices, count);
    if (newest < 0)
        return pxa_because(why, PXA_ENONE, "no device has a readable superblock");
    const struct disk_super *best = &devices[newest].super;
    status = check_all(devices, count, (unsigned)newest, why);
    chosen->newest = (unsigned)newest;
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        chosen->device[i] = -1;
    unsigned in_sync = 0;
    for (unsigned i = 0; status == PXR_OK && i < count; i++) {
        bool current;
        if (devices[i].status != PXR_OK)
            continue;
        status = judge(devices, i, (unsigned)newest, &current, why);
        if (status != PXR_OK || !current)
            continue;
        const unsigned role = devices[i].super.role;
        chosen->device[role] = (int)i;
        in_sync += best->roles[role].state == CORE_IN_SYNC;
    }
    if (status == PXR_OK && in_sync < best->data)
        status = pxa_because(why, PXR_ETOOFEW,
                             "%u members are current and in sync, but %u are needed", in_sync,
                             best->data);
    return status;
}
