/* SPDX-License-Identifier: BSD-3-Clause */
/* What administrators want of an array in use. */
#include "config.h"

#include "engine.h"
#include "superblock.h"

#include "why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- watching -- */

static void tell_member(const struct host *host, unsigned role, enum core_member_state state)
{
    const char *event = host->seen.assembled ? "has failed" : "is missing";
    const struct file *file = core_device(host->core, role);
    const char *path = file != NULL ? file->path : "no file";
    if (state == CORE_FAILED)
        host_say(host, "member %u %s, and the array goes on without it", role, event);
    else if (state == CORE_REBUILDING)
        host_say(host, "member %u (%s) is being rebuilt", role, path);
    else
        host_say(host, "member %u (%s) is in sync", role, path);
}

void host_watch(struct host *host)
{
    struct core_status now;
    core_status(host->core, &now);
    if (!now.assembled)
        return;
    for (unsigned role = 0; role < now.data + now.parity; role++) {
        const bool first = !host->seen.assembled;
        if (now.state[role] != (first ? CORE_IN_SYNC : host->seen.state[role]))
            tell_member(host, role, now.state[role]);
    }
    if (now.dead && !host->seen.dead)
        host_say(host, "too many members have failed: all requests fail from now on");
    if (now.lost_rows > host->seen.lost_rows)
        host_say(host,
                 "a rebuild has lost %" PRIu64 " rows, because too few of their blocks "
                 "are left",
                 now.lost_rows);
    host->seen = now;
}

/* ------------------------------------------------------------------ status -- */

static void begin_status(struct host *host, struct call *call)
{
    struct host_status *status = call->argument;
    int result = PXR_OK;
    core_status(host->core, &status->core);
    memcpy(status->uuid, host->uuid, sizeof status->uuid);
    memcpy(status->name, host->name, sizeof status->name);
    status->limits = host->limits;
    for (unsigned role = 0; role < PXA_MAX_MEMBERS; role++) {
        const struct file *file = core_device(host->core, role);
        status->path[role] = strdup(file != NULL ? file->path : "");
        if (status->path[role] == NULL)
            result = PXR_ENOMEM;
    }
    call_answer(call, result, "there is not enough memory");
}

int host_status(struct host *host, struct host_status *status)
{
    struct call call = {.begin = begin_status, .argument = status};
    const int result = engine_call(host, &call);
    if (result != PXR_OK)
        host_status_free(status);
    return result;
}

void host_status_free(struct host_status *status)
{
    for (unsigned role = 0; role < PXA_MAX_MEMBERS; role++) {
        free(status->path[role]);
        status->path[role] = NULL;
    }
}

/* ----------------------------------------------------------------- members -- */

/* What is to be done with a member. */
struct change {
    unsigned role;
    struct file *file;
    uint8_t uuid[16];
    bool repair;
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

static bool is_used(const struct host *host, const struct file *file)
{
    bool used = file->under_way > 0 || file->adopted;
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
        if (is_used(host, file)) {
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
static void close_retired(struct host *host)
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

static int open_new(struct host *host, const char *path, struct change *change,
                    struct pxr_error *why)
{
    close_retired(host);
    int status = file_open(&change->file, path, true, why);
    if (status == PXR_OK)
        status = file_start(change->file, &host->completions, why);
    if (status != PXR_OK)
        file_close(change->file);
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
        close_retired(host);
    return status;
}

int host_readd(struct host *host, unsigned role, const char *path, struct pxr_error *why)
{
    struct change change = {.role = role};
    const int status = open_new(host, path, &change, why);
    return status == PXR_OK ? run_adoption(host, &change, begin_readd, why) : status;
}

int host_replace(struct host *host, unsigned role, const char *path, bool force,
                 struct pxr_error *why)
{
    struct change change = {.role = role};
    int status = superblock_uuid(change.uuid, why);
    if (status == PXR_OK)
        status = open_new(host, path, &change, why);
    if (status != PXR_OK)
        return status;
    status = force ? PXR_OK : file_check_free(change.file, why);
    if (status == PXR_OK)
        return run_adoption(host, &change, begin_replace, why);
    file_stop(change.file);
    file_close(change.file);
    return status;
}

/* -------------------------------------------------------------------- pace -- */

static void begin_limit(struct host *host, struct call *call)
{
    const struct core_limits *limits = call->argument;
    const int status = core_limit(host->core, limits);
    if (status == PXR_OK)
        host->limits = *limits;
    call_answer(call, status, "the least rate is above the greatest, or a rate is too high");
}

int host_limit(struct host *host, const struct core_limits *limits, struct pxr_error *why)
{
    struct core_limits copy = *limits;
    return engine_ask(host, begin_limit, &copy, why);
}

/* ------------------------------------------------------------------- scrub -- */

static void begin_scrub(struct host *host, struct call *call)
{
    struct change *change = call->argument;
    core_scrub(host->core, change->repair, call_done, call);
}

static void begin_counting(struct host *host, struct call *call)
{
    core_status(host->core, call->argument);
    call_answer(call, PXR_OK, "");
}

/* The core counts from the assembly on. */
int host_scrub(struct host *host, bool repair, struct core_status *found, struct pxr_error *why)
{
    struct change change = {.repair = repair};
    struct core_status before;
    int status = engine_ask(host, begin_counting, &before, why);
    if (status == PXR_OK)
        status = engine_ask(host, begin_scrub, &change, why);
    if (status == PXR_OK)
        status = engine_ask(host, begin_counting, found, why);
    if (status != PXR_OK)
        return status;
    found->scrub_rows -= before.scrub_rows;
    found->scrub_bad -= before.scrub_bad;
    found->scrub_parity -= before.scrub_parity;
    found->scrub_repaired -= before.scrub_repaired;
    found->scrub_lost -= before.scrub_lost;
    return PXR_OK;
}
