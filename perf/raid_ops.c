/* SPDX-License-Identifier: BSD-3-Clause */
#include "raid_ops.h"

#include "lists.h"

const struct raid_op *raid_op_find(const struct raid_op *ops, size_t count, const char *name,
                                   size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (name_is(name, length, ops[i].name))
            return &ops[i];
    return NULL;
}

bool raid_op_has_disks(const struct raid_op *op)
{
    return op->data != DATA_ONE && op->data != DATA_PAIR;
}

/* Blocks that a partial syndrome adds. */
static unsigned chosen(const struct raid_op *op, unsigned n)
{
    if (op->count == COUNT_HALF)
        return n / 2;
    return op->count == COUNT_SECOND ? (n + 1) / 2 : op->count;
}

unsigned raid_op_data(const struct raid_op *op, unsigned n)
{
    switch (op->data) {
    case DATA_ALL:
        return n;
    case DATA_SOME:
        return chosen(op, n);
    case DATA_ONE:
        return 1;
    default:
        return 2;
    }
}

unsigned raid_op_span(const struct raid_op *op, unsigned n)
{
    if (op->data != DATA_SOME)
        return 1;
    return op->count == COUNT_SECOND ? n : chosen(op, n);
}

unsigned raid_op_first(const struct raid_op *op, unsigned n)
{
    const unsigned room = n - raid_op_span(op, n);
    return op->place == PLACE_FRONT ? 0 : op->place == PLACE_MIDDLE ? room / 2 : room;
}

size_t raid_op_bytes(const struct raid_op *op, unsigned n, size_t len)
{
    return op->data == DATA_ALL || op->data == DATA_SOME ? raid_op_data(op, n) * len : len;
}

const char *raid_op_refuses(const struct raid_op *op, unsigned n)
{
    if (n > PXR_MAX_SHARDS - 2)
        return "too many disks";
    return n < 2 || raid_op_span(op, n) > n ? "too few disks" : NULL;
}
