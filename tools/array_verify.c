/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor array verify */
#include "config.h"

#include "cmd_array.h"

#include "host/verify.h"
#include "message.h"

#include <inttypes.h>
#include <stdio.h>

static bool has_damage(const struct host_found *found)
{
    return found->unreadable + found->bad + found->pages + found->parity_rows > 0;
}

static void print_members(const struct host_found *found)
{
    for (unsigned role = 0; role < found->data + found->parity; role++)
        if (found->missing >> role & 1)
            say_line("member %u: missing, or not in sync", role);
        else if (found->by_member[role] > 0)
            say_line("member %u: %" PRIu64 " bad blocks", role, found->by_member[role]);
}

static int report(const struct host_found *found)
{
    print_members(found);
    say_line("%" PRIu64 " rows, and %" PRIu64 " blank ones: %" PRIu64
             " wrong checksums, %" PRIu64 " blocks unreadable, %" PRIu64
             " pages of checksums lost, %" PRIu64 " rows of wrong parity",
             found->rows, found->blank, found->bad, found->unreadable, found->pages,
             found->parity_rows);
    if (found->unchecked > 0)
        say_line("%" PRIu64 " rows have no parity to compare, because blocks are missing",
                 found->unchecked);
    if (found->lost > 0) {
        say_line("NOT REPAIRABLE: %" PRIu64 " rows have fewer than %u right blocks",
                 found->lost, found->data);
        return STATUS_LOST;
    }
    if (has_damage(found)) {
        say_line("damaged, but repairable; serve the array and use 'permxor array scrub "
                 "--repair' to heal it");
        return STATUS_DAMAGE;
    }
    say_line("%s", found->missing != 0 ? "no damage, but members are missing" : "no damage");
    return found->missing != 0 ? STATUS_DAMAGE : STATUS_OK;
}

int array_verify(const struct options *options)
{
    struct host_found found;
    struct pxr_error why;
    int status = array_need_files(options, "verify");
    if (status != STATUS_OK)
        return status;
    status = host_verify(options->operands, (unsigned)options->operand_count, &found, &why);
    if (status != PXR_OK)
        return array_complain_devices(options, "verify", status, &why);
    return report(&found);
}
