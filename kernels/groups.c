/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include <stdbool.h>
#include <string.h>

#include "encode.h"
#include "gf256.h"
#include "machine.h"
#include "permxor.h"

unsigned pxr_sources_of_group(enum pxr_work work, enum pxr_place place, size_t len, unsigned k,
                              unsigned outputs)
{
    const unsigned most = PXR_GROUP_SOURCES(pxr_recorded_way(work, place, k));
    const bool fits = k <= PXR_MAX_SHARDS && outputs <= PXR_MAX_ROWS;
    if (most == 0 || k <= most || k < PXR_MACHINE(wide_from) || !fits)
        return 0;
    const bool near =
        place != PXR_PLACE_MEMORY && len < PXR_MACHINE(groups_from) / ((size_t)k + outputs);
    return near ? 0 : most;
}

/* What all groups of a call share. */
struct call {
    const struct pxr_kernels *kernels;
    unsigned k;
    enum pxr_special special;
    unsigned general; /* rows behind the special ones */
    enum pxr_form form;
    const uint8_t *rows; /* the general rows in this form */
    const uint8_t *const *src;
    uint8_t *const *dst;
    uint32_t ahead; /* how the sources are prefetched: flags */
};

/* Some sources of a call. */
struct group {
    unsigned first, count;
};

/* The general rows lie one behind the other, and a pass wants those of its own sources like
   that, in the form of the kernel set. */
static void gather(const struct call *c, struct group group, uint64_t *room)
{
    const size_t bytes = pxr_form_bytes(c->form);
    for (unsigned r = 0; r < c->general; r++) {
        const uint8_t *from = c->rows + bytes * ((size_t)c->k * r + group.first);
        if (c->form == c->kernels->form)
            memcpy((uint8_t *)room + bytes * group.count * r, from, bytes * group.count);
        else
            pxr_look_up_matrices(group.count, from, room + (size_t)group.count * r);
    }
}

/* The outputs of a column, and what its group is added to, or NULL. */
struct column {
    uint8_t *dst[PXR_MAX_ROWS], *old[PXR_MAX_ROWS];
};

static unsigned outputs_of(const struct call *c)
{
    return c->special + c->general;
}

static unsigned groups_of(const struct call *c, unsigned most)
{
    return (c->k + most - 1) / most;
}

/* Returns group g of so many, at pos.  Its sources are in src[]. */
static struct group take_group(const struct call *c, unsigned g, unsigned groups, size_t pos,
                               const uint8_t **src)
{
    const unsigned first = c->k * g / groups, end = c->k * (g + 1) / groups;
    for (unsigned j = first; j < end; j++)
        src[j - first] = c->src[j] + pos;
    return (struct group){first, end - first};
}

/* Computes the sum of group g, plus what the column says.  Horner's rule counts the sources of
   a group from 0, so their part of Q is multiplied by 2^first. */
static void run_group(const struct call *c, unsigned g, unsigned groups, size_t pos, size_t len,
                      const struct column *column)
{
    uint64_t room[PXR_MAX_ROWS * PXR_MOST_OF_GROUP * PXR_TABLE / sizeof(uint64_t)];
    const uint8_t *rows = (const uint8_t *)room, *src[PXR_MOST_OF_GROUP];
    const struct group group = take_group(c, g, groups, pos, src);
    const unsigned outputs = outputs_of(c);
    uint8_t *dst[2 * PXR_MAX_ROWS];
    uint32_t flags = c->ahead | (column->old[0] ? PXR_ACCUMULATE : 0);
    gather(c, group, room);
    if (c->special == PXR_SPECIAL_PQ && group.first > 0) {
        rows = pxr_nibble[pxr_pow2(group.first)];
        flags |= PXR_SHIFT;
    }
    for (unsigned r = 0; r < outputs; r++) {
        dst[r] = column->dst[r];
        dst[outputs + r] = column->old[r];
    }
    c->kernels->dot[c->special][c->general](len, group.count, rows, src, dst, flags);
}

/* The bytes of an output in a column.  All outputs together take the part of the core's own
   cache that a piece may take. */
static size_t column_bytes(unsigned outputs)
{
    const size_t column = PXR_MACHINE(piece_bytes) / outputs / 64 * 64;
    return column > 4096 ? column : 4096;
}

static void run(const struct call *c, size_t len, unsigned most)
{
    const unsigned groups = groups_of(c, most), outputs = outputs_of(c);
    const size_t bytes = column_bytes(outputs);
    for (size_t pos = 0; pos < len; pos += bytes) {
        struct column column = {.old = {NULL}};
        for (unsigned g = 0; g < groups; g++) {
            for (unsigned r = 0; r < outputs; r++) {
                column.dst[r] = c->dst[r] + pos;
                column.old[r] = g > 0 ? column.dst[r] : NULL;
            }
            run_group(c, g, groups, pos, len - pos < bytes ? len - pos : bytes, &column);
        }
    }
}

