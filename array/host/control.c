/* SPDX-License-Identifier: BSD-3-Clause */
/* What administrators want of an array in use. */
#include "config.h"

#include "engine.h"

#include "why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- watching -- */

/* The last file that was the member, if one of its requests has failed. */
static const struct file *find_failed(const struct host *host, unsigned role)
{
    const struct file *file = host->files;
    while (file != NULL && file->role != (int)role)
        file = file->next;
    return file != NULL && file->error != 0 ? file : NULL;
}

static void tell_failed(const struct host *host, unsigned role, bool dead)
{
    const char *event = host->seen.assembled ? "has failed" : "is missing";
    const char *rest = dead ? "" : ", and the array goes on without it";
    const struct file *file = find_failed(host, role);
    if (file != NULL)
        host_say(host, "member %u %s%s (%s: %s)", role, event, rest, file->path,
                 strerror(file->error));
    else
        host_say(host, "member %u %s%s", role, event, rest);
}

static void tell_member(const struct host *host, unsigned role, enum core_member_state state)
{
    const struct file *file = core_device(host->core, role);
    const char *path = file != NULL ? file->path : "no file";
    if (state == CORE_REBUILDING)
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
        struct file *file = core_device(host->core, role);
        if (file != NULL)
            file->role = (int)role;
        const bool first = !host->seen.assembled;
        if (now.state[role] == (first ? CORE_IN_SYNC : host->seen.state[role]))
            continue;
        if (now.state[role] == CORE_FAILED)
            tell_failed(host, role, now.dead);
        else
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

/* Lists the files that no member has.  Returns whether there was memory. */
static bool list_idle(const struct host *host, struct host_status *status)
{
    unsigned count = 0;
    for (const struct file *file = host->files; file != NULL; file = file->next)
        count++;
    status->idle = calloc(count > 0 ? count : 1, sizeof *status->idle);
    if (status->idle == NULL)
        return false;
    for (const struct file *file = host->files; file != NULL; file = file->next) {
        if (members_use(host, file))
            continue;
        struct host_idle *idle = &status->idle[status->idle_count];
        *idle = (struct host_idle){strdup(file->path), file->spare, file->role};
        if (idle->path == NULL)
            return false;
        status->idle_count++;
    }
    return true;
}

static void begin_status(struct host *host, struct call *call)
{
    struct host_status *status = call->argument;
    core_status(host->core, &status->core);
    memcpy(status->uuid, host->super.uuid, sizeof status->uuid);
    memcpy(status->name, host->super.name, sizeof status->name);
    status->limits = host->limits;
    status->io = host->completions.uring != NULL ? HOST_IO_URING : HOST_IO_THREADS;
    int result = list_idle(host, status) ? PXR_OK : PXR_ENOMEM;
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
    *status = (struct host_status){.idle = NULL};
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
    for (unsigned i = 0; i < status->idle_count; i++)
        free(status->idle[i].path);
    free(status->idle);
    status->idle = NULL;
    status->idle_count = 0;
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
    const bool *repair = call->argument;
    core_scrub(host->core, *repair, call_done, call);
}

static void begin_counting(struct host *host, struct call *call)
{
    core_status(host->core, call->argument);
    call_answer(call, PXR_OK, "");
}

/* The core counts from the assembly on. */
int host_scrub(struct host *host, bool repair, struct core_status *found, struct pxr_error *why)
{
    struct core_status before;
    int status = engine_ask(host, begin_counting, &before, why);
    if (status == PXR_OK)
        status = engine_ask(host, begin_scrub, &repair, why);
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
