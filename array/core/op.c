/* SPDX-License-Identifier: BSD-3-Clause */
/* The caller's operations, and their parts: some rows of one stripe each. */
#include "config.h"

#include "internal.h"

#include <stdlib.h>

enum { MOST_PARTS = 256 };

/* Parts that wait for pages cost nothing but themselves, so there may be more than have pages.
 */
int parts_make(struct core *core)
{
    struct parts *parts = &core->parts;
    const unsigned width = core->width + core->super.data;
    unsigned batch = core->options.batch;
    if (batch > core->stripe_rows)
        batch = core->stripe_rows;
    if (batch > core->epochs.most)
        batch = core->epochs.most;
    if (batch > core->pool.total / (4 * width))
        batch = core->pool.total / (4 * width);
    parts->batch = batch;
    parts->total = core->pool.total / width;
    if (parts->total > MOST_PARTS)
        parts->total = MOST_PARTS;
    parts->total += 2 * core->options.sync_window;
    parts->all = calloc(parts->total, sizeof *parts->all);
    parts->rows = calloc((size_t)parts->total * batch, sizeof *parts->rows);
    parts->pieces = calloc((size_t)parts->total * batch * core->width, sizeof *parts->pieces);
    if (parts->all == NULL || parts->rows == NULL || parts->pieces == NULL)
        return PXR_ENOMEM;
    for (unsigned i = 0; i < parts->total; i++) {
        parts->all[i].row = parts->rows + (size_t)i * batch;
        parts->all[i].piece = parts->pieces + (size_t)i * batch * core->width;
        parts->all[i].next = parts->free;
        parts->free = &parts->all[i];
    }
    return PXR_OK;
}

void parts_destroy(struct core *core)
{
    free(core->parts.all);
    free(core->parts.rows);
    free(core->parts.pieces);
    core->parts = (struct parts){.all = NULL};
}

struct part *part_get(struct core *core)
{
    struct part *part = core->parts.free;
    if (part == NULL)
        return NULL;
    core->parts.free = part->next;
    *part = (struct part){.row = part->row, .piece = part->piece};
    return part;
}

void part_put(struct core *core, struct part *part)
{
    part->next = core->parts.free;
    core->parts.free = part;
}

void op_finish(struct core_op *op, int status)
{
    op->done(op, status);
}

void part_finish(struct core *core, struct part *part)
{
    struct core_op *op = part->op;
    if (op->status == PXR_OK)
        op->status = core->dead ? PXA_EIO : part->status;
    op->parts--;
    part_put(core, part);
    if (op->parts == 0 && op->submitted_all) {
        pace_answered(core, op);
        op_finish(op, op->status);
    }
}

/* ----------------------------------------------------------------- cutting -- */

/* The rows of a stripe that a trim covers as a whole. */
static uint64_t whole_rows_of(const struct core *core, const struct core_op *op,
                              uint64_t stripe)
{
    const uint64_t chunk = core->super.chunk, begin = stripe * chunk * core->super.data;
    const uint64_t last = begin + (core->super.data - 1) * chunk; /* the last chunk */
    uint64_t rows = 0;
    for (unsigned row = 0; row < core->stripe_rows; row++) {
        const uint64_t at = (uint64_t)row * CORE_BLOCK;
        if (begin + at >= op->offset && last + at + CORE_BLOCK <= op->offset + op->len)
            rows |= mask_of(row);
    }
    return rows;
}

/* Whether a trim covers any row.  If it has more than two stripes, it covers the second one. */
static bool has_whole_rows(const struct core *core, const struct core_op *op)
{
    const uint64_t size = (uint64_t)core->super.chunk * core->super.data;
    const uint64_t first = op->offset / size, last = (op->offset + op->len - 1) / size;
    return (whole_rows_of(core, op, first) | whole_rows_of(core, op, first + 1) |
            whole_rows_of(core, op, last)) != 0;
}

/* The rows of a stripe that an operation touches. */
static uint64_t rows_of(const struct core *core, const struct core_op *op, uint64_t stripe)
{
    const uint64_t chunk = core->super.chunk, size = chunk * core->super.data;
    const uint64_t end = op->offset + op->len;
    const uint64_t from = op->offset > stripe * size ? op->offset - stripe * size : 0;
    const uint64_t to = end - stripe * size < size ? end - stripe * size : size;
    const uint64_t first = from / chunk, last = (to - 1) / chunk;
    if (last > first + 1)
        return mask_below(core->stripe_rows);
    const unsigned begin = (unsigned)(from % chunk / CORE_BLOCK);
    const unsigned stop = (unsigned)((to - 1) % chunk / CORE_BLOCK) + 1;
    if (last == first)
        return mask_below(stop) & ~mask_below(begin);
    return mask_below(core->stripe_rows) & (mask_below(stop) | ~mask_below(begin));
}

