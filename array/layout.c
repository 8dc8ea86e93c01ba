/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "layout.h"

#include <string.h>

static const struct pxa_layout_rule rules[PXA_LAYOUTS] = {
    [PXA_LEFT_ASYMMETRIC] = {.name = "left-asymmetric", .md = 0, .turn = PXA_TURN_LEFT},
    [PXA_RIGHT_ASYMMETRIC] = {.name = "right-asymmetric", .md = 1, .turn = PXA_TURN_RIGHT},
    [PXA_LEFT_SYMMETRIC] = {.name = "left-symmetric",
                            .md = 2,
                            .turn = PXA_TURN_LEFT,
                            .follow = true},
    [PXA_RIGHT_SYMMETRIC] = {.name = "right-symmetric",
                             .md = 3,
                             .turn = PXA_TURN_RIGHT,
                             .follow = true},
    [PXA_PARITY_FIRST] = {.name = "parity-first", .md = 4, .turn = PXA_STAY_FIRST},
    [PXA_PARITY_LAST] = {.name = "parity-last", .md = 5, .turn = PXA_STAY_LAST},
    [PXA_DDF_ZERO_RESTART] = {.name = "ddf-zero-restart",
                              .md = 8,
                              .turn = PXA_TURN_RIGHT,
                              .only_two = true,
                              .by_member = true},
    [PXA_DDF_N_RESTART] = {.name = "ddf-N-restart",
                           .md = 9,
                           .turn = PXA_TURN_LEFT,
                           .only_two = true,
                           .ahead = true,
                           .by_member = true},
    [PXA_DDF_N_CONTINUE] = {.name = "ddf-N-continue",
                            .md = 10,
                            .turn = PXA_TURN_LEFT,
                            .follow = true,
                            .only_two = true,
                            .q_before = true,
                            .by_member = true},
    [PXA_LEFT_ASYMMETRIC_6] = {.name = "left-asymmetric-6",
                               .md = 16,
                               .turn = PXA_TURN_LEFT,
                               .only_two = true,
                               .q_apart = true},
    [PXA_RIGHT_ASYMMETRIC_6] = {.name = "right-asymmetric-6",
                                .md = 17,
                                .turn = PXA_TURN_RIGHT,
                                .only_two = true,
                                .q_apart = true},
    [PXA_LEFT_SYMMETRIC_6] = {.name = "left-symmetric-6",
                              .md = 18,
                              .turn = PXA_TURN_LEFT,
                              .follow = true,
                              .only_two = true,
                              .q_apart = true},
    [PXA_RIGHT_SYMMETRIC_6] = {.name = "right-symmetric-6",
                               .md = 19,
                               .turn = PXA_TURN_RIGHT,
                               .follow = true,
                               .only_two = true,
                               .q_apart = true},
    [PXA_PARITY_FIRST_6] = {.name = "parity-first-6",
                            .md = 20,
                            .turn = PXA_STAY_FIRST,
                            .only_two = true,
                            .q_apart = true},
};

const struct pxa_layout_rule *pxa_layout_rule(enum pxa_layout layout)
{
    return (unsigned)layout < PXA_LAYOUTS ? &rules[layout] : NULL;
}

const char *pxa_layout_name(enum pxa_layout layout)
{
    const struct pxa_layout_rule *rule = pxa_layout_rule(layout);
    return rule != NULL ? rule->name : NULL;
}

int pxa_layout_parse(const char *name, enum pxa_layout *layout)
{
    for (unsigned i = 0; name != NULL && i < PXA_LAYOUTS; i++)
        if (strcmp(name, rules[i].name) == 0) {
            *layout = (enum pxa_layout)i;
            return PXR_OK;
        }
    return PXR_EINVAL;
}

/* RAID-4 has no layouts: md keeps its parity on the last member, whatever the number is. */
int pxa_layout_of_md(int level, uint32_t number, enum pxa_layout *layout)
{
    if (level == 4) {
        *layout = PXA_PARITY_LAST;
        return PXR_OK;
    }
    for (unsigned i = 0; (level == 5 || level == 6) && i < PXA_LAYOUTS; i++)
        if (rules[i].md == number && (level == 6 || !rules[i].only_two)) {
            *layout = (enum pxa_layout)i;
            return PXR_OK;
        }
    return PXR_EINVAL;
}

/* The member that holds P, of n members over which m blocks of parity turn. */
static unsigned first_parity(const struct pxa_layout_rule *rule, unsigned n, unsigned m,
                             uint64_t number)
{
    const unsigned turned = (unsigned)((number % n + rule->ahead) % n);
    switch (rule->turn) {
    case PXA_TURN_LEFT:
        return n - 1 - turned;
    case PXA_TURN_RIGHT:
        return turned;
    case PXA_STAY_FIRST:
        return 0;
    default:
        return n - m;
    }
}

/* Places m blocks of parity, and then k of data, on the n = k + m members that take turns. */
static void place_turning(const struct pxa_layout_rule *rule, unsigned k, unsigned m,
                          uint64_t number, uint8_t *member)
{
    const unsigned n = k + m, p = first_parity(rule, n, m, number);
    const unsigned step = rule->q_before ? n - 1 : 1;
    pxa_mask parity = 0;
    for (unsigned r = 0; r < m; r++) {
        member[k + r] = (uint8_t)((p + r * step) % n);
        parity |= (pxa_mask)1 << member[k + r];
    }
    unsigned next = rule->follow ? p : 0;
    for (unsigned d = 0; d < k; next = (next + 1) % n)
        if (!(parity >> next & 1))
            member[d++] = (uint8_t)next;
}

/*
 * md counts the coefficients of Q in the order of the members, from the one behind Q's on, and
 * leaves out the members that hold P and Q.  The DDF layouts count from the first member, and
 * leave out none.
 */
static void number_shards(const struct pxa_layout_rule *rule, unsigned k, unsigned m,
                          struct pxa_row *row)
{
    const unsigned n = k + m;
    uint8_t block_on[PXA_MAX_MEMBERS];
    for (unsigned block = 0; block < n; block++)
        block_on[row->member[block]] = (uint8_t)block;
    unsigned next = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned member = (row->member[n - 1] + 1 + i) % n, block = block_on[member];
        if (block < k)
            row->shard[block] = (uint8_t)(rule->by_member ? member : next++);
    }
}

void pxa_layout_place(const struct pxa_layout_rule *rule, unsigned k, unsigned m,
                      uint64_t number, struct pxa_row *row)
{
    if (rule->q_apart) {
        place_turning(rule, k, m - 1, number, row->member);
        row->member[k + m - 1] = (uint8_t)(k + m - 1);
    } else {
        place_turning(rule, k, m, number, row->member);
    }
    number_shards(rule, k, m, row);
}
