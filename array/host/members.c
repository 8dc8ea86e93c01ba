/* SPDX-License-Identifier: BSD-3-Clause */
/* Members that leave an array in use, and files that take their place. */
#include "config.h"

#include "engine.h"
#include "superblock.h"

#include "why.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* What is to be done with a member. */
struct change {
    unsigned role;
    struct file *file;
    uint8_t uuid[16];
};

static void begin_fail(struct host *host, struct call *call)
{
    const struct change *change = call->argument;
    const int status = core_fail(host->core, change->role);
    const char *why = status == PXR_ETOOFEW ? "the array cannot work without this member"
                                            : "no working member has this number";
    call_answer(call, status, why);
}

int host_fail(struct host *host, unsigned role, struct pxr_error *why)
{
    struct change change = {.role = role};
    return engine_ask(host, begin_fail, &change, why);
}

bool members_use(const struct host *host, const struct file *file)
{
    bool used = file->adopted;
    for (unsigned role = 0; role < PXA_MAX_MEMBERS; role++)
        used = used || core_device(host->core, role) == file;
    return used;
}

/* Takes files out of the list that the core does not use any more. */
static void begin_retire(struct host *host, struct call *call)
{
    struct change *change = call->argument;
    for (struct file **at = &host->files; *at != NULL;) {
        struct file *file = *at;
        if (file->spare || file->under_way > 0 || members_use(host, file)) {
            at = &file->next;
            continue;
        }
        *at = file->next;
        file->next = change->file;
        change->file = file;
    }
    call_answer(call, PXR_OK, "");
}

/* Closes them, so that they can be opened again, by us or by others. */
void members_close_retired(struct host *host)
{
    struct change old = {.file = NULL};
    struct pxr_error why;
    (void)engine_ask(host, begin_retire, &old, &why);
    while (old.file != NULL) {
        struct file *file = old.file;
        old.file = file->next;
        file_stop(file);
        file_close(file);
    }
}

static bool is_member(const struct host *host, const struct disk_super *super)
{
    const uint8_t *uuid = memcmp(super->uuid, host->super.uuid, sizeof super->uuid) == 0
                              ? core_uuid(host->core, super->role)
                              : NULL;
    return uuid != NULL && memcmp(uuid, super->member_uuid, sizeof super->member_uuid) == 0;
}

/* One disk may be several devices. */
static void begin_check(struct host *host, struct call *call)
{
    if (is_member(host, call->argument))
        call_answer(call, PXA_EREFUSED, "it is a member that is in use, by another path");
    else
        call_answer(call, PXR_OK, "");
}

static int check_newcomer(struct host *host, const struct file *file, struct pxr_error *why)
{
    unsigned good;
    struct pxr_error reason;
    struct disk_super *super = malloc(sizeof *super);
    if (super == NULL)
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    int status = PXR_OK;
    if (superblock_read(file, super, &good) == PXR_OK)
        status = engine_ask(host, begin_check, super, &reason);
    free(super);
    return status == PXR_OK ? PXR_OK
                            : pxa_because(why, status, "%s: %s", file->path, reason.text);
}

static void begin_search(struct host *host, struct call *call)
{
    call_answer(call, engine_has(host, call->argument) ? PXA_EREFUSED : PXR_OK, "");
}

int members_open(struct host *host, const char *path, struct file **file, struct pxr_error *why)
{
    struct pxr_error none;
    members_close_retired(host);
    int status = engine_ask(host, begin_search, (char *)path, &none);
    if (status != PXR_OK)
        return pxa_because(why, status, "%s: the server has opened it already", path);
    status = file_open(file, path, true, why);
    if (status == PXR_OK)
        status = check_newcomer(host, *file, why);
    if (status == PXR_OK)
        status = file_start(*file, &host->completions, why);
    if (status != PXR_OK)
        file_close(*file);
    return status;
}

static void adopt(struct host *host, struct change *change)
{
    change->file->adopted = true;
    engine_add(host, change->file);
}

static void adopted(void *token, int status, const char *why)
{
    struct call *call = token;
    ((struct change *)call->argument)->file->adopted = false;
    call_answer(call, status, why);
}

static void begin_readd(struct host *host, struct call *call)
{
    struct change *change = call->argument;
    adopt(host, change);
    core_readd(host->core, change->role, file_member(change->file), adopted, call);
}

