/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor hash: prints linear hashes of shards, from which `permxor verify --hashes` checks the
 * parity where no shard is.
 *
 * The hash of a shard is that of its cells, one behind the other.  Cells of which the checksum
 * is wrong are not hashed: a hash that is missing costs a check no more than the shard does,
 * but a wrong hash would hide other wrong ones.
 */
#include "config.h"

#include "cmd.h"
#include "direct.h"
#include "hash.h"
#include "hash_lines.h"
#include "hex.h"
#include "identity.h"
#include "message.h"
#include "pipeline.h"
#include "recover.h"
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct hashing {
    const struct options *options;
    pxr_hash *hash;
    /* The shard at work. */
    struct shard_file *file;
    pxr_code *code;
    struct hash_line line; /* of the whole shard, as far as it is hashed */
    /* All shards up to here. */
    bool damaged, unreadable, refused;
};

static size_t hash_bytes(const struct hashing *h)
{
    return pxr_hash_bytes(h->hash, h->code);
}

/* --------------------------------------------------------------- stripes -- */

/* A stripe has room for one cell.  If the cell is good, its hash takes its place. */
static int hash_cell(void *context, struct stripe *stripe)
{
    const struct hashing *h = context;
    const struct shard_header *header = &h->file->header;
    uint8_t sum[HASH_SUM_MOST] = {0};
    stripe_begin(stripe, header, stripe->number);
    stripe->bytes = stripe->length; /* progress is that of the shard */
    stripe->cell[header->index] = stripe->cell[0];
    switch (stripe_load(stripe, header, header->index, h->file->fd)) {
    case CELL_GOOD:
        stripe->good = 1;
        break;
    case CELL_CORRUPT:
        return STATUS_OK;
    case CELL_UNREADABLE:
        stripe->unreadable = 1;
        stripe->error = errno;
        return STATUS_OK;
    }
    int result = pxr_hash_shard(h->hash, h->code, 0, stripe->length, stripe->cell[0], sum);
    if (result != PXR_OK)
        return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot be hashed: %s", h->file->path,
                           pxr_strerror(result));
    memcpy(stripe->cell[0], sum, hash_bytes(h));
    return STATUS_OK;
}

/* Adds the hash of a cell to that of the shard.  Part p is the hash of the packets with this
   number, of which each cell has an equal share. */
static int add_to_whole(struct hashing *h, struct stripe *stripe)
{
    const struct shard_header *header = &h->file->header;
    const unsigned parts = hash_parts(header), size = h->line.size;
    const uint64_t offset = stripe->number * (header->cell / parts);
    int result = PXR_OK;
    for (unsigned p = 0; p < parts && result == PXR_OK; p++)
        result = pxr_hash_combine(h->hash, offset, stripe->cell[0] + (size_t)p * size,
                                  h->line.sum + (size_t)p * size);
    if (result == PXR_OK)
        return STATUS_OK;
    return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot be hashed: %s", h->file->path,
                       pxr_strerror(result));
}

/* A cell that cannot be read counts less than a corrupt one: it may be intact. */
static enum sum_state note_bad_cell(struct shard_file *file, const struct stripe *stripe)
{
    if (stripe->unreadable == 0) {
        tally_add(&file->corrupt, stripe->number);
        return SUM_DAMAGED;
    }
    tally_add(&file->unreadable, stripe->number);
    file->error = stripe->error;
    return SUM_UNREADABLE;
}

static void print_stripe(const struct hashing *h, const struct stripe *stripe,
                         enum sum_state state)
{
    struct hash_line line = h->line;
    line.stripe = stripe->number;
    line.state = state;
    if (state == SUM_GOOD)
        memcpy(line.sum, stripe->cell[0], hash_bytes(h));
    hash_line_print(&line);
}

static int put_hash(void *context, struct stripe *stripe)
{
    struct hashing *h = context;
    enum sum_state state = SUM_GOOD;
    int status = STATUS_OK;
    if (stripe->good > 0)
        status = add_to_whole(h, stripe);
    else
        state = note_bad_cell(h->file, stripe);
    if (h->options->stripes && status == STATUS_OK)
        print_stripe(h, stripe, state);
    return status;
}

/* ---------------------------------------------------------------- shards -- */

/* Hashes the cells of the open shard. */
static int hash_cells(struct hashing *h)
{
    const struct shard_header *header = &h->file->header;
    size_t cell = shard_cell_length(header, 0), bytes = hash_bytes(h);
    /* A header may claim any length.  The work is limited by what really exists, and by one
       stripe more, so that --stripes prints where the cells end. */
    uint64_t reach = shard_stripes_within(header, (uint64_t)h->file->status.st_size);
    if (reach < shard_stripes(header))
        reach++;
    const struct pipeline_job job = {.verb = "hash",
                                     .quiet = h->options->quiet,
                                     .threads = h->options->threads,
                                     .stripes = reach,
                                     .total = shard_cells_size(header),
                                     .shards = 1,
                                     .cell = cell > bytes ? cell : bytes,
                                     .context = h,
                                     .work = hash_cell,
                                     .put = put_hash};
    int status = pipeline_run(&job);
    tally_add_range(&h->file->corrupt, reach, shard_stripes(header));
    return status;
}

