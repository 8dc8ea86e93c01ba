/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tune_ways.h"

#include "message.h"
#include "permxor_raid.h"
#include "tune_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A value is judged by two kinds of calls: calls whose memory is in the caches in which it
 * fits, and calls of the same size whose memory is not in a cache.  It is unknown which of
 * these a program makes.  Calls that fit in no cache are only of the second kind.  Where calls
 * look where their shards are, calls that fit in a cache are only of the first kind.  A value
 * replaces the default under three conditions: the geometric mean of both ratios to the default
 * is above MARGIN, that of the lower quartiles is above 1, and no ratio is below FLOOR.  The
 * value must meet these among all values, and once more alone, because the best of many is
 * often the luckiest.
 */
#define MARGIN 1.02
#define FLOOR 0.97

/* The share of a comparison in the seconds that a comparison of kernel sets takes. */
#define SHARE 0.06

enum { WARM, COLD, MODES };

enum { MOST_VALUES = 16, MOST_CHANGES = 64, TEXT = 96 };

/* The kinds of calls, in the order of their names in settings. */
enum work {
    DOT,
    DOT_WIDE,
    ONE,
    ONE_WIDE,
    P,
    P_WIDE,
    PQ,
    PQ_WIDE,
    STRUCTURED,
    STRUCTURED_WIDE,
    UPDATE,
    STEPS,
    WORKS
};
static const char *const work_names[WORKS] = {
    "dot", "dot-wide", "one",        "one-wide",        "p",      "p-wide",
    "pq",  "pq-wide",  "structured", "structured-wide", "update", "steps"};

/* The number and length of shards.  A call touches `data` and `outputs`. */
struct shape {
    enum work work;
    unsigned data, outputs;
    size_t length;
    bool in[MODES]; /* where calls of this place find their memory */
};

/* One value of the setting that is measured. */
struct trial {
    struct tune_ways *ways;
    char value[TEXT], line[2 * TEXT];
    struct spread ratio[MODES]; /* to the rate of the first one */
    double mean, quartile, worst;
};

/* What was asked, and the result. */
struct change {
    char name[TEXT], before[TEXT], after[TEXT];
    struct shape shape;
    double ratio[MODES];
};

struct tune_ways {
    const char *set;
    double seconds;
    struct arena arena;
    uint8_t **shards;
    size_t stripes, next;
    bool failed;       /* a call failed */
    uint8_t *expected; /* what the default computes, before other values are measured */
    pxr_code *code;    /* the code of the shape */
    struct shape shape;
    size_t l1, own, shared, ahead_from, wide_from, look_from;
    struct change changes[MOST_CHANGES];
    unsigned asked, changed;
    unsigned comparisons, noisy, causes;    /* causes of noise, in any comparison */
    char settings[MOST_CHANGES * 2 * TEXT]; /* the lines of all changes */
};

/* --------------------------------------------------------------- record -- */

/* Returns the value of a setting, as text.  It is empty when there is no such setting. */
static void value_of(const char *name, char value[TEXT])
{
    struct pxr_tune_setting row;
    value[0] = '\0';
    for (unsigned i = 0; pxr_tune_setting(i, &row, sizeof row) == PXR_OK; i++)
        if (strcmp(row.name, name) == 0)
            snprintf(value, TEXT, "%.*s", TEXT - 1, row.value);
}

static size_t number_of(const char *name)
{
    char value[TEXT];
    value_of(name, value);
    return strtoull(value, NULL, 10);
}

/* --------------------------------------------------------------- shapes -- */