/* Which blocks of a row an operation reads, or writes wholly or in part. */
static void fill_row(const struct core *core, const struct part *part, struct row *row,
                     unsigned number)
{
    *row = (struct row){.row = number};
    for (unsigned block = 0; block < core->super.data; block++) {
        const struct cut cut = cut_of(core, part, number, block);
        if (cut.end == cut.begin)
            continue;
        if (part->kind == PART_READ || cut.end - cut.begin == CORE_BLOCK)
            row->whole |= mask_of(block);
        else
            row->partial |= mask_of(block);
    }
}

static enum part_kind part_kind_of(const struct core_op *op)
{
    return op->kind == CORE_READ ? PART_READ : op->kind == CORE_TRIM ? PART_TRIM : PART_WRITE;
}

/* Makes the next part of an operation: up to a batch of rows. */
static void begin_part(struct core *core, struct core_op *op, struct part *part)
{
    static task_step *const steps[] = {[CORE_READ] = read_step,
                                       [CORE_WRITE] = write_step,
                                       [CORE_ZERO] = write_step,
                                       [CORE_TRIM] = trim_step};
    part->op = op;
    part->kind = part_kind_of(op);
    part->stripe = op->next;
    uint64_t rows = mask_take(op->rows_left, core->parts.batch);
    op->rows_left &= ~rows;
    part->claim =
        (struct claim){.stripe = op->next, .rows = rows, .exclusive = part->kind != PART_READ};
    for (; rows != 0; rows &= rows - 1)
        fill_row(core, part, &part->row[part->count++], mask_first(rows));
    op->parts++;
    task_start(core, &part->task, steps[op->kind]);
}

static bool begin_parts(struct core *core, struct core_op *op)
{
    const uint64_t size = (uint64_t)core->super.chunk * core->super.data;
    const uint64_t last = (op->offset + op->len - 1) / size;
    for (;;) {
        if (op->rows_left == 0) {
            if (op->next == last) {
                op->submitted_all = true;
                return true;
            }
            op->next = op->next == UINT64_MAX ? op->offset / size : op->next + 1;
            op->rows_left = op->kind == CORE_TRIM ? whole_rows_of(core, op, op->next)
                                                  : rows_of(core, op, op->next);
            if (op->rows_left == 0)
                continue;
        }
        struct part *part = part_get(core);
        if (part == NULL)
            return false;
        begin_part(core, op, part);
    }
}

/* Returns a status if the operation can be answered at once, or -1. */
static int look_at(const struct core *core, const struct core_op *op)
{
    const bool has_range = op->kind != CORE_FLUSH;
    if (!core->assembled || core->stopping || (unsigned)op->kind > CORE_FLUSH)
        return PXR_EINVAL;
    if (has_range) {
        const uint64_t capacity = pxa_capacity(&core->geometry);
        if (op->offset > capacity || op->len > capacity - op->offset)
            return PXR_EINVAL;
        if (op->len > 0 && op->buffer == NULL &&
            (op->kind == CORE_READ || op->kind == CORE_WRITE))
            return PXR_EINVAL;
    }
    if (core->dead)
        return PXA_EIO;
    const bool nothing =
        has_range && (op->len == 0 || (op->kind == CORE_TRIM && !has_whole_rows(core, op)));
    return nothing ? PXR_OK : -1;
}

void core_submit(struct core *core, struct core_op *op)
{
    op->status = PXR_OK;
    op->parts = 0;
    op->submitted_all = false;
    op->next = UINT64_MAX;
    op->rows_left = 0;
    op->link = NULL;
    op->began = core->pace.known ? core->pace.now : UINT64_MAX;
    if (core->parts.first == NULL)
        core->parts.first = op;
    else
        core->parts.last->link = op;
    core->parts.last = op;
}

/*
 * Begins the next operations, as far as there are parts.  Operations are answered by tasks and
 * here, and may submit others then.
 */
bool ops_drive(struct core *core)
{
    struct parts *parts = &core->parts;
    bool any = false;
    while (parts->first != NULL) {
        struct core_op *op = parts->first;
        const int status = op->parts == 0 && op->rows_left == 0 ? look_at(core, op) : -1;
        if (status == -1 && op->kind != CORE_FLUSH && !begin_parts(core, op))
            return any;
        parts->first = op->link;
        any = true;
        if (status != -1)
            op_finish(op, status);
        else if (op->kind == CORE_FLUSH)
            epochs_flush(core, op);
    }
    return any;
}