static void begin_replace(struct host *host, struct call *call)
{
    struct change *change = call->argument;
    adopt(host, change);
    core_replace(host->core, change->role, file_member(change->file), change->uuid, adopted,
                 call);
}

/* A file that was not taken is closed. */
static int run_adoption(struct host *host, struct change *change,
                        void (*begin)(struct host *host, struct call *call),
                        struct pxr_error *why)
{
    const int status = engine_ask(host, begin, change, why);
    if (status != PXR_OK)
        members_close_retired(host);
    return status;
}

int host_readd(struct host *host, unsigned role, const char *path, struct pxr_error *why)
{
    struct change change = {.role = role};
    const int status = members_open(host, path, &change.file, why);
    return status == PXR_OK ? run_adoption(host, &change, begin_readd, why) : status;
}

int host_replace(struct host *host, unsigned role, const char *path, bool force,
                 struct pxr_error *why)
{
    struct change change = {.role = role};
    int status = superblock_uuid(change.uuid, why);
    if (status == PXR_OK)
        status = members_open(host, path, &change.file, why);
    if (status != PXR_OK)
        return status;
    status = force ? PXR_OK : file_check_free(change.file, why);
    if (status == PXR_OK)
        return run_adoption(host, &change, begin_replace, why);
    file_stop(change.file);
    file_close(change.file);
    return status;
}

/* ---------------------------------------------------------------- removing -- */

struct removal {
    const char *path; /* or NULL: the file of this role */
    bool exists;      /* `there` says what the path is */
    struct stat there;
    unsigned role;
    struct file *file; /* what is to be closed */
    bool busy;         /* it has not answered all requests */
};

/* How long a removal waits for a file, and how often it looks. */
enum { TRIES = 100, PAUSE = 20000000 };

/* A file may have been given by another path. */
static bool is_wanted(const struct removal *removal, const struct file *file)
{
    if (removal->path == NULL)
        return file->role == (int)removal->role;
    return strcmp(file->path, removal->path) == 0 ||
           (removal->exists && file_is(file, &removal->there));
}

/* Of several files that were the same member, the one that is in use now counts. */
static struct file **find_wanted(struct host *host, const struct removal *removal)
{
    struct file **found = NULL;
    for (struct file **at = &host->files; *at != NULL; at = &(*at)->next)
        if (is_wanted(removal, *at) && (found == NULL || members_use(host, *at)))
            found = at;
    return found;
}

/* Says why a file cannot be closed, or returns NULL. */
static const char *find_hindrance(const struct host *host, const struct file *file,
                                  struct removal *removal)
{
    removal->busy = false;
    if (members_use(host, file))
        return "the member is in use; only a spare, or a member that has failed, can be "
               "removed";
    removal->busy = file->under_way > 0;
    return removal->busy ? "the file has not answered all requests yet; try again later" : NULL;
}

static void begin_removal(struct host *host, struct call *call)
{
    struct removal *removal = call->argument;
    struct file **found = find_wanted(host, removal);
    if (found == NULL) {
        removal->busy = false;
        call_answer(call, PXR_EINVAL,
                    removal->path != NULL
                        ? "the server has not opened this file"
                        : "the server has no open file of a member with this number");
        return;
    }
    const char *hindrance = find_hindrance(host, *found, removal);
    if (hindrance != NULL) {
        call_answer(call, PXA_EREFUSED, hindrance);
        return;
    }
    removal->file = *found;
    *found = removal->file->next;
    call_answer(call, PXR_OK, "");
}

static int run_removal(struct host *host, struct removal *removal, struct pxr_error *why)
{
    const struct timespec moment = {0, PAUSE};
    int status = engine_ask(host, begin_removal, removal, why);
    for (unsigned i = 0; removal->busy && i < TRIES; i++) {
        nanosleep(&moment, NULL);
        status = engine_ask(host, begin_removal, removal, why);
    }
    if (status != PXR_OK)
        return status;
    file_stop(removal->file);
    file_close(removal->file);
    return PXR_OK;
}

int host_remove(struct host *host, unsigned role, struct pxr_error *why)
{
    return run_removal(host, &(struct removal){.role = role}, why);
}

int host_remove_file(struct host *host, const char *path, struct pxr_error *why)
{
    struct removal removal = {.path = path};
    removal.exists = stat(path, &removal.there) == 0;
    return run_removal(host, &removal, why);
}
