/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "setting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "machine.h"
#include "samples.h"

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

enum options_verdict options_wrong(const char *what, const char *value)
{
    fprintf(stderr, "%s: %s: %s (see --help)\n", program_invocation_short_name, what, value);
    return OPTIONS_WRONG;
}

bool read_number(const char *text, long least, long most, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && *value >= least && *value <= most;
}

static bool read_pages(const char *text, enum arena_pages *pages)
{
    static const char *const names[] = {"default", "small", "huge"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *pages = (enum arena_pages)i;
            return true;
        }
    return false;
}

static bool read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return *text != '\0' && *end == '\0' && *seconds > 0 && *seconds <= 3600;
}

/* Takes an option with a number. */
static bool take_number(struct setting *s, int option, const char *text)
{
    long value;
    switch (option) {
    case OPTION_ROUNDS:
        return read_number(text, 1, SAMPLES_ROUNDS, &value) &&
               (s->engine.min_rounds = (size_t)value, true);
    case OPTION_CPU:
        return read_number(text, 0, 4095, &value) && (s->wanted_cpu = (int)value, true);
    case OPTION_SET:
        return read_number(text, 1, 1 << 20, &value) &&
               (s->placement.cold_set = (size_t)value << 20, true);
    case OPTION_OFFSET:
        return read_number(text, 0, 63, &value) && (s->placement.offset = (size_t)value, true);
    default:
        return read_number(text, 0, 4095, &value) && value % BUFFERS_ALIGN == 0 &&
               (s->placement.displace = (size_t)value, true);
    }
}

bool setting_take(struct setting *s, int option, const char *text)
{
    switch (option) {
    case OPTION_TIME:
        return read_seconds(text, &s->engine.total_seconds);
    case OPTION_BATCH:
        return read_seconds(text, &s->engine.batch_seconds);
    case OPTION_PASS_TIME:
        return read_seconds(text, &s->engine.pass_seconds);
    case OPTION_PAGES:
        return read_pages(text, &s->pages);
    case OPTION_KEEP:
        s->keep_addresses = true;
        return true;
    case OPTION_CSV:
        s->csv = text;
        return true;
    default:
        return take_number(s, option, text);
    }
}

enum options_verdict command_line_read(const struct command_line *line, void *options, int argc,
                                       char **argv)
{
    int option;
    while ((option = getopt_long(argc, argv, line->letters, line->options, NULL)) != -1) {
        if (option == '?')
            return OPTIONS_WRONG;
        if (option == 'h' || option == OPTION_HELP) {
            line->help(options);
            return OPTIONS_HELP;
        }
        if (!line->take(options, option, optarg))
            return options_wrong("not a valid value for the option", optarg);
    }
    return OPTIONS_RUN;
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
    machine_describe(stdout, "", s->cpu < 0 ? 0 : s->cpu);
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
