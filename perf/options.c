/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations.h"

static void help(void)
{
    printf("usage: ec_perf [options] A.so B.so\n"
           "\n"
           "Time two libraries with ISA-L's binary interface side by side.  The speed-up is\n"
           "the time of B over the time of A: above 1, A is faster.\n"
           "\n"
           "What to time (a LIST is comma-separated):\n"
           "  --grid core|full     the project's shapes; the lists are not used then\n"
           "  -k N, -m N           data and parity shards              [10, 4]\n"
           "  --len LIST           bytes per shard: 63,4K,1M,1..4096:7 [4K,16K,64K,87382]\n"
           "  --matrix LIST        vand, cauchy                        [cauchy]\n"
           "  --op LIST            see below                           [encode]\n"
           "  --mode LIST          warm: one stripe again and again;\n"
           "                       cold: walk a set of stripes         [warm]\n"
           "  --suffix NAME        functions of one instruction set, as avx2 for\n"
           "                       ec_encode_data_avx2                 [dispatched]\n"
           "  --sweep              report the least speed-up over the lengths only\n"
           "  --limits             measure what the core's ports allow, and A's share of it\n"
           "\n"
           "How to time:\n"
           "  --time SECONDS       per shape                           [0.2]\n"
           "  --cpu N              core to run on                      [the last allowed]\n"
           "  --set MIB            what a cold walk touches            [512]\n"
           "  --offset N           start of shards behind 64-byte boundaries [0]\n"
           "  --displace N         distance of shards modulo 4096      [%d]\n"
           "  --pages KIND         default, small, huge                [default]\n"
           "  --keep-addresses     leave address-space randomisation on\n"
           "\n"
           "  --csv FILE           write all figures there, too\n"
           "  --help\n"
           "\n"
           "Operations:\n",
           BUFFERS_DISPLACE);
    for (size_t i = 0; i < operation_count; i++)
        printf("  %-8s %s\n", operations[i].name, operations[i].what);
    printf("\nExit status: 0 all shapes timed or outside a function's contract, 1 the\n"
           "libraries' bytes differ somewhere, 2 the measurement could not be made.\n");
}

static enum options_verdict wrong(const char *what, const char *value)
{
    fprintf(stderr, "ec_perf: %s: %s (--help explains)\n", what, value);
    return OPTIONS_WRONG;
}

static bool read_number(const char *text, long least, long most, long *value)
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

enum {
    OPTION_GRID = 256,
    OPTION_LEN,
    OPTION_MATRIX,
    OPTION_OP,
    OPTION_MODE,
    OPTION_SUFFIX,
    OPTION_SWEEP,
    OPTION_LIMITS,
    OPTION_TIME,
    OPTION_CPU,
    OPTION_SET,
    OPTION_OFFSET,
    OPTION_DISPLACE,
    OPTION_PAGES,
    OPTION_KEEP,
    OPTION_CSV,
    OPTION_HELP
};

static const struct option long_options[] = {
    {"grid", required_argument, NULL, OPTION_GRID},
    {"len", required_argument, NULL, OPTION_LEN},
    {"matrix", required_argument, NULL, OPTION_MATRIX},
    {"op", required_argument, NULL, OPTION_OP},
    {"mode", required_argument, NULL, OPTION_MODE},
    {"suffix", required_argument, NULL, OPTION_SUFFIX},
    {"sweep", no_argument, NULL, OPTION_SWEEP},
    {"limits", no_argument, NULL, OPTION_LIMITS},
    {"time", required_argument, NULL, OPTION_TIME},
    {"cpu", required_argument, NULL, OPTION_CPU},
    {"set", required_argument, NULL, OPTION_SET},
    {"offset", required_argument, NULL, OPTION_OFFSET},
    {"displace", required_argument, NULL, OPTION_DISPLACE},
    {"pages", required_argument, NULL, OPTION_PAGES},
    {"keep-addresses", no_argument, NULL, OPTION_KEEP},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0}};

/* Options with a number. */
static bool take_number(struct options *o, int option, const char *text)
{
    long value;
    switch (option) {
    case 'k':
        return read_number(text, 1, 255, &value) && (o->lists.k = (int)value, true);
    case 'm':
        return read_number(text, 1, 255, &value) && (o->lists.m = (int)value, true);
    case OPTION_CPU:
        return read_number(text, 0, 4095, &value) && (o->cpu = (int)value, true);
    case OPTION_SET:
        return read_number(text, 1, 1 << 20, &value) &&
               (o->placement.cold_set = (size_t)value << 20, true);
    case OPTION_OFFSET:
        return read_number(text, 0, 63, &value) && (o->placement.offset = (size_t)value, true);
    default:
        return read_number(text, 0, 4095, &value) &&
               (o->placement.displace = (size_t)value, true);
    }
}

/* Everything else; false when the value makes no sense. */
static bool take(struct options *o, int option, const char *text)
{
    switch (option) {
    case OPTION_GRID:
        o->grid = text;
        return true;
    case OPTION_LEN:
        o->lists.lengths = text;
        return true;
    case OPTION_MATRIX:
        o->lists.matrices = text;
        return true;
    case OPTION_OP:
        o->lists.operations = text;
        return true;
    case OPTION_MODE:
        o->lists.modes = text;
        return true;
    case OPTION_SUFFIX:
        o->lists.suffix = text;
        return strlen(text) < 32;
    case OPTION_SWEEP:
        o->lists.sweep = true;
        return true;
    case OPTION_LIMITS:
        o->limits = true;
        return true;
    case OPTION_TIME:
        return read_seconds(text, &o->engine.total_seconds);
    case OPTION_PAGES:
        return read_pages(text, &o->pages);
    case OPTION_KEEP:
        o->keep_addresses = true;
        return true;
    case OPTION_CSV:
        o->csv = text;
        return true;
    default:
        return take_number(o, option, text);
    }
}

enum options_verdict options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){
        .lists = {.k = 10,
                  .m = 4,
                  .lengths = "4K,16K,64K,87382",
                  .matrices = "cauchy",
                  .operations = "encode",
                  .modes = "warm",
                  .suffix = ""},
        .cpu = -1,
        .placement = {.offset = 0, .displace = BUFFERS_DISPLACE, .cold_set = 512 << 20},
        .engine = ENGINE_DEFAULTS,
    };
    int option;
    while ((option = getopt_long(argc, argv, "k:m:h", long_options, NULL)) != -1) {
        if (option == '?')
            return OPTIONS_WRONG;
        if (option == 'h' || option == OPTION_HELP) {
            help();
            return OPTIONS_HELP;
        }
        if (!take(options, option, optarg))
            return wrong("not a value for this option", optarg);
    }
    if (options->lists.k + options->lists.m > 256)
        return wrong("more shards than the field has elements", "k + m > 256");
    if (options->placement.displace % BUFFERS_ALIGN != 0)
        return wrong("not a multiple of 64", "--displace");
    if (argc - optind != 2)
        return wrong("two libraries are needed", "A.so B.so");
    options->path[0] = argv[optind];
    options->path[1] = argv[optind + 1];
    return OPTIONS_RUN;
}
