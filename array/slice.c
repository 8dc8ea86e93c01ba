/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "slice.h"

#include <stdlib.h>

void slice_begin(struct slice *slice, const pxa_array *array, uint64_t row,
                 struct slice_room *room, struct pxa_report *report)
{
    *slice = (struct slice){.array = array, .room = room, .report = report};
    pxa_row(&array->geometry, row, &slice->row);
    for (unsigned block = 0; block < array_width(array); block++)
        if (mask_has(array->missing, slice->row.member[block]))
            slice->lost |= mask_of(block);
    slice->gone = slice->lost;
}

void slice_room_free(struct slice_room *room)
{
    free(room->bytes);
    free(room->trial);
}

/* ----------------------------------------------------------------- room -- */

/* The room for a block: no slice is longer than a chunk. */
static size_t stride(const struct slice *slice)
{
    const uint32_t chunk = slice->array->geometry.chunk;
    return chunk < SLICE_MAX ? chunk : SLICE_MAX;
}

static bool make_room(const struct slice *slice)
{
    struct slice_room *room = slice->room;
    if (room->bytes == NULL)
        room->bytes = calloc(array_width(slice->array) + 1, stride(slice));
    return room->bytes != NULL;
}

static uint8_t *zeros(const struct slice *slice)
{
    return slice->room->bytes + array_width(slice->array) * stride(slice);
}

/* Gives each of these blocks a place for its bytes. */
static bool give_places(struct slice *slice, pxa_mask blocks)
{
    for (; blocks != 0; blocks &= blocks - 1) {
        const unsigned block = mask_first(blocks);
        if (slice->bytes[block] != NULL)
            continue;
        if (!make_room(slice))
            return false;
        slice->bytes[block] = slice->room->bytes + block * stride(slice);
    }
    return true;
}

/* -------------------------------------------------------------- reading -- */

static bool is_bad(const struct pxa_member *member, uint64_t begin, uint64_t end)
{
    for (unsigned i = 0; i < member->bad_count; i++)
        if (begin < member->bad[i].end && member->bad[i].begin < end)
            return true;
    return false;
}

static bool is_wholly_bad(const struct pxa_member *member, uint64_t begin, uint64_t end)
{
    for (unsigned i = 0; i < member->bad_count; i++)
        if (member->bad[i].begin <= begin && end <= member->bad[i].end)
            return true;
    return false;
}

/* Returns whether the block could be read.  What is known to be bad or out of date is not
   tried. */
static bool read_block(struct slice *slice, unsigned block)
{
    const unsigned number = slice->row.member[block];
    const struct pxa_member *member = &slice->array->member[number];
    const uint64_t at = slice->row.offset + slice->within;
    const uint64_t begin = member->start + at, end = begin + slice->len;
    if (at >= member->valid || is_wholly_bad(member, begin, end))
        slice->gone |= mask_of(block);
    if (at + slice->len > member->valid || is_bad(member, begin, end))
        return false;
    if (member->calls->read(member->self, begin, slice->len, slice->bytes[block]) == 0)
        return true;
    slice->report->errors++;
    slice->report->failed |= mask_of(number);
    return false;
}

int slice_read(struct slice *slice, pxa_mask blocks)
{
    if (!give_places(slice, blocks))
        return PXR_ENOMEM;
    for (; blocks != 0; blocks &= blocks - 1) {
        const unsigned block = mask_first(blocks);
        if (read_block(slice, block))
            slice->known |= mask_of(block);
        else
            slice->lost |= mask_of(block);
    }
    return PXR_OK;
}

/* A read that fails makes one block more lost, and the rest is planned again. */
int slice_fetch(struct slice *slice, pxa_mask wanted)
{
    const struct pxa_geometry *geometry = &slice->array->geometry;
    struct pxa_plan plan;
    for (;;) {
        const struct pxa_state state = {.data = geometry->data,
                                        .parity = geometry->parity,
                                        .lost = slice->lost,
                                        .cached = slice->known};
        if (pxa_plan_read(&state, wanted, &plan, sizeof plan) != PXR_OK)
            return PXA_EIO;
        if (plan.read == 0)
            return plan.rebuild != 0 ? slice_compute(slice, plan.rebuild) : PXR_OK;
        const int status = slice_read(slice, plan.read);
        if (status != PXR_OK)
            return status;
    }
}

/* ------------------------------------------------------------ computing -- */

/* The shard of the code that a block is. */
static unsigned shard_of(const struct slice *slice, unsigned block)
{
    const unsigned k = slice->array->geometry.data;
    return block < k ? slice->row.shard[block] : slice->array->shards + (block - k);
}

