/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain sets, of which the settings say what they are. */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "array_source.h"

#include <inttypes.h>

static struct pxa_geometry geometry_of(const struct settings *settings, uint64_t member_size)
{
    struct pxa_geometry geometry = {.chunk = settings->chunk, .member_size = member_size};
    geometry.parity = settings->m > 0 ? settings->m : settings->level == 6 ? 2 : 1;
    geometry.data = settings->count - geometry.parity;
    geometry.layout = settings->level >= 5 ? PXA_LEFT_SYMMETRIC : PXA_PARITY_LAST;
    if (settings->has_layout)
        geometry.layout = settings->layout;
    return geometry;
}

static enum pxr_matrix matrix_of(const struct settings *settings)
{
    if (settings->level > 0)
        return PXR_ISAL_VAND; /* whose first two rows are P and Q */
    return settings->has_matrix ? settings->matrix : PXR_ISAL_CAUCHY;
}

/* The members that are there have to reach to the offset. */
static int check_files(const struct settings *settings, const struct files *files)
{
    for (unsigned i = 0; i < files->count; i++) {
        const struct file *file = &files->file[i];
        if (file->folder) {
            nbdkit_error("%s: it is a folder", file->path);
            return -1;
        }
        if (file->fd < 0)
            continue;
        if (file->size < settings->offset) {
            nbdkit_error("%s: it ends before offset=%" PRIu64, file->path, settings->offset);
            return -1;
        }
    }
    return 0;
}

/* One file in two places would give wrong contents. */
static int check_places(const struct files *files)
{
    for (unsigned i = 0; i < files->count; i++)
        for (unsigned j = 0; j < i; j++)
            if (files_are_one(&files->file[j], &files->file[i])) {
                nbdkit_error("members %u and %u are the same: %s and %s", j, i,
                             files->file[j].path, files->file[i].path);
                return -1;
            }
    return 0;
}

/* The bytes from the offset to the end of the smallest member that is there. */
static uint64_t smallest(const struct settings *settings, const struct files *files)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (unsigned i = 0; i < files->count; i++) {
        const uint64_t size = files->file[i].size - settings->offset;
        if (files->file[i].fd < 0)
            continue;
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    for (unsigned i = 0; least < most && i < files->count; i++)
        if (files->file[i].fd >= 0)
            source_warn("%s: it has %" PRIu64
                        " bytes; the members differ, and without size= the "
                        "smallest one counts",
                        files->file[i].path, files->file[i].size - settings->offset);
    /* If no member is there, pxa_array_create() says so. */
    return least <= PXA_MAX_MEMBER_SIZE ? least : 0;
}

/* What lies behind the end of a short member is computed, for which k members are needed. */
static int check_size(const struct settings *settings, const struct files *files,
                      const struct pxa_geometry *geometry)
{
    const uint64_t wanted = pxa_rows(geometry) * geometry->chunk;
    unsigned present = 0, enough = 0;
    for (unsigned i = 0; i < files->count; i++) {
        const struct file *file = &files->file[i];
        if (file->fd < 0)
            continue;
        present++;
        enough += file->size - settings->offset >= wanted;
        if (file->size - settings->offset < wanted)
            source_warn("%s: it has %" PRIu64 " of %" PRIu64
                        " bytes; the rest is computed from the other members",
                        file->path, file->size - settings->offset, wanted);
    }
    if (enough >= geometry->data || present < geometry->data)
        return 0; /* pxa_array_create() says that too few are there */
    nbdkit_error("size=%" PRIu64 ": only %u members have that many bytes, but %u are needed",
                 settings->size, enough, geometry->data);
    return -1;
}

/* If all members are too short for a block, something in the settings is wrong. */
static int check_rows(const struct files *files, const struct pxa_geometry *geometry)
{
    bool there = false; /* if none is, pxa_array_create() says so */
    for (unsigned i = 0; i < files->count; i++)
        there |= files->file[i].fd >= 0;
    if (!there || pxa_rows(geometry) > 0)
        return 0;
    nbdkit_error("chunk=%" PRIu32 ": a member has only %" PRIu64 " bytes, so it has no block",
                 geometry->chunk, geometry->member_size);
    return -1;
}

struct source *source_of_geometry(const struct settings *settings, struct files *files)
{
    struct pxa_member members[PXA_MAX_MEMBERS] = {{0}};
    const char *names[PXA_MAX_MEMBERS];
    if (check_files(settings, files) == -1 || check_places(files) == -1)
        return NULL;
    const struct pxa_geometry geometry =
        geometry_of(settings, settings->size > 0 ? settings->size : smallest(settings, files));
    if (check_rows(files, &geometry) == -1)
        return NULL;
    if (settings->size > 0 && check_size(settings, files, &geometry) == -1)
        return NULL;
    for (unsigned i = 0; i < files->count; i++) {
        struct file *file = &files->file[i];
        names[i] = file->path;
        if (file->fd < 0)
            continue;
        members[i] = (struct pxa_member){.calls = &file_calls,
                                         .self = file,
                                         .start = settings->offset,
                                         .valid = file->size - settings->offset};
    }
    return array_source(&geometry, matrix_of(settings), members, names, settings->check);
}
