/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "look.h"

#include "superblock.h"

#include "core/candidates.h"
#include "why.h"

#include <stdlib.h>
#include <string.h>

static int read_one(const char *path, struct candidate *candidate, struct pxr_error *why)
{
    unsigned good;
    struct file *file;
    const int status = file_open(&file, path, false, why);
    if (status != PXR_OK)
        return status;
    candidate->status = superblock_read(file, &candidate->super, &good);
    file_close(file);
    return candidate->status == PXR_ENOMEM
               ? pxa_because(why, PXR_ENOMEM, "there is not enough memory")
               : PXR_OK;
}

static enum host_verdict verdict_without_super(int status)
{
    return status == PXA_ENONE      ? HOST_NO_SUPER
           : status == PXA_EDAMAGED ? HOST_BAD_SUPER
                                    : HOST_UNREADABLE;
}

static void describe(const struct candidate *device, const struct disk_super *best,
                     bool current, struct host_candidate *to)
{
    if (device->status != PXR_OK) {
        to->verdict = verdict_without_super(device->status);
        return;
    }
    const struct disk_role *role = &best->roles[device->super.role];
    to->role = device->super.role;
    to->events = device->super.events;
    to->left = role->left;
    to->verdict = current ? HOST_CURRENT
                  : memcmp(role->uuid, device->super.member_uuid, sizeof role->uuid) != 0
                      ? HOST_REPLACED
                      : HOST_STALE;
}

static void fill_in(struct host_look *look, const struct candidate *devices, unsigned count,
                    const struct chosen *chosen)
{
    const struct disk_super *best = &devices[chosen->newest].super;
    look->newest = chosen->newest;
    look->data = best->data;
    look->parity = best->parity;
    memcpy(look->uuid, best->uuid, sizeof look->uuid);
    memcpy(look->name, best->name, sizeof look->name);
    look->events = best->events;
    for (unsigned role = 0; role < best->data + best->parity; role++)
        look->state[role] = chosen->device[role] >= 0 ? best->roles[role].state : CORE_FAILED;
    for (unsigned i = 0; i < count; i++) {
        const bool current =
            devices[i].status == PXR_OK && chosen->device[devices[i].super.role] == (int)i;
        describe(&devices[i], best, current, &look->candidate[i]);
    }
}

int host_look(char *const *paths, unsigned count, struct host_look *look, struct pxr_error *why)
{
    struct chosen chosen;
    *look = (struct host_look){.data = 0};
    if (count == 0 || count > PXA_MAX_MEMBERS)
        return pxa_because(why, PXR_EINVAL, "%u members are given, but an array has 1 to %d",
                           count, PXA_MAX_MEMBERS);
    struct candidate *devices = calloc(count, sizeof *devices);
    if (devices == NULL)
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    int status = PXR_OK;
    for (unsigned i = 0; status == PXR_OK && i < count; i++)
        status = read_one(paths[i], &devices[i], why);
    if (status == PXR_OK) {
        status = candidates_choose(devices, count, &chosen, why);
        if (status == PXR_OK)
            status = candidates_check_features(devices, count, why);
        if (status == PXR_OK || status == PXR_ETOOFEW)
            fill_in(look, devices, count, &chosen);
    }
    free(devices);
    return status;
}
