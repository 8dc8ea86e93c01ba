/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that stand by until a member fails. */
#include "config.h"

#include "engine.h"
#include "superblock.h"

#include "why.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- using -- */

static void taken(void *token, int status, const char *why)
{
    struct host *host = token;
    struct file *file = host->taking;
    host->taking = NULL;
    file->adopted = false;
    if (status != PXR_OK)
        host_say(host, "spare %s is not used: %s", file->path,
                 why[0] != 0 ? why : pxa_strerror(status));
}

static int find_failed(const struct core_status *status)
{
    for (unsigned role = 0; role < status->data + status->parity; role++)
        if (status->state[role] == CORE_FAILED)
            return (int)role;
    return -1;
}

/* Only one file at a time is prepared, so that nobody else fills the same place. */
static struct file *find_spare(const struct host *host)
{
    struct file *spare = NULL;
    for (struct file *file = host->files; file != NULL; file = file->next) {
        if (file->adopted)
            return NULL;
        if (file->spare)
            spare = file;
    }
    return spare;
}

bool spares_use(struct host *host)
{
    uint8_t uuid[16];
    struct pxr_error why;
    struct file *spare = find_spare(host);
    const int role = spare != NULL ? find_failed(&host->seen) : -1;
    if (role < 0 || host->ending || host->seen.dead)
        return false;
    spare->spare = false;
    if (superblock_uuid(uuid, &why) != PXR_OK) {
        host_say(host, "spare %s is not used: %s", spare->path, why.text);
        return false;
    }
    host_say(host, "spare %s takes the place of member %d", spare->path, role);
    spare->adopted = true;
    host->taking = spare;
    core_replace(host->core, (unsigned)role, file_member(spare), uuid, taken, host);
    return true;
}

/* ------------------------------------------------------------------- adding -- */

static void begin_adding(struct host *host, struct call *call)
{
    struct file *file = call->argument;
    if (!host->ending) {
        file->spare = true;
        engine_add(host, file);
    }
    call_answer(call, host->ending ? PXR_EINVAL : PXR_OK, "the array is being stopped");
}

static int check_size(const struct disk_super *array, const struct file *file,
                      struct pxr_error *why)
{
    struct disk_super super = *array;
    return file->size <= PXA_MAX_MEMBER_SIZE && disk_layout_fits(&super, file->size)
               ? PXR_OK
               : pxa_because(why, PXR_EINVAL, "%s: it is too small or too large for the array",
                             file->path);
}

int host_add(struct host *host, const char *path, bool force, struct pxr_error *why)
{
    struct file *file;
    int status = members_open(host, path, &file, why);
    if (status != PXR_OK)
        return status;
    status = check_size(&host->super, file, why);
    if (status == PXR_OK && !force)
        status = file_check_free(file, why);
    if (status == PXR_OK)
        status = engine_ask(host, begin_adding, file, why);
    if (status == PXR_OK)
        return PXR_OK;
    file_stop(file);
    file_close(file);
    return status;
}

/* ---------------------------------------------------------------- the start -- */

/* Reads a superblock of the array from the first file that has one. */
static int read_array(struct file *const *files, unsigned count, struct disk_super *array)
{
    unsigned good;
    int status = PXA_ENONE;
    for (unsigned i = 0; status != PXR_OK && i < count; i++)
        status = superblock_read(files[i], array, &good);
    return status;
}

/* Whether the spare of an earlier time has become a member of the array. */
static bool belongs(const struct file *file, const struct disk_super *array)
{
    unsigned good;
    struct disk_super *super = malloc(sizeof *super);
    const bool found = super != NULL && superblock_read(file, super, &good) == PXR_OK &&
                       memcmp(super->uuid, array->uuid, sizeof super->uuid) == 0;
    free(super);
    return found;
}

static void open_spare(struct host *host, const char *path, const struct disk_super *array,
                       struct file **files, unsigned *count)
{
    struct pxr_error why;
    struct file *file;
    int status = engine_open(host, path, &file, &why);
    if (status == PXR_OK && belongs(file, array)) {
        files[(*count)++] = file;
        return;
    }
    if (status == PXR_OK)
        status = check_size(array, file, &why);
    if (status == PXR_OK)
        status = file_check_free(file, &why);
    if (status == PXR_OK)
        file->spare = true;
    else
        host_say(host, "this spare is not used: %s", why.text);
}

void spares_open(struct host *host, struct file **files, unsigned *count)
{
    struct disk_super *array = malloc(sizeof *array);
    if (array != NULL && read_array(files, *count, array) == PXR_OK)
        for (unsigned i = 0; i < host->options.spare_count; i++)
            open_spare(host, host->options.spares[i], array, files, count);
    else if (host->options.spare_count > 0)
        host_say(host, "no spare is used: no member has a superblock that can be read");
    free(array);
}
