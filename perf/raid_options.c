/* SPDX-License-Identifier: BSD-3-Clause */
#include "raid_options.h"

#include <stdio.h>
#include <string.h>

#include "lineup.h"
#include "lists.h"
#include "raid_ops.h"

static void list_operations(const char *title, const struct raid_op *ops, size_t count)
{
    printf("\n%s:\n", title);
    for (size_t i = 0; i < count; i++)
        printf("  %-16s %s%s%s\n", ops[i].name, ops[i].what,
               ops[i].against != NULL ? ", against " : "",
               ops[i].against != NULL ? ops[i].against : "");
}

static void help(const void *options)
{
    (void)options;
    printf(
        "usage: raid_perf [options] [NAME=]LIBRARY[@SET|:SUFFIX]...\n"
        "       raid_perf [options] --own\n"
        "       raid_perf [options] --sets NAME,NAME,...\n"
        "       raid_perf [options] --speed\n"
        "\n"
        "Time RAID parity and the scans around it: 1 to " TEXT(
            LINEUP_MOST) " libraries with ISA-L's binary\n"
                         "interface side by side, @SET has our permxor.so work with this "
                         "kernel set, :SUFFIX\n"
                         "means a library's functions of one instruction set; functions of "
                         "permxor.h and the\n"
                         "baseline that each has below; kernel sets of this build; or all "
                         "kernel sets in one\n"
                         "table, in about 30 seconds.  The speed-up is a subject's time over "
                         "that of the first\n"
                         "one.\n"
                         "\n"
                         "What to time (a LIST is comma-separated):\n"
                         "  --op LIST            see below       [all; --sets: "
                         "gen_pq,check,rec_dd]\n"
                         "  --disks LIST         data blocks     [8,24,48,96; --speed: 8]\n"
                         "  --len LIST           bytes per block [4K,16K,64K,256K,1M; --speed: "
                         "256K]\n"
                         "  --mode LIST          warm: one stripe again and again;\n"
                         "                       cold: walk a set of stripes\n"
                         "                                       [warm,cold; --speed: warm]\n"
                         "  --brief              the lists that are not given: 8,24 disks of "
                         "16K,256K\n"
                         "  --suffix NAME        functions of one instruction set, as sse for\n"
                         "                       pq_gen_sse                          "
                         "[dispatched]\n"
                         "\n");
    setting_help();
    list_operations("Operations of libraries", raid_peers, raid_peer_count);
    list_operations("Operations of --own and --sets", raid_own, raid_own_count);
    printf("\nExit status: 0 all shapes timed or outside a function's contract, 1 the\n"
           "results differ somewhere, 2 the measurement could not be made.\n");
}

enum {
    OPTION_OWN_JOB = OPTION_OWN,
    OPTION_SETS,
    OPTION_SPEED,
    OPTION_OP,
    OPTION_DISKS,
    OPTION_LEN,
    OPTION_MODE,
    OPTION_BRIEF,
    OPTION_SUFFIX
};

static const struct option long_options[] = {SETTING_OPTIONS,
                                             {"own", no_argument, NULL, OPTION_OWN_JOB},
                                             {"sets", required_argument, NULL, OPTION_SETS},
                                             {"speed", no_argument, NULL, OPTION_SPEED},
                                             {"op", required_argument, NULL, OPTION_OP},
                                             {"disks", required_argument, NULL, OPTION_DISKS},
                                             {"len", required_argument, NULL, OPTION_LEN},
                                             {"mode", required_argument, NULL, OPTION_MODE},
                                             {"brief", no_argument, NULL, OPTION_BRIEF},
                                             {"suffix", required_argument, NULL, OPTION_SUFFIX},
                                             {NULL, 0, NULL, 0}};

static bool job(struct raid_options *o, enum raid_job job)
{
    o->job = job;
    o->jobs++;
    return true;
}

