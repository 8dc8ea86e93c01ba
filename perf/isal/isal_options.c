/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isal_perf.h"

#define COLD_SET (32 << 20)
#define LIBRARY_VARIABLE "PERMXOR_PERF_LIBRARY"

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
#define AT(member) offsetof(struct run, member)
#define SETTING_AT(member) offsetof(struct run, setting.member)
    const struct option_row known[] = {
        {"k", OPTION_INT, AT(k), program->least_k, RUN_MAX_SHARDS},
        {"p", OPTION_INT, AT(p), 1, RUN_MAX_SHARDS},
        {"e", OPTION_INT, AT(losses), 1, RUN_MAX_SHARDS},
        {"s", OPTION_BYTES, AT(len), 0, 0},
        {"cold", OPTION_FLAG, AT(cold), 0, 0},
        {"bare", OPTION_FLAG, AT(bare), 0, 0},
        {"library", OPTION_TEXT, AT(library_path), 0, 0},
        SETTING_DISPLACE_OPTION(SETTING_AT),
        SETTING_BASIC_OPTIONS(SETTING_AT)};
    struct option_row rows[sizeof known / sizeof known[0]];
    struct command_line line = {rows, 0, help};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].name[1] != '\0' || takes(program, *known[i].name))
            rows[line.count++] = known[i];
    *run = (struct run){.program = program,
                        .k = program->k,
                        .p = program->p,
                        .losses = program->losses,
                        .library_path = getenv(LIBRARY_VARIABLE),
                        .setting = SETTING_DEFAULTS};
    run->setting.engine.total_seconds = 1;
    const enum options_verdict verdict = command_line_read_alone(&line, run, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict;
    return judge(run);
}
