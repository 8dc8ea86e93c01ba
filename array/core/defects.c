/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of members that could not be read, and were not written since.  A member that has too
 * many of them at a time fails.  One that is found again does not count twice, and one that is
 * written is as good as any other.
 */
#include "config.h"

#include "internal.h"

static uint64_t *defects_of(const struct core *core, unsigned role)
{
    return core->defects + (size_t)role * core->options.error_limit;
}

static unsigned find(const struct core *core, unsigned role, uint64_t block)
{
    unsigned i = 0;
    while (i < core->member[role].defects && defects_of(core, role)[i] != block)
        i++;
    return i;
}

/* A member from which reads fail is of use as long as the array cannot do without it. */
void defect_note(struct core *core, const struct io *io, uint64_t block)
{
    struct member *member = &core->member[io->role];
    if (!member->open || member->serial != io->serial)
        return;
    if (find(core, io->role, block) == member->defects &&
        member->defects < core->options.error_limit)
        defects_of(core, io->role)[member->defects++] = block;
    if (member->defects == core->options.error_limit && member_can_go(core, io->role))
        member_fail(core, io->role);
}

void defect_heal(struct core *core, unsigned role, uint64_t block)
{
    struct member *member = &core->member[role];
    const unsigned i = find(core, role, block);
    if (i < member->defects)
        defects_of(core, role)[i] = defects_of(core, role)[--member->defects];
}
