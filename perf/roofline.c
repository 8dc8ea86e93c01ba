/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * roofline - measure what bounds the dot product on this core, the instructions and the levels
 * of the memory, and print how fast each kernel set could be at best.
 *
 * roofs.h and ports.h derive the bounds.
 */
#include "config.h"

#include <stdio.h>

#include "machine.h"
#include "roofs.h"

#define MOST_ROWS 6

/* ------------------------------------------------------------------ ports -- */

static void print_rates(const struct port_set *set, const struct port_rates *rates,
                        double clock)
{
    printf("%-12s %-19s", set->name, set->permute);
    for (size_t i = 0; i < PORT_KINDS; i++)
        if (clock > 0)
            printf(" %6.2f (%4.2f)", rates->per_ns[i], rates->per_ns[i] / clock);
        else
            printf(" %13.2f", rates->per_ns[i]);
    printf("\n");
}

static void print_ports(const struct roofs *roofs)
{
    printf("\nInstructions per ns%s\n", roofs->clock > 0 ? " (and per cycle)" : "");
    printf("%-12s %-19s", "kernel set", "permute or affine");
    for (size_t i = 0; i < PORT_KINDS; i++)
        printf(" %13s", port_kind_names[i]);
    printf("\n");
    for (size_t i = 0; i < port_set_count; i++)
        if (roofs->known[i])
            print_rates(&port_sets[i], &roofs->rates[i], roofs->clock);
        else
            printf("%-12s skipped: this CPU lacks it\n", port_sets[i].name);
    if (port_set_count == 0)
        printf("skipped: no loops are written for this architecture\n");
}

/* ----------------------------------------------------------------- levels -- */

static void print_level(const struct roof_level *level, size_t way)
{
    printf("%-7s %8zu KiB  %-13s", level->name, level->footprint >> 10,
           bandwidth_ways[way].name);
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
        if (level->bandwidth.gbs[kind][way] > 0)
            printf(" %8.1f", level->bandwidth.gbs[kind][way]);
        else
            printf(" %8s", "-");
    printf("\n");
}

static void print_levels(const struct roofs *roofs)
{
    printf("\nBandwidth in GB/s, vectors of %zu bytes%s\n%-7s %12s  %-13s", bandwidth_width(),
           bandwidth_best(&roofs->level[0].bandwidth, BANDWIDTH_NT_WRITE) > 0
               ? ""
               : " (NT skipped: no such stores are written for this architecture)",
           "level", "footprint", "way");
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
        printf(" %8s", bandwidth_kind_name((enum bandwidth_kind)kind));
    printf("\n");
    for (size_t l = 0; l < roofs->levels; l++)
        for (size_t way = 0; way < BANDWIDTH_WAYS; way++)
            print_level(&roofs->level[l], way);
}

/* ------------------------------------------------------------------ roofs -- */

static void print_heads(const char *title, const char *first)
{
    printf("\n%s\n%-12s", title, first);
    for (int rows = 1; rows <= MOST_ROWS; rows++)
        printf("     m=%d", rows);
    printf("\n");
}

/* Print what the instructions allow.  `unit` is 1 for GB/s, the clock for bytes per cycle. */
static void print_instruction_roofs(const struct roofs *roofs, const char *title, int ones,
                                    int doubled, double unit)
{
    print_heads(title, "kernel set");
    for (size_t i = 0; i < port_set_count; i++) {
        if (!roofs->known[i])
            continue;
        printf("%-12s", port_sets[i].name);
        for (int rows = 1; rows <= MOST_ROWS; rows++) {
            const struct port_work work = {
                .rows = rows - ones, .ones = ones, .doubled = doubled && rows > 1, .loads = 1};
            printf(" %7.1f", port_set_limit(&port_sets[i], &roofs->rates[i], &work) / unit);
        }
        printf("\n");
    }
}

/* Print what a level allows a stripe of 10 sources that is not in a nearer level at all.  These
   are the cold roofs of a machine whose memory is as fast as that level. */
#define EXAMPLE_K 10

static void print_level_roofs(const struct roofs *roofs, bool adds)
{
    print_heads(adds ? "Roofs of the levels, update of m rows, GB/s of source"
                     : "Roofs of the levels, 10 sources and m rows, GB/s of source",
                "level");
    for (size_t l = 1; l < roofs->levels; l++) {
        struct roofs only = {.levels = 2};
        only.level[0] = roofs->level[0];
        only.level[1] = roofs->level[l];
        printf("%-12s", roofs->level[l].name);
        for (int rows = 1; rows <= MOST_ROWS; rows++) {
            const struct roof_work work = {
                .writes = adds ? rows : rows / (double)EXAMPLE_K, .adds = adds, .cold = true};
            struct roof list[ROOFS_MAX];
            const struct roof *last = &list[roofs_list(&only, &work, "", list) - 1];
            printf(" %7.1f", last->gbs);
        }
        printf("\n");
    }
}

