/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of blocks of a row, and of members. */
#ifndef PXA_MASK_H
#define PXA_MASK_H

#include "permxor_array.h"

#include <stdbool.h>

/* Whether a row may have k blocks of data and m of parity.  No sum overflows. */
static inline bool width_is_possible(unsigned k, unsigned m)
{
    return k >= 1 && m >= 1 && k <= PXA_MAX_MEMBERS && m <= PXA_MAX_MEMBERS &&
           k + m <= PXA_MAX_MEMBERS;
}

/* The set of one. */
static inline pxa_mask mask_of(unsigned i)
{
    return (pxa_mask)1 << i;
}

/* The set of 0 to count - 1; count is at most 64. */
static inline pxa_mask mask_below(unsigned count)
{
    return count < 64 ? mask_of(count) - 1 : ~(pxa_mask)0;
}

static inline bool mask_has(pxa_mask mask, unsigned i)
{
    return mask >> i & 1;
}

static inline unsigned mask_count(pxa_mask mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

/* The smallest number in a set that is not empty. */
static inline unsigned mask_first(pxa_mask mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

/* The `count` smallest numbers of a set, or all of it. */
static inline pxa_mask mask_take(pxa_mask mask, unsigned count)
{
    pxa_mask taken = 0;
    for (; count > 0 && mask != 0; count--) {
        taken |= mask & -mask;
        mask &= mask - 1;
    }
    return taken;
}

#endif
