/* SPDX-License-Identifier: BSD-3-Clause */
/* What fuzz targets have in common: reading values from the input, and checks. */
#ifndef PXR_UNIT_FUZZ_INPUT_H
#define PXR_UNIT_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Unlike assert(), it also checks in builds with NDEBUG. */
#define REQUIRE(condition)                                                                \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            abort();                                                                      \
        }                                                                                 \
    } while (0)

struct input {
    const uint8_t *data;
    size_t size;
};

/* Returns the next byte, or 0 after the end. */
static inline uint8_t take(struct input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->data++;
}

static inline unsigned take_below(struct input *in, unsigned limit)
{
    unsigned value = take(in);
    return (value << 8 | take(in)) % limit;
}

/* Takes bytes of the input while more than 64 are left, and then bytes of a pseudorandom
   sequence. */
static inline void take_bytes(struct input *in, uint8_t *bytes, size_t len)
{
    unsigned state = (unsigned)in->size * 2654435761u + 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = in->size > 64 ? take(in) : (uint8_t)(state >> 24);
    }
}

#endif
