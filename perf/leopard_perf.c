/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leopard_perf - time this library against Leopard codes: encoding, and decoding of as many
 * lost data shards as there is parity.
 *
 * ec_perf compares bytes, which these codes do not share.  How the figures come about, and what
 * they mean: doc/perf-method.md.
 */
#include <stdio.h>

#include "leopard_coder.h"
#include "lineup.h"
#include "lists.h"
#include "report.h"
#include "setting.h"

enum { SUCCESS = 0, BYTES_DIFFER = 1, NO_MEASUREMENT = 2 };

static const struct {
    int k, m;
} codes[] = {{16, 16}, {32, 32}, {128, 127}};

/* The widths of struct row's name below. */
static const struct report_form form = {
    .head = "op       code    mode      len  ",
    .csv_head = "operation,k,m,mode,len,stripes",
};

struct options {
    struct setting setting;
    const char *modes, *lengths;
};

/* The two ways of this library, and the peers. */
#define MOST_CODERS (2 + LINEUP_MOST)

struct session {
    struct options options;
    struct lineup lineup;
    struct arena arena;
    struct report report;
    size_t count;
    struct leopard_coder coder[MOST_CODERS];
    bool bytes_differ;
};

/* ---------------------------------------------------------------- options -- */

enum { OPTION_LEN = OPTION_OWN, OPTION_MODE };

static const struct option long_options[] = {SETTING_OPTIONS,
                                             {"len", required_argument, NULL, OPTION_LEN},
                                             {"mode", required_argument, NULL, OPTION_MODE},
                                             {NULL, 0, NULL, 0}};

static void help(const void *options)
{
    (void)options;
    printf("usage: leopard_perf [options] [NAME=]PEER...\n"
           "\n"
           "Time this library's codes of 16+16, 32+32 and 128+127 shards against the Leopard\n"
           "codes of peers (make perf-peers: klauspost).  The speed-up is a subject's time\n"
           "over that of the first one.\n"
           "\n"
           "What to time (a LIST is comma-separated):\n"
           "  --len LIST           bytes per shard, multiples of 64    [4K,64K,1M]\n"
           "  --mode LIST          warm: one stripe again and again;\n"
           "                       cold: walk a set of stripes         [warm,cold]\n"
           "\n");
    setting_help();
    printf("\nExit status: 0 all shapes timed, 1 a coder decodes other bytes than it has\n"
           "encoded, 2 the measurement could not be made.\n");
}

static bool take(void *options, int option, const char *text)
{
    struct options *o = options;
    switch (option) {
    case OPTION_LEN:
        o->lengths = text;
        return true;
    case OPTION_MODE:
        o->modes = text;
        return true;
    default:
        return setting_take(&o->setting, option, text);
    }
}

static const struct command_line line = {"h", long_options, help, take};

static enum options_verdict parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){
        .setting = SETTING_DEFAULTS, .modes = "warm,cold", .lengths = "4K,64K,1M"};
    const enum options_verdict verdict = command_line_read(&line, options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict;
    if (argc == optind)
        return options_wrong("a peer is needed", "[NAME=]PEER");
    return lengths_valid(options->lengths) && modes_valid(options->modes) ? OPTIONS_RUN
                                                                          : OPTIONS_WRONG;
}

/* -------------------------------------------------------------- one shape -- */

static void encode_batch(void *context, size_t calls)
{
    struct leopard_coder *coder = context;
    coder->kind->encode(coder, calls);
}

static void decode_batch(void *context, size_t calls)
{
    struct leopard_coder *coder = context;
    coder->kind->decode(coder, calls);
}

static void fill_row(struct row *row, const char *operation,
                     const struct leopard_stripes *stripes)
{
    const struct leopard_shape *shape = &stripes->shape;
    char code[16];
    snprintf(code, sizeof code, "%d+%d", shape->k, shape->m);
    snprintf(row->name, sizeof row->name, "%-8s %-7s %-4s %8d  ", operation, code,
             mode_name(shape->mode), shape->len);
    snprintf(row->csv, sizeof row->csv, "%s,%d,%d,%s,%d,%zu", operation, shape->k, shape->m,
             mode_name(shape->mode), shape->len, stripes->walk.stripes);
}

