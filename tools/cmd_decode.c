/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor decode: restores the file from any k shards. */
#include "config.h"

#include "cmd.h"
#include "decode.h"
#include "gather.h"
#include "io.h"
#include "message.h"
#include "pipeline.h"
#include "recover.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ----------------------------------------------------------------- work -- */

static int write_out(struct decoding *d, struct stripe *stripe, off_t offset)
{
    if (stripe_write_data(stripe, &d->set.header, d->fd, offset) >= 0)
        return STATUS_OK;
    return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot write: %s", d->path, strerror(errno));
}

static int note_lost(struct decoding *d, struct stripe *stripe, uint64_t offset,
                     uint64_t length)
{
    pthread_mutex_lock(&d->survey.lock);
    bool noted = ranges_add(&d->lost, offset, length);
    pthread_mutex_unlock(&d->survey.lock);
    return noted ? STATUS_OK
                 : stripe_fail(stripe, STATUS_SYSTEM, "not enough memory for the lost ranges");
}

/* Writes zeros for the lost data cells of a stripe that cannot be rebuilt. */
static int salvage(struct decoding *d, struct stripe *stripe)
{
    uint64_t offset = stripe->number * shard_stripe_size(&d->set.header);
    int status = STATUS_OK;
    for (unsigned i = 0; i < d->set.header.k && status == STATUS_OK; i++) {
        uint64_t from = (uint64_t)i * stripe->length;
        if (stripe->have[i] != NULL || from >= stripe->bytes)
            continue;
        uint64_t rest = stripe->bytes - from;
        stripe_clear(stripe, i);
        status =
            note_lost(d, stripe, offset + from, rest < stripe->length ? rest : stripe->length);
    }
    return status;
}

/* A stripe of which no data is left stays a hole in a file. */
static bool is_hole(const struct decoding *d, const struct stripe *stripe)
{
    for (unsigned i = 0; i < d->set.header.k; i++)
        if (stripe->have[i] != NULL)
            return false;
    return stripe->good < d->set.header.k;
}

static int decode_stripe(void *context, struct stripe *stripe)
{
    struct decoding *d = context;
    gather_cells(&d->set, stripe, d->set.header.k, &d->survey);
    int status = d->options->salvage && stripe->good < d->set.header.k
                     ? salvage(d, stripe)
                     : gather_rebuild(&d->set, stripe, d->set.header.k, NULL);
    if (status != STATUS_OK || d->stream || is_hole(d, stripe))
        return status;
    off_t offset = (off_t)(stripe->number * shard_stripe_size(&d->set.header));
    status = write_out(d, stripe, offset);
    if (status == STATUS_OK)
        output_written(&d->output, offset, stripe->bytes);
    return status;
}

static bool may_have_holes(const struct decoding *d)
{
    return d->options->salvage || (d->set.header.attributes & SHARD_IS_SPARSE);
}

static bool has_hash(const struct decoding *d)
{
    return d->set.header.attributes & SHARD_HAS_HASH;
}

static int put_stripe(void *context, struct stripe *stripe)
{
    struct decoding *d = context;
    int status = has_hash(d) ? hash_add(&d->hash, stripe, &d->set.header) : STATUS_OK;
    return status == STATUS_OK && d->stream ? write_out(d, stripe, IO_STREAM) : status;
}

/* Returns the number of stripes to go through.  Stripes that no shard reaches can stay a hole.
 */
static uint64_t stripes_to_do(const struct decoding *d)
{
    return d->options->salvage && !d->stream ? shard_set_reach(&d->set, 1)
                                             : shard_stripes(&d->set.header);
}

static int run(struct decoding *d)
{
    const struct shard_header *header = &d->set.header;
    struct pipeline_job job = {.verb = "decode",
                               .quiet = d->options->quiet,
                               .threads = d->options->threads,
                               .stripes = stripes_to_do(d),
                               .total = header->length,
                               .shards = shard_set_size(&d->set),
                               .cell = shard_cell_length(header, 0),
                               .context = d,
                               .work = decode_stripe,
                               .put = d->stream || has_hash(d) ? put_stripe : NULL};
    int status = has_hash(d) ? hash_start(&d->hash) : STATUS_OK;
    return status == STATUS_OK ? pipeline_run(&job) : status;
}

/* -------------------------------------------------------------- command -- */

static void mention_damage(const struct decoding *d)
{
    unsigned missing = shard_set_size(&d->set) - shard_set_present(&d->set);
    struct survey_cells cells = survey_cells(&d->set);
    if (missing + cells.corrupt > 0)
        warn("decoded the file in spite of %u missing shards and %" PRIu64
             " corrupt cells; use 'permxor repair' to heal them",
             missing, cells.corrupt);
    if (cells.unreadable > 0)
        warn("decoded the file in spite of %" PRIu64
             " cells that cannot be read; use 'permxor verify' to list them",
             cells.unreadable);
}

