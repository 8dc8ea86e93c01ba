/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofs.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

/* ------------------------------------------------------------ measurement -- */

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
        if (!port_set_usable(&port_sets[i]))
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

/* ------------------------------------------------------------------ ports -- */

/* The set of port_sets that belongs to the name of a kernel set.  A variant with another size
   of blocks, NAME_x2 or NAME_x4, executes the same instructions for a vector. */
static const struct port_set *set_of(const char *name)
{
    char plain[32];
    snprintf(plain, sizeof(plain), "%s", name);
    char *end = strrchr(plain, '_');
    if (end != NULL && (strcmp(end, "_x2") == 0 || strcmp(end, "_x4") == 0))
        *end = '\0';
    return port_set_find(plain);
}

static struct port_work port_work_of(const struct roof_work *work)
{
    return (struct port_work){.rows = work->rows,
                              .ones = work->ones,
                              .doubled = work->doubled,
                              .loads = 1 + (work->adds ? work->writes : 0),
                              .stores = work->writes};
}

static const struct port_set *fastest_set(const struct roofs *roofs,
                                          const struct port_work *work)
{
    const struct port_set *fastest = NULL;
    double best = 0;
    for (size_t i = 0; i < port_set_count && i < ROOFS_MAX_SETS; i++) {
        if (!roofs->known[i])
            continue;
        double gbs = port_set_limit(&port_sets[i], &roofs->rates[i], work);
        if (gbs > best) {
            best = gbs;
            fastest = &port_sets[i];
        }
    }
    return fastest;
}

static void add(struct roof *list, size_t *count, double gbs, const char *name,
                const char *more)
{
    struct roof *roof = &list[(*count)++];
    snprintf(roof->name, sizeof(roof->name), "%s%s%s", name, *more ? " " : "", more);
    roof->gbs = gbs;
}

static void list_set(const struct roofs *roofs, const struct port_work *work,
                     const struct port_set *set, struct roof *list, size_t *count)
{
    double gbs[PORT_KINDS];
    port_set_limits(set, &roofs->rates[set - port_sets], work, gbs);
    add(list, count, gbs[PORT_PERMUTES], "permute", set->name);
    add(list, count, gbs[PORT_LOGICALS], "instructions", set->name);
    add(list, count, gbs[PORT_LOADS], "L1", "load");
    add(list, count, gbs[PORT_STORES], "L1", "store");
}

static void list_unknown_set(const struct roofs *roofs, const struct port_work *work,
                             struct roof *list, size_t *count)
{
    const struct bandwidth *near = &roofs->level[0].bandwidth;
    add(list, count, bandwidth_best(near, BANDWIDTH_READ) / work->loads, "L1", "load");
    add(list, count, bandwidth_best(near, BANDWIDTH_WRITE) / work->stores, "L1", "store");
}

/* ----------------------------------------------------------------- levels -- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Nanoseconds to read r bytes and write w of them, which is t in roofs.h.  INFINITY where that
   way of writing does not exist. */
static double mixed(double r, double w, double read, double write, double copy)
{
    const double c = smaller(r, w);
    const double shared = copy > 0 ? c / copy + (r - c) / read + (w - c) / write : INFINITY;
    return smaller(shared, r / read + w / write);
}

static double ordinary(const struct bandwidth *b, const struct roof_work *work)
{
    return mixed(
        1, work->writes, bandwidth_best(b, BANDWIDTH_READ),
        larger(bandwidth_best(b, BANDWIDTH_WRITE), bandwidth_best(b, BANDWIDTH_MODIFY)),
        bandwidth_best(b, BANDWIDTH_COPY));
}

static double non_temporal(const struct bandwidth *b, const struct roof_work *work)
{
    return mixed(work->adds ? 1 + work->writes : 1, work->writes,
                 bandwidth_best(b, BANDWIDTH_READ), bandwidth_best(b, BANDWIDTH_NT_WRITE),
                 bandwidth_best(b, BANDWIDTH_NT_COPY));
}

/* The share of a stripe's bytes that comes from level l > 0. */
static double share_of(const struct roofs *roofs, size_t l, const struct roof_work *work)
{
    const size_t nearer = roofs->level[l - 1].size;
    if (work->cold)
        return l == roofs->levels - 1 ? 1 : 0;
    return work->footprint > nearer ? 1 - (double)nearer / (double)work->footprint : 0;
}

static void list_level(const struct roofs *roofs, size_t l, const struct roof_work *work,
                       struct roof *list, size_t *count)
{
    const struct roof_level *level = &roofs->level[l];
    const double share = share_of(roofs, l, work);
    const double cached = ordinary(&level->bandwidth, work);
    const double around = non_temporal(&level->bandwidth, work);
    if (share > 0)
        add(list, count, 1 / (share * smaller(cached, around)), level->name,
            around < cached ? "NT" : "");
}

/* -------------------------------------------------------------------- all -- */

size_t roofs_list(const struct roofs *roofs, const struct roof_work *work, const char *set,
                  struct roof list[ROOFS_MAX])
{
    size_t count = 0;
    const struct port_work due = port_work_of(work);
    const struct port_set *ports = set != NULL ? set_of(set) : fastest_set(roofs, &due);
    if (ports == NULL)
        list_unknown_set(roofs, &due, list, &count);
    else if (roofs->known[ports - port_sets])
        list_set(roofs, &due, ports, list, &count);
    else
        return 0;
    for (size_t l = 1; l < roofs->levels; l++)
        list_level(roofs, l, work, list, &count);
    return count;
}
