/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor array examine */
#include "config.h"

#include "cmd_array.h"

#include "hex.h"
#include "host/report.h"
#include "host/superblock.h"
#include "message.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_roles(const struct disk_super *super)
{
    for (unsigned role = 0; role < super->data + super->parity; role++) {
        const struct disk_role *is = &super->roles[role];
        say("  member %u: %s", role, report_state(is->state));
        if (is->state == CORE_REBUILDING)
            say(", %" PRIu64 " of %" PRIu64 " stripes", is->cursor, super->layout.stripes);
        if (is->state == CORE_FAILED)
            say(" since event %" PRIu64, is->left);
        say_line("%s", role == super->role ? " (this file)" : "");
    }
}

static void print_super(const char *path, const struct disk_super *super, unsigned good)
{
    char array[33], member[33];
    hex_text(super->uuid, 16, array);
    hex_text(super->member_uuid, 16, member);
    say_line("%s: member %u of array %s", path, super->role, array);
    if (super->name[0] != 0)
        say_line("  name: %s", super->name);
    say_line("  %u + %u members, chunk %" PRIu32 ", %" PRIu64 " bytes of data", super->data,
             super->parity, super->chunk, super->layout.stripes * super->chunk * super->data);
    say_line("  uuid of this member: %s", member);
    say_line("  events: %" PRIu64 ", sequence: %" PRIu64 ", right superblocks: %d of %d",
             super->events, super->sequence, __builtin_popcount(good), DISK_PLACES);
    print_roles(super);
}

static int examine(const char *path, struct disk_super *super)
{
    struct pxr_error why;
    struct file *file;
    unsigned good;
    int status = file_open(&file, path, false, &why);
    if (status != PXR_OK)
        return complain(array_exit_code(status), "%s", why.text);
    status = superblock_read(file, super, &good);
    file_close(file);
    if (status == PXR_OK)
        print_super(path, super, good);
    else if (status == PXA_ENONE)
        say_line("%s: it has no superblock", path);
    else
        return complain(array_exit_code(status), "%s: its superblocks %s", path,
                        status == PXA_EDAMAGED ? "are damaged"
                        : status == PXA_EREFUSED
                            ? "have a format or features that this version "
                              "does not know"
                            : "cannot be read");
    return array_exit_code(status);
}

/* The worst of all files is the status. */
int array_examine(const struct options *options)
{
    int status = array_need_files(options, "examine");
    if (status != STATUS_OK)
        return status;
    struct disk_super *super = malloc(sizeof *super);
    if (super == NULL)
        return complain(STATUS_SYSTEM, "there is not enough memory");
    for (int i = 0; i < options->operand_count; i++) {
        const int here = examine(options->operands[i], super);
        status = here > status ? here : status;
    }
    free(super);
    return status;
}
