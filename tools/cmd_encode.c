/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor encode: turns a file, or a stream, into k + m shard files. */
#include "config.h"

#include "attributes.h"
#include "cmd.h"
#include "coding.h"
#include "deal.h"
#include "hash.h"
#include "identity.h"
#include "io.h"
#include "lock.h"
#include "message.h"
#include "pipeline.h"
#include "surplus.h"
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct encoding {
    const struct options *options;
    const char *path; /* the path of the file, for messages */
    int fd;
    bool stream;        /* the length is not known before the end */
    bool at_end;        /* of the stream */
    struct stat status; /* the state of the file when it was opened */
    struct shard_header header;
    struct hash hash; /* hash of the file, as far as it has been read */
    pxr_code *code;
    struct folders folders; /* the folders to which the shards go */
    struct surplus surplus; /* left-over shards of the set that is replaced */
    struct output outputs[PXR_MAX_SHARDS];
};

#define TOO_LONG "%s: too long: a set holds a file of at most %" PRIu64 " bytes"

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
        return stripe_fail(stripe, STATUS_SYSTEM, TOO_LONG, e->path, SHARD_LENGTH_MAX);
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

static int load_stripe(void *context, struct stripe *stripe)
{
    const struct encoding *e = context;
    int status = e->stream ? STATUS_OK : read_from_file(e, stripe);
    if (status == STATUS_OK)
        stripe_settle(stripe, &e->header, stripe->bytes);
    return status;
}

static int encode_stripe(void *context, struct stripe *stripe)
{
    const struct encoding *e = context;
    unsigned k = e->header.k, count = k + e->header.m;
    int status = load_stripe(context, stripe);
    if (status != STATUS_OK)
        return status;
    int result = pxr_encode(e->code, stripe->length, stripe->cell, stripe->cell + k);
    if (result != PXR_OK)
        return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot encode: %s", e->path,
                           pxr_strerror(result));
    for (unsigned i = 0; i < count && status == STATUS_OK; i++) {
        stripe_seal(stripe, &e->header, i);
        status = writer_store(&e->outputs[i], stripe, &e->header, i);
    }
    return status;
}

static int hash_stripe(void *context, struct stripe *stripe)
{
    struct encoding *e = context;
    return hash_add(&e->hash, stripe, &e->header);
}

static int run(struct encoding *e, const char *verb, pipeline_fn *work)
{
    bool stream = e->stream, hash = !e->options->no_hash;
    struct pipeline_job job = {.verb = verb,
                               .quiet = e->options->quiet,
                               .threads = e->options->threads,
                               .stripes = stream ? PIPELINE_ENDLESS : shard_stripes(&e->header),
                               .total = e->header.length,
                               .shards = e->header.k + e->header.m,
                               .cell = e->header.cell,
                               .context = e,
                               .take = stream ? take_from_stream : NULL,
                               .work = work,
                               .put = hash ? hash_stripe : NULL};
    int status = hash ? hash_start(&e->hash) : STATUS_OK;
    return status == STATUS_OK ? pipeline_run(&job) : status;
}

/* All shards must come from one state of the file. */
static int has_changed(const struct encoding *e)
{
    return complain(STATUS_SYSTEM, "%s: changed while it was read", e->path);
}

static int check_unchanged(const struct encoding *e)
{
    struct stat now;
    if (e->stream || (fstat(e->fd, &now) == 0 && same_file(&now, &e->status)))
        return STATUS_OK;
    return has_changed(e);
}

/* --------------------------------------------------------------- set up -- */

/* Files that the kernel generates, as in /proc, report a size of 0, but they are not empty. */
static bool is_stream(const struct encoding *e, bool standard)
{
    char byte;
    return standard || !S_ISREG(e->status.st_mode) ||
           (e->status.st_size == 0 && pread(e->fd, &byte, 1, 0) != 0);
}

