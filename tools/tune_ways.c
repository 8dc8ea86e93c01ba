/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tune_ways.h"

#include "message.h"
#include "tune_bench.h"
#include "tune_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The share of a comparison in the seconds that a comparison of kernel sets takes. */
#define SHARE 0.06

enum { MOST_CHANGES = 64 };

static const char *const work_names[TUNE_WORKS] = {
    "dot", "dot-wide", "one",        "one-wide",        "p",      "p-wide",
    "pq",  "pq-wide",  "structured", "structured-wide", "update", "steps"};

/* What was asked, and the result. */
struct change {
    char name[TUNE_TEXT], before[TUNE_TEXT], after[TUNE_TEXT];
    struct tune_shape shape;
    double ratio[TUNE_MODES];
};

struct tune_ways {
    const char *set;
    struct tune_stand stand;
    size_t l1, own, shared, ahead_from, look_from;
    size_t narrow_below, wide_from; /* numbers of sources, in all places */
    struct change changes[MOST_CHANGES];
    unsigned asked, changed;
    char settings[MOST_CHANGES * 2 * TUNE_TEXT]; /* the lines of all changes */
};

/* --------------------------------------------------------------- record -- */

/* Returns the value of a setting, as text.  It is empty when there is no such setting. */
static void value_of(const char *name, char value[TUNE_TEXT])
{
    struct pxr_tune_setting row;
    value[0] = '\0';
    for (unsigned i = 0; pxr_tune_setting(i, &row, sizeof row) == PXR_OK; i++)
        if (strcmp(row.name, name) == 0)
            snprintf(value, TUNE_TEXT, "%.*s", TUNE_TEXT - 1, row.value);
}

static size_t number_of(const char *name)
{
    char value[TUNE_TEXT];
    value_of(name, value);
    return strtoull(value, NULL, 10);
}

/* --------------------------------------------------------------- shapes -- */

/* Returns how many shards a call of this kind reads and writes. */
static struct tune_shape shape_of(const struct tune_ways *w, enum tune_work work)
{
    enum { FEW = 10, MANY = 48, PARITY = 4, STEPPED = 32 };
    const unsigned few = w->narrow_below > FEW ? FEW
                         : w->narrow_below > 2 ? (unsigned)w->narrow_below - 1
                                               : 1;
    const unsigned many = w->wide_from < MANY ? MANY : (unsigned)w->wide_from;
    struct tune_shape shape = {
        .work = work, .data = few, .outputs = PARITY, .in = {true, true}};
    if (work == TUNE_DOT_WIDE || work == TUNE_ONE_WIDE || work == TUNE_P_WIDE ||
        work == TUNE_PQ_WIDE || work == TUNE_STRUCTURED_WIDE)
        shape.data = many;
    if (work == TUNE_ONE || work == TUNE_ONE_WIDE || work == TUNE_P || work == TUNE_P_WIDE)
        shape.outputs = 1;
    if (work == TUNE_PQ || work == TUNE_PQ_WIDE)
        shape.outputs = 2;
    if (work == TUNE_UPDATE)
        shape.data = 2; /* old and new contents of a shard */
    if (work == TUNE_STEPS)
        shape.data = shape.outputs = STEPPED;
    return shape;
}

/* Returns the footprint that stands for a place, and the largest footprint of that place. */
static void footprints(const struct tune_ways *w, const char *place, size_t *middle,
                       size_t *most)
{
    const double l1 = (double)w->l1, own = (double)w->own, shared = (double)w->shared;
    if (strcmp(place, "l1") == 0) {
        *middle = w->l1 / 4 * 3;
        *most = w->l1;
    } else if (strcmp(place, "own") == 0) {
        *middle = (size_t)sqrt(l1 * own);
        *most = w->own;
    } else if (strcmp(place, "shared") == 0) {
        *middle = (size_t)sqrt(own * shared);
        *most = w->shared;
    } else {
        *middle = 4 * w->shared;
        *most = SIZE_MAX;
    }
}

/* Finds a shard length that puts the call into that place.  Returns false when there is none.
 */
