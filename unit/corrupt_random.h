/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that follow from a seed, so that every case can be repeated. */
#ifndef PXR_UNIT_CORRUPT_RANDOM_H
#define PXR_UNIT_CORRUPT_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The generator splitmix64.  Any state is allowed, and neighbouring states give unrelated
   numbers. */
struct dice {
    uint64_t state;
};

static inline uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns the generator of case `number` of a seed. */
static inline struct dice dice_of(uint64_t seed, uint64_t number)
{
    struct dice first = {seed};
    return (struct dice){dice_next(&first) ^ (number * UINT64_C(0xd1342543de82ef95))};
}

/* Returns a number from 0 to n - 1, or 0 if n is 0. */
static inline size_t dice_below(struct dice *dice, size_t n)
{
    return n > 0 ? (size_t)(dice_next(dice) % n) : 0;
}

static inline bool dice_percent(struct dice *dice, unsigned percent)
{
    return dice_below(dice, 100) < percent;
}

static inline void dice_fill(struct dice *dice, uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(dice_next(dice) >> 32);
}

#endif
