/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which devices are which members. */
#include "config.h"

#include "mask.h"
#include "md_super.h"
#include "why.h"

#include <inttypes.h>
#include <string.h>

const char *pxa_md_use_text(enum pxa_md_use use)
{
    switch (use) {
    case PXA_MD_USED:
        return "a member";
    case PXA_MD_NOTHING:
        return "not used: it has no superblock";
    case PXA_MD_STALE:
        return "not used: it is stale, because the array was changed without it";
    case PXA_MD_NO_MEMBER:
        return "not used: it is a spare, a journal or faulty";
    case PXA_MD_REMOVED:
        return "not used: the newest superblock says that it is no member any more";
    case PXA_MD_REPLACES:
        return "not used: it was to replace a member that is there itself";
    case PXA_MD_REBUILDING:
        return "not used: its rebuild has only begun";
    case PXA_MD_CUT_OFF:
        return "not used: it ends before its data begin";
    case PXA_MD_BY_BITMAP:
        return "not used: it was added again, and only a bitmap, which is not read here, says "
               "which parts are in sync";
    }
    return "unknown";
}

/* The superblocks.  A caller that was compiled with a newer header has larger ones. */
struct devices {
    const uint8_t *bytes;
    size_t size; /* of one */
    unsigned count;
};

static const struct pxa_md_super *super_of(const struct devices *devices, unsigned i)
{
    return (const void *)(devices->bytes + i * devices->size);
}

static bool is_there(const struct pxa_md_super *super)
{
    return super->major != PXA_MD_NONE;
}