static bool find_length(const struct tune_ways *w, const char *place, struct tune_shape *shape)
{
    const size_t shards = shape->data + shape->outputs;
    size_t middle, most;
    if (strcmp(place, "short") == 0) {
        shape->length = w->ahead_from / 4 * 3 / 64 * 64;
        return shape->length * shards > w->l1;
    }
    footprints(w, place, &middle, &most);
    if (strcmp(place, "own") == 0 && w->own <= w->l1)
        return false;
    if (strcmp(place, "shared") == 0 && w->shared <= w->own)
        return false;
    shape->length = middle / shards / 64 * 64;
    if (shape->length < w->ahead_from)
        shape->length = w->ahead_from;
    shape->in[TUNE_WARM] = most != SIZE_MAX;
    shape->in[TUNE_COLD] = !shape->in[TUNE_WARM] || middle <= w->l1 ||
                           shape->work == TUNE_UPDATE || shape->length * shards < w->look_from;
    return shape->length <= most / shards;
}

/* -------------------------------------------------------------- changes -- */

/* The values of one setting, with the default first. */
struct question {
    const char *name;
    struct tune_trial trials[TUNE_MOST_VALUES];
    unsigned count;
};

static void add_value(struct tune_ways *w, struct question *q, const char *value)
{
    struct tune_trial *trial = &q->trials[q->count];
    for (unsigned i = 0; i < q->count; i++)
        if (strcmp(q->trials[i].value, value) == 0)
            return;
    if (q->count == TUNE_MOST_VALUES)
        return;
    *trial = (struct tune_trial){.stand = &w->stand};
    snprintf(trial->value, sizeof trial->value, "%s", value);
    snprintf(trial->line, sizeof trial->line, "%s = %s", q->name, value);
    q->count++;
}

static void keep(struct tune_ways *w, const char *name, const struct tune_trial *old,
                 const struct tune_trial *new)
{
    const size_t used = strlen(w->settings);
    if (w->changed == MOST_CHANGES)
        return;
    struct change *c = &w->changes[w->changed++];
    *c = (struct change){.shape = w->stand.shape};
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->before, sizeof c->before, "%s", old->value);
    snprintf(c->after, sizeof c->after, "%s", new->value);
    for (int mode = 0; mode < TUNE_MODES; mode++)
        c->ratio[mode] = new->ratio[mode].median;
    snprintf(w->settings + used, sizeof w->settings - used, "%s\n", new->line);
}

/* Measures the value alone against the default, and keeps it if it is better once more. */
static int confirm(struct tune_ways *w, const char *name, const struct tune_trial *old,
                   const struct tune_trial *new)
{
    struct tune_trial pair[2] = {*old, *new};
    if (strcmp(old->value, new->value) == 0)
        return STATUS_OK;
    const int status = tune_stand_compare(&w->stand, pair, 2);
    if (status == STATUS_OK && tune_trial_is_better(&pair[1]))
        keep(w, name, &pair[0], &pair[1]);
    return status;
}

/* ----------------------------------------------------------------- ways -- */

struct way {
    unsigned sources, outputs;
    bool into_l2, stream, small, downwards;
};

static struct way parse_way(const char *text)
{
    struct way way = {0};
    const char *sources = strstr(text, "sources "), *outputs = strstr(text, "outputs ");
    if (sources != NULL)
        way.sources = (unsigned)strtoul(sources + strlen("sources "), NULL, 10);
    if (outputs != NULL)
        way.outputs = (unsigned)strtoul(outputs + strlen("outputs "), NULL, 10);
    way.into_l2 = strstr(text, "into-l2") != NULL;
    way.stream = strstr(text, "stream") != NULL;
    way.small = strstr(text, "small-blocks") != NULL;
    way.downwards = strstr(text, "downwards") != NULL;
    return way;
}

/* Writes the way in the form that the library writes. */
static void add_way(struct tune_ways *w, struct question *q, struct way way)
{
    char text[TUNE_TEXT] = "";
    size_t used = 0;
    if (way.sources != 0)
        used += (size_t)snprintf(text, sizeof text, " sources %u", way.sources);
    if (way.outputs != 0)
        used += (size_t)snprintf(text + used, sizeof text - used, " outputs %u", way.outputs);
    snprintf(text + used, sizeof text - used, "%s%s%s%s", way.into_l2 ? " into-l2" : "",
             way.stream ? " stream" : "", way.small ? " small-blocks" : "",
             way.downwards ? " downwards" : "");
    add_value(w, q, text[0] != '\0' ? text + 1 : "none");
}

