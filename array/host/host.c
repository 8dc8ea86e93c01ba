/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing an array, and what users read and write. */
#include "config.h"

#include "engine.h"
#include "superblock.h"

#include "why.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void host_say(const struct host *host, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (host->options.say == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    host->options.say(host->options.token, text);
}

/* -------------------------------------------------------------- assembling -- */

struct assembling {
    struct core_member members[PXA_MAX_MEMBERS];
    unsigned count;
};

static void begin_assembly(struct host *host, struct call *call)
{
    struct assembling *assembling = call->argument;
    core_assemble(host->core, assembling->members, assembling->count, call_done, call);
}

static int assemble(struct host *host, struct file *const *files, unsigned count,
                    struct pxr_error *why)
{
    struct assembling assembling = {.count = count};
    for (unsigned i = 0; i < count; i++)
        assembling.members[i] = file_member(files[i]);
    return engine_ask(host, begin_assembly, &assembling, why);
}

static int open_files(struct host *host, char *const *paths, unsigned count,
                      struct file **files, struct pxr_error *why)
{
    if (count == 0 || count > PXA_MAX_MEMBERS)
        return pxa_because(why, PXR_EINVAL, "%u members are given, but an array has 1 to %d",
                           count, PXA_MAX_MEMBERS);
    for (unsigned i = 0; i < count; i++) {
        const int status = engine_open(host, paths[i], &files[i], why);
        if (status != PXR_OK)
            return status;
    }
    return PXR_OK;
}

static bool takes_part(const struct host_status *status, const struct file *file)
{
    for (unsigned role = 0; role < PXA_MAX_MEMBERS; role++)
        if (strcmp(status->path[role], file->path) == 0)
            return true;
    return false;
}

/* A file that does not take part is of no use, and somebody should know why. */
static void tell_unused(const struct host *host, const struct file *file,
                        struct disk_super *super)
{
    unsigned good;
    switch (superblock_read(file, super, &good)) {
    case PXR_OK:
        host_say(host, "%s: not used: it is stale, because the array was changed without it",
                 file->path);
        break;
    case PXA_ENONE:
        host_say(host, "%s: not used: it has no superblock", file->path);
        break;
    case PXA_EDAMAGED:
        host_say(host, "%s: not used: its superblocks are damaged", file->path);
        break;
    default:
        host_say(host, "%s: not used: its superblocks cannot be read", file->path);
    }
}

/* Keeps what all calls need to know. */
static int look_around(struct host *host, struct file *const *files, unsigned count,
                       struct pxr_error *why)
{
    struct host_status status;
    struct disk_super *super = malloc(sizeof *super);
    if (super == NULL || host_status(host, &status) != PXR_OK) {
        free(super);
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    }
    host->capacity = status.core.capacity;
    host->stripe = status.core.chunk * status.core.data;
    for (unsigned i = 0; i < count; i++) {
        unsigned good;
        if (!takes_part(&status, files[i]))
            tell_unused(host, files[i], super);
        else if (superblock_read(files[i], super, &good) == PXR_OK)
            host->super = *super;
    }
    host_status_free(&status);
    free(super);
    return PXR_OK;
}

int host_open(struct host **host, char *const *paths, unsigned count,
              const struct host_options *options, struct pxr_error *why)
{
    struct file *files[2 * PXA_MAX_MEMBERS];
    int status = engine_make(host, options, why);
    if (status != PXR_OK)
        return status;
    status = open_files(*host, paths, count, files, why);
    if (status == PXR_OK) {
        spares_open(*host, files, &count);
        status = engine_start(*host, why);
    }
    if (status == PXR_OK && count > PXA_MAX_MEMBERS)
        status = pxa_because(why, PXR_EINVAL, "%u members are given, but an array has 1 to %d",
                             count, PXA_MAX_MEMBERS);
    if (status == PXR_OK)
        status = assemble(*host, files, count, why);
    if (status == PXR_OK)
        status = look_around(*host, files, count, why);
    if (status == PXR_OK)
        return PXR_OK;
    engine_stop(*host);
    engine_free(*host);
    *host = NULL;
    return status;
}

/* ----------------------------------------------------------------- closing -- */

void host_pause(struct host *host)
{
    engine_stop(host);
}

int host_resume(struct host *host, struct pxr_error *why)
{
    return engine_start(host, why);
}

static void begin_stop(struct host *host, struct call *call)
{
    host->ending = true;
    core_stop(host->core, call_done, call);
}

int host_stop(struct host *host)
{
    struct pxr_error why;
    int status = host->running ? PXR_OK : engine_start(host, &why);
    if (status == PXR_OK)
        status = engine_ask(host, begin_stop, NULL, &why);
    if (status != PXR_OK)
        host_say(host, "the array was not stopped cleanly: %s", why.text);
    return status;
}

void host_close(struct host *host)
{
    if (host == NULL)
        return;
    engine_stop(host);
    engine_free(host);
}

/* ------------------------------------------------------------------- users -- */

static void operation_done(struct core_op *op, int status)
{
    call_answer(op->user, status, "");
}

static void begin_operation(struct host *host, struct call *call)
{
    call->op.user = call;
    call->op.done = operation_done;
    core_submit(host->core, &call->op);
}

static int operate(struct host *host, const struct core_op *op)
{
    struct call call = {.begin = begin_operation, .op = *op};
    return engine_call(host, &call);
}

uint64_t host_capacity(const struct host *host)
{
    return host->capacity;
}

uint32_t host_stripe(const struct host *host)
{
    return host->stripe;
}

int host_read(struct host *host, void *buffer, uint64_t len, uint64_t offset)
{
    return operate(
        host,
        &(struct core_op){.kind = CORE_READ, .offset = offset, .len = len, .buffer = buffer});
}

/* The core only reads from the buffer of a write. */
int host_write(struct host *host, const void *buffer, uint64_t len, uint64_t offset, bool fua)
{
    return operate(host, &(struct core_op){.kind = CORE_WRITE,
                                           .fua = fua,
                                           .offset = offset,
                                           .len = len,
                                           .buffer = (void *)buffer});
}

int host_zero(struct host *host, uint64_t len, uint64_t offset, bool fua)
{
    return operate(
        host, &(struct core_op){.kind = CORE_ZERO, .fua = fua, .offset = offset, .len = len});
}

int host_trim(struct host *host, uint64_t len, uint64_t offset, bool fua)
{
    return operate(
        host, &(struct core_op){.kind = CORE_TRIM, .fua = fua, .offset = offset, .len = len});
}

int host_flush(struct host *host)
{
    return operate(host, &(struct core_op){.kind = CORE_FLUSH});
}

struct extent {
    uint64_t offset, end;
    bool written;
};

static void begin_extent(struct host *host, struct call *call)
{
    struct extent *extent = call->argument;
    extent->written = core_is_written(host->core, extent->offset, &extent->end);
    call_answer(call, PXR_OK, "");
}

bool host_is_written(struct host *host, uint64_t offset, uint64_t *end)
{
    struct extent extent = {.offset = offset};
    struct call call = {.begin = begin_extent, .argument = &extent};
    engine_call(host, &call);
    *end = extent.end;
    return extent.written;
}
