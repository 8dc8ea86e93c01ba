/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members that leave and come by the caller's wish.  A new member is prepared while the array
 * works without it: zeros, then the region map.  Then it gets its superblock, together with the
 * others, and from then on it takes part.
 */
#include "config.h"

#include "internal.h"

#include "bytes.h"
#include "candidates.h"
#include "why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int core_fail(struct core *core, unsigned role)
{
    if (!core->assembled || core->dead || role >= core->width || !member_is_current(core, role))
        return PXR_EINVAL;
    if (!member_can_go(core, role))
        return PXR_ETOOFEW;
    member_fail(core, role);
    return PXR_OK;
}

struct adoption {
    struct job job;
    struct core_member device;
    uint8_t uuid[16];
    unsigned role;
    uint64_t last, page, version, ticket;
    bool holds_map;
    bool back; /* it keeps what it has */
    struct sums *sums;
    uint8_t *block; /* DISK_PLACES of them */
    struct io io[DISK_PLACES];
};

static void adoption_destroy(struct job *job)
{
    free(((struct adoption *)job)->block);
}

static int check_uuid(const struct core *core, struct adoption *adoption)
{
    for (unsigned i = 0; i < core->width; i++)
        if (i != adoption->role && memcmp(core->super.roles[i].uuid, adoption->uuid, 16) == 0)
            return pxa_because(&adoption->job.why, PXR_EINVAL,
                               "member %u already has this uuid", i);
    return PXR_OK;
}

static int check(struct core *core, struct adoption *adoption)
{
    struct pxr_error *why = &adoption->job.why;
    struct disk_super super = core->super;
    if (!core->assembled || core->stopping)
        return pxa_because(why, PXR_EINVAL, "there is no array");
    if (core->dead)
        return PXA_EIO;
    if (adoption->role >= core->width ||
        core->super.roles[adoption->role].state != CORE_FAILED ||
        core->member[adoption->role].adopter != NULL)
        return pxa_because(why, PXR_EINVAL, "member %u has not failed", adoption->role);
    if (adoption->device.calls == NULL || (!adoption->back && all_zero(adoption->uuid, 16)))
        return pxa_because(why, PXR_EINVAL, "there is no member, or it has no uuid");
    if (!adoption->back && check_uuid(core, adoption) != PXR_OK)
        return PXR_EINVAL;
    const uint64_t size = adoption->device.calls->size(adoption->device.self);
    if (size > PXA_MAX_MEMBER_SIZE || !disk_layout_fits(&super, size))
        return pxa_because(why, PXR_EINVAL,
                           "the member is too small or too large for the array");
    adoption->block = malloc((size_t)DISK_PLACES * CORE_BLOCK);
    return adoption->block == NULL ? PXR_ENOMEM : PXR_OK;
}

/*
 * The superblocks go first.  If they were still there when the checksums are gone already, the
 * device could come back as a member that has never been written to.
 */
static void zero_supers(struct core *core, struct adoption *adoption)
{
    const struct core_member *device = &adoption->device;
    for (unsigned place = 0; place < DISK_PLACES; place++)
        io_zero(core, &adoption->job.task, &adoption->io[place], adoption->role,
                disk_super_at(place, device->calls->size(device->self)), CORE_BLOCK);
}

static void zero_tables(struct core *core, struct adoption *adoption)
{
    io_zero(core, &adoption->job.task, &adoption->io[0], adoption->role, 0,
            core->super.layout.data_at);
}

static bool any_error(const struct adoption *adoption)
{
    for (unsigned i = 0; i < DISK_PLACES; i++)
        if (adoption->io[i].error != 0)
            return true;
    return false;
}

/* ------------------------------------------------------------- coming back -- */

static void read_supers(struct core *core, struct adoption *adoption)
{
    const struct core_member *device = &adoption->device;
    for (unsigned place = 0; place < DISK_PLACES; place++)
        io_read(core, &adoption->job.task, &adoption->io[place], adoption->role,
                disk_super_at(place, device->calls->size(device->self)), CORE_BLOCK,
                adoption->block + (size_t)place * CORE_BLOCK);
}