/* Returns whether the shards lie beyond the core's own cache. */
static bool is_beyond_own(const struct tune_ways *w)
{
    const struct tune_shape *shape = &w->stand.shape;
    return shape->length * (shape->data + shape->outputs) > w->own;
}

/* How far ahead to prefetch, and into which cache, and whether to write around the caches.
   These depend on each other. */
static void add_distances(struct tune_ways *w, struct question *q, struct way way)
{
    static const struct {
        unsigned lines;
        bool into_l2;
    } ahead[] = {{0, false}, {4, false}, {8, false}, {16, false}, {8, true}, {12, true}};
    const bool may_stream = w->stand.shape.work != TUNE_UPDATE;
    for (unsigned stream = 0; stream <= may_stream; stream++)
        for (unsigned i = 0; i < sizeof ahead / sizeof ahead[0]; i++) {
            way.sources = ahead[i].lines;
            way.into_l2 = ahead[i].into_l2;
            way.stream = stream;
            if (!way.into_l2 || is_beyond_own(w))
                add_way(w, q, way);
        }
}

/* The other properties, with the best distance.  Blocks are small when going downwards anyway.
   Updates and structured passes have neither property. */
static void add_rest(struct tune_ways *w, struct question *q, struct way way)
{
    enum { AS_THEY_ARE, SMALL, DOWNWARDS, ORDERS };
    const unsigned orders = w->stand.shape.work < TUNE_STRUCTURED ? ORDERS : 1;
    for (unsigned order = 0; order < orders; order++)
        for (unsigned outputs = 0; outputs <= 4; outputs += 4) {
            way.outputs = outputs;
            way.small = order == SMALL;
            way.downwards = order == DOWNWARDS;
            add_way(w, q, way);
        }
    if (w->stand.shape.work == TUNE_STRUCTURED || w->stand.shape.work == TUNE_STRUCTURED_WIDE)
        add_value(w, q, "by-matrix");
    if (is_beyond_own(w) &&
        (w->stand.shape.work == TUNE_DOT_WIDE || w->stand.shape.work == TUNE_ONE_WIDE ||
         w->stand.shape.work == TUNE_P_WIDE || w->stand.shape.work == TUNE_PQ_WIDE))
        add_value(w, q, "groups 12");
}

static int ask_way(struct tune_ways *w, enum tune_work work, const char *place)
{
    char name[TUNE_TEXT], value[TUNE_TEXT];
    struct question q = {.name = name};
    struct tune_shape shape = shape_of(w, work);
    snprintf(name, sizeof name, "way %s %s", work_names[work], place);
    value_of(name, value);
    if (!find_length(w, place, &shape))
        return STATUS_OK;
    w->asked++;
    int status = tune_stand_take(&w->stand, &shape);
    add_value(w, &q, value);
    const struct tune_trial standing = q.trials[0];
    add_distances(w, &q, parse_way(value));
    if (status == STATUS_OK)
        status = tune_stand_compare(&w->stand, q.trials, q.count);
    const struct way way = parse_way(tune_trial_best(q.trials, q.count)->value);
    q.count = 0;
    add_way(w, &q, way);
    add_rest(w, &q, way);
    if (status == STATUS_OK)
        status = tune_stand_compare(&w->stand, q.trials, q.count);
    return status == STATUS_OK ? confirm(w, name, &standing, tune_trial_best(q.trials, q.count))
                               : status;
}

static int ask_ways(struct tune_ways *w)
{
    static const char *const places[] = {"l1", "short", "own", "shared", "memory"};
    int status = STATUS_OK;
    for (unsigned work = 0; work < TUNE_WORKS; work++)
        for (unsigned i = 0; i < sizeof places / sizeof places[0] && status == STATUS_OK; i++)
            status = ask_way(w, work, places[i]);
    return status;
}

/* -------------------------------------------------------------- numbers -- */

