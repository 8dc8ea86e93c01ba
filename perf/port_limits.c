/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * port_limits - measure the instructions that limit the dot product on this
 * core, and say how fast each kernel set could be at best.
 *
 *     port_limits [CPU]
 *
 * ports.h derives the limits.
 */
#include <stdio.h>
#include <stdlib.h>

#include "environment.h"
#include "machine.h"
#include "ports.h"

#define MOST_ROWS 6

static void print_rates(const struct port_set *set, const struct port_rates *rates,
                        double clock)
{
    const double all[] = {rates->permutes, rates->logicals, rates->loads, rates->load_xors};
    printf("%-12s %-19s", set->name, set->permute);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (clock > 0)
            printf(" %7.2f (%4.2f)", all[i], all[i] / clock);
        else
            printf(" %14.2f", all[i]);
    printf("\n");
}

static void print_limits(const struct port_set *set, const struct port_rates *rates, int ones,
                         double unit)
{
    printf("%-12s", set->name);
    for (int rows = 1; rows <= MOST_ROWS; rows++)
        printf(" %7.1f", port_set_limit(set, rates, rows - ones, ones) / unit);
    printf("\n");
}

static void print_limit_table(const char *title, const struct port_rates *rates, int ones,
                              double unit)
{
    printf("\n%s\n%-12s", title, "kernel set");
    for (int rows = 1; rows <= MOST_ROWS; rows++)
        printf("     m=%d", rows);
    printf("\n");
    for (size_t i = 0; i < port_set_count; i++)
        if (port_sets[i].usable())
            print_limits(&port_sets[i], &rates[i], ones, unit);
}

static bool measure_all(struct port_rates *rates, double clock)
{
    printf("\nInstructions per ns%s\n", clock > 0 ? " (and per cycle)" : "");
    printf("%-12s %-19s %14s %14s %14s %14s\n", "kernel set", "permute or affine", "permutes",
           "logicals", "loads", "loads+xor");
    for (size_t i = 0; i < port_set_count; i++) {
        if (!port_sets[i].usable()) {
            printf("%-12s skipped: this CPU lacks it\n", port_sets[i].name);
            continue;
        }
        if (!port_set_measure(&port_sets[i], &rates[i]))
            return false;
        print_rates(&port_sets[i], &rates[i], clock);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct port_rates *rates = calloc(port_set_count + 1, sizeof(*rates));
    environment_fix_addresses(argv);
    int cpu = environment_pin(argc > 1 ? atoi(argv[1]) : -1);
    double clock = port_clock();
    machine_describe(stdout, "", cpu < 0 ? 0 : cpu);
    printf("core: %s %d\n", cpu < 0 ? "NOT pinned, would be" : "pinned to", cpu);
    if (clock > 0)
        printf("clock: %.2f GHz, by a chain of multiplications\n", clock);
    if (rates == NULL || clock < 0 || !measure_all(rates, clock)) {
        fprintf(stderr, "port_limits: out of memory\n");
        free(rates);
        return 1;
    }
    print_limit_table("Limits of m general rows, GB/s of source", rates, 0, 1);
    print_limit_table("Limits with the first row all ones, GB/s of source", rates, 1, 1);
    if (clock > 0)
        print_limit_table("Limits of m general rows, bytes of source per cycle", rates, 0,
                          clock);
    free(rates);
    return 0;
}