static void print_all(const struct roofs *roofs)
{
    if (roofs->clock > 0)
        printf("clock: %.2f GHz, by a chain of multiplications\n", roofs->clock);
    print_ports(roofs);
    print_levels(roofs);
    if (port_set_count > 0) {
        print_instruction_roofs(roofs, "Roofs of m general rows, GB/s of source", 0, 0, 1);
        print_instruction_roofs(roofs, "Roofs with the first row all ones, GB/s of source", 1,
                                0, 1);
        print_instruction_roofs(
            roofs, "Roofs with rows of ones and of powers of two, GB/s of source", 1, 1, 1);
        if (roofs->clock > 0)
            print_instruction_roofs(roofs, "Roofs of m general rows, bytes of source per cycle",
                                    0, 0, roofs->clock);
    }
    print_level_roofs(roofs, false);
    print_level_roofs(roofs, true);
}

/* -------------------------------------------------------------------- CSV -- */

static void csv_ports(FILE *csv, const struct roofs *roofs)
{
    for (size_t i = 0; i < port_set_count; i++)
        for (size_t r = 0; roofs->known[i] && r < PORT_KINDS; r++)
            fprintf(csv, "rate,%s %s,,,%.4g,instructions/ns\n", port_sets[i].name,
                    port_kind_names[r], roofs->rates[i].per_ns[r]);
}

static void csv_level(FILE *csv, const struct roof_level *level)
{
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
        for (size_t way = 0; way < BANDWIDTH_WAYS; way++)
            if (level->bandwidth.gbs[kind][way] > 0)
                fprintf(csv, "bandwidth,%s,%s,%zu,%.4g,GB/s\n",
                        bandwidth_kind_name((enum bandwidth_kind)kind), level->name,
                        bandwidth_ways[way].streams, level->bandwidth.gbs[kind][way]);
}

static void csv_caches(FILE *csv, int cpu)
{
    for (int number = 1; number <= 4; number++)
        if (machine_cache(cpu, number) > 0)
            fprintf(csv, "cache,size,L%d,,%zu,bytes\n", number, machine_cache(cpu, number));
}

static void csv_all(FILE *csv, const struct roofs *roofs, int cpu)
{
    fprintf(csv, "kind,name,level,streams,value,unit\n");
    if (roofs->clock > 0)
        fprintf(csv, "clock,clock,,,%.4g,GHz\n", roofs->clock);
    csv_caches(csv, cpu);
    csv_ports(csv, roofs);
    for (size_t l = 0; l < roofs->levels; l++)
        csv_level(csv, &roofs->level[l]);
}

/* ---------------------------------------------------------------- program -- */

static void help(const void *options)
{
    (void)options;
    printf("usage: roofline [options]\n"
           "\n"
           "Measure the instructions and the levels of the memory that bound a dot product on\n"
           "one core.  A figure takes a quarter of --time, and all figures take about ten\n"
           "seconds.  On a noisy machine this takes up to three times as long.\n"
           "\n");
    setting_basic_help();
}

#define AT(member) offsetof(struct setting, member)
static const struct option_row rows[] = {SETTING_BASIC_OPTIONS(AT), SETTING_CSV_OPTION(AT)};
static const struct command_line line = {rows, sizeof rows / sizeof rows[0], help};

/* Returns the exit status. */
static int run(const struct setting *setting, FILE *csv)
{
    setting_describe(setting);
    struct arena arena = {.pages = setting->pages};
    struct roofs roofs;
    const bool measured = roofs_measure(&roofs, setting, &arena);
    arena_close(&arena);
    if (!measured) {
        fprintf(stderr, "roofline: out of memory\n");
        return 2;
    }
    print_all(&roofs);
    if (csv != NULL)
        csv_all(csv, &roofs, setting->cpu < 0 ? 0 : setting->cpu);
    return 0;
}

int main(int argc, char **argv)
{
    struct setting setting = SETTING_DEFAULTS;
    const enum options_verdict verdict = command_line_read_alone(&line, &setting, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? 0 : 2;
    setting_apply(&setting, argc, argv);
    setting_pin(&setting);
    FILE *csv;
    if (!csv_open(&csv, setting.csv))
        return 2;
    const int status = run(&setting, csv);
    return csv_close(csv) ? status : 2;
}