/* Finds out whether another number is better for a shape. */
static int ask_number(struct tune_ways *w, const char *name, const struct tune_shape *shape,
                      const size_t *numbers, unsigned count)
{
    char value[TUNE_TEXT];
    struct question q = {.name = name};
    w->asked++;
    int status = tune_stand_take(&w->stand, shape);
    value_of(name, value);
    add_value(w, &q, value);
    for (unsigned i = 0; i < count; i++) {
        snprintf(value, sizeof value, "%zu", numbers[i]);
        add_value(w, &q, value);
    }
    if (status == STATUS_OK)
        status = tune_stand_compare(&w->stand, q.trials, q.count);
    return status == STATUS_OK ? confirm(w, name, q.trials, tune_trial_best(q.trials, q.count))
                               : status;
}

/* Tries half of the length, and twice the length, with shards to which only one of the two
   applies. */
static int ask_ahead_from(struct tune_ways *w)
{
    const size_t half = w->ahead_from / 2, twice = w->ahead_from * 2;
    struct tune_shape shape = shape_of(w, TUNE_DOT);
    const unsigned changed = w->changed;
    if (half < 64)
        return STATUS_OK;
    shape.length = w->ahead_from / 4 * 3;
    int status = ask_number(w, "ahead-from", &shape, &half, 1);
    if (status != STATUS_OK || w->changed > changed)
        return status;
    shape.length = w->ahead_from / 2 * 3;
    return ask_number(w, "ahead-from", &shape, &twice, 1);
}

/* Uses calls of three passes whose sources exceed a core's own cache. */
static int ask_piece(struct tune_ways *w)
{
    const size_t numbers[] = {w->own / 4, w->own / 2, w->own};
    struct tune_shape shape = shape_of(w, TUNE_DOT_WIDE);
    shape.outputs = 16;
    shape.length = 2 * w->own / (shape.data + shape.outputs) / 64 * 64;
    return ask_number(w, "piece", &shape, numbers, 3);
}

/* ----------------------------------------------------------------- main -- */

int tune_ways_measure(struct tune_ways **ways, const char *set, const struct options *options,
                      int core)
{
    struct tune_ways *w = *ways = calloc(1, sizeof *w);
    if (w == NULL)
        return tune_no_memory();
    pxr_kernel_select(set);
    pxr_tune_apply(NULL);
    w->set = set;
    w->stand.seconds = options->seconds * SHARE;
    w->l1 = number_of("l1");
    w->own = number_of("own");
    w->shared = number_of("shared");
    w->ahead_from = number_of("ahead-from");
    const size_t wide_from = number_of("wide-from"), far_wide_from = number_of("far-wide-from");
    w->narrow_below = wide_from < far_wide_from ? wide_from : far_wide_from;
    w->wide_from = wide_from < far_wide_from ? far_wide_from : wide_from;
    w->look_from = number_of("look-from");
    int status = tune_stand_open(&w->stand, tune_bench_cold_bytes(core));
    if (status == STATUS_OK)
        status = ask_ways(w);
    if (status == STATUS_OK)
        status = ask_ahead_from(w);
    if (status == STATUS_OK)
        status = ask_piece(w);
    pxr_tune_apply(w->settings);
    tune_stand_close(&w->stand);
    return status;
}

void tune_ways_free(struct tune_ways *w)
{
    if (w != NULL)
        tune_stand_close(&w->stand);
    free(w);
}

void tune_ways_report(FILE *out, const char *prefix, const struct tune_ways *w)
{
    char causes[NOISE_TEXT];
    fprintf(out, "%smachine record with %s: %u comparisons, %u noisy%s%s\n", prefix, w->set,
            w->stand.comparisons, w->stand.noisy, w->stand.noisy ? ": " : "",
            w->stand.noisy ? noise_text(w->stand.causes, causes) : "");
    fprintf(out, "%s%u of %u values changed\n", prefix, w->changed, w->asked);
    for (unsigned i = 0; i < w->changed; i++) {
        const struct change *c = &w->changes[i];
        fprintf(out, "%s%s = %s, was %s: ", prefix, c->name, c->after, c->before);
        if (c->shape.in[TUNE_WARM])
            fprintf(out, "in cache %.3f ", c->ratio[TUNE_WARM]);
        if (c->shape.in[TUNE_COLD])
            fprintf(out, "from memory %.3f ", c->ratio[TUNE_COLD]);
        fprintf(out, "times as fast (%u shards of %zu bytes)\n",
                c->shape.data + c->shape.outputs, c->shape.length);
    }
}
