/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

#include <stdlib.h>
#include <string.h>

bool samples_open(struct samples *s, size_t count)
{
    *s = (struct samples){.count = count, .counted = true};
    double *at = s->room = malloc((3 * count + 1) * SAMPLES_ROUNDS * sizeof *at);
    for (size_t i = 0; at != NULL && i < count; i++) {
        s->seconds[i] = at += SAMPLES_ROUNDS;
        s->cycles[i] = at += SAMPLES_ROUNDS;
        s->instructions[i] = at += SAMPLES_ROUNDS;
    }
    return s->room != NULL;
}

void samples_close(struct samples *s)
{
    free(s->room);
}

/* Copies the values to the scratch, which is at the beginning of the room. */
static double *copy(const struct samples *s, const double *values)
{
    return memcpy(s->room, values, s->rounds * sizeof *values);
}

static double *ratios(const struct samples *s, size_t i)
{
    for (size_t r = 0; r < s->rounds; r++)
        s->room[r] = s->seconds[i][r] / s->seconds[0][r];
    return s->room;
}

static double median(const struct samples *s, const double *values)
{
    return s->counted ? spread_of(copy(s, values), s->rounds).median : 0;
}

void samples_summarise(const struct samples *s, double noise_limit,
                       struct engine_result *result)
{
    result->rounds = s->rounds;
    for (size_t i = 0; i < s->count; i++) {
        result->seconds[i] = spread_of(copy(s, s->seconds[i]), s->rounds);
        result->relative[i] = spread_of(ratios(s, i), s->rounds);
        result->cycles[i] = median(s, s->cycles[i]);
        result->instructions[i] = median(s, s->instructions[i]);
        bool alone = s->count == 1;
        double drift = spread_drift(alone ? copy(s, s->seconds[i]) : ratios(s, i), s->rounds);
        double width = spread_width(alone ? &result->seconds[i] : &result->relative[i]);
        result->causes[i] = (width > noise_limit ? NOISE_SPREAD : 0u) |
                            (drift > noise_limit / 2 ? NOISE_DRIFT : 0u);
    }
}