/* Returns how many shards a call of this kind reads and writes. */
static struct shape shape_of(const struct tune_ways *w, enum work work)
{
    enum { FEW = 10, MANY = 48, PARITY = 4, STEPPED = 32 };
    const unsigned few = w->wide_from > FEW ? FEW : w->wide_from > 2 ? w->wide_from - 1 : 1;
    const unsigned many = w->wide_from < MANY ? MANY : (unsigned)w->wide_from;
    struct shape shape = {.work = work, .data = few, .outputs = PARITY, .in = {true, true}};
    if (work == DOT_WIDE || work == ONE_WIDE || work == P_WIDE || work == PQ_WIDE ||
        work == STRUCTURED_WIDE)
        shape.data = many;
    if (work == ONE || work == ONE_WIDE || work == P || work == P_WIDE)
        shape.outputs = 1;
    if (work == PQ || work == PQ_WIDE)
        shape.outputs = 2;
    if (work == UPDATE)
        shape.data = 2; /* old and new contents of a shard */
    if (work == STEPS)
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

static bool is_structured(enum work work)
{
    return work == STRUCTURED || work == STRUCTURED_WIDE || work == STEPS;
}

/* Makes the code of the shape's calls.  If they must not be structured, its matrix is the
   Cauchy matrix with its sources in reverse order, which has no structure. */
static int create_code(pxr_code **code, const struct shape *shape, struct pxr_error *why)
{
    const unsigned k = shape->work == UPDATE ? 10 : shape->data, m = shape->outputs;
    const int result = pxr_code_create(code, k, m, PXR_ISAL_CAUCHY, why);
    uint8_t *const rows = malloc((size_t)k * m);
    if (result != PXR_OK || is_structured(shape->work) || rows == NULL) {
        free(rows);
        return rows == NULL ? PXR_ENOMEM : result;
    }
    for (unsigned i = 0; i < k * m; i++)
        rows[i] = pxr_code_coefficients(*code)[i / k * k + k - 1 - i % k];
    pxr_code_free(*code);
    const int reversed = pxr_code_create_custom(code, k, m, rows, PXR_ASSUME_MDS, why);
    free(rows);
    return reversed;
}

/* Finds a shard length that puts the call into that place.  Returns false when there is none.
 */
static bool find_length(const struct tune_ways *w, const char *place, struct shape *shape)
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
    shape->in[WARM] = most != SIZE_MAX;
    shape->in[COLD] = !shape->in[WARM] || middle <= w->l1 || shape->work == UPDATE ||
                      shape->length * shards < w->look_from;
    return shape->length <= most / shards;
}

/* --------------------------------------------------------------- memory -- */

static int no_memory(void)
{
    return complain(STATUS_SYSTEM, "tune: not enough memory to measure the machine record");
}

static int call_failed(void)
{
    return complain(STATUS_SYSTEM, "tune: a call of the library failed");
}

/* Places as many stripes of the shape as there is room for, or one. */
static void place_shards(struct tune_ways *w, bool warm)
{
    const size_t shards = w->shape.data + w->shape.outputs;
    const size_t distance = buffers_distance(w->shape.length, 0, BUFFERS_DISPLACE);
    w->stripes = warm ? 1 : w->arena.size / (distance * shards);
    w->next = 0;
    for (size_t i = 0; i < w->stripes * shards; i++)
        w->shards[i] = w->arena.base + i * distance;
}

static int take_shape(struct tune_ways *w, const struct shape *shape)
{
    const size_t shards = shape->data + shape->outputs;
    const size_t distance = buffers_distance(shape->length, 0, BUFFERS_DISPLACE);
    struct pxr_error why;
    w->shape = *shape;
    if (!arena_reserve(&w->arena, 2 * shards * distance))
        return no_memory();
    free(w->shards);
    free(w->expected);
    w->shards = malloc(w->arena.size / distance * sizeof *w->shards);
    w->expected = malloc(shape->outputs * shape->length);
    pxr_code_free(w->code);
    const int result = create_code(&w->code, shape, &why);
    if (w->shards == NULL || w->expected == NULL || result == PXR_ENOMEM)
        return no_memory();
    return result == PXR_OK ? STATUS_OK : complain(STATUS_SYSTEM, "tune: %s", why.text);
}

/* ---------------------------------------------------------------- calls -- */

static int one_call(const struct tune_ways *w, uint8_t **data)
{
    const struct shape *s = &w->shape;
    uint8_t **outputs = data + s->data;
    if (s->work == P || s->work == P_WIDE)
        return pxr_raid_generate(s->data, s->length, data, outputs[0], NULL);
    if (s->work == PQ || s->work == PQ_WIDE)
        return pxr_raid_generate(s->data, s->length, data, outputs[0], outputs[1]);
    if (s->work == UPDATE)
        return pxr_update(w->code, s->length, 0, data[0], data[1], outputs);
    return pxr_encode(w->code, s->length, data, outputs);
}

static void call(struct tune_ways *w, uint8_t **shards)
{
    w->failed |= one_call(w, shards) != PXR_OK;
}

static void batch(void *context, size_t calls)
{
    const struct trial *trial = context;
    struct tune_ways *w = trial->ways;
    pxr_tune_apply(trial->line);
    while (calls-- > 0) {
        call(w, w->shards + w->next * (w->shape.data + w->shape.outputs));
        w->next = (w->next + 1) % w->stripes;
    }
}

