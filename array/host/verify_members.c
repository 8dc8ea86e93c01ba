/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "verify_members.h"

#include "superblock.h"

#include "bytes.h"
#include "core/candidates.h"
#include "core/internal.h"
#include "why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- choosing -- */

static int open_files(struct verify_members *members, char *const *paths, unsigned count,
                      struct candidate *candidates, struct pxr_error *why)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned good;
        const int status = file_open(&members->files[i], paths[i], false, why);
        if (status != PXR_OK)
            return status;
        candidates[i].status = superblock_read(members->files[i], &candidates[i].super, &good);
    }
    return PXR_OK;
}

/* A member that is being rebuilt does not have all of its blocks. */
static int choose(struct verify_members *members, unsigned count,
                  const struct candidate *candidates, struct pxr_error *why)
{
    struct chosen chosen;
    const int status = candidates_choose(candidates, count, &chosen, why);
    if (status != PXR_OK)
        return status;
    members->super = candidates[chosen.newest].super;
    for (unsigned role = 0; role < members->super.data + members->super.parity; role++)
        if (chosen.device[role] >= 0 && members->super.roles[role].state == CORE_IN_SYNC)
            members->member[role] = members->files[chosen.device[role]];
    return PXR_OK;
}

/* ----------------------------------------------------------------- the log -- */

/* Whether the page is a segment at the beginning of a log, which may not be in place. */
static bool is_pending(const struct verify_members *members, struct disk_segment *segment)
{
    uint64_t chain;
    return disk_segment_get(members->page, segment, &chain) == PXR_OK &&
           segment->epoch >= members->super.tail;
}

/* Reads the first block of a member's log.  If it cannot be read, this is noted. */
static int look_at_log(struct verify_members *members, unsigned role, bool *used)
{
    const struct disk_role *is = &members->super.roles[role];
    const uint64_t blocks = members->super.layout.log_blocks;
    const uint64_t at = blocks - is->log_start < 1 + segment_most(blocks) ? 0 : is->log_start;
    struct disk_segment *segment = malloc(sizeof *segment);
    if (segment == NULL)
        return PXR_ENOMEM;
    segment->role = role;
    segment->uuid = members->super.uuid;
    segment->position = at;
    segment->previous = is->log_chain;
    if (file_read(members->member[role], members->super.layout.log_at + at * CORE_BLOCK,
                  CORE_BLOCK, members->page) != 0)
        members->unread_logs |= mask_of(role);
    else
        *used |= is_pending(members, segment);
    free(segment);
    return PXR_OK;
}

static int check_log(struct verify_members *members, struct pxr_error *why)
{
    bool used = false;
    for (unsigned role = 0; role < members->super.data + members->super.parity; role++)
        if (members->member[role] != NULL && look_at_log(members, role, &used) != PXR_OK)
            return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    return used ? pxa_because(why, PXA_EREFUSED,
                              "the array was not stopped cleanly, so its log has blocks that "
                              "are not in place; serve it once and stop it")
                : PXR_OK;
}

/* ------------------------------------------------------------------- tables -- */

int verify_page(struct verify_members *members, unsigned role, enum disk_table table,
                uint64_t index, uint64_t *sequence)
{
    const struct disk_layout *layout = &members->super.layout;
    const uint64_t begin = table == DISK_MAP ? layout->map_at : layout->sums_at;
    uint8_t *slots = members->page + CORE_BLOCK;
    int best = PXA_ENONE;
    *sequence = 0;
    if (file_read(members->member[role], begin + 2 * index * CORE_BLOCK, 2 * CORE_BLOCK,
                  slots) != 0)
        return PXA_EIO;
    for (unsigned slot = 0; slot < 2; slot++) {
        const uint8_t *bytes = slots + slot * CORE_BLOCK;
        struct disk_page page = {table, table == DISK_MAP ? 0 : role, members->super.uuid,
                                 index, 0};
        const int status = disk_page_get(bytes, &page, members->super.sequence);
        if (status == PXR_OK && (best != PXR_OK || page.sequence > *sequence)) {
            memcpy(members->page, bytes, CORE_BLOCK);
            *sequence = page.sequence;
            best = PXR_OK;
        } else if (status == PXA_EDAMAGED && best != PXR_OK) {
            best = PXA_EDAMAGED;
        }
    }
    return best;
}

static void take_regions(struct verify_members *members, uint64_t index, uint64_t regions)
{
    for (uint64_t i = 0; i < DISK_MAP_ENTRIES; i++)
        if (index * DISK_MAP_ENTRIES + i < regions)
            members->written[index * DISK_MAP_ENTRIES + i] =
                get(members->page + DISK_PAGE_HEADER + i * 8, 8) != 0;
}

/* The newest page that any member has counts. */
static int read_map_page(struct verify_members *members, uint64_t index, uint64_t regions,
                         struct pxr_error *why)
{
    uint64_t newest = 0, sequence;
    bool any = false;
    for (unsigned role = 0; role < members->super.data + members->super.parity; role++) {
        if (members->member[role] == NULL)
            continue;
        const int status = verify_page(members, role, DISK_MAP, index, &sequence);
        any = any || status == PXR_OK || status == PXA_ENONE;
        if (status != PXR_OK || sequence <= newest)
            continue;
        newest = sequence;
        take_regions(members, index, regions);
    }
    return any ? PXR_OK
               : pxa_because(why, PXA_EDAMAGED,
                             "no member has page %" PRIu64 " of the region map", index);
}

static int read_map(struct verify_members *members, struct pxr_error *why)
{
    const struct disk_super *super = &members->super;
    const uint64_t regions = (super->layout.stripes * super->chunk - 1) / super->region + 1;
    members->written = calloc(regions, sizeof *members->written);
    int status = members->written != NULL
                     ? PXR_OK
                     : pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    for (uint64_t index = 0; status == PXR_OK && index < super->layout.map_pages; index++)
        status = read_map_page(members, index, regions, why);
    return status;
}

/* ------------------------------------------------------------------ opening -- */

int verify_members_open(struct verify_members *members, char *const *paths, unsigned count,
                        struct pxr_error *why)
{
    *members = (struct verify_members){.page = NULL};
    if (count > PXA_MAX_MEMBERS)
        return pxa_because(why, PXR_EINVAL, "%u members are given, but an array has at most %d",
                           count, PXA_MAX_MEMBERS);
    struct candidate *candidates = calloc(PXA_MAX_MEMBERS, sizeof *candidates);
    members->page = malloc(3 * CORE_BLOCK);
    int status = candidates != NULL && members->page != NULL
                     ? open_files(members, paths, count, candidates, why)
                     : pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    if (status == PXR_OK)
        status = choose(members, count, candidates, why);
    if (status == PXR_OK)
        status = check_log(members, why);
    if (status == PXR_OK)
        status = read_map(members, why);
    free(candidates);
    return status;
}

void verify_members_close(struct verify_members *members)
{
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        file_close(members->files[i]);
    free(members->written);
    free(members->page);
}