/* Where the coefficients belong to members, the shards of those that hold parity are zeros. */
static void put_zeros(const struct slice *slice, uint8_t **shards)
{
    const unsigned k = slice->array->geometry.data;
    for (unsigned block = k; slice->array->shards > k && block < array_width(slice->array);
         block++)
        shards[slice->row.member[block]] = zeros(slice);
}

static void put_blocks(const struct slice *slice, pxa_mask blocks, uint8_t **shards)
{
    for (; blocks != 0; blocks &= blocks - 1) {
        const unsigned block = mask_first(blocks);
        shards[shard_of(slice, block)] = slice->bytes[block];
    }
}

int slice_compute(struct slice *slice, pxa_mask blocks)
{
    uint8_t *have[PXR_MAX_SHARDS] = {NULL}, *want[PXR_MAX_SHARDS] = {NULL};
    if (!make_room(slice) || !give_places(slice, blocks))
        return PXR_ENOMEM;
    put_zeros(slice, have);
    put_blocks(slice, slice->known & ~blocks, have);
    put_blocks(slice, blocks, want);
    const int status = pxr_reconstruct(slice->array->code, slice->len, have, want);
    return status == PXR_OK || status == PXR_ENOMEM ? status : PXA_EIO;
}

/* ------------------------------------------------------------- checking -- */

static void all_shards(const struct slice *slice, uint8_t **shards)
{
    put_zeros(slice, shards);
    put_blocks(slice, mask_below(array_width(slice->array)), shards);
}

int slice_verify(struct slice *slice)
{
    uint8_t *shards[PXR_MAX_SHARDS] = {NULL};
    if (!make_room(slice))
        return PXR_ENOMEM;
    all_shards(slice, shards);
    return pxr_verify(slice->array->code, slice->len, shards, NULL);
}

/* When all blocks were read, the code finds the wrong one at once. */
static int locate(struct slice *slice, unsigned *block)
{
    uint8_t *shards[PXR_MAX_SHARDS] = {NULL};
    unsigned shard;
    all_shards(slice, shards);
    const int status = pxr_locate(slice->array->code, slice->len, shards, &shard);
    if (status == PXR_ENOMEM)
        return status;
    for (*block = 0; status == PXR_EMISMATCH && *block < array_width(slice->array); ++*block)
        if (shard_of(slice, *block) == shard)
            return PXR_OK;
    return PXR_EAMBIGUOUS;
}

/* Computes a block and the unknown ones from the others, in memory of their own.  Returns
   PXR_OK if then all agree. */
static int try_without(struct slice *slice, unsigned block, struct slice *trial)
{
    const pxa_mask unknown = mask_below(array_width(slice->array)) & ~slice->known;
    *trial = *slice;
    trial->known &= ~mask_of(block);
    for (pxa_mask left = unknown | mask_of(block); left != 0; left &= left - 1)
        trial->bytes[mask_first(left)] =
            slice->room->trial + (size_t)mask_first(left) * SLICE_PAGE;
    const int status = slice_compute(trial, unknown | mask_of(block));
    return status == PXR_OK ? slice_verify(trial) : status;
}

/*
 * When blocks are unknown, each of the others is suspected in turn.  Two of them cannot both
 * explain the disagreement: then two rows would agree in all but m blocks, and such a row is
 * determined by the others.
 */
static int locate_by_trial(struct slice *slice, unsigned *block)
{
    struct slice trial;
    for (pxa_mask left = slice->known; left != 0; left &= left - 1) {
        *block = mask_first(left);
        const int status = try_without(slice, *block, &trial);
        if (status != PXR_EMISMATCH)
            return status;
    }
    return PXR_EAMBIGUOUS;
}

int slice_correct(struct slice *slice, unsigned *block)
{
    const unsigned n = array_width(slice->array);
    const pxa_mask unknown = mask_below(n) & ~slice->known;
    if (slice->room->trial == NULL)
        slice->room->trial = malloc((size_t)n * SLICE_PAGE);
    if (slice->room->trial == NULL)
        return PXR_ENOMEM;
    if (mask_count(unknown) + 2 > slice->array->geometry.parity)
        return PXR_EAMBIGUOUS;
    const int status = unknown == 0 ? locate(slice, block) : locate_by_trial(slice, block);
    if (status != PXR_OK)
        return status;
    slice->known &= ~mask_of(*block);
    return slice_compute(slice, unknown | mask_of(*block));
}