/* All values must give the same bytes. */
static int verify(struct tune_ways *w, const struct trial *trials, unsigned count)
{
    uint8_t **outputs = w->shards + w->shape.data;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned r = 0; r < w->shape.outputs; r++)
            memset(outputs[r], 0, w->shape.length);
        pxr_tune_apply(trials[i].line);
        call(w, w->shards);
        for (unsigned r = 0; r < w->shape.outputs; r++) {
            uint8_t *expected = w->expected + r * w->shape.length;
            if (i == 0)
                memcpy(expected, outputs[r], w->shape.length);
            else if (memcmp(expected, outputs[r], w->shape.length) != 0)
                return complain(STATUS_SYSTEM, "tune: %s gives wrong bytes on this machine",
                                trials[i].line);
        }
    }
    return w->failed ? call_failed() : STATUS_OK;
}

/* -------------------------------------------------------------- measure -- */

static int measure_mode(struct tune_ways *w, struct trial *trials, unsigned count, int mode)
{
    struct engine_subject subjects[MOST_VALUES];
    struct engine_options engine = ENGINE_DEFAULTS;
    struct engine_result result;
    place_shards(w, mode == WARM);
    if (mode == WARM || !w->shape.in[WARM]) {
        const int status = verify(w, trials, count);
        if (status != STATUS_OK)
            return status;
    }
    for (unsigned i = 0; i < count; i++)
        subjects[i] = (struct engine_subject){batch, &trials[i]};
    engine.total_seconds = w->seconds;
    engine.bounded = true;
    engine.pass = w->stripes;
    engine.pass_seconds = 2 * engine.batch_seconds;
    if (!engine_measure(subjects, count, &engine, &result))
        return no_memory();
    if (w->failed)
        return call_failed();
    w->comparisons++;
    w->noisy += result.noise.causes != 0;
    w->causes |= result.noise.causes;
    for (unsigned i = 0; i < count; i++)
        trials[i].ratio[mode] = result.rounds < engine.min_rounds
                                    ? (struct spread){.q1 = 1, .median = 1}
                                    : tune_bench_inverse(1, &result.relative[i]);
    return STATUS_OK;
}

static void judge(struct trial *trial, const bool in[MODES])
{
    const struct spread *warm = &trial->ratio[in[WARM] ? WARM : COLD];
    const struct spread *cold = &trial->ratio[in[COLD] ? COLD : WARM];
    trial->mean = sqrt(warm->median * cold->median);
    trial->quartile = sqrt(warm->q1 * cold->q1);
    trial->worst = fmin(warm->median, cold->median);
}

/* Compares the trials with the first of them. */
static int compare(struct tune_ways *w, struct trial *trials, unsigned count)
{
    int status = STATUS_OK;
    for (int mode = 0; mode < MODES && status == STATUS_OK; mode++)
        if (w->shape.in[mode])
            status = measure_mode(w, trials, count, mode);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        judge(&trials[i], w->shape.in);
    return status;
}

static bool is_better(const struct trial *trial)
{
    return trial->mean > MARGIN && trial->quartile > 1 && trial->worst > FLOOR;
}

/* Returns the best trial, or the first one when none is better. */
static const struct trial *best(const struct trial *trials, unsigned count)
{
    const struct trial *found = &trials[0];
    for (unsigned i = 1; i < count; i++)
        if (is_better(&trials[i]) && (found == trials || trials[i].mean > found->mean))
            found = &trials[i];
    return found;
}

/* -------------------------------------------------------------- changes -- */

/* The values of one setting, with the default first. */
struct question {
    const char *name;
    struct trial trials[MOST_VALUES];
    unsigned count;
};

static void add_value(struct tune_ways *w, struct question *q, const char *value)
{
    struct trial *trial = &q->trials[q->count];
    for (unsigned i = 0; i < q->count; i++)
        if (strcmp(q->trials[i].value, value) == 0)
            return;
    if (q->count == MOST_VALUES)
        return;
    *trial = (struct trial){.ways = w};
    snprintf(trial->value, sizeof trial->value, "%s", value);
    snprintf(trial->line, sizeof trial->line, "%s = %s", q->name, value);
    q->count++;
}