static void report_shard(struct hashing *h)
{
    char state[STATE_TEXT];
    if (!file_is_damaged(h->file) && !file_is_unreadable(h->file))
        return;
    if (file_is_damaged(h->file))
        h->damaged = true;
    else
        h->unreadable = true;
    state_text(h->file, true, state);
    warn("%s: %s", h->file->path, state);
}

static int hash_open_shard(struct hashing *h)
{
    struct hash_line *line = &h->line;
    line->header = h->file->header;
    line->stripe = HASH_WHOLE;
    line->state = SUM_GOOD;
    memset(line->sum, 0, sizeof line->sum);
    int status = hash_cells(h);
    if (status != STATUS_OK)
        return status;
    if (h->file->corrupt.count > 0)
        line->state = SUM_DAMAGED;
    else if (h->file->unreadable.count > 0)
        line->state = SUM_UNREADABLE;
    hash_line_print(line);
    report_shard(h);
    return STATUS_OK;
}

/* Returns whether the open file is still the one that was examined. */
static bool is_unchanged(const struct shard_file *file)
{
    struct stat now;
    return fstat(file->fd, &now) == 0 && same_file(&now, &file->status);
}

static int open_and_hash(struct hashing *h)
{
    struct shard_file *file = h->file;
    file->fd = shard_file_open(file->path);
    if (file->fd < 0) {
        file->error = errno;
        h->unreadable = true;
        warn("%s: cannot open: %s", file->path, strerror(file->error));
        return shard_file_failed(file, file->error);
    }
    int status = STATUS_OK;
    if (is_unchanged(file)) {
        (void)posix_fadvise(file->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
        status = hash_open_shard(h);
    } else {
        h->unreadable = true;
        warn("%s: changed while the command ran; hash it again", file->path);
    }
    close(file->fd);
    file->fd = -1;
    return status;
}

static int hash_shard(struct hashing *h)
{
    struct pxr_error why;
    int status = STATUS_OK, result = coding_create(&h->code, &h->file->header, &why);
    if (result == PXR_ENOMEM)
        return complain(STATUS_SYSTEM, "%s: %s", h->file->path, why.text);
    if (result == PXR_OK && hash_bytes(h) > 0) {
        status = open_and_hash(h);
    } else {
        h->refused = true;
        warn("%s: cannot be hashed: %s", h->file->path,
             result != PXR_OK
                 ? why.text
                 : "its code works on words, for which there are no linear hashes");
    }
    pxr_code_free(h->code);
    h->code = NULL;
    return status;
}

static int hash_shards(struct hashing *h, struct shard_list *list)
{
    size_t usable = 0;
    int status = STATUS_OK;
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++) {
        h->file = &list->files[i];
        if (h->file->usable && !h->file->hidden) {
            usable++;
            status = hash_shard(h);
        } else if (h->file->hidden) {
            h->damaged = true;
            warn("%s: not hashed: an interrupted command has left it; use 'permxor repair'",
                 h->file->path);
        } else if (h->file->error != 0) {
            h->unreadable = true;
        } else {
            h->damaged = true;
        }
    }
    return status == STATUS_OK && usable == 0 ? shard_list_useless(list) : status;
}

/* --------------------------------------------------------------- command -- */

static int bad_key(const struct options *options)
{
    return complain(STATUS_USAGE, "hash: --key: give %u hexadecimal digits, for %u bytes",
                    2 * options->hash_size, options->hash_size);
}

/* Lines have no key, because whoever knows it can make a wrong shard with a right hash. */
static int make_hash(struct hashing *h)
{
    const struct options *options = h->options;
    uint8_t key[PXR_MAX_HASH], id[SHARD_HASH_SIZE];
    struct pxr_error why;
    if (options->key != NULL && !hex_parse(options->key, options->hash_size, key))
        return bad_key(options);
    int result =
        pxr_hash_create(&h->hash, options->hash_size, options->key != NULL ? key : NULL, &why);
    if (result != PXR_OK)
        return complain(result == PXR_ENOMEM ? STATUS_SYSTEM : STATUS_USAGE, "hash: --key: %s",
                        why.text);
    h->line.size = options->hash_size;
    strcpy(h->line.key, HASH_NO_KEY);
    if (options->key == NULL)
        return STATUS_OK;
    int status = hash_of(key, options->hash_size, id);
    hex_text(id, HASH_KEY_ID, h->line.key);
    return status;
}

static int verdict(const struct hashing *h)
{
    if (h->damaged)
        return STATUS_DAMAGE;
    if (h->unreadable)
        return STATUS_SYSTEM;
    return h->refused ? STATUS_REFUSED : STATUS_OK;
}

int cmd_hash(const struct options *options)
{
    struct hashing h = {.options = options};
    struct shard_list list = {0};
    if (options->operand_count == 0)
        return complain(STATUS_USAGE,
                        "hash: no shards given: name the shard files or their folder");
    if (options->direct)
        direct_begin();
    int status = make_hash(&h);
    if (status == STATUS_OK)
        status = shard_list_scan(&list, options->operands, options->operand_count);
    shard_list_unlock(&list); /* it takes long to hash, and other commands wait meanwhile */
    shard_list_tell(&list);
    recover_mention(&list);
    if (status == STATUS_OK)
        status = hash_shards(&h, &list);
    shard_list_free(&list);
    pxr_hash_free(h.hash);
    return status == STATUS_OK ? verdict(&h) : status;
}