/* Adds what is beyond the stripes that any shard reaches: it is lost, too. */
static int add_unreached(struct decoding *d)
{
    const struct shard_header *header = &d->set.header;
    uint64_t end = stripes_to_do(d) * shard_stripe_size(header);
    if (end < header->length && !ranges_add(&d->lost, end, header->length - end))
        return complain(STATUS_SYSTEM, "not enough memory for the lost ranges");
    if (header->length > 0 && ranges_sum(&d->lost) == header->length)
        return complain(STATUS_LOST, "%s: not written: all data of the file is lost", d->path);
    return STATUS_OK;
}

/* Completes a file whose end may be a hole. */
static int settle_length(struct decoding *d)
{
    const struct shard_header *header = &d->set.header;
    int status = STATUS_OK;
    if (d->stream || !may_have_holes(d))
        return STATUS_OK;
    if (d->options->salvage)
        status = add_unreached(d);
    if (status != STATUS_OK)
        return status;
    if (ftruncate(d->fd, (off_t)header->length) != 0)
        return complain(STATUS_SYSTEM, "%s: cannot write: %s", d->path, strerror(errno));
    return STATUS_OK;
}

/* Reports that the restored data are not the data that were encoded. */
static int complain_of_hash(const struct decoding *d, const uint8_t found[SHARD_HASH_SIZE])
{
    char is[HASH_TEXT_SIZE], was[HASH_TEXT_SIZE];
    hash_text(found, is);
    hash_text(d->set.header.hash, was);
    return complain(
        STATUS_LOST,
        "%s: wrong data: the SHA-256 is %s, but it was %s when the file was encoded%s", d->path,
        is, was,
        d->stream             ? "; do not use the output"
        : d->options->salvage ? ""
                              : "; nothing is written");
}

/*
 * All checksums may be right and the file still wrong: the memory of the machine that encoded
 * it was bad, or somebody has changed shards.  When data are known to be lost, the hash says
 * nothing.
 */
static int check_hash(struct decoding *d)
{
    uint8_t found[SHARD_HASH_SIZE];
    if (!has_hash(d) || d->lost.count > 0)
        return STATUS_OK;
    int status = hash_end(&d->hash, found);
    if (status != STATUS_OK || memcmp(found, d->set.header.hash, sizeof found) == 0)
        return status;
    d->wrong = true;
    complain_of_hash(d, found);
    warn("use 'permxor verify --deep' to look for the wrong shard");
    return d->options->salvage ? STATUS_OK : STATUS_LOST;
}

/* Prints one line for each range in which the output has zeros, in order. */
static int report_lost(struct decoding *d)
{
    if (d->lost.count == 0)
        return STATUS_OK;
    ranges_merge(&d->lost);
    for (size_t i = 0; i < d->lost.count; i++)
        warn("%s: lost: %" PRIu64 "-%" PRIu64 " (%" PRIu64 " bytes)", d->path,
             d->lost.range[i].offset, d->lost.range[i].offset + d->lost.range[i].length - 1,
             d->lost.range[i].length);
    return complain(STATUS_LOST,
                    "%s: %" PRIu64 " of %" PRIu64 " bytes are lost; zeros replace them",
                    d->path, ranges_sum(&d->lost), d->set.header.length);
}

static void mention_salvage(void)
{
    warn("use 'permxor decode --salvage' to write the rest of the file");
}

/* Checks this before room is made for a length that only the headers claim. */
static int check_reach(const struct decoding *d)
{
    const struct shard_header *header = &d->set.header;
    if (d->options->salvage || shard_set_reach(&d->set, header->k) == shard_stripes(header))
        return STATUS_OK;
    int status = shard_set_beyond(&d->set);
    mention_salvage();
    return status;
}

static int decode(struct decoding *d)
{
    int status = shard_set_open(&d->set, d->options);
    recover_mention(&d->set.list);
    survey_init(&d->survey, &d->set);
    d->reserve = may_have_holes(d) ? 0 : d->set.header.length;
    if (status == STATUS_OK)
        status = check_reach(d);
    if (status == STATUS_OK)
        status = decode_open_output(d);
    if (status == STATUS_OK)
        status = run(d);
    if (status == STATUS_OK)
        status = settle_length(d);
    if (status == STATUS_OK)
        status = check_hash(d);
    if (!d->options->salvage &&
        (d->survey.lost.count + d->survey.blocked.count > 0 || (d->wrong && !d->stream)))
        mention_salvage();
    if (status == STATUS_OK)
        status = decode_close_output(d);
    if (status == STATUS_OK)
        mention_damage(d);
    if (status == STATUS_OK)
        status = report_lost(d);
    if (status == STATUS_OK && d->wrong)
        status = STATUS_LOST;
    output_discard(&d->output, 1);
    return status;
}

int cmd_decode(const struct options *options)
{
    struct decoding d = {.options = options, .fd = -1};
    if (options->operand_count == 0)
        return complain(STATUS_USAGE,
                        "decode: no shards given: name the shard files or their folder");
    int status = decode(&d);
    ranges_free(&d.lost);
    hash_free(&d.hash);
    shard_set_close(&d.set);
    return status;
}
