/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor encode: a file, or a stream, into k + m shard files. */
#include "config.h"

#include "cmd.h"
#include "io.h"
#include "message.h"
#include "output.h"
#include "pipeline.h"
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct encoding {
    const struct options *options;
    const char *path; /* of the file, for messages */
    int fd;
    bool stream;        /* the length is not known before the end */
    bool at_end;        /* of the stream */
    struct stat status; /* of the file, when it was opened */
    struct shard_header header;
    pxr_code *code;
    struct output outputs[PXR_MAX_SHARDS];
};

/* ---------------------------------------------------------------- input -- */

static int cannot_read(const struct encoding *e, struct stripe *stripe)
{
    return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot read: %s", e->path, strerror(errno));
}

static int take_from_stream(void *context, struct stripe *stripe)
{
    struct encoding *e = context;
    uint64_t full = shard_stripe_size(&e->header);
    ssize_t got = 0;
    if (!e->at_end)
        got = stripe_read_data(stripe, &e->header, e->fd, IO_STREAM, full);
    if (got < 0)
        return cannot_read(e, stripe);
    if (got == 0)
        return PIPELINE_END;
    if ((uint64_t)got > SHARD_LENGTH_MAX - e->header.length)
        return stripe_fail(stripe, STATUS_SYSTEM, "%s: too long", e->path);
    e->at_end = (uint64_t)got < full;
    e->header.length += (uint64_t)got;
    stripe->bytes = (uint64_t)got;
    return STATUS_OK;
}

static int read_from_file(const struct encoding *e, struct stripe *stripe)
{
    uint64_t bytes = shard_stripe_bytes(&e->header, stripe->number);
    off_t offset = (off_t)(stripe->number * shard_stripe_size(&e->header));
    ssize_t got = stripe_read_data(stripe, &e->header, e->fd, offset, bytes);
    if (got < 0)
        return cannot_read(e, stripe);
    if ((uint64_t)got < bytes)
        return stripe_fail(stripe, STATUS_SYSTEM, "%s: became shorter while it was read",
                           e->path);
    stripe->bytes = bytes;
    return STATUS_OK;
}

/* ----------------------------------------------------------------- work -- */

static int encode_stripe(void *context, struct stripe *stripe)
{
    const struct encoding *e = context;
    unsigned k = e->header.k, count = k + e->header.m;
    int status = e->stream ? STATUS_OK : read_from_file(e, stripe);
    if (status != STATUS_OK)
        return status;
    stripe_settle(stripe, &e->header, stripe->bytes);
    int result = pxr_encode(e->code, stripe->length, (const uint8_t *const *)stripe->cell,
                            stripe->cell + k);
    if (result != PXR_OK)
        return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot encode: %s", e->path,
                           pxr_strerror(result));
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        stripe_seal(stripe, &e->header, i);
        status = writer_store(&e->outputs[i], stripe, &e->header, i);
    }
    return status;
}

static int run(struct encoding *e)
{
    bool stream = e->stream;
    struct pipeline_job job = {.verb = "encode",
                               .quiet = e->options->quiet,
                               .threads = e->options->threads,
                               .stripes = stream ? PIPELINE_ENDLESS : shard_stripes(&e->header),
                               .total = e->header.length,
                               .shards = e->header.k + e->header.m,
                               .cell = e->header.cell,
                               .context = e,
                               .take = stream ? take_from_stream : NULL,
                               .work = encode_stripe};
    return pipeline_run(&job);
}

/* The shards are to be those of one state of the file. */
static int check_unchanged(const struct encoding *e)
{
    struct stat now;
    if (e->stream)
        return STATUS_OK;
    if (fstat(e->fd, &now) == 0 && now.st_size == e->status.st_size &&
        now.st_mtim.tv_sec == e->status.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == e->status.st_mtim.tv_nsec)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s: changed while it was read", e->path);
}

/* --------------------------------------------------------------- set up -- */

