/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of a simulated array, and what they may answer. */
#include "sim_world.h"

#include "sim_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------- submitting -- */

/*
 * The bytes of a write.  The sectors that lie in the range as a whole get the write's tag.  The
 * others keep what the model knows, so that the write changes whole sectors only.
 */
static void fill_write(struct sim_world *world, struct sim_op *op)
{
    const uint64_t end = op->op.offset + op->op.len;
    const uint64_t first = (op->op.offset + SIM_TAGGED - 1) / SIM_TAGGED;
    const uint64_t last = end / SIM_TAGGED; /* behind the last one */
    uint64_t sector = op->op.offset / SIM_TAGGED;
    uint8_t bytes[SIM_TAGGED];
    for (; sector * SIM_TAGGED < end; sector++) {
        const struct sim_content *known = sim_model_known(&world->model, sector / SIM_TAGS);
        const bool whole = sector >= first && sector < last;
        const uint64_t from =
            sector * SIM_TAGGED > op->op.offset ? sector * SIM_TAGGED : op->op.offset;
        const uint64_t to = (sector + 1) * SIM_TAGGED < end ? (sector + 1) * SIM_TAGGED : end;
        sim_fill(bytes, sector,
                 whole           ? world->model.writes + 1
                 : known != NULL ? known->tag[sector % SIM_TAGS]
                                 : 0);
        memcpy(op->buffer + (from - op->op.offset), bytes + from % SIM_TAGGED,
               (size_t)(to - from));
    }
    op->write = sim_model_write(&world->model, op->op.offset, op->op.len, false);
}

static void link_op(struct sim_world *world, struct sim_op *op)
{
    op->next = world->ops;
    if (op->next != NULL)
        op->next->previous = op;
    world->ops = op;
    world->op_count++;
}

static void unlink_op(struct sim_world *world, struct sim_op *op)
{
    if (op->previous != NULL)
        op->previous->next = op->next;
    else
        world->ops = op->next;
    if (op->next != NULL)
        op->next->previous = op->previous;
    world->op_count--;
    free(op->buffer);
    free(op);
}

/* -------------------------------------------------------------- answers -- */

/* The bytes begin at byte `from` of the block.  Of each sector, the first word is its tag. */
static void wrong_value(struct sim_world *world, size_t block, size_t from, size_t len,
                        const uint8_t *bytes)
{
    char detail[200];
    int used = snprintf(detail, sizeof detail, "block %zu:", block);
    for (size_t at = (SIM_TAGGED - from % SIM_TAGGED) % SIM_TAGGED; at + 8 <= len;
         at += SIM_TAGGED) {
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        used += snprintf(detail + used, sizeof detail - (size_t)used, " %" PRIx64, word);
    }
    sim_world_wrong(world, "a wrong value", detail);
    if (world->tally->wrong == 1)
        sim_model_print(&world->model, block);
}

/* After a crash, blocks are read as a whole, and have to stay what they are. */
static void settle_block(struct sim_world *world, size_t block, const uint8_t *bytes)
{
    struct sim_content content;
    if (!sim_parse(bytes, block, &content) ||
        !sim_model_may_survive(&world->model, block, &content))
        wrong_value(world, block, 0, SIM_BLOCK, bytes);
    else
        sim_model_settle(&world->model, block, &content);
}

static void check_read(struct sim_world *world, const struct sim_op *op)
{
    const uint64_t end = op->op.offset + op->op.len;
    for (uint64_t at = op->op.offset; at < end && !world->broken;) {
        const size_t block = (size_t)(at / SIM_BLOCK), from = (size_t)(at % SIM_BLOCK);
        const size_t rest = SIM_BLOCK - from;
        const size_t len = end - at < rest ? (size_t)(end - at) : rest;
        const uint8_t *bytes = op->buffer + (at - op->op.offset);
        world->tally->blocks++;
        if (world->unread)
            settle_block(world, block, bytes);
        else if (!sim_model_may_read(&world->model, block, from, len, bytes, op->submitted))
            wrong_value(world, block, from, len, bytes);
        at += len;
    }
}

static uint64_t oldest_read(const struct sim_world *world)
{
    uint64_t oldest = UINT64_MAX;
    for (const struct sim_op *op = world->ops; op != NULL; op = op->next)
        if (op->op.kind == CORE_READ && op->submitted < oldest)
            oldest = op->submitted;
    return oldest;
}

static void op_done(struct core_op *core_op, int status)
{
    struct sim_op *op = core_op->user;
    struct sim_world *world = op->world;
    const bool failed = status != PXR_OK;
    sim_note(world->tally, "%u: operation %u answered, status %d", world->depth, op->number,
             status);
    char detail[80];
    world->model.oldest_read = oldest_read(world);
    if (failed && !world->errors_allowed) {
        snprintf(detail, sizeof detail, "kind %d at %" PRIu64 ": status %d", (int)op->op.kind,
                 op->op.offset, status);
        sim_world_wrong(world, "an error", detail);
    }
    if (op->op.kind == CORE_READ && !failed)
        check_read(world, op);
    else if (op->op.kind == CORE_FLUSH && !failed)
        sim_model_flushed(&world->model, op->submitted);
    else if (op->write != 0)
        sim_model_answer(&world->model, op->write, op->op.fua, failed);
    unlink_op(world, op);
}

void sim_world_submit(struct sim_world *world, enum core_kind kind, uint64_t offset,
                      uint64_t len, bool fua)
{
    static const char *const names[] = {"read", "write", "zero", "trim", "flush"};
    struct sim_op *op = sim_allocate(sizeof *op);
    const uint64_t chunk = world->setup->shape.chunk;
    op->world = world;
    op->op = (struct core_op){
        .kind = kind, .fua = fua, .offset = offset, .len = len, .done = op_done, .user = op};
    if (kind == CORE_READ || kind == CORE_WRITE)
        op->op.buffer = op->buffer = sim_allocate((size_t)len);
    if (kind == CORE_WRITE)
        fill_write(world, op);
    else if (kind == CORE_ZERO)
        op->write = sim_model_write(&world->model, offset, len, true);
    else if (kind == CORE_TRIM)
        op->write = sim_model_trim(&world->model, world->setup->k * chunk, chunk, offset, len);
    else
        op->submitted = sim_model_now(&world->model);
    op->number = (unsigned)world->tally->operations++;
    sim_note(world->tally, "%u: operation %u: %s %" PRIu64 "+%" PRIu64 "%s, write %" PRIu32,
             world->depth, op->number, names[kind], offset, len, fua ? " FUA" : "", op->write);
    link_op(world, op);
    core_submit(world->core, &op->op);
}

void sim_world_read_all(struct sim_world *world)
{
    sim_world_submit(world, CORE_READ, 0, (uint64_t)world->model.blocks * SIM_BLOCK, false);
    sim_world_finish(world);
    world->unread &= world->broken;
}
