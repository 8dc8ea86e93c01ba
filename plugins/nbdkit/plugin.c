/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nbdkit permxor: serves arrays, plain sets and sets of shards.  It writes only with
 * write=true, and only to arrays of its own kind.
 */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "shards.h"
#include "source.h"
#include "writable.h"

#include <stdarg.h>
#include <stdio.h>

#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL

static struct settings settings;
static struct files files;
static struct source *source;

void source_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("nbdkit: permxor: warning: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static int permxor_config(const char *key, const char *value)
{
    return settings_take(&settings, key, value);
}

static int permxor_config_complete(void)
{
    return settings_complete(&settings);
}

/* Settings that mean nothing for this kind of array are mistakes. */
static struct source *open_described(void)
{
    const bool shards = shards_among(&files);
    const char *member = array_among(&files);
    if (member != NULL)
        nbdkit_error(
            "%s: it is a member of an array that can be written; write=true serves it, "
            "and writes to its members",
            member);
    else if (settings.set != NULL && !shards)
        nbdkit_error("set is for shards, and no member is one; leave it out");
    else if (settings.force && shards)
        nbdkit_error("force is for arrays of md, and the members are shards; leave it out");
    else
        return shards ? source_of_shards(&settings, &files) : source_of_md(&settings, &files);
    return NULL;
}

/* Everything is opened while the user still sees messages. */
static int permxor_get_ready(void)
{
    if (settings.write)
        source = source_of_array(&settings);
    else if (files_open(&files, settings.members, settings.count) == -1)
        return -1;
    else
        source = settings_are_plain(&settings) ? source_of_geometry(&settings, &files)
                                               : open_described();
    return source != NULL ? 0 : -1;
}

/* Threads that existed before nbdkit went to the background would be gone now. */
static int permxor_after_fork(void)
{
    return source->calls->start != NULL ? source->calls->start(source) : 0;
}

static void permxor_unload(void)
{
    if (source != NULL)
        source->calls->close(source);
    files_close(&files);
    settings_free(&settings);
}

static void permxor_dump_plugin(void)
{
    printf("permxor_version=%s\n", pxr_version());
    for (unsigned i = 0; i < PXA_LAYOUTS; i++)
        printf("permxor_layout_%u=%s\n", i, pxa_layout_name((enum pxa_layout)i));
    struct pxr_kernel_info row;
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
        if (row.selected)
            printf("permxor_kernels=%s\n", row.name);
}

static void *permxor_open(int readonly)
{
    (void)readonly;
    return source;
}

static int64_t permxor_get_size(void *handle)
{
    (void)handle;
    return (int64_t)source->size;
}

/* All connections use the same source, and a flush of one is a flush of all. */
static int permxor_can_multi_conn(void *handle)
{
    (void)handle;
    return 1;
}

/* Writing, flushing, trimming, zeroing and extents come together. */
static int permxor_can_write(void *handle)
{
    (void)handle;
    return source->calls->write != NULL;
}

static int permxor_can_fua(void *handle)
{
    (void)handle;
    return source->calls->write != NULL ? NBDKIT_FUA_NATIVE : NBDKIT_FUA_NONE;
}

/* Zeros cost as much as other bytes. */
static int permxor_can_fast_zero(void *handle)
{
    (void)handle;
    return 0;
}

static int permxor_block_size(void *handle, uint32_t *minimum, uint32_t *preferred,
                              uint32_t *maximum)
{
    (void)handle;
    *minimum = 1;
    *preferred = source->preferred;
    *maximum = UINT32_MAX;
    return 0;
}

static int permxor_pread(void *handle, void *buffer, uint32_t count, uint64_t offset,
                         uint32_t flags)
{
    (void)handle;
    (void)flags;
    return source->calls->read(source, buffer, count, offset);
}

static int permxor_pwrite(void *handle, const void *buffer, uint32_t count, uint64_t offset,
                          uint32_t flags)
{
    (void)handle;
    return source->calls->write(source, buffer, count, offset, flags & NBDKIT_FLAG_FUA);
}

static int permxor_zero(void *handle, uint32_t count, uint64_t offset, uint32_t flags)
{
    (void)handle;
    return source->calls->zero(source, count, offset, flags & NBDKIT_FLAG_FUA);
}

static int permxor_trim(void *handle, uint32_t count, uint64_t offset, uint32_t flags)
{
    (void)handle;
    return source->calls->trim(source, count, offset, flags & NBDKIT_FLAG_FUA);
}

static int permxor_flush(void *handle, uint32_t flags)
{
    (void)handle;
    (void)flags;
    return source->calls->flush(source);
}

static int permxor_extents(void *handle, uint32_t count, uint64_t offset, uint32_t flags,
                           struct nbdkit_extents *extents)
{
    const uint64_t stop = offset + count;
    uint64_t end;
    (void)handle;
    for (; offset < stop; offset = end) {
        const bool written = source->calls->is_written(source, offset, &end);
        if (nbdkit_add_extent(extents, offset, end - offset,
                              written ? 0 : NBDKIT_EXTENT_HOLE | NBDKIT_EXTENT_ZERO) == -1)
            return -1;
        if (flags & NBDKIT_FLAG_REQ_ONE)
            break;
    }
    return 0;
}

static struct nbdkit_plugin plugin = {
    .name = "permxor",
    .version = PACKAGE_VERSION,
    .longname = "permxor: arrays with parity",
    .description =
        "Reads md RAID-4, 5 and 6, plain sets of k + m members, and permxor's shards, and "
        "serves permxor's own arrays.",
    .config = permxor_config,
    .config_complete = permxor_config_complete,
    .config_help = SETTINGS_HELP,
    .magic_config_key = "member",
    .get_ready = permxor_get_ready,
    .after_fork = permxor_after_fork,
    .unload = permxor_unload,
    .dump_plugin = permxor_dump_plugin,
    .open = permxor_open,
    .get_size = permxor_get_size,
    .can_multi_conn = permxor_can_multi_conn,
    .block_size = permxor_block_size,
    .pread = permxor_pread,
    .can_write = permxor_can_write,
    .can_flush = permxor_can_write,
    .can_trim = permxor_can_write,
    .can_zero = permxor_can_write,
    .can_fast_zero = permxor_can_fast_zero,
    .can_extents = permxor_can_write,
    .can_fua = permxor_can_fua,
    .pwrite = permxor_pwrite,
    .zero = permxor_zero,
    .trim = permxor_trim,
    .flush = permxor_flush,
    .extents = permxor_extents,
};

struct nbdkit_plugin *plugin_init(void);
NBDKIT_REGISTER_PLUGIN(plugin)
