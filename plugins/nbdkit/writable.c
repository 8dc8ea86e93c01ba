/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that 'permxor array create' has made, which can be written. */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "source.h"
#include "writable.h"

#include "core/disk.h"
#include "host/host.h"
#include "host/server.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct writable {
    struct source source; /* first, so that a pointer to it is one to this, too */
    struct host *host;
    struct server *server; /* or NULL */
    atomic_bool started;   /* the user does not read standard error any more */
};

static void say(void *token, const char *text)
{
    const struct writable *self = token;
    if (atomic_load(&self->started))
        nbdkit_error("%s", text);
    else
        source_warn("%s", text);
}

static int answer(int status, const char *what, uint32_t count, uint64_t offset)
{
    if (status == PXR_OK)
        return 0;
    nbdkit_error("%s of %" PRIu32 " bytes from %" PRIu64 " on: %s", what, count, offset,
                 pxa_strerror(status));
    nbdkit_set_error(status == PXR_ENOMEM ? ENOMEM : status == PXR_EINVAL ? EINVAL : EIO);
    return -1;
}

static struct host *host_of(struct source *source)
{
    return ((struct writable *)source)->host;
}

static int read_host(struct source *source, void *buffer, uint32_t count, uint64_t offset)
{
    return answer(host_read(host_of(source), buffer, count, offset), "a read", count, offset);
}

static int write_host(struct source *source, const void *buffer, uint32_t count,
                      uint64_t offset, bool fua)
{
    return answer(host_write(host_of(source), buffer, count, offset, fua), "a write", count,
                  offset);
}

static int zero_host(struct source *source, uint32_t count, uint64_t offset, bool fua)
{
    return answer(host_zero(host_of(source), count, offset, fua), "zeroing", count, offset);
}

static int trim_host(struct source *source, uint32_t count, uint64_t offset, bool fua)
{
    return answer(host_trim(host_of(source), count, offset, fua), "a trim", count, offset);
}

static int flush_host(struct source *source)
{
    return answer(host_flush(host_of(source)), "a flush", 0, 0);
}

static bool is_written(struct source *source, uint64_t offset, uint64_t *end)
{
    return host_is_written(host_of(source), offset, end);
}

static int start(struct source *source)
{
    struct writable *self = (struct writable *)source;
    struct pxr_error why;
    atomic_store(&self->started, true);
    if (host_resume(self->host, &why) == PXR_OK &&
        (self->server == NULL || server_start(self->server, &why) == PXR_OK))
        return 0;
    nbdkit_error("%s", why.text);
    return -1;
}

static void close_host(struct source *source)
{
    struct writable *self = (struct writable *)source;
    (void)host_stop(self->host); /* it has said what went wrong */
    server_close(self->server);
    host_close(self->host);
    free(self);
}

static const struct source_calls calls = {.read = read_host,
                                          .write = write_host,
                                          .zero = zero_host,
                                          .trim = trim_host,
                                          .flush = flush_host,
                                          .is_written = is_written,
                                          .start = start,
                                          .close = close_host};

static uint32_t choose_preferred(uint32_t stripe)
{
    const bool power_of_two = (stripe & (stripe - 1)) == 0;
    return power_of_two && stripe <= UINT32_C(32) << 20 ? stripe : CORE_BLOCK;
}

static int open_host(struct writable *self, const struct settings *settings)
{
    struct pxr_error why;
    const struct host_options options = {.io = settings->io,
                                         .say = say,
                                         .token = self,
                                         .cache = settings->has_cache ? settings->cache
                                                                      : host_usual_cache(),
                                         .spares = settings->spares,
                                         .spare_count = settings->spare_count};
    if (host_open(&self->host, settings->members, settings->count, &options, &why) == PXR_OK)
        return 0;
    nbdkit_error("%s (device 0 is %s, and so on in the order of the command line)", why.text,
                 settings->members[0]);
    return -1;
}

static int open_server(struct writable *self, const struct settings *settings)
{
    struct pxr_error why;
    if (settings->control == NULL ||
        server_open(&self->server, settings->control, self->host, &why) == PXR_OK)
        return 0;
    nbdkit_error("control=%s", why.text);
    return -1;
}

struct source *source_of_array(const struct settings *settings)
{
    struct writable *self = calloc(1, sizeof *self);
    if (self == NULL) {
        nbdkit_error("there is not enough memory");
        return NULL;
    }
    if (open_host(self, settings) == -1) {
        free(self);
        return NULL;
    }
    if (open_server(self, settings) == -1) {
        close_host(&self->source);
        return NULL;
    }
    host_pause(self->host); /* nbdkit may fork now */
    self->source = (struct source){.calls = &calls,
                                   .size = host_capacity(self->host),
                                   .preferred = choose_preferred(host_stripe(self->host))};
    return &self->source;
}

static bool looks_like_member(struct file *file)
{
    uint8_t magic[8];
    for (unsigned place = 0; file->fd >= 0 && place < 2; place++)
        if (file_calls.read(file, disk_super_at(place, file->size), sizeof magic, magic) == 0 &&
            memcmp(magic, DISK_SUPER_MAGIC, sizeof magic) == 0)
            return true;
    return false;
}

const char *array_among(const struct files *files)
{
    for (unsigned i = 0; i < files->count; i++)
        if (looks_like_member(&files->file[i]))
            return files->file[i].path;
    return NULL;
}
