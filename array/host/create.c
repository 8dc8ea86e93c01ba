/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "create.h"

#include "engine.h"
#include "superblock.h"

#include "why.h"

#include <stdlib.h>
#include <string.h>

struct creating {
    struct core_shape shape;
    struct core_member members[PXA_MAX_MEMBERS];
    unsigned count;
};

static void begin_format(struct host *host, struct call *call)
{
    const struct creating *creating = call->argument;
    core_format(host->core, &creating->shape, creating->members, creating->count, call_done,
                call);
}

static int fill_shape(struct creating *creating, const struct host_shape *shape,
                      struct pxr_error *why)
{
    struct core_shape *to = &creating->shape;
    if (shape->data > PXA_MAX_MEMBERS || shape->parity > PXA_MAX_MEMBERS ||
        shape->data + shape->parity > PXA_MAX_MEMBERS)
        return pxa_because(why, PXR_EINVAL, "k=%u, m=%u: an array has at most %d members",
                           shape->data, shape->parity, PXA_MAX_MEMBERS);
    creating->count = shape->data + shape->parity;
    *to = (struct core_shape){
        .data = shape->data, .parity = shape->parity, .chunk = shape->chunk};
    if (strlen(shape->name) >= sizeof to->name)
        return pxa_because(why, PXR_EINVAL, "the name has more than %zu bytes",
                           sizeof to->name - 1);
    memcpy(to->name, shape->name, strlen(shape->name));
    int status = superblock_uuid(to->uuid, why);
    for (unsigned i = 0; status == PXR_OK && i < creating->count; i++)
        status = superblock_uuid(to->member_uuid[i], why);
    return status;
}

static int open_members(struct host *host, char *const *paths, struct creating *creating,
                        bool force, struct pxr_error *why)
{
    for (unsigned i = 0; i < creating->count; i++) {
        struct file *file;
        int status = engine_open(host, paths[i], &file, why);
        if (status == PXR_OK && !force)
            status = file_check_free(file, why);
        if (status != PXR_OK)
            return status;
        creating->members[i] = file_member(file);
    }
    return PXR_OK;
}

static int format(struct host *host, struct creating *creating, struct pxr_error *why)
{
    int status = engine_start(host, why);
    if (status != PXR_OK)
        return status;
    status = engine_ask(host, begin_format, creating, why);
    engine_stop(host);
    return status;
}

static int find_capacity(const struct file *file, uint64_t *capacity, struct pxr_error *why)
{
    unsigned good;
    struct disk_super *super = malloc(sizeof *super);
    const int status = super != NULL ? superblock_read(file, super, &good) : PXR_ENOMEM;
    if (status == PXR_OK)
        *capacity = super->layout.stripes * super->chunk * super->data;
    free(super);
    return status == PXR_OK ? status
                            : pxa_because(why, status, "%s: the new superblock: %s", file->path,
                                          pxa_strerror(status));
}

int host_create(char *const *paths, const struct host_shape *shape, uint8_t uuid[16],
                uint64_t *capacity, struct pxr_error *why)
{
    static const struct host_options options = {.pages = 0};
    struct host *host;
    struct creating *creating = calloc(1, sizeof *creating);
    if (creating == NULL)
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    int status = engine_make(&host, &options, why);
    if (status == PXR_OK) {
        status = fill_shape(creating, shape, why);
        if (status == PXR_OK)
            status = open_members(host, paths, creating, shape->force, why);
        if (status == PXR_OK)
            status = format(host, creating, why);
        if (status == PXR_OK)
            status = find_capacity(host->files, capacity, why);
        memcpy(uuid, creating->shape.uuid, 16);
        engine_free(host);
    }
    free(creating);
    return status;
}
