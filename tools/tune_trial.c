/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tune_trial.h"

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

/* ---------------------------------------------------------------- code -- */

static bool is_structured(enum tune_work work)
{
    return work == TUNE_STRUCTURED || work == TUNE_STRUCTURED_WIDE || work == TUNE_STEPS;
}

/* Makes the code of the shape's calls.  If they must not be structured, its matrix is the
   Cauchy matrix with its sources in reverse order, which has no structure. */
static int create_code(pxr_code **code, const struct tune_shape *shape, struct pxr_error *why)
{
    const unsigned k = shape->work == TUNE_UPDATE ? 10 : shape->data, m = shape->outputs;
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

/* --------------------------------------------------------------- memory -- */

int tune_no_memory(void)
{
    return complain(STATUS_SYSTEM, "tune: not enough memory to measure the machine record");
}

static int call_failed(void)
{
    return complain(STATUS_SYSTEM, "tune: a call of the library failed");
}

/* Places as many stripes of the shape as there is room for, or one. */
static void place_shards(struct tune_stand *s, bool warm)
{
    const size_t shards = s->shape.data + s->shape.outputs;
    const size_t distance = buffers_distance(s->shape.length, 0, BUFFERS_DISPLACE);
    s->stripes = warm ? 1 : s->arena.size / (distance * shards);
    s->next = 0;
    for (size_t i = 0; i < s->stripes * shards; i++)
        s->shards[i] = s->arena.base + i * distance;
}

int tune_stand_take(struct tune_stand *s, const struct tune_shape *shape)
{
    const size_t shards = shape->data + shape->outputs;
    const size_t distance = buffers_distance(shape->length, 0, BUFFERS_DISPLACE);
    struct pxr_error why;
    s->shape = *shape;
    if (!arena_reserve(&s->arena, 2 * shards * distance))
        return tune_no_memory();
    free(s->shards);
    free(s->expected);
    s->shards = malloc(s->arena.size / distance * sizeof *s->shards);
    s->expected = malloc(shape->outputs * shape->length);
    pxr_code_free(s->code);
    const int result = create_code(&s->code, shape, &why);
    if (s->shards == NULL || s->expected == NULL || result == PXR_ENOMEM)
        return tune_no_memory();
    return result == PXR_OK ? STATUS_OK : complain(STATUS_SYSTEM, "tune: %s", why.text);
}

int tune_stand_open(struct tune_stand *s, size_t bytes)
{
    return arena_reserve(&s->arena, bytes) ? STATUS_OK : tune_no_memory();
}

void tune_stand_close(struct tune_stand *s)
{
    pxr_code_free(s->code);
    arena_close(&s->arena);
    free(s->shards);
    free(s->expected);
    s->code = NULL;
    s->shards = NULL;
    s->expected = NULL;
}

/* ---------------------------------------------------------------- calls -- */

static int one_call(const struct tune_stand *s, uint8_t **data)
{
    const struct tune_shape *shape = &s->shape;
    uint8_t **outputs = data + shape->data;
    if (shape->work == TUNE_P || shape->work == TUNE_P_WIDE)
        return pxr_raid_generate(shape->data, shape->length, data, outputs[0], NULL);
    if (shape->work == TUNE_PQ || shape->work == TUNE_PQ_WIDE)
        return pxr_raid_generate(shape->data, shape->length, data, outputs[0], outputs[1]);
    if (shape->work == TUNE_UPDATE)
        return pxr_update(s->code, shape->length, 0, data[0], data[1], outputs);
    return pxr_encode(s->code, shape->length, data, outputs);
}

static void call(struct tune_stand *s, uint8_t **shards)
{
    s->failed |= one_call(s, shards) != PXR_OK;
}

static void batch(void *context, size_t calls)
{
    const struct tune_trial *trial = context;
    struct tune_stand *s = trial->stand;
    pxr_tune_apply(trial->line);
    while (calls-- > 0) {
        call(s, s->shards + s->next * (s->shape.data + s->shape.outputs));
        s->next = (s->next + 1) % s->stripes;
    }
}

/* All values must give the same bytes. */
static int verify(struct tune_stand *s, const struct tune_trial *trials, unsigned count)
{
    uint8_t **outputs = s->shards + s->shape.data;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned r = 0; r < s->shape.outputs; r++)
            memset(outputs[r], 0, s->shape.length);
        pxr_tune_apply(trials[i].line);
        call(s, s->shards);
        for (unsigned r = 0; r < s->shape.outputs; r++) {
            uint8_t *expected = s->expected + r * s->shape.length;
            if (i == 0)
                memcpy(expected, outputs[r], s->shape.length);
            else if (memcmp(expected, outputs[r], s->shape.length) != 0)
                return complain(STATUS_SYSTEM, "tune: %s gives wrong bytes on this machine",
                                trials[i].line);
        }
    }
    return s->failed ? call_failed() : STATUS_OK;
}

/* -------------------------------------------------------------- measure -- */

static int measure_mode(struct tune_stand *s, struct tune_trial *trials, unsigned count,
                        int mode)
{
    struct engine_subject subjects[TUNE_MOST_VALUES];
    struct engine_options engine = ENGINE_DEFAULTS;
    struct engine_result result;
    place_shards(s, mode == TUNE_WARM);
    if (mode == TUNE_WARM || !s->shape.in[TUNE_WARM]) {
        const int status = verify(s, trials, count);
        if (status != STATUS_OK)
            return status;
    }
    for (unsigned i = 0; i < count; i++)
        subjects[i] = (struct engine_subject){batch, &trials[i]};
    engine.total_seconds = s->seconds;
    engine.bounded = true;
    engine.pass = s->stripes;
    engine.pass_seconds = 2 * engine.batch_seconds;
    if (!engine_measure(subjects, count, &engine, &result))
        return tune_no_memory();
    if (s->failed)
        return call_failed();
    s->comparisons++;
    s->noisy += result.noise.causes != 0;
    s->causes |= result.noise.causes;
    for (unsigned i = 0; i < count; i++)
        trials[i].ratio[mode] = result.rounds < engine.min_rounds
                                    ? (struct spread){.q1 = 1, .median = 1}
                                    : tune_bench_inverse(1, &result.relative[i]);
    return STATUS_OK;
}

static void judge(struct tune_trial *trial, const bool in[TUNE_MODES])
{
    const struct spread *warm = &trial->ratio[in[TUNE_WARM] ? TUNE_WARM : TUNE_COLD];
    const struct spread *cold = &trial->ratio[in[TUNE_COLD] ? TUNE_COLD : TUNE_WARM];
    trial->mean = sqrt(warm->median * cold->median);
    trial->quartile = sqrt(warm->q1 * cold->q1);
    trial->worst = fmin(warm->median, cold->median);
}

int tune_stand_compare(struct tune_stand *s, struct tune_trial *trials, unsigned count)
{
    int status = STATUS_OK;
    for (int mode = 0; mode < TUNE_MODES && status == STATUS_OK; mode++)
        if (s->shape.in[mode])
            status = measure_mode(s, trials, count, mode);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        judge(&trials[i], s->shape.in);
    return status;
}

bool tune_trial_is_better(const struct tune_trial *trial)
{
    return trial->mean > MARGIN && trial->quartile > 1 && trial->worst > FLOOR;
}

const struct tune_trial *tune_trial_best(const struct tune_trial *trials, unsigned count)
{
    const struct tune_trial *found = &trials[0];
    for (unsigned i = 1; i < count; i++)
        if (tune_trial_is_better(&trials[i]) &&
            (found == trials || trials[i].mean > found->mean))
            found = &trials[i];
    return found;
}