/* In groups, prefetching into L1 is a loss of up to a quarter (doc/machine-measured-amd.md,
   "Groups"). */
static uint32_t ahead_in(struct pxr_group_way way)
{
    return way.flags & PXR_AHEAD_L2 ? way.flags & PXR_AHEAD : 0;
}

/* Q is a general row here: with other rows behind it, it has no shift. */
void pxr_encode_in_groups(const struct pxr_kernels *kernels, size_t len,
                          const struct pxr_rows *rows, enum pxr_form form,
                          struct pxr_group_way way, const uint8_t *const *src,
                          uint8_t *const *dst)
{
    struct call c = {.kernels = kernels,
                     .k = rows->k,
                     .form = form,
                     .src = src,
                     .dst = dst,
                     .ahead = ahead_in(way)};
    if (rows->special != PXR_SPECIAL_NONE)
        c.special = PXR_SPECIAL_P;
    c.general = rows->count - c.special;
    c.rows = rows->form[form] + pxr_form_bytes(form) * rows->k * c.special;
    run(&c, len, way.most);
}

/* `written` is the number of parities that the call writes. */
static struct pxr_group_way parity_way_of(const struct call *c, size_t len, unsigned written)
{
    const enum pxr_work work = pxr_work_of_parity(c->special);
    const enum pxr_place place =
        pxr_place(len, c->k + c->special, (struct pxr_sources){c->src, c->k, written});
    return (struct pxr_group_way){pxr_sources_of_group(work, place, len, c->k, c->special),
                                  pxr_way(work, place, c->k)};
}

static __attribute__((noinline)) void long_parity(const struct pxr_kernels *kernels, size_t len,
                                                  unsigned k, enum pxr_special parity,
                                                  const uint8_t *const *src,
                                                  uint8_t *const *dst)
{
    struct call c = {.kernels = kernels, .k = k, .special = parity, .src = src, .dst = dst};
    const struct pxr_group_way way = parity_way_of(&c, len, parity);
    c.ahead = ahead_in(way);
    if (way.most > 0 && !pxr_any_in_place(k, parity, src, dst))
        run(&c, len, way.most);
    else
        kernels->dot[parity][0](len, k, NULL, src, dst, way.flags);
}

void pxr_parity(const struct pxr_kernels *kernels, size_t len, unsigned k,
                enum pxr_special parity, const uint8_t *const *src, uint8_t *const *dst)
{
    if (len <= PXR_BRIEF_BYTES)
        kernels->dot[parity][0](len, k, NULL, src, dst, 0);
    else
        long_parity(kernels, len, k, parity, src, dst);
}

/*
 * The stored parity plus the sums of all groups but the first one must be the parity of the
 * first group alone.  So a column of these sums is made aside, and the set's own check does the
 * rest.
 */
enum { CHECK_BYTES = 12288 };

static size_t check_in_groups(const struct call *c, size_t len, unsigned most)
{
    uint8_t aside[PXR_SPECIAL_PQ][CHECK_BYTES] __attribute__((aligned(64)));
    const unsigned groups = groups_of(c, most);
    for (size_t pos = 0; pos < len; pos += CHECK_BYTES) {
        const size_t n = len - pos < CHECK_BYTES ? len - pos : CHECK_BYTES;
        const uint8_t *src[PXR_MOST_OF_GROUP];
        struct column column;
        for (unsigned g = 1; g < groups; g++) {
            for (unsigned r = 0; r < c->special; r++) {
                column.dst[r] = aside[r];
                column.old[r] = g > 1 ? aside[r] : c->dst[r] + pos;
            }
            run_group(c, g, groups, pos, n, &column);
        }
        const struct group first = take_group(c, 0, groups, pos, src);
        const size_t right = c->kernels->check[c->special](n, first.count, src, column.dst, 0);
        if (right < n)
            return pos + right;
    }
    return len;
}

size_t pxr_parity_check(const struct pxr_kernels *kernels, size_t len, unsigned k,
                        enum pxr_special parity, const uint8_t *const *src,
                        uint8_t *const *stored)
{
    struct call c = {.kernels = kernels, .k = k, .special = parity, .src = src, .dst = stored};
    const struct pxr_group_way way = parity_way_of(&c, len, 0);
    c.ahead = ahead_in(way);
    if (way.most > 0)
        return check_in_groups(&c, len, way.most);
    return kernels->check[parity](len, k, src, stored, way.flags);
}
