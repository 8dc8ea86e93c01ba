/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdio.h>

#include "lineup.h"
#include "operations.h"

static void list_operations(enum group group)
{
    const struct operation *op;
    printf("\n%s:\n", operation_group_name(group));
    for (size_t i = 0; (op = operation_number(i)) != NULL; i++)
        if (op->group == group)
            printf("  %-16s %s%s%s\n", op->name, op->what,
                   op->against != NULL ? ", against " : "",
                   op->against != NULL ? op->against : "");
}

static void help(const void *options)
{
    (void)options;
    printf("usage: ec_perf [options] [NAME=]LIBRARY[@SET|:SUFFIX]...\n"
           "\n"
           "Time 1 to %d libraries with the binary interface of ISA-L, jerasure or\n"
           "gf-complete side by side, each against the first.  The speed-up is a library's\n"
           "time divided by the first one's: above 1, the first one is faster.  With @SET,\n"
           "perf/.libs/permxor.so uses this kernel set; with @all, each one in turn.  With\n"
           ":SUFFIX, a library's functions of one instruction set are timed, such as\n"
           "ec_encode_data_avx2 with :avx2.\n"
           "\n"
           "What to time (a LIST is comma-separated):\n"
           "  --grid NAME          the project's shapes, in place of the lists: core, full,\n"
           "                       quick (few of full), short (1 to 1024 bytes), sweep,\n"
           "                       raid (by ISA-L's names), raid-own (permxor_raid.h's),\n"
           "                       raid-sets (few, to compare kernel sets), leopard,\n"
           "                       jerasure, gf, hash\n"
           "  -k LIST, -m N        data and parity shards, or K+M in the list; for RAID, K is\n"
           "                       the number of data blocks           [10, 4]\n"
           "  --len LIST           bytes per shard: 63,4K,1M,1..4096:7 [4K,16K,64K,87382];\n"
           "                       for packets, the nearest whole number of units\n"
           "  --matrix LIST        vand, cauchy, reversed (cauchy without its structure);\n"
           "                       jerasure's matrices of words: reed_sol_van/W,\n"
           "                       reed_sol_r6_op/W; of packets: cauchy_orig/W/PACKETSIZE,\n"
           "                       likewise cauchy_good, liberation, blaum_roth,\n"
           "                       liber8tion                          [cauchy]\n"
           "  --op LIST            operations or groups: see below     [encode]\n"
           "  --mode LIST          warm: one stripe again and again;\n"
           "                       cold: walk a set of stripes         [warm]\n"
           "  --layout LIST        how shards lie: displaced, contiguous (one allocation of\n"
           "                       whole pages), aligned (pages of their own), off1, off16\n"
           "                       (1 or 16 bytes after 64-byte boundaries), scattered (on\n"
           "                       any lines of any pages, others for each length)\n"
           "                                                           [displaced]\n"
           "  --baseline           also time what each operation is compared with, by the\n"
           "                       first library\n"
           "  --sweep              report only the least speed-ups over the lengths\n"
           "  --limits             measure this machine's limits (roofs), and which share of\n"
           "                       them each subject reaches\n"
           "\n",
           LINEUP_MOST);
    setting_help();
    printf("\nOperations, in groups:\n");
    for (enum group group = 0; group < GROUPS; group++)
        list_operations(group);
    printf("\nExit status:\n"
           "  0  all shapes are timed, or are outside a function's contract\n"
           "  1  the results of two libraries differ somewhere\n"
           "  2  the measurement could not be made\n");
}

/* clang-format off */
#define AT(member) offsetof(struct options, member)
#define LIST_AT(member) offsetof(struct options, cases.lists.member)
#define SETTING_AT(member) offsetof(struct options, setting.member)
static const struct option_row rows[] = {
    SETTING_OPTIONS(SETTING_AT),
    {"k", OPTION_TEXT, LIST_AT(codes), 0, 0},
    {"m", OPTION_INT, LIST_AT(m), 1, 255},
    {"grid", OPTION_TEXT, AT(cases.grid), 0, 0},
    {"len", OPTION_TEXT, LIST_AT(lengths), 0, 0},
    {"matrix", OPTION_TEXT, LIST_AT(matrices), 0, 0},
    {"op", OPTION_TEXT, LIST_AT(operations), 0, 0},
    {"mode", OPTION_TEXT, LIST_AT(modes), 0, 0},
    {"layout", OPTION_TEXT, LIST_AT(layouts), 0, 0},
    {"sweep", OPTION_FLAG, LIST_AT(sweep), 0, 0},
    {"baseline", OPTION_FLAG, AT(baseline), 0, 0},
    {"limits", OPTION_FLAG, AT(limits), 0, 0},
};
/* clang-format on */

static const struct command_line line = {rows, sizeof rows / sizeof rows[0], help};

enum options_verdict options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.setting = SETTING_DEFAULTS};
    const enum options_verdict verdict = command_line_read(&line, options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict;
    if (argc == optind)
        return options_wrong("no library is given; the form is", "[NAME=]PATH[@SET|:SUFFIX]");
    if (!cases_each(&options->cases, NULL, NULL))
        return OPTIONS_WRONG;
    options->subjects = argv + optind;
    options->subject_count = (size_t)(argc - optind);
    return OPTIONS_RUN;
}