/* Whether the member is the one that has left, with all that it had then. */
static int check_back(const struct core *core, struct adoption *adoption)
{
    struct pxr_error *why = &adoption->job.why;
    const struct disk_role *role = &core->super.roles[adoption->role];
    const struct core_member *device = &adoption->device;
    struct disk_super best, super;
    int status = PXA_ENONE;
    for (unsigned place = 0; place < DISK_PLACES; place++) {
        if (adoption->io[place].error != 0)
            continue;
        const int here = disk_super_check(adoption->block + (size_t)place * CORE_BLOCK, place,
                                          device->calls->size(device->self), &super);
        status = disk_super_join(status, &best, here, &super);
    }
    if (status == PXA_EREFUSED)
        return pxa_because(why, status,
                           "the member has a format or features that this version does not "
                           "know, so it cannot come back");
    if (status != PXR_OK)
        return pxa_because(why, PXA_ENONE, "the member has no readable superblock");
    if (!candidates_same_array(&best, &core->super) || best.role != adoption->role ||
        memcmp(best.member_uuid, role->uuid, 16) != 0)
        return pxa_because(why, PXR_EINVAL, "it is not the member that left the array");
    if (best.events >= role->left)
        return pxa_because(why, PXA_EREFUSED, "the member was changed without the others");
    if (best.sequence < role->log_chain)
        return pxa_because(why, PXA_EREFUSED,
                           "the member is an older copy of the one that left the array");
    if (best.read_only != 0)
        return pxa_because(why, PXA_EREFUSED,
                           "the member has features that this version does not know (bits "
                           "0x%" PRIx32 "), so it cannot come back",
                           best.read_only);
    if (role->cursor == 0)
        return pxa_because(why, PXR_EINVAL, "the member was being rebuilt when it left");
    memcpy(adoption->uuid, role->uuid, 16);
    return PXR_OK;
}

/* ------------------------------------------------------------------ taking -- */

/* From here on the array writes to the member.  Its log is empty. */
static void take_in(struct core *core, struct adoption *adoption)
{
    const unsigned role = adoption->role;
    struct member *member = &core->member[role];
    struct log_ends *next = &core->config.next;
    const uint64_t chain = core->super.sequence;
    member->adopter = NULL;
    member->open = true;
    member->serial = ++core->serials;
    member->head = member->placed = member->start = next->start[role] = 0;
    member->chain = member->placed_chain = next->chain[role] = chain;
    member->read_errors = member->bad_sums = member->defects = 0;
    if (!adoption->back) {
        sums_forget(core, role);
        core->super.roles[role].left = 0;
    }
    core->super.events++;
    memcpy(core->super.roles[role].uuid, adoption->uuid, 16);
    core->super.roles[role].state = CORE_REBUILDING;
    core->super.roles[role].cursor = 0;
    adoption->ticket = config_request(core);
}

static bool end(struct core *core, struct adoption *adoption, int status)
{
    core->member[adoption->role].adopter = NULL;
    if (adoption->holds_map) {
        sums_let_go(core);
        core->map.held = false;
        task_wake_all(core, &core->map.waiters);
    }
    return job_end(core, &adoption->job, core->dead ? PXA_EIO : status);
}

/*
 * Writes a page of the map, and empties its other slot.  A crash may have left a page there
 * that no other member has.  Later, a page of the other members would get the same sequence.
 */
static void write_map_page(struct core *core, struct task *task, struct adoption *adoption)
{
    uint8_t *page = adoption->block, *nothing = adoption->block + CORE_BLOCK;
    memset(nothing, 0, CORE_BLOCK);
    if (core->map.sequence[adoption->page] == 0)
        memset(page, 0, CORE_BLOCK);
    else
        region_page_make(core, adoption->page, page);
    io_write(core, task, &adoption->io[0], adoption->role, region_page_at(core, adoption->page),
             CORE_BLOCK, page, true);
    io_write(core, task, &adoption->io[1], adoption->role,
             region_other_page_at(core, adoption->page), CORE_BLOCK, nothing, true);
}

