/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor decode: the file back from any k shards. */
#include "config.h"

#include "cmd.h"
#include "io.h"
#include "message.h"
#include "output.h"
#include "pipeline.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct decoding {
    const struct options *options;
    struct shard_set set;
    struct survey survey;
    const char *path; /* of the output, for messages */
    int fd;
    bool stream; /* fd is written in order, and not renamed */
    struct output output;
};

/* ----------------------------------------------------------------- work -- */

static int write_out(struct decoding *d, struct stripe *stripe, off_t offset)
{
    if (stripe_write_data(stripe, &d->set.header, d->fd, offset) >= 0)
        return STATUS_OK;
    return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot write: %s", d->path, strerror(errno));
}

static int decode_stripe(void *context, struct stripe *stripe)
{
    struct decoding *d = context;
    shard_set_gather(&d->set, stripe, d->set.header.k);
    survey_add(&d->survey, &d->set, stripe);
    int status = shard_set_rebuild(&d->set, stripe, d->set.header.k, NULL);
    if (status != STATUS_OK || d->stream)
        return status;
    off_t offset = (off_t)(stripe->number * shard_stripe_size(&d->set.header));
    status = write_out(d, stripe, offset);
    if (status == STATUS_OK)
        output_written(&d->output, offset, stripe->bytes);
    return status;
}

static int put_stripe(void *context, struct stripe *stripe)
{
    return write_out(context, stripe, IO_STREAM);
}

static int run(struct decoding *d)
{
    const struct shard_header *header = &d->set.header;
    struct pipeline_job job = {.verb = "decode",
                               .quiet = d->options->quiet,
                               .threads = d->options->threads,
                               .stripes = shard_stripes(header),
                               .total = header->length,
                               .shards = shard_set_size(&d->set),
                               .cell = shard_cell_length(header, 0),
                               .context = d,
                               .work = decode_stripe,
                               .put = d->stream ? put_stripe : NULL};
    return pipeline_run(&job);
}

/* --------------------------------------------------------------- output -- */

static int open_stream(struct decoding *d, int fd)
{
    d->fd = fd;
    d->stream = true;
    if (fd < 0)
        return complain(STATUS_SYSTEM, "%s: cannot open: %s", d->path, strerror(errno));
    io_widen_pipe(fd);
    return STATUS_OK;
}

/* The mode that the shards have in common. */
static mode_t any_mode(const struct shard_set *set)
{
    mode_t mode = 0777;
    for (unsigned i = 0; i < shard_set_size(set); i++)
        if (set->shard[i] != NULL)
            mode &= set->shard[i]->status.st_mode;
    return mode;
}

static int create_file(struct decoding *d, const char *path)
{
    int status =
        output_create(&d->output, path, d->options->output_flags, d->set.header.length);
    if (status == STATUS_OK)
        status = output_keep_private(&d->output, any_mode(&d->set));
    d->path = d->output.path;
    d->fd = d->output.fd;
    return status;
}

/* The recorded name is used only where it cannot lead elsewhere. */
static int create_by_name(struct decoding *d, const char *directory)
{
    const char *name = d->set.header.name;
    if (!shard_name_is_safe(name))
        return complain(STATUS_REFUSED,
                        "the recorded file name is not a safe one: --output=FILE");
    char *path = path_join(directory, name);
    if (path == NULL)
        return complain(STATUS_SYSTEM, "no memory");
    int status = create_file(d, path);
    free(path);
    return status;
}

static int open_output(struct decoding *d)
{
    struct stat status;
    const char *path = d->options->output;
    if (path == NULL)
        return create_by_name(d, NULL);
    d->path = path;
    if (strcmp(path, "-") == 0) {
        d->path = "standard output";
        return open_stream(d, STDOUT_FILENO);
    }
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return create_file(d, path);
    if (S_ISDIR(status.st_mode))
        return create_by_name(d, path);
    /* A pipe or a device is written to; it must not be renamed over. */
    return open_stream(d, open(path, O_WRONLY | O_CLOEXEC));
}

static int close_output(struct decoding *d)
{
    if (!d->stream)
        return output_publish(&d->output, 1);
    if (d->fd == STDOUT_FILENO || close(d->fd) == 0)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s: cannot write: %s", d->path, strerror(errno));
}

/* -------------------------------------------------------------- command -- */

static void mention_damage(const struct decoding *d)
{
    unsigned missing = shard_set_size(&d->set) - shard_set_present(&d->set);
    uint64_t cells = survey_corrupt_cells(&d->survey);
    if (missing + cells > 0)
        warn("decoded in spite of %u missing shards and %" PRIu64
             " corrupt cells: 'permxor repair' heals them",
             missing, cells);
}

static int decode(struct decoding *d)
{
    int status = shard_set_open(&d->set, d->options);
    if (status == STATUS_OK)
        status = open_output(d);
    if (status == STATUS_OK)
        status = run(d);
    if (status == STATUS_OK)
        status = close_output(d);
    if (status == STATUS_OK)
        mention_damage(d);
    output_discard(&d->output, 1);
    return status;
}

int cmd_decode(const struct options *options)
{
    struct decoding d = {.options = options, .fd = -1};
    if (options->operand_count == 0)
        return complain(STATUS_USAGE, "decode: give the shard files, or their directory");
    survey_init(&d.survey);
    int status = decode(&d);
    shard_set_close(&d.set);
    return status;
}
