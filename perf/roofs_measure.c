/* SPDX-License-Identifier: BSD-3-Clause */
/* The measurement of all roofs. */
#include <stdint.h>
#include <stdio.h>

#include "machine.h"
#include "roofs.h"

/* The size of L1 where the system does not report it. */
#define L1_ASSUMED ((size_t)32 << 10)

#define LAYOUTS ((size_t)1 << 20)

static void add_level(struct roofs *roofs, const char *name, size_t size, size_t footprint)
{
    struct roof_level *level = &roofs->level[roofs->levels++];
    snprintf(level->name, sizeof(level->name), "%s", name);
    level->size = size;
    level->footprint = footprint;
}

/*
 * Half of a core's own cache leaves room for what else is in it.  A core's share of L3 is not
 * known, least of all in a virtual machine, but four times L2 mostly fits in it.  An L3 that is
 * hardly larger than L2 cannot be told from it, and counts as L2.  Where only L1 is known, no
 * warm stripe has a roof but the ports'.
 */
static void add_levels(struct roofs *roofs, int cpu, size_t cold_set)
{
    const size_t known = machine_cache(cpu, 1);
    const size_t l1 = known > 0 ? known : L1_ASSUMED;
    const size_t l2 = machine_cache(cpu, 2), l3 = machine_cache(cpu, 3);
    const bool apart = l3 >= 4 * l2;
    add_level(roofs, "L1", l2 > 0 ? l1 : SIZE_MAX, l1 / 2);
    if (l2 > 0)
        add_level(roofs, "L2", apart ? l1 + l2 : l1 + l2 + l3, l2 / 2);
    if (l2 > 0 && apart)
        add_level(roofs, "L3", l1 + l2 + l3, l3 >= 8 * l2 ? 4 * l2 : 2 * l2);
    add_level(roofs, "memory", SIZE_MAX, cold_set);
}

/* The fastest measurement counts, as for every other rate, because the clock may still be
   rising, or the core may be taken away. */
static bool measure_clock(struct roofs *roofs, double seconds)
{
    const double clock = port_clock(seconds);
    if (clock > roofs->clock)
        roofs->clock = clock;
    return clock >= 0;
}

static bool measure_ports(struct roofs *roofs, double seconds)
{
    if (!measure_clock(roofs, seconds))
        return false;
    for (size_t i = 0; i < port_set_count && i < ROOFS_MAX_SETS; i++) {
        if (!port_sets[i].usable())
            continue;
        if (!port_set_measure(&port_sets[i], seconds, &roofs->rates[i]))
            return false;
        roofs->known[i] = true;
    }
    return measure_clock(roofs, seconds);
}

bool roofs_measure(struct roofs *roofs, const struct setting *setting, struct arena *arena)
{
    const double seconds = setting->engine.total_seconds / 4;
    *roofs = (struct roofs){0};
    add_levels(roofs, setting->cpu < 0 ? 0 : setting->cpu, setting->placement.cold_set);
    if (!measure_ports(roofs, seconds))
        return false;
    /* Reserve once for the largest of all layouts, which differ by a page for each stream. */
    if (!arena_reserve(arena, setting->placement.cold_set + LAYOUTS))
        return false;
    for (size_t l = 0; l < roofs->levels; l++)
        if (!bandwidth_measure(arena, roofs->level[l].footprint, seconds,
                               &roofs->level[l].bandwidth))
            return false;
    return true;
}
