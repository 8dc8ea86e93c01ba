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

/* The bytes from the offset to the end of the smallest member that is there. */
static int smallest(const struct settings *settings, const struct files *files, uint64_t *size)
{
    *size = UINT64_MAX;
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
        if (file->size - settings->offset < *size)
            *size = file->size - settings->offset;
    }
    if (*size > PXA_MAX_MEMBER_SIZE)
        *size = 0; /* no member is there, and pxa_array_create() says so */
    return 0;
}

struct source *source_of_geometry(const struct settings *settings, struct files *files)
{
    struct pxa_member members[PXA_MAX_MEMBERS] = {{0}};
    const char *names[PXA_MAX_MEMBERS];
    uint64_t size;
    if (smallest(settings, files, &size) == -1)
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
    const struct pxa_geometry geometry =
        geometry_of(settings, settings->size > 0 ? settings->size : size);
    return array_source(&geometry, matrix_of(settings), members, names, settings->check);
}