static int open_input(struct encoding *e)
{
    bool standard = strcmp(e->path, "-") == 0;
    if (standard)
        e->path = "standard input";
    e->fd = standard ? STDIN_FILENO : open(e->path, O_RDONLY | O_CLOEXEC);
    if (e->fd < 0 || fstat(e->fd, &e->status) != 0)
        return complain(STATUS_SYSTEM, "%s: cannot open: %s", e->path, strerror(errno));
    if (S_ISDIR(e->status.st_mode))
        return complain(STATUS_SYSTEM, "%s: cannot read: it is a directory", e->path);
    /* Standard input may be in the middle of a file. */
    e->stream = is_stream(e, standard);
    if (e->stream)
        io_widen_pipe(e->fd);
    else
        (void)posix_fadvise(e->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return STATUS_OK;
}

static int fill_header(struct encoding *e, const char *name)
{
    struct shard_header *h = &e->header;
    if (!shard_name_is_safe(name))
        return complain(
            STATUS_USAGE,
            "encode: '%s' cannot be recorded as a file name; use --name=NAME to give "
            "another name",
            name);
    h->format = SHARD_FORMAT;
    h->disks = e->folders.count;
    memcpy(h->name, name, strlen(name));
    if (!e->stream) {
        h->length = (uint64_t)e->status.st_size;
        if (!e->options->reproducible)
            attributes_take(h, &e->status);
    }
    if (h->length > SHARD_LENGTH_MAX)
        return complain(STATUS_SYSTEM, TOO_LONG, e->path, SHARD_LENGTH_MAX);
    return STATUS_OK;
}

/*
 * The checksum of every cell depends on the id, and the id of a reproducible set depends on the
 * whole file.  So the file is read once more than otherwise.
 */
static int derive_id(struct encoding *e)
{
    int status = run(e, "hash", load_stripe);
    if (status == STATUS_OK)
        status = hash_end(&e->hash, e->header.hash);
    e->header.attributes |= SHARD_HAS_HASH;
    return status == STATUS_OK ? attributes_make_id(&e->header) : status;
}

static int choose_id(struct encoding *e)
{
    if (e->options->reproducible && e->stream)
        return complain(STATUS_USAGE,
                        "%s: --reproducible has to read the file twice, but a stream can be "
                        "read only once",
                        e->path);
    if (e->options->reproducible)
        return derive_id(e);
    if (getrandom(e->header.id, sizeof e->header.id, 0) != sizeof e->header.id)
        return complain(STATUS_SYSTEM, "cannot get random numbers for the set id: %s",
                        strerror(errno));
    return STATUS_OK;
}

/* Refuses to write shards that no command would read. */
static int check_header(const struct encoding *e)
{
    uint8_t bytes[SHARD_HEADER_SIZE];
    struct shard_header again;
    shard_header_encode(&e->header, bytes);
    if (shard_header_decode(&again, bytes) == SHARD_PARSED)
        return STATUS_OK;
    return complain(STATUS_SYSTEM,
                    "encode: internal error: the header of this set would not be valid");
}

/* With --force, the new shards must not take the place of what they are made from. */
static int check_input_stays(const struct encoding *e)
{
    for (unsigned i = 0; i < e->header.k + e->header.m; i++)
        if (e->outputs[i].occupied && same_inode(&e->status, &e->outputs[i].seen))
            return complain(STATUS_USAGE, "%s: is the file that is encoded",
                            e->outputs[i].path);
    for (unsigned i = 0; i < e->surplus.count; i++)
        if (same_inode(&e->status, &e->surplus.files[i].status))
            return complain(STATUS_USAGE,
                            "%s: is the file that is encoded, and belongs to the set that "
                            "--force replaces",
                            e->surplus.files[i].path);
    return STATUS_OK;
}

static int create_outputs(struct encoding *e)
{
    int status = STATUS_OK;
    bool sparse = e->header.attributes & SHARD_IS_SPARSE;
    uint64_t size = e->stream || sparse ? 0 : shard_file_size(&e->header);
    bool replace = e->options->output_flags & OUTPUT_REPLACE;
    const mode_t mode = access_list_mode(e->fd, e->status.st_mode);
    if (!replace)
        status = deal_check(&e->folders, &e->header);
    for (unsigned i = 0; i < e->header.k + e->header.m && status == STATUS_OK; i++) {
        status = writer_create(&e->outputs[i], &e->header, i, deal_to(&e->folders, i),
                               e->options->output_flags, size);
        if (status == STATUS_OK && S_ISREG(e->status.st_mode))
            status = output_keep_private(&e->outputs[i], mode);
    }
    /* After the outputs have seen which files they replace: the left-over shards must be of
       these sets. */
    if (status == STATUS_OK && replace)
        status = surplus_find(&e->surplus, &e->header, &e->folders);
    return status == STATUS_OK ? check_input_stays(e) : status;
}

/*
 * Looks at the files to be replaced while no other command gives files their names.  Of a set
 * that such a command is about to put there, some shards would not be seen yet, and they would
 * be left over beside the new set.
 */
static int create_replacements(struct encoding *e)
{
    struct lock lock = {0};
    int status = STATUS_OK;
    for (unsigned i = 0; i < e->folders.count && status == STATUS_OK; i++)
        status = lock_add_folder(&lock, e->folders.list[i].path);
    if (status == STATUS_OK) {
        (void)lock_share(&lock);
        status = create_outputs(e);
    }
    lock_release(&lock);
    return status;
}

static int record_hash(struct encoding *e)
{
    uint8_t hash[SHARD_HASH_SIZE];
    if (e->options->no_hash)
        return STATUS_OK;
    int status = hash_end(&e->hash, hash);
    if (status != STATUS_OK)
        return status;
    if (e->options->reproducible && memcmp(hash, e->header.hash, sizeof hash) != 0)
        return has_changed(e);
    e->header.attributes |= SHARD_HAS_HASH;
    memcpy(e->header.hash, hash, sizeof hash);
    return STATUS_OK;
}

static int finish(struct encoding *e)
{
    unsigned count = e->header.k + e->header.m;
    int status = check_unchanged(e);
    if (status == STATUS_OK)
        status = record_hash(e);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = writer_finish(&e->outputs[i], &e->header, i);
    struct publication all = {.outputs = e->outputs,
                              .count = count,
                              .doomed = e->surplus.files,
                              .doomed_count = e->surplus.count};
    if (status == STATUS_OK)
        status = publish(&all);
    return status;
}

static int encode(struct encoding *e, const char *file)
{
    const char *name = e->options->name != NULL ? e->options->name : path_base(file);
    int status = deal_folders(&e->folders, e->options, file);
    if (status == STATUS_OK)
        status = open_input(e);
    if (status == STATUS_OK)
        status = fill_header(e, name);
    if (status == STATUS_OK)
        status = check_header(e);
    if (status == STATUS_OK)
        status = e->options->output_flags & OUTPUT_REPLACE ? create_replacements(e)
                                                           : create_outputs(e);
    if (status == STATUS_OK)
        status = choose_id(e);
    if (status == STATUS_OK)
        status = run(e, "encode", encode_stripe);
    if (status == STATUS_OK)
        status = finish(e);
    if (status == STATUS_OK && !e->options->quiet)
        deal_say(&e->folders, &e->header);
    output_discard(e->outputs, e->header.k + e->header.m);
    hash_free(&e->hash);
    surplus_free(&e->surplus);
    folders_free(&e->folders);
    if (e->fd > STDIN_FILENO)
        close(e->fd);
    return status;
}

int cmd_encode(const struct options *options)
{
    struct encoding e = {.options = options, .fd = -1};
    if (options->operand_count != 1)
        return complain(STATUS_USAGE, "encode: give exactly one FILE, or - for standard input");
    e.path = options->operands[0];
    if (strcmp(e.path, "-") == 0 && options->name == NULL)
        return complain(STATUS_USAGE,
                        "encode: standard input has no name; use --name=NAME to give one");
    if (options->reproducible && options->no_hash)
        return complain(STATUS_USAGE,
                        "encode: --reproducible needs the SHA-256 of the file; omit --no-hash");
    int status = coding_choose(&e.code, &e.header, options, "encode");
    if (status == STATUS_OK)
        status = coding_choose_cell(&e.header, options->cell);
    if (status == STATUS_OK)
        status = encode(&e, e.path);
    pxr_code_free(e.code);
    return status;
}