static int open_input(struct encoding *e)
{
    bool standard = strcmp(e->path, "-") == 0;
    if (standard)
        e->path = "standard input";
    e->fd = standard ? STDIN_FILENO : open(e->path, O_RDONLY | O_CLOEXEC);
    if (e->fd < 0 || fstat(e->fd, &e->status) != 0)
        return complain(STATUS_SYSTEM, "%s: cannot open: %s", e->path, strerror(errno));
    if (S_ISDIR(e->status.st_mode))
        return complain(STATUS_SYSTEM, "%s: cannot read: is a directory", e->path);
    /*
     * Standard input may stand in the middle of a file, and files that the
     * kernel makes up, as in /proc, say that they are empty: streams.
     */
    e->stream = standard || !S_ISREG(e->status.st_mode) || e->status.st_size == 0;
    if (e->stream)
        io_widen_pipe(e->fd);
    else
        (void)posix_fadvise(e->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return STATUS_OK;
}

static int fill_header(struct encoding *e, const char *name)
{
    const struct options *o = e->options;
    struct shard_header *h = &e->header;
    if (!shard_name_is_safe(name))
        return complain(STATUS_USAGE,
                        "encode: '%s' cannot be recorded as a file name: --name=NAME", name);
    *h = (struct shard_header){.k = o->k, .m = o->m, .matrix = o->matrix, .cell = o->cell};
    memcpy(h->name, name, strlen(name));
    if (!e->stream)
        h->length = (uint64_t)e->status.st_size;
    if (h->length > SHARD_LENGTH_MAX)
        return complain(STATUS_SYSTEM, "%s: too long", e->path);
    if (getrandom(h->id, sizeof h->id, 0) != sizeof h->id)
        return complain(STATUS_SYSTEM, "no random numbers: %s", strerror(errno));
    return STATUS_OK;
}

static int create_outputs(struct encoding *e, const char *directory)
{
    int status = STATUS_OK;
    uint64_t size = e->stream ? 0 : shard_file_size(&e->header);
    for (unsigned i = 0; i < e->header.k + e->header.m && status == STATUS_OK; i++) {
        status = writer_create(&e->outputs[i], &e->header, i, directory,
                               e->options->output_flags, size);
        if (status == STATUS_OK && S_ISREG(e->status.st_mode))
            status = output_keep_private(&e->outputs[i], e->status.st_mode);
    }
    return status;
}

static int create_in_place(struct encoding *e, const char *file)
{
    if (e->options->output != NULL)
        return create_outputs(e, e->options->output);
    char *directory = path_directory(file);
    if (directory == NULL)
        return complain(STATUS_SYSTEM, "no memory");
    int status = create_outputs(e, directory);
    free(directory);
    return status;
}

static int finish(struct encoding *e)
{
    unsigned count = e->header.k + e->header.m;
    int status = check_unchanged(e);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = writer_finish(&e->outputs[i], &e->header, i);
    if (status == STATUS_OK)
        status = output_publish(e->outputs, count);
    return status;
}

static int encode(struct encoding *e, const char *file)
{
    const char *name = e->options->name != NULL ? e->options->name : path_base(file);
    int status = open_input(e);
    if (status == STATUS_OK)
        status = fill_header(e, name);
    if (status == STATUS_OK)
        status = create_in_place(e, file);
    if (status == STATUS_OK)
        status = run(e);
    if (status == STATUS_OK)
        status = finish(e);
    output_discard(e->outputs, e->header.k + e->header.m);
    if (e->fd > STDIN_FILENO)
        close(e->fd);
    return status;
}

int cmd_encode(const struct options *options)
{
    struct encoding e = {.options = options, .fd = -1};
    struct pxr_error why;
    if (options->operand_count != 1)
        return complain(STATUS_USAGE, "encode: give one FILE, or - for standard input");
    e.path = options->operands[0];
    if (strcmp(e.path, "-") == 0 && options->name == NULL)
        return complain(STATUS_USAGE, "encode: standard input needs --name=NAME");
    int result = pxr_code_create(&e.code, options->k, options->m, options->matrix, &why);
    if (result != PXR_OK)
        return complain(result == PXR_ENOMEM ? STATUS_SYSTEM : STATUS_USAGE, "encode: %s",
                        why.text);
    int status = encode(&e, e.path);
    pxr_code_free(e.code);
    return status;
}