/* Times one operation of those coders that the row does not refuse. */
static void time_row(struct session *session, struct row *row, engine_batch *batch,
                     const struct leopard_stripes *stripes)
{
    struct engine_options timing = session->options.setting.engine;
    struct engine_subject run[MOST_CODERS];
    struct engine_result result;
    size_t count = 0;
    for (size_t i = 0; i < row->count; i++)
        if (row->subject[i].refused == NULL)
            run[count++] = (struct engine_subject){batch, &session->coder[i]};
    timing.pass = stripes->walk.stripes;
    if (row->subject[0].refused == NULL && engine_measure(run, count, &timing, &result))
        report_row(&session->report, row, &result);
    else
        report_refused(&session->report, row,
                       row->subject[0].refused ? row->subject[0].refused : out_of_memory);
}

/* Opens all coders and holds each against itself: the row that both operations have but for
   its name. */
static struct row open_coders(struct session *session, struct leopard_stripes *stripes)
{
    struct row row = {.count = session->count};
    for (size_t i = 0; i < session->count; i++) {
        struct leopard_coder *coder = &session->coder[i];
        coder->stripes = stripes;
        const char *refused = coder->kind->open(coder);
        if (refused == NULL) {
            refused = leopard_coder_judge(coder);
            session->bytes_differ |= refused != NULL && refused != out_of_memory;
        }
        row.subject[i] = (struct row_subject){.name = coder->name,
                                              .refused = refused,
                                              .bytes = (size_t)stripes->shape.k *
                                                       (size_t)stripes->shape.len};
    }
    return row;
}

static void measure(struct session *session, const struct leopard_shape *shape)
{
    struct leopard_stripes stripes;
    const struct placement *placement = &session->options.setting.placement;
    if (!leopard_stripes_open(&stripes, shape, placement, &session->arena)) {
        session->report.failed = true;
        return;
    }
    struct row row = open_coders(session, &stripes);
    fill_row(&row, "encode", &stripes);
    time_row(session, &row, encode_batch, &stripes);
    fill_row(&row, "decode", &stripes);
    time_row(session, &row, decode_batch, &stripes);
    for (size_t i = 0; i < session->count; i++) {
        session->report.failed |= session->coder[i].failed;
        session->coder[i].kind->close(&session->coder[i]);
    }
    leopard_stripes_close(&stripes);
}

/* ---------------------------------------------------------------- session -- */

static void line_up(struct session *session)
{
    session->coder[0] = (struct leopard_coder){.name = "plan", .kind = &leopard_by_plan};
    session->coder[1] =
        (struct leopard_coder){.name = "reconstruct", .kind = &leopard_by_reconstruct};
    session->count = 2;
    for (size_t i = 0; i < session->lineup.count; i++)
        session->coder[session->count++] =
            (struct leopard_coder){.name = session->lineup.entry[i].name,
                                   .kind = &leopard_by_peer,
                                   .library = &session->lineup.entry[i].library};
}

static void each_length(struct session *session, struct leopard_shape *shape)
{
    const char *at = session->options.lengths;
    long previous = 0;
    while (lengths_next(&at, &previous, &shape->len))
        measure(session, shape);
}

static void each_shape(struct session *session)
{
    const char *at = session->options.modes;
    struct leopard_shape shape;
    while (modes_next(&at, &shape.mode))
        for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
            shape.k = codes[i].k;
            shape.m = codes[i].m;
            each_length(session, &shape);
        }
}

static void describe(const struct lineup *lineup)
{
    printf("plan, reconstruct: permxor %s (kernel set %s)\n", pxr_version(),
           selected_set(pxr_kernel_info));
    for (size_t i = 0; i < lineup->count; i++)
        printf("%s: %s (%s)\n", lineup->entry[i].name, lineup->entry[i].library.path,
               lineup->entry[i].library.version);
}

static int run(struct session *session)
{
    describe(&session->lineup);
    setting_pin(&session->options.setting);
    setting_describe(&session->options.setting);
    setting_describe_shards(&session->options.setting, "k*len");
    session->arena.pages = session->options.setting.pages;
    line_up(session);
    each_shape(session);
    report_end(&session->report, &session->arena);
    arena_close(&session->arena);
    if (session->report.failed)
        return NO_MEASUREMENT;
    return session->bytes_differ ? BYTES_DIFFER : SUCCESS;
}

int main(int argc, char **argv)
{
    static struct session session;
    const enum options_verdict verdict = parse(&session.options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? SUCCESS : NO_MEASUREMENT;
    setting_apply(&session.options.setting, argc, argv);
    if (!lineup_open(&session.lineup, argv + optind, (size_t)(argc - optind)))
        return NO_MEASUREMENT;
    int status = NO_MEASUREMENT;
    if (report_open(&session.report, session.options.setting.csv, &form)) {
        status = run(&session);
        if (!report_close(&session.report))
            status = NO_MEASUREMENT;
    }
    lineup_close(&session.lineup);
    return status;
}
