/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of shards that the command has made.  The command's own code opens and reads them. */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "shards.h"
#include "source.h"

#include "gather.h"
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct shard_source {
    struct source source; /* first, so that a pointer to it is one to this, too */
    struct shard_set set;
    struct survey survey;
    bool *told; /* by file of the list: whether its damage was reported */
};

/* ------------------------------------------------------------- recognise -- */

static bool is_shard(const struct file *file)
{
    uint8_t head[SHARD_HEADER_SIZE], tail[SHARD_HEADER_SIZE];
    struct shard_header header;
    unsigned flaws;
    if (file->fd < 0 || file->size < SHARD_HEADER_SIZE)
        return false;
    void *self = (void *)file; /* which is only read */
    if (file_calls.read(self, 0, sizeof head, head) != 0 ||
        file_calls.read(self, file->size - sizeof tail, sizeof tail, tail) != 0)
        return false;
    return shard_examine(file->size, head, tail, &header, &flaws) != SHARD_NO_MAGIC;
}

bool shards_among(const struct files *files)
{
    for (unsigned i = 0; i < files->count; i++)
        if (files->file[i].folder || is_shard(&files->file[i]))
            return true;
    return false;
}

/* ------------------------------------------------------------------ read -- */

/* Tells about each file once that a cell of it is damaged. */
static void tell_damage(struct shard_source *self)
{
    pthread_mutex_lock(&self->survey.lock);
    for (size_t i = 0; i < self->set.list.count; i++) {
        const struct shard_file *file = &self->set.list.files[i];
        if (self->told[i] || (file->corrupt.count == 0 && file->unreadable.count == 0))
            continue;
        self->told[i] = true;
        nbdkit_error("%s: a cell %s; from now on, what is damaged here is computed from the "
                     "other shards",
                     file->path, file->corrupt.count > 0 ? "is damaged" : "cannot be read");
    }
    pthread_mutex_unlock(&self->survey.lock);
}

static bool load_from_copies(struct shard_source *self, struct stripe *stripe, unsigned index,
                             bool *damage)
{
    for (struct shard_file *file = self->set.shard[index]; file != NULL; file = file->next) {
        const enum cell_state state = stripe_load(stripe, &self->set.header, index, file->fd);
        if (state == CELL_GOOD)
            return true;
        survey_add_cell(&self->survey, file, stripe->number, state, errno);
        *damage = true;
    }
    return false;
}

/* Loads the cells from first to last, or rebuilds them from any k.  Returns an error, or 0. */
static int load_cells(struct shard_source *self, struct stripe *stripe, uint64_t number,
                      unsigned first, unsigned last)
{
    stripe_begin(stripe, &self->set.header, number);
    bool whole = true, damage = false;
    for (unsigned i = first; i <= last && whole; i++)
        whole = load_from_copies(self, stripe, i, &damage);
    if (!whole)
        gather_cells(&self->set, stripe, self->set.header.k, &self->survey);
    if (!whole || damage)
        tell_damage(self);
    if (whole)
        return 0;
    if (gather_rebuild(&self->set, stripe, last + 1, NULL) == STATUS_OK)
        return 0;
    nbdkit_error("%s", stripe->why);
    return EIO;
}

/* Copies bytes of a stripe's data, of which each cell has `length`, to the buffer. */
static void copy_cells(const struct stripe *stripe, uint64_t begin, uint64_t end,
                       uint8_t *buffer)
{
    while (begin < end) {
        const uint64_t within = begin % stripe->length;
        uint64_t part = stripe->length - within;
        if (part > end - begin)
            part = end - begin;
        memcpy(buffer, stripe->cell[begin / stripe->length] + within, part);
        buffer += part;
        begin += part;
    }
}

static int read_stripes(struct shard_source *self, struct stripe *stripe, uint8_t *buffer,
                        uint64_t offset, uint64_t end)
{
    const uint64_t size = shard_stripe_size(&self->set.header);
    while (offset < end) {
        const uint64_t number = offset / size, begin = offset % size;
        uint64_t stop = size < end - number * size ? size : end - number * size;
        const uint32_t length = shard_cell_length(&self->set.header, number);
        const int error = load_cells(self, stripe, number, (unsigned)(begin / length),
                                     (unsigned)((stop - 1) / length));
        if (error != 0)
            return error;
        copy_cells(stripe, begin, stop, buffer);
        buffer += stop - begin;
        offset += stop - begin;
    }
    return 0;
}

static int read_shards(struct source *source, void *buffer, uint32_t count, uint64_t offset)
{
    struct shard_source *self = (struct shard_source *)source;
    struct stripe *stripe = malloc(sizeof *stripe);
    int error = ENOMEM;
    if (stripe != NULL &&
        stripe_alloc(stripe, shard_set_size(&self->set), self->set.header.cell)) {
        error = read_stripes(self, stripe, buffer, offset, offset + count);
        stripe_free(stripe);
    }
    free(stripe);
    if (error != 0) {
        nbdkit_error("%" PRIu32 " bytes from %" PRIu64 " on: %s", count, offset,
                     strerror(error));
        nbdkit_set_error(error);
        return -1;
    }
    return 0;
}

static void close_shards(struct source *source)
{
    struct shard_source *self = (struct shard_source *)source;
    shard_set_close(&self->set);
    free(self->told);
    free(self);
}

static const struct source_calls calls = {.read = read_shards, .close = close_shards};

/* ------------------------------------------------------------------ open -- */

/* A read costs least when it asks for whole cells. */
static uint32_t preferred_size(const struct shard_header *header)
{
    const uint32_t cell = header->cell;
    const bool is_power = (cell & (cell - 1)) == 0;
    return is_power && cell >= 512 && cell <= 32u << 20 ? cell : 4096;
}

struct source *source_of_shards(const struct settings *settings, struct files *files)
{
    const struct options options = {.operands = settings->members,
                                    .operand_count = (int)files->count,
                                    .set = settings->set};
    struct shard_source *self = calloc(1, sizeof *self);
    if (self == NULL) {
        nbdkit_error("there is not enough memory");
        return NULL;
    }
    const int status = shard_set_open(&self->set, &options);
    const unsigned present = status == STATUS_OK ? shard_set_present(&self->set) : 0;
    if (status != STATUS_OK) {
        nbdkit_error("the shards cannot be opened, for the reason above");
    } else if (present < self->set.header.k) {
        nbdkit_error("%u of %u shards are there, but %u are needed", present,
                     shard_set_size(&self->set), self->set.header.k);
    } else if ((self->told = calloc(self->set.list.count, sizeof *self->told)) == NULL) {
        nbdkit_error("there is not enough memory");
    } else {
        survey_init(&self->survey, &self->set);
        self->source = (struct source){.calls = &calls,
                                       .size = self->set.header.length,
                                       .preferred = preferred_size(&self->set.header)};
        return &self->source;
    }
    shard_set_close(&self->set);
    free(self);
    return NULL;
}