/* False when the value makes no sense. */
static bool take(void *options, int option, const char *text)
{
    struct raid_options *o = options;
    switch (option) {
    case OPTION_OWN_JOB:
        return job(o, JOB_OWN);
    case OPTION_SETS:
        o->sets = text;
        return job(o, JOB_SETS);
    case OPTION_SPEED:
        return job(o, JOB_SPEED);
    case OPTION_OP:
        o->operations = text;
        return true;
    case OPTION_DISKS:
        o->disks = text;
        return true;
    case OPTION_LEN:
        o->lengths = text;
        return true;
    case OPTION_MODE:
        o->modes = text;
        return true;
    case OPTION_BRIEF:
        o->brief = true;
        return true;
    case OPTION_SUFFIX:
        o->suffix = text;
        return strlen(text) < 32;
    default:
        return setting_take(&o->setting, option, text);
    }
}

/* What is taken where nothing else is said. */
static void complete(struct raid_options *o)
{
    static const struct defaults {
        const char *disks, *lengths, *modes;
    } whole = {"8,24,48,96", "4K,16K,64K,256K,1M", "warm,cold"},
      brief = {"8,24", "16K,256K", "warm,cold"}, table = {"8", "256K", "warm"};
    const struct defaults *d = o->job == JOB_SPEED ? &table : o->brief ? &brief : &whole;
    if (o->operations == NULL && o->job == JOB_SETS)
        o->operations = "gen_pq,check,rec_dd";
    if (o->disks == NULL)
        o->disks = d->disks;
    if (o->lengths == NULL)
        o->lengths = d->lengths;
    if (o->modes == NULL)
        o->modes = d->modes;
}

/* What contradicts itself, or would go without effect. */
static enum options_verdict check_jobs(const struct raid_options *o)
{
    const size_t sets = o->sets != NULL ? names_count(o->sets) : 2;
    if (o->jobs > 1)
        return options_wrong("only one of these, once", "--own, --sets, --speed");
    if (sets < 2 || sets > RAID_MOST_SETS)
        return options_wrong("2 to " TEXT(RAID_MOST_SETS) " kernel sets can be compared",
                             o->sets);
    if (o->job != JOB_LIBRARIES && *o->suffix != '\0')
        return options_wrong("for libraries only", "--suffix");
    if (o->job == JOB_SPEED && (o->operations != NULL || o->brief))
        return options_wrong("--speed is brief and has its own operations", "--brief, --op");
    return OPTIONS_RUN;
}

static enum options_verdict check_operations(const struct raid_options *o)
{
    const bool peers = o->job == JOB_LIBRARIES;
    const char *at = o->operations, *name;
    size_t length;
    while (at != NULL && name_next(&at, &name, &length)) {
        const struct raid_op *op =
            raid_op_find(peers ? raid_peers : raid_own,
                         peers ? raid_peer_count : raid_own_count, name, length);
        if (op == NULL)
            return name_unknown("operation", name, length), OPTIONS_WRONG;
        if (o->job == JOB_OWN && op->against == NULL)
            return options_wrong("no baseline to time this operation against", op->name);
    }
    return OPTIONS_RUN;
}

static const struct command_line line = {"h", long_options, help, take};

enum options_verdict raid_options_parse(struct raid_options *options, int argc, char **argv)
{
    *options = (struct raid_options){.suffix = "", .setting = SETTING_DEFAULTS};
    const enum options_verdict verdict = command_line_read(&line, options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict;
    if ((options->job == JOB_LIBRARIES) != (argc > optind))
        return options_wrong(argc > optind ? "no library is taken here" : "a library is needed",
                             "[NAME=]PATH[@SET|:SUFFIX]");
    if (check_jobs(options) != OPTIONS_RUN || check_operations(options) != OPTIONS_RUN)
        return OPTIONS_WRONG;
    options->subjects = argv + optind;
    options->subject_count = (size_t)(argc - optind);
    complete(options);
    if (!lengths_valid(options->disks) || !lengths_valid(options->lengths) ||
        !modes_valid(options->modes))
        return OPTIONS_WRONG;
    return OPTIONS_RUN;
}
