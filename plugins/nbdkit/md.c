/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of Linux md, whose superblocks say what they are. */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "array_source.h"

#include "permxor_array_md.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the superblocks of all files say. */
struct examined {
    struct pxa_md_super *supers;
    enum pxa_md_use *use;
    struct pxa_md_set set;
};

/* A device without a good superblock is not a member; the others may be enough. */
static void examine(struct file *file, struct pxa_md_super *super)
{
    struct pxr_error why = {"it is missing"};
    if (file->fd >= 0 &&
        pxa_md_examine(&file_calls, file, file->size, super, sizeof *super, &why) == PXR_OK)
        return;
    super->major = PXA_MD_NONE;
    source_warn("%s: not used: %s", file->path, why.text);
}

static int assemble(struct files *files, struct examined *all)
{
    struct pxr_error why;
    for (unsigned i = 0; i < files->count; i++)
        examine(&files->file[i], &all->supers[i]);
    const int status = pxa_md_assemble(all->supers, sizeof *all->supers, files->count,
                                       &all->set, sizeof all->set, all->use, &why);
    if (status == PXA_ENONE)
        nbdkit_error(
            "no member has a superblock of md, and none is a shard of permxor; level or "
            "m, and chunk, describe a plain set");
    else if (status != PXR_OK)
        nbdkit_error("%s (device 0 is %s, and so on in the order of the command line)",
                     why.text, files->file[0].path);
    return status == PXR_OK ? 0 : -1;
}

static void tell_unused(const struct files *files, const struct examined *all)
{
    for (unsigned i = 0; i < files->count; i++)
        if (all->use[i] != PXA_MD_USED && all->use[i] != PXA_MD_NOTHING)
            source_warn("%s: %s", files->file[i].path, pxa_md_use_text(all->use[i]));
    if (all->set.missing > 0)
        source_warn("%u of %u members are missing", all->set.missing,
                    all->supers[all->set.newest].members);
}

/* What is not valid on a member is computed from the others. */
static void tell_incomplete(const struct files *files, const struct examined *all)
{
    const struct pxa_geometry *geometry = &all->set.geometry;
    const uint64_t size = pxa_rows(geometry) * geometry->chunk;
    for (unsigned i = 0; i < geometry->data + geometry->parity; i++) {
        if (!(all->set.incomplete >> i & 1))
            continue;
        const char *path = files->file[all->set.device[i]].path;
        const struct pxa_md_super *super = &all->supers[all->set.device[i]];
        if (super->valid < size)
            source_warn("%s: incomplete: the first %" PRIu64 " of its %" PRIu64
                        " bytes are valid",
                        path, super->valid, size);
        if (super->bad_size > 0)
            source_warn("%s: incomplete: md has a list of bad blocks on it", path);
    }
}

/* What makes the array doubtful, or NULL.  Blocks that are computed from parity are wrong where
   parity is. */
static const char *doubt_about(const struct pxa_md_set *set, enum pxa_trust check)
{
    if (set->flags & PXA_MD_HAS_JOURNAL)
        return "the array has a journal, which may hold newer blocks than its members";
    if (!(set->flags & PXA_MD_UNCLEAN))
        return NULL;
    if (set->missing > 0 || set->incomplete != 0)
        return "the array was not stopped cleanly and members are missing or incomplete, so "
               "blocks that are computed from parity may be wrong";
    if (check == PXA_CORRECT)
        return "the array was not stopped cleanly, so check=correct would take new data for "
               "wrong where its parity is still the old one";
    source_warn("the array was not stopped cleanly, so its parity may be wrong where it was "
                "being written; where a read of a member fails, that shows");
    return NULL;
}

static int is_trustworthy(const struct pxa_md_set *set, const struct settings *settings)
{
    const char *problem = doubt_about(set, settings->check);
    if (problem == NULL)
        return 0;
    if (settings->force) {
        source_warn("%s", problem);
        return 0;
    }
    nbdkit_error("%s; force=true reads it in spite of that", problem);
    return -1;
}

static int load_bad_blocks(struct file *file, const struct pxa_md_super *super,
                           struct pxa_member *member)
{
    if (super->bad_size == 0)
        return 0;
    file->bad = calloc(PXA_MD_MAX_BAD, sizeof *file->bad);
    const int status = file->bad == NULL
                           ? PXR_ENOMEM
                           : pxa_md_bad_blocks(&file_calls, file, super, file->bad,
                                               PXA_MD_MAX_BAD, &member->bad_count);
    if (status != PXR_OK) {
        nbdkit_error("%s: its list of bad blocks cannot be read: %s", file->path,
                     pxa_strerror(status));
        return -1;
    }
    member->bad = file->bad;
    if (member->bad_count > 0)
        source_warn("%s: md knows %u ranges of bad blocks on it", file->path,
                    member->bad_count);
    return 0;
}

static struct source *serve(const struct settings *settings, struct files *files,
                            const struct examined *all)
{
    struct pxa_member members[PXA_MAX_MEMBERS] = {{0}};
    const char *names[PXA_MAX_MEMBERS] = {NULL};
    const struct pxa_md_set *set = &all->set;
    for (unsigned i = 0; i < set->geometry.data + set->geometry.parity; i++) {
        if (set->device[i] < 0)
            continue;
        struct file *file = &files->file[set->device[i]];
        const struct pxa_md_super *super = &all->supers[set->device[i]];
        names[i] = file->path;
        members[i] = (struct pxa_member){
            .calls = &file_calls, .self = file, .start = super->start, .valid = super->valid};
        if (load_bad_blocks(file, super, &members[i]) == -1)
            return NULL;
    }
    nbdkit_debug("md: metadata %u.%u, level %" PRId32 ", %s, chunk %" PRIu32 ", %" PRIu64
                 " events",
                 all->supers[set->newest].major, all->supers[set->newest].minor,
                 all->supers[set->newest].level, pxa_layout_name(set->geometry.layout),
                 set->geometry.chunk, all->supers[set->newest].events);
    return array_source(&set->geometry, PXR_ISAL_VAND, members, names, settings->check);
}

struct source *source_of_md(const struct settings *settings, struct files *files)
{
    struct source *source = NULL;
    struct examined all = {.supers = calloc(files->count, sizeof *all.supers),
                           .use = calloc(files->count, sizeof *all.use)};
    if (all.supers == NULL || all.use == NULL)
        nbdkit_error("there is not enough memory");
    else if (assemble(files, &all) == 0) {
        tell_unused(files, &all);
        tell_incomplete(files, &all);
        if (is_trustworthy(&all.set, settings) == 0)
            source = serve(settings, files, &all);
    }
    free(all.supers);
    free(all.use);
    return source;
}
