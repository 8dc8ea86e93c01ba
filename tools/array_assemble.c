/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor array assemble */
#include "config.h"

#include "cmd_array.h"

#include "hex.h"
#include "host/look.h"
#include "host/report.h"
#include "message.h"

#include <inttypes.h>

static void print_stale(const char *path, const struct host_candidate *is)
{
    say("%s: not used: member %u, but stale: it knows %" PRIu64 " events", path, is->role,
        is->events);
    if (is->left > 0)
        say(", and left the array at event %" PRIu64, is->left);
    say_line("%s", "");
}

static void print_candidate(const char *path, const struct host_look *look,
                            const struct host_candidate *is)
{
    switch (is->verdict) {
    case HOST_CURRENT:
        say_line("%s: member %u, %s", path, is->role, report_state(look->state[is->role]));
        break;
    case HOST_STALE:
        print_stale(path, is);
        break;
    case HOST_REPLACED:
        say_line("%s: not used: it was member %u, which was replaced", path, is->role);
        break;
    case HOST_NO_SUPER:
        say_line("%s: not used: it has no superblock", path);
        break;
    case HOST_BAD_SUPER:
        say_line("%s: not used: its superblocks are damaged", path);
        break;
    case HOST_UNREADABLE:
        say_line("%s: not used: its superblocks cannot be read", path);
        break;
    }
}

static void print_missing(const struct host_look *look)
{
    for (unsigned role = 0; role < look->data + look->parity; role++)
        if (look->state[role] == CORE_FAILED)
            say_line("member %u: missing", role);
}

static void print_look(const struct options *options, const struct host_look *look)
{
    char uuid[33];
    hex_text(look->uuid, sizeof look->uuid, uuid);
    say_line("array %s%s%s: %u + %u members, %" PRIu64 " events, as %s says", uuid,
             look->name[0] != 0 ? " " : "", look->name, look->data, look->parity, look->events,
             options->operands[look->newest]);
    for (int i = 0; i < options->operand_count; i++)
        print_candidate(options->operands[i], look, &look->candidate[i]);
    print_missing(look);
}

/* What a start would make of it. */
static int conclude(const struct host_look *look)
{
    const unsigned members = look->data + look->parity;
    const unsigned in_sync = report_count(look->state, members, CORE_IN_SYNC);
    if (in_sync == members) {
        say_line("a start would find all members in sync");
        return STATUS_OK;
    }
    say_line("a start would find %u of %u members in sync, and %u more could be lost", in_sync,
             members, in_sync - look->data);
    return STATUS_DAMAGE;
}

int array_assemble(const struct options *options)
{
    struct host_look look;
    struct pxr_error why;
    int status = array_need_files(options, "assemble");
    if (status != STATUS_OK)
        return status;
    status = host_look(options->operands, (unsigned)options->operand_count, &look, &why);
    if (status == PXR_OK || status == PXR_ETOOFEW)
        print_look(options, &look);
    if (status == PXR_OK)
        return conclude(&look);
    return array_complain_devices(options, "assemble", status, &why);
}
