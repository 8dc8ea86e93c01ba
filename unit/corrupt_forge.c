/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "corrupt_forge.h"

#include <stdio.h>
#include <string.h>

/* The fields of a header (doc/format.md).  Of fields with more than eight bytes, only a part is
   changed. */
static const struct field {
    const char *name;
    unsigned offset, size;
} fields[] = {
    {"magic", 0, 8},
    {"version", 8, 4},
    {"flags", 12, 4},
    {"id", 16, 1},
    {"k", 32, 2},
    {"m", 34, 2},
    {"matrix", 36, 2},
    {"index", 38, 2},
    {"cell", 40, 4},
    {"name length", 44, 4},
    {"length", 48, 8},
    {"name", 56, 1},
    {"behind name", 57, 8},
    {"attributes", 304, 4},
    {"mode", 308, 4},
    {"seconds", 312, 8},
    {"nanoseconds", 320, 4},
    {"disks", 324, 4},
    {"hash", 328, 8},
    {"w", 360, 4},
    {"packetsize", 364, 4},
    {"zeros", 368, 8},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static uint64_t load(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = size; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static void store(uint8_t *at, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* Returns a value that is near the old one, at the limit of some field, or any other. */
static uint64_t draw_value(struct dice *dice, uint64_t old)
{
    static const uint64_t limits[] = {0,
                                      1,
                                      2,
                                      64,
                                      128,
                                      255,
                                      256,
                                      65535,
                                      UINT32_MAX,
                                      64u << 20,
                                      (64u << 20) + 64,
                                      INT32_MAX,
                                      INT64_MAX,
                                      UINT64_MAX,
                                      UINT64_C(1) << 62,
                                      UINT64_C(1) << 40};
    switch (dice_below(dice, 5)) {
    case 0:
        return old + 1 + dice_below(dice, 3);
    case 1:
        return old - 1 - dice_below(dice, 3);
    case 2:
        return limits[dice_below(dice, sizeof limits / sizeof limits[0])];
    case 3:
        return dice_next(dice) >> dice_below(dice, 64);
    default:
        return old ^ UINT64_C(1) << dice_below(dice, 64);
    }
}

void forge_header(struct bytes *bytes, struct dice *dice, char *what, size_t size)
{
    const struct field *field = &fields[dice_below(dice, FIELDS)];
    size_t ends = dice_below(dice, 4); /* 1: the header, 2: the trailer, 0 and 3: both */
    what[0] = '\0';
    if (bytes->size < 2 * SHARD_HEADER_SIZE)
        return;
    uint8_t *header = bytes->at, *trailer = bytes->at + bytes->size - SHARD_HEADER_SIZE;
    uint64_t value = draw_value(dice, load(header + field->offset, field->size));
    if (ends != 2)
        store(header + field->offset, field->size, value);
    if (ends != 1)
        store(trailer + field->offset, field->size, value);
    shard_header_seal(header);
    shard_header_seal(trailer);
    static const char *const places[] = {"both", "header", "trailer", "both"};
    must_printf(what, size, "%s forged %s %llx", places[ends], field->name,
                (unsigned long long)value);
}
