/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "setting.h"

#include <stdio.h>
#include <stdlib.h>

#include "environment.h"
#include "machine.h"

/* ----------------------------------------------------------- command line -- */

void setting_basic_help(void)
{
    printf("  --time SECONDS       time per shape or comparison        [0.2]\n"
           "  --cpu N              core to run on                      [the last allowed]\n"
           "  --set MIB            size of a cold set [512, or twice the last-level cache]\n"
           "  --pages KIND         default, small, huge                [default]\n"
           "  --keep-addresses     leave address-space randomisation on\n"
           "\n"
           "  --csv FILE           also write all figures to this file\n"
           "  --help               print this text\n");
}

void setting_help(void)
{
    printf("How to time:\n"
           "  --rounds N           least number of rounds per shape    [12]\n"
           "  --batch SECONDS      time of calls that are timed together [0.0002]\n"
           "  --pass-time SECONDS  the longest batch of a cold walk    [0.1]\n"
           "  --offset N           bytes from a 64-byte boundary to a shard [0]\n"
           "  --displace N         distance of shards modulo 4096      [%d]\n",
           BUFFERS_DISPLACE);
    setting_basic_help();
}

bool csv_open(FILE **csv, const char *path)
{
    *csv = NULL;
    if (path == NULL)
        return true;
    *csv = fopen(path, "w");
    if (*csv == NULL)
        perror(path);
    return *csv != NULL;
}

bool csv_close(FILE *csv)
{
    if (csv == NULL)
        return true;
    bool failed = ferror(csv) != 0;
    failed = fclose(csv) != 0 || failed;
    if (failed)
        fprintf(stderr, "the CSV file could not be written completely\n");
    return !failed;
}

/* ------------------------------------------------------------ carrying out -- */

static void print_command(int argc, char **argv)
{
    printf("command:");
    for (int i = 0; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
}

void setting_hold_still(struct setting *s, char **argv)
{
    if (!s->keep_addresses)
        s->fixed_addresses = environment_fix_addresses(argv);
    /* Measure the library's own choice, not what this machine's tune file sets. */
    setenv("PERMXOR_TUNE", "", 0);
}

void setting_apply(struct setting *s, int argc, char **argv)
{
    setting_hold_still(s, argv);
    print_command(argc, argv);
}

/* A cold set that is larger than the last-level cache.  Machines with little memory make do
   with a smaller one, and setting_describe() says whether that was enough. */
static size_t default_cold_set(int cpu)
{
    const size_t least = (size_t)512 << 20, most = machine_memory() / 4;
    const size_t twice = 2 * machine_last_cache(cpu);
    const size_t wanted = twice > least ? twice : least;
    return wanted < most ? wanted : most;
}

void setting_pin(struct setting *s)
{
    s->cpu = environment_pin(s->wanted_cpu);
    if (s->placement.cold_set == 0)
        s->placement.cold_set = default_cold_set(s->cpu < 0 ? 0 : s->cpu);
}

void setting_describe(const struct setting *s)
{
    size_t cache = machine_last_cache(s->cpu < 0 ? 0 : s->cpu);
    machine_describe(s->cpu < 0 ? 0 : s->cpu);
    if (s->cpu >= 0)
        printf("core: pinned to %d\n", s->cpu);
    else
        printf("core: NOT pinned, the system refused it\n");
    printf("address-space randomisation: %s\n",
           s->fixed_addresses  ? "off"
           : s->keep_addresses ? "ON, as asked"
                               : "ON, the system refused to switch it off");
    counters_describe(stdout);
    printf("cold set: %zu MiB, last-level cache %zu MiB%s\n", s->placement.cold_set >> 20,
           cache >> 20,
           s->placement.cold_set <= cache ? " - WARNING: the set fits into the cache" : "");
}

void setting_describe_shards(const struct setting *s)
{
    printf("shards: %zu bytes behind 64-byte boundaries, displaced by %zu\n",
           s->placement.offset, s->placement.displace);
    printf("GB/s: 1e9 bytes of source data (k*len, or len of an update or a scan) per second, "
           "one thread\n");
}