static void keep(struct tune_ways *w, const char *name, const struct trial *old,
                 const struct trial *new)
{
    const size_t used = strlen(w->settings);
    if (w->changed == MOST_CHANGES)
        return;
    struct change *c = &w->changes[w->changed++];
    *c = (struct change){.shape = w->shape};
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->before, sizeof c->before, "%s", old->value);
    snprintf(c->after, sizeof c->after, "%s", new->value);
    for (int mode = 0; mode < MODES; mode++)
        c->ratio[mode] = new->ratio[mode].median;
    snprintf(w->settings + used, sizeof w->settings - used, "%s\n", new->line);
}

/* Measures the value alone against the default, and keeps it if it is better once more. */
static int confirm(struct tune_ways *w, const char *name, const struct trial *old,
                   const struct trial *new)
{
    struct trial pair[2] = {*old, *new};
    if (strcmp(old->value, new->value) == 0)
        return STATUS_OK;
    const int status = compare(w, pair, 2);
    if (status == STATUS_OK && is_better(&pair[1]))
        keep(w, name, &pair[0], &pair[1]);
    return status;
}

/* ----------------------------------------------------------------- ways -- */

struct way {
    unsigned sources, outputs;
    bool stream, small, downwards;
};

static struct way parse_way(const char *text)
{
    struct way way = {0};
    const char *sources = strstr(text, "sources "), *outputs = strstr(text, "outputs ");
    if (sources != NULL)
        way.sources = (unsigned)strtoul(sources + strlen("sources "), NULL, 10);
    if (outputs != NULL)
        way.outputs = (unsigned)strtoul(outputs + strlen("outputs "), NULL, 10);
    way.stream = strstr(text, "stream") != NULL;
    way.small = strstr(text, "small-blocks") != NULL;
    way.downwards = strstr(text, "downwards") != NULL;
    return way;
}

/* Writes the way in the form that the library writes. */
static void add_way(struct tune_ways *w, struct question *q, struct way way)
{
    char text[TEXT] = "";
    size_t used = 0;
    if (way.sources != 0)
        used += (size_t)snprintf(text, sizeof text, " sources %u", way.sources);
    if (way.outputs != 0)
        used += (size_t)snprintf(text + used, sizeof text - used, " outputs %u", way.outputs);
    snprintf(text + used, sizeof text - used, "%s%s%s", way.stream ? " stream" : "",
             way.small ? " small-blocks" : "", way.downwards ? " downwards" : "");
    add_value(w, q, text[0] != '\0' ? text + 1 : "none");
}

/* How far ahead to prefetch, and whether to write around the caches.  These depend on each
   other. */
static void add_distances(struct tune_ways *w, struct question *q, struct way way)
{
    static const unsigned lines[] = {0, 4, 8, 16};
    const bool may_stream = w->shape.work != UPDATE;
    for (unsigned stream = 0; stream <= may_stream; stream++)
        for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            way.sources = lines[i];
            way.stream = stream;
            add_way(w, q, way);
        }
}

/* The other properties, with the best distance.  Blocks are small when going downwards anyway.
   Updates and structured passes have neither property. */
static void add_rest(struct tune_ways *w, struct question *q, struct way way)
{
    enum { AS_THEY_ARE, SMALL, DOWNWARDS, ORDERS };
    const unsigned orders = w->shape.work < STRUCTURED ? ORDERS : 1;
    for (unsigned order = 0; order < orders; order++)
        for (unsigned outputs = 0; outputs <= 4; outputs += 4) {
            way.outputs = outputs;
            way.small = order == SMALL;
            way.downwards = order == DOWNWARDS;
            add_way(w, q, way);
        }
    if (w->shape.work == STRUCTURED || w->shape.work == STRUCTURED_WIDE)
        add_value(w, q, "by-matrix");
    const bool far = w->shape.length * (w->shape.data + w->shape.outputs) > w->own;
    if (far && (w->shape.work == DOT_WIDE || w->shape.work == ONE_WIDE ||
                w->shape.work == P_WIDE || w->shape.work == PQ_WIDE))
        add_value(w, q, "groups 12");
}

static int ask_way(struct tune_ways *w, enum work work, const char *place)
{
    char name[TEXT], value[TEXT];
    struct question q = {.name = name};
    struct shape shape = shape_of(w, work);
    snprintf(name, sizeof name, "way %s %s", work_names[work], place);
    value_of(name, value);
    if (!find_length(w, place, &shape))
        return STATUS_OK;
    w->asked++;
    int status = take_shape(w, &shape);
    add_value(w, &q, value);
    const struct trial standing = q.trials[0];
    add_distances(w, &q, parse_way(value));
    if (status == STATUS_OK)
        status = compare(w, q.trials, q.count);
    const struct way way = parse_way(best(q.trials, q.count)->value);
    q.count = 0;
    add_way(w, &q, way);
    add_rest(w, &q, way);
    if (status == STATUS_OK)
        status = compare(w, q.trials, q.count);
    return status == STATUS_OK ? confirm(w, name, &standing, best(q.trials, q.count)) : status;
}