static bool adopt(struct core *core, struct task *task)
{
    struct adoption *adoption = (struct adoption *)task;
    struct member *member =
        &core->member[adoption->role < PXA_MAX_MEMBERS ? adoption->role : 0];
    int status;
    TASK_BEGIN(task);
    status = check(core, adoption);
    if (status != PXR_OK)
        return job_end(core, &adoption->job, status);
    member->adopter = task;
    while (member->under_way > 0) {
        member->idle_waiter = task;
        task->pending++;
        TASK_WAIT(task);
    }
    member->device = adoption->device;
    if (adoption->back) {
        read_supers(core, adoption);
        TASK_WAIT(task);
        status = check_back(core, adoption);
        if (status != PXR_OK)
            return end(core, adoption, status);
    } else {
        zero_supers(core, adoption);
        TASK_WAIT(task);
        if (!any_error(adoption))
            io_flush(core, task, &adoption->io[0], adoption->role);
        TASK_WAIT(task);
        if (!any_error(adoption))
            zero_tables(core, adoption);
        TASK_WAIT(task);
        if (!any_error(adoption))
            io_flush(core, task, &adoption->io[0], adoption->role);
        TASK_WAIT(task);
        if (any_error(adoption))
            return end(core, adoption, PXA_EIO);
    }
    /* The log has nothing of the member that was there before. */
    adoption->last = epochs_last_used(core);
    while (!core->dead && core->epochs.last_placed < adoption->last) {
        core->epochs.commit_wanted = true;
        task_queue_up(&core->epochs.placed, task);
        TASK_WAIT(task);
    }
    /* From now on the map stays as it is. */
    while (!core->dead && (core->map.running || core->map.held)) {
        task_queue_up(&core->map.waiters, task);
        TASK_WAIT(task);
    }
    core->map.held = adoption->holds_map = true;
    if (adoption->back)
        sums_hold(core, adoption->role);
    /* A checkpoint that is under way still writes what the former member had, and one may write
       the map. */
    do {
        adoption->version = core->map.version;
        for (adoption->page = 0; adoption->page < core->super.layout.map_pages;
             adoption->page++) {
            write_map_page(core, task, adoption);
            TASK_WAIT(task);
            if (adoption->io[0].error != 0 || adoption->io[1].error != 0)
                return end(core, adoption, PXA_EIO);
        }
        checkpoint_want(core, task);
        TASK_WAIT(task);
        while (adoption->back && !core->dead &&
               (adoption->sums = sums_find_strange(core, adoption->role)) != NULL) {
            if (!adoption->sums->loaded) {
                task_queue_up(&adoption->sums->waiters, task);
                TASK_WAIT(task);
                continue;
            }
            adoption->sums->pins++;
            sums_read_again(core, task, adoption->sums, adoption->io, adoption->block,
                            adoption->role);
            TASK_WAIT(task);
            sums_take_again(core, adoption->sums, adoption->io, adoption->block,
                            adoption->role);
            sums_unpin(adoption->sums);
            if (adoption->io[0].error != 0 || adoption->io[1].error != 0)
                return end(core, adoption, PXA_EIO);
        }
    } while (!core->dead && (core->checkpoint.running || core->config.running ||
                             core->map.version != adoption->version));
    if (core->dead)
        return end(core, adoption, PXA_EIO);
    /* Another one may have come with this uuid meanwhile. */
    status = check_uuid(core, adoption);
    if (status != PXR_OK)
        return end(core, adoption, status);
    take_in(core, adoption);
    sums_let_go(core);
    while (!core->dead && core->config.served < adoption->ticket) {
        config_wait(core, task);
        TASK_WAIT(task);
    }
    return end(core, adoption, member->open ? PXR_OK : PXA_EIO);
    TASK_END(task);
}

static struct adoption *make(struct core *core, unsigned role, struct core_member device,
                             core_job_done *done, void *token)
{
    struct adoption *adoption = job_make(core, sizeof *adoption, done, token);
    if (adoption == NULL)
        return NULL;
    adoption->job.destroy = adoption_destroy;
    adoption->device = device;
    adoption->role = role;
    return adoption;
}

void core_readd(struct core *core, unsigned role, struct core_member member,
                core_job_done *done, void *token)
{
    struct adoption *adoption = make(core, role, member, done, token);
    if (adoption == NULL)
        return;
    adoption->back = true;
    job_start(core, &adoption->job, adopt);
}

void core_replace(struct core *core, unsigned role, struct core_member member,
                  const uint8_t uuid[16], core_job_done *done, void *token)
{
    struct adoption *adoption = make(core, role, member, done, token);
    if (adoption == NULL)
        return;
    memcpy(adoption->uuid, uuid, 16);
    job_start(core, &adoption->job, adopt);
}
