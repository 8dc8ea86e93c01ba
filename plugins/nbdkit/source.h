/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plugin serves: a range of bytes, whatever it is made of. */
#ifndef PXR_NBDKIT_SOURCE_H
#define PXR_NBDKIT_SOURCE_H

#include "settings.h"

#include <stddef.h>
#include <stdint.h>

struct source;

/* Each returns 0, or -1 after nbdkit_error() and nbdkit_set_error().  Any thread may call
   them. */
struct source_calls {
    /* Reads exactly these bytes. */
    int (*read)(struct source *source, void *buffer, uint32_t count, uint64_t offset);
    /* These are NULL if the source cannot be written. */
    int (*write)(struct source *source, const void *buffer, uint32_t count, uint64_t offset,
                 bool fua);
    int (*zero)(struct source *source, uint32_t count, uint64_t offset, bool fua);
    int (*trim)(struct source *source, uint32_t count, uint64_t offset, bool fua);
    int (*flush)(struct source *source);
    /* Whether there may be something else than zeros, from an offset up to *end. */
    bool (*is_written)(struct source *source, uint64_t offset, uint64_t *end);
    int (*start)(struct source *source); /* nbdkit does not fork any more */
    void (*close)(struct source *source);
};

struct source {
    const struct source_calls *calls;
    uint64_t size;
    uint32_t preferred; /* the length of a request that costs least: a power of two */
};

/* The kinds.  Each returns NULL after nbdkit_error(). */
struct source *source_of_md(const struct settings *settings, struct files *files);
struct source *source_of_geometry(const struct settings *settings, struct files *files);
struct source *source_of_shards(const struct settings *settings, struct files *files);
struct source *source_of_array(const struct settings *settings);

/* Warns the user before nbdkit goes to the background. */
void source_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