static int ask_ways(struct tune_ways *w)
{
    static const char *const places[] = {"l1", "short", "own", "shared", "memory"};
    int status = STATUS_OK;
    for (unsigned work = 0; work < WORKS; work++)
        for (unsigned i = 0; i < sizeof places / sizeof places[0] && status == STATUS_OK; i++)
            status = ask_way(w, work, places[i]);
    return status;
}

/* -------------------------------------------------------------- numbers -- */

/* Finds out whether another number is better for a shape. */
static int ask_number(struct tune_ways *w, const char *name, const struct shape *shape,
                      const size_t *numbers, unsigned count)
{
    char value[TEXT];
    struct question q = {.name = name};
    w->asked++;
    int status = take_shape(w, shape);
    value_of(name, value);
    add_value(w, &q, value);
    for (unsigned i = 0; i < count; i++) {
        snprintf(value, sizeof value, "%zu", numbers[i]);
        add_value(w, &q, value);
    }
    if (status == STATUS_OK)
        status = compare(w, q.trials, q.count);
    return status == STATUS_OK ? confirm(w, name, q.trials, best(q.trials, q.count)) : status;
}

/* Tries half of the length, and twice the length, with shards to which only one of the two
   applies. */
static int ask_ahead_from(struct tune_ways *w)
{
    const size_t half = w->ahead_from / 2, twice = w->ahead_from * 2;
    struct shape shape = shape_of(w, DOT);
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
    struct shape shape = shape_of(w, DOT_WIDE);
    shape.outputs = 16;
    shape.length = 2 * w->own / (shape.data + shape.outputs) / 64 * 64;
    return ask_number(w, "piece", &shape, numbers, 3);
}

/* ----------------------------------------------------------------- main -- */

static void free_memory(struct tune_ways *w)
{
    pxr_code_free(w->code);
    arena_close(&w->arena);
    free(w->shards);
    free(w->expected);
    w->code = NULL;
    w->shards = NULL;
    w->expected = NULL;
}

int tune_ways_measure(struct tune_ways **ways, const char *set, const struct options *options,
                      int core)
{
    struct tune_ways *w = *ways = calloc(1, sizeof *w);
    if (w == NULL)
        return no_memory();
    pxr_kernel_select(set);
    pxr_tune_apply(NULL);
    w->set = set;
    w->seconds = options->seconds * SHARE;
    w->l1 = number_of("l1");
    w->own = number_of("own");
    w->shared = number_of("shared");
    w->ahead_from = number_of("ahead-from");
    w->wide_from = number_of("wide-from");
    w->look_from = number_of("look-from");
    if (!arena_reserve(&w->arena, tune_bench_cold_bytes(core)))
        return no_memory();
    int status = ask_ways(w);
    if (status == STATUS_OK)
        status = ask_ahead_from(w);
    if (status == STATUS_OK)
        status = ask_piece(w);
    pxr_tune_apply(w->settings);
    free_memory(w);
    return status;
}

void tune_ways_free(struct tune_ways *w)
{
    if (w != NULL)
        free_memory(w);
    free(w);
}

void tune_ways_report(FILE *out, const char *prefix, const struct tune_ways *w)
{
    char causes[NOISE_TEXT];
    fprintf(out, "%smachine record with %s: %u comparisons, %u noisy%s%s\n", prefix, w->set,
            w->comparisons, w->noisy, w->noisy ? ": " : "",
            w->noisy ? noise_text(w->causes, causes) : "");
    fprintf(out, "%s%u of %u values changed\n", prefix, w->changed, w->asked);
    for (unsigned i = 0; i < w->changed; i++) {
        const struct change *c = &w->changes[i];
        fprintf(out, "%s%s = %s, was %s: ", prefix, c->name, c->after, c->before);
        if (c->shape.in[WARM])
            fprintf(out, "in cache %.3f ", c->ratio[WARM]);
        if (c->shape.in[COLD])
            fprintf(out, "from memory %.3f ", c->ratio[COLD]);
        fprintf(out, "times as fast (%u shards of %zu bytes)\n",
                c->shape.data + c->shape.outputs, c->shape.length);
    }
}
