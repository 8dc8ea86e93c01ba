/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a new array.  The superblocks come last, when all else is durable. */
#include "config.h"

#include "internal.h"

#include "why.h"

#include <stdlib.h>
#include <string.h>

struct format {
    struct job job;
    struct core_shape shape;
    struct core_member members[PXA_MAX_MEMBERS];
    unsigned count, place;
    struct disk_super super;
    uint8_t *blocks; /* one for each member */
    struct io io[2 * PXA_MAX_MEMBERS];
};

static void format_destroy(struct job *job)
{
    free(((struct format *)job)->blocks);
}

static int format_prepare(struct core *core, struct format *format)
{
    const struct core_shape *shape = &format->shape;
    struct pxr_error *why = &format->job.why;
    struct disk_super *super = &format->super;
    uint64_t smallest = UINT64_MAX;
    pxr_code *code;
    if (core->assembled || core->jobs->next != NULL)
        return pxa_because(why, PXR_EINVAL, "the core is in use");
    if (format->count < 2 || format->count > PXA_MAX_MEMBERS || shape->data > PXA_MAX_MEMBERS ||
        format->count != shape->data + shape->parity)
        return pxa_because(why, PXR_EINVAL, "%u members for k=%u, m=%u", format->count,
                           shape->data, shape->parity);
    for (unsigned i = 0; i < format->count; i++) {
        const struct core_member *member = &format->members[i];
        if (member->calls == NULL)
            return pxa_because(why, PXR_EINVAL, "member %u is missing", i);
        const uint64_t size = member->calls->size(member->self);
        smallest = size < smallest ? size : smallest;
    }
    int status = disk_layout_make(shape, smallest, &super->region, &super->layout, why);
    if (status == PXR_OK)
        status = make_code(&code, shape->data, shape->parity);
    if (status != PXR_OK)
        return status;
    super->matrix_hash = matrix_hash(code, shape->data, shape->parity);
    pxr_code_free(code);
    format->blocks = malloc((size_t)format->count * CORE_BLOCK);
    return format->blocks == NULL ? PXR_ENOMEM : PXR_OK;
}

static void format_super(struct format *format)
{
    const struct core_shape *shape = &format->shape;
    struct disk_super *super = &format->super;
    memcpy(super->uuid, shape->uuid, 16);
    memcpy(super->name, shape->name, sizeof super->name);
    super->data = shape->data;
    super->parity = shape->parity;
    super->chunk = shape->chunk;
    super->sequence = super->events = super->tail = 1;
    for (unsigned i = 0; i < format->count; i++) {
        memcpy(super->roles[i].uuid, shape->member_uuid[i], 16);
        super->roles[i].state = CORE_IN_SYNC;
    }
}

static uint64_t size_of(const struct core *core, unsigned role)
{
    const struct core_member *device = &core->member[role].device;
    return device->calls->size(device->self);
}

/* Whatever was in the places of superblocks, the map, the log and the sums becomes zeros. */
static void format_zero(struct core *core, struct format *format)
{
    for (unsigned i = 0; i < format->count; i++) {
        core->member[i] = (struct member){.device = format->members[i], .open = true};
        io_zero(core, &format->job.task, &format->io[2 * i], i, 0,
                format->super.layout.data_at);
        io_zero(core, &format->job.task, &format->io[2 * i + 1], i,
                disk_super_at(2, size_of(core, i)), CORE_BLOCK);
    }
}

static void format_write(struct core *core, struct format *format)
{
    for (unsigned i = 0; i < format->count; i++) {
        uint8_t *block = format->blocks + (size_t)i * CORE_BLOCK;
        format->super.place = format->place;
        format->super.role = i;
        memcpy(format->super.member_uuid, format->super.roles[i].uuid, 16);
        disk_super_put(block, &format->super);
        io_write(core, &format->job.task, &format->io[i], i,
                 disk_super_at(format->place, size_of(core, i)), CORE_BLOCK, block, true);
    }
}

/* Returns PXA_EIO, with a message, if one of the first `count` operations has failed. */
static int look_at_io(struct format *format, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (format->io[i].error != 0)
            return pxa_because(&format->job.why, PXA_EIO, "member %u could not be written",
                               format->io[i].role);
    return PXR_OK;
}

static bool format_end(struct core *core, struct format *format, int status)
{
    for (unsigned i = 0; i < format->count && i < PXA_MAX_MEMBERS; i++)
        core->member[i].open = false;
    return job_end(core, &format->job, status);
}

static bool format_step(struct core *core, struct task *task)
{
    struct format *format = (struct format *)task;
    int status;
    TASK_BEGIN(task);
    status = format_prepare(core, format);
    if (status != PXR_OK)
        return job_end(core, &format->job, status);
    format_super(format);
    format_zero(core, format);
    TASK_WAIT(task);
    status = look_at_io(format, 2 * format->count);
    if (status != PXR_OK)
        return format_end(core, format, status);
    for (unsigned i = 0; i < format->count; i++)
        io_flush(core, task, &format->io[i], i);
    TASK_WAIT(task);
    status = look_at_io(format, format->count);
    for (format->place = 0; status == PXR_OK && format->place < DISK_PLACES; format->place++) {
        format_write(core, format);
        TASK_WAIT(task);
        status = look_at_io(format, format->count);
    }
    return format_end(core, format, status);
    TASK_END(task);
}

void core_format(struct core *core, const struct core_shape *shape,
                 const struct core_member *members, unsigned count, core_job_done *done,
                 void *token)
{
    struct format *format = job_make(core, sizeof *format, done, token);
    if (format == NULL)
        return;
    format->job.destroy = format_destroy;
    format->shape = *shape;
    format->count = count;
    for (unsigned i = 0; i < count && i < PXA_MAX_MEMBERS; i++)
        format->members[i] = members[i];
    job_start(core, &format->job, format_step);
}
