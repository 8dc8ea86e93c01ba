/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of the layouts, of which doc/array.md has pictures. */
#ifndef PXA_LAYOUT_H
#define PXA_LAYOUT_H

#include "permxor_array.h"

#include <stdbool.h>

/* Which member holds the first block of parity, P. */
enum pxa_turn {
    PXA_TURN_LEFT,  /* in row 0 the last member, then one to the left with each row */
    PXA_TURN_RIGHT, /* in row 0 the first member, then one to the right with each row */
    PXA_STAY_FIRST, /* the first member */
    PXA_STAY_LAST   /* the first of the last m members */
};

struct pxa_layout_rule {
    const char *name;
    uint32_t md; /* md's number */
    enum pxa_turn turn;
    bool follow;    /* data begins behind the parity; otherwise with the first member */
    bool only_two;  /* the layout is for m = 2 */
    bool q_apart;   /* Q is on the last member, and the rest is RAID-5 on the other members */
    bool q_before;  /* Q is on the member before P's, instead of the one behind it */
    bool ahead;     /* row 0 is where row 1 would be */
    bool by_member; /* a coefficient of Q belongs to a member, not to a block of data */
};

/* Returns NULL for a value that is no layout. */
const struct pxa_layout_rule *pxa_layout_rule(enum pxa_layout layout);

/* Fills in `member` and `shard` of a row. */
void pxa_layout_place(const struct pxa_layout_rule *rule, unsigned k, unsigned m,
                      uint64_t number, struct pxa_row *row);

#endif
