/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isal_perf.h"

#define COLD_SET (32 << 20)
#define LIBRARY_VARIABLE "PERMXOR_PERF_LIBRARY"

enum { OPTION_COLD = OPTION_OWN, OPTION_BARE, OPTION_LIBRARY };

static bool takes(const struct program *program, char option)
{
    return strchr(program->options, option) != NULL;
}

static void help(const void *options)
{
    const struct program *program = ((const struct run *)options)->program;
    printf("usage: %s [options]\n\nThe options of ISA-L's program of this name:\n",
           program->name);
    if (takes(program, 'k'))
        printf("  -k N                 source buffers                      [%d]\n", program->k);
    if (takes(program, 'p'))
        printf("  -p N                 parity buffers                      [%d]\n", program->p);
    if (takes(program, 'e'))
        printf("  -e N                 buffers to lose and to decode       [%d]\n",
               program->losses);
    printf("  -s SIZE              bytes of a buffer, also 4K, 2M, 1G  [by the mode]\n"
           "  -h                   print this text\n"
           "\nFurther options, some of which ISA-L fixes when it is compiled:\n"
           "  --cold               buffers that are not in the caches; lines say _cold\n"
           "  --library PATH       measure this library instead of the functions of this\n"
           "                       build; " LIBRARY_VARIABLE " does the same\n"
           "  --bare               print ISA-L's lines only, without those that begin with #\n"
           "  --time SECONDS       time per line of figures            [1]\n"
           "  --cpu N              core to run on                      [the last allowed]\n"
           "  --set MIB            size of the memory that --cold walks over\n"
           "                                       [512, or twice the last-level cache]\n"
           "  --displace N         distance of buffers modulo 4096     [%d]\n"
           "  --pages KIND         default, small, huge                [default]\n"
           "  --keep-addresses     leave address-space randomisation on\n"
           "\nExit status:\n"
           "  0  measured\n"
           "  1  a result is wrong\n"
           "  2  the measurement could not be made\n",
           BUFFERS_DISPLACE);
}

/* Reads a size with a unit of K, M or G, 1024-fold each.  Returns false where the text is none
   or too large. */
static bool read_size(const char *text, int *size)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || value <= 0 || value > INT_MAX)
        return false;
    static const char units[] = "KMG";
    const char *unit = *end != '\0' ? strchr(units, *end & ~0x20) : NULL;
    if (unit != NULL) {
        value <<= 10 * (unit - units + 1);
        end++;
    }
    *size = (int)value;
    return *end == '\0' && value <= INT_MAX;
}

static bool take(void *options, int option, const char *text)
{
    struct run *run = options;
    long value;
    switch (option) {
    case 'k':
        return read_number(text, run->program->least_k, RUN_MAX_SHARDS, &value) &&
               (run->k = (int)value, true);
    case 'p':
        return read_number(text, 1, RUN_MAX_SHARDS, &value) && (run->p = (int)value, true);
    case 'e':
        return read_number(text, 1, RUN_MAX_SHARDS, &value) && (run->losses = (int)value, true);
    case 's':
        return read_size(text, &run->len);
    case OPTION_COLD:
        return run->cold = true;
    case OPTION_BARE:
        return run->bare = true;
    case OPTION_LIBRARY:
        run->library_path = text;
        return true;
    default:
        return setting_take(&run->setting, option, text);
    }
}

static int default_length(const struct run *run)
{
    const struct program *program = run->program;
    if (!run->cold && program->warm_len != 0)
        return program->warm_len;
    const int share = (run->cold ? COLD_SET : program->warm_set) / (run->k + run->p);
    return share - share % program->share_to;
}

/* Checks the values against one another. */
static enum options_verdict judge(struct run *run)
{
    const struct program *program = run->program;
    if (run->k + run->p > RUN_MAX_SHARDS)
        return options_wrong("too many buffers", "k + p is at most 255");
    if (run->losses > run->p)
        return options_wrong("more errors than parity buffers", "e is at most p");
    if (run->len == 0)
        run->len = default_length(run);
    char multiple[16];
    snprintf(multiple, sizeof(multiple), "%d", program->multiple);
    if (run->len % program->multiple != 0)
        return options_wrong("the size of a buffer must be a multiple of", multiple);
    return OPTIONS_RUN;
}

enum options_verdict isal_options_parse(struct run *run, const struct program *program,
                                        int argc, char **argv)
{
    static const struct option long_options[] = {
        {"cold", no_argument, NULL, OPTION_COLD},
        {"bare", no_argument, NULL, OPTION_BARE},
        {"library", required_argument, NULL, OPTION_LIBRARY},
        {"time", required_argument, NULL, OPTION_TIME},
        {"cpu", required_argument, NULL, OPTION_CPU},
        {"set", required_argument, NULL, OPTION_SET},
        {"displace", required_argument, NULL, OPTION_DISPLACE},
        {"pages", required_argument, NULL, OPTION_PAGES},
        {"keep-addresses", no_argument, NULL, OPTION_KEEP},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    char letters[16] = "h";
    for (const char *at = program->options; *at != '\0'; at++)
        snprintf(letters + strlen(letters), 3, "%c:", *at);
    *run = (struct run){.program = program,
                        .k = program->k,
                        .p = program->p,
                        .losses = program->losses,
                        .library_path = getenv(LIBRARY_VARIABLE),
                        .setting = SETTING_DEFAULTS};
    run->setting.engine.total_seconds = 1;
    const struct command_line line = {letters, long_options, help, take};
    const enum options_verdict verdict = command_line_read(&line, run, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict;
    if (optind < argc)
        return options_wrong("unexpected argument", argv[optind]);
    return judge(run);
}