static bool same_array(const struct pxa_md_super *a, const struct pxa_md_super *b)
{
    return a->major == b->major && memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

/* Returns the first device with the most events, or -1. */
static int find_newest(const struct devices *devices)
{
    int newest = -1;
    uint64_t events = 0;
    for (unsigned i = 0; i < devices->count; i++) {
        const struct pxa_md_super *super = super_of(devices, i);
        if (!is_there(super) || (newest >= 0 && super->events <= events))
            continue;
        newest = (int)i;
        events = super->events;
    }
    return newest;
}

static int one_array(const struct devices *devices, unsigned newest, struct pxr_error *why)
{
    for (unsigned i = 0; i < devices->count; i++)
        if (is_there(super_of(devices, i)) &&
            !same_array(super_of(devices, i), super_of(devices, newest)))
            return pxa_because(why, PXA_EREFUSED,
                               "devices %u and %u belong to different arrays; leave out the "
                               "devices of one of them",
                               newest, i);
    return PXR_OK;
}

/* Whether this library reads such an array, and its geometry. */
static int shape_of(const struct pxa_md_super *super, struct pxa_geometry *geometry,
                    struct pxr_error *why)
{
    const unsigned parity = super->level == 6 ? 2 : 1;
    if (!pxa_md_has_parity(super->level))
        return pxa_because(why, PXA_EREFUSED,
                           "the array is of level %" PRId32 "; only RAID-4, 5 and 6 are read",
                           super->level);
    if (super->flags & PXA_MD_RESHAPE)
        return pxa_because(why, PXA_EREFUSED,
                           "a reshape of the array is in progress; let md finish it first");
    if (super->flags & PXA_MD_UNKNOWN)
        return pxa_because(why, PXA_EREFUSED,
                           "the array has features of md that are not known here");
    if (super->members <= parity || super->members > PXA_MAX_MEMBERS)
        return pxa_because(why, PXA_EREFUSED,
                           "the array has %" PRIu32 " members; %u to %d are possible",
                           super->members, parity + 1, PXA_MAX_MEMBERS);
    geometry->data = super->members - parity;
    geometry->parity = parity;
    geometry->chunk = (uint32_t)super->chunk;
    geometry->member_size = super->member_size;
    if (pxa_layout_of_md(super->level, super->layout, &geometry->layout) != PXR_OK)
        return pxa_because(why, PXA_EREFUSED,
                           "RAID-%" PRId32 " has no layout of number %" PRIu32, super->level,
                           super->layout);
    return pxa_geometry_check(geometry, why);
}

/* Whether the newest superblock says what this device says about itself. */
static bool is_confirmed(const struct pxa_md_super *newest, const struct pxa_md_super *super)
{
    return super->device < newest->devices && newest->roles[super->device] == super->role;
}

/* What becomes of a device, apart from others with the same role. */
static enum pxa_md_use judge(const struct pxa_md_super *newest,
                             const struct pxa_md_super *super)
{
    if (!is_there(super))
        return PXA_MD_NOTHING;
    if (newest->events - super->events > 1)
        return PXA_MD_STALE;
    if (super->role >= newest->members)
        return PXA_MD_NO_MEMBER;
    if (!is_confirmed(newest, super))
        return PXA_MD_REMOVED;
    if (super->valid > 0 || newest->member_size == 0)
        return PXA_MD_USED;
    if (super->flags & PXA_MD_ENDS_EARLY)
        return PXA_MD_CUT_OFF;
    return super->flags & PXA_MD_RECOVERS_BY_BITMAP ? PXA_MD_BY_BITMAP : PXA_MD_REBUILDING;
}

/* Gives a device its role, unless it replaces another one that is there. */
static int give_role(const struct devices *devices, unsigned i, struct pxa_md_set *set,
                     enum pxa_md_use *use, struct pxr_error *why)
{
    const struct pxa_md_super *super = super_of(devices, i);
    int *holder = &set->device[super->role];
    if (*holder < 0) {
        *holder = (int)i;
    } else if (super->flags & PXA_MD_REPLACEMENT) {
        use[i] = PXA_MD_REPLACES;
    } else if (super_of(devices, (unsigned)*holder)->flags & PXA_MD_REPLACEMENT) {
        use[*holder] = PXA_MD_REPLACES;
        *holder = (int)i;
    } else {
        return pxa_because(
            why, PXA_EREFUSED,
            "devices %d and %u both claim to be member %u; leave out one of them", *holder, i,
            super->role);
    }
    return PXR_OK;
}

static int give_roles(const struct devices *devices, struct pxa_md_set *set,
                      enum pxa_md_use *use, struct pxr_error *why)
{
    const struct pxa_md_super *newest = super_of(devices, (unsigned)set->newest);
    for (unsigned i = 0; i < devices->count; i++) {
        const struct pxa_md_super *super = super_of(devices, i);
        use[i] = judge(newest, super);
        if (use[i] == PXA_MD_REMOVED && super->events == newest->events)
            return pxa_because(why, PXA_EREFUSED,
                               "devices %d and %u contradict each other about member %u, and "
                               "neither is newer; leave out one of them",
                               set->newest, i, super->role);
        const int status =
            use[i] == PXA_MD_USED ? give_role(devices, i, set, use, why) : PXR_OK;
        if (status != PXR_OK)
            return status;
    }
    return PXR_OK;
}

/* The tail behind the last whole chunk holds no blocks. */
static bool is_incomplete(const struct pxa_geometry *geometry, const struct pxa_md_super *super)
{
    return super->valid < pxa_rows(geometry) * geometry->chunk || super->bad_size > 0;
}

static void count_members(const struct devices *devices, struct pxa_md_set *set)
{
    for (unsigned i = 0; i < set->geometry.data + set->geometry.parity; i++)
        if (set->device[i] < 0)
            set->missing++;
        else if (is_incomplete(&set->geometry, super_of(devices, (unsigned)set->device[i])))
            set->incomplete |= mask_of(i);
}

int pxa_md_assemble(const struct pxa_md_super *supers, size_t super_size, unsigned count,
                    struct pxa_md_set *set, size_t size, enum pxa_md_use *use,
                    struct pxr_error *why)
{
    const struct devices devices = {(const uint8_t *)supers, super_size, count};
    if (supers == NULL || set == NULL || use == NULL || count > PXA_MD_MAX_DEVICES ||
        super_size < sizeof *supers)
        return pxa_because(why, PXR_EINVAL, "an argument is NULL or out of range");
    struct pxa_md_set found = {.newest = find_newest(&devices)};
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        found.device[i] = -1;
    if (found.newest < 0)
        return pxa_because(why, PXA_ENONE, "no device has a superblock of md");
    const struct pxa_md_super *newest = super_of(&devices, (unsigned)found.newest);
    int status = one_array(&devices, (unsigned)found.newest, why);
    if (status == PXR_OK)
        status = shape_of(newest, &found.geometry, why);
    if (status == PXR_OK)
        status = give_roles(&devices, &found, use, why);
    if (status != PXR_OK)
        return status;
    found.flags = newest->flags;
    count_members(&devices, &found);
    memset(set, 0, size);
    memcpy(set, &found, size < sizeof found ? size : sizeof found);
    return PXR_OK;
}
