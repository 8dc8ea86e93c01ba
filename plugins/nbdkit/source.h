/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plugin serves: a range of bytes that can be read, whatever it is made of. */
#ifndef PXR_NBDKIT_SOURCE_H
#define PXR_NBDKIT_SOURCE_H

#include "settings.h"

#include <stddef.h>
#include <stdint.h>

struct source;

struct source_calls {
    /* Reads exactly these bytes.  Returns 0, or -1 after nbdkit_error() and
       nbdkit_set_error().  Any threads may call it. */
    int (*read)(struct source *source, void *buffer, uint32_t count, uint64_t offset);
    void (*close)(struct source *source);
};

struct source {
    const struct source_calls *calls;
    uint64_t size;
    uint32_t preferred; /* the length of a request that costs least: a power of two */
};

/* The three kinds.  Each returns NULL after nbdkit_error(). */
struct source *source_of_md(const struct settings *settings, struct files *files);
struct source *source_of_geometry(const struct settings *settings, struct files *files);
struct source *source_of_shards(const struct settings *settings, struct files *files);

/* Warns the user before nbdkit goes to the background. */
void source_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
