/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_tally.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

enum { PRINTED_MOST = 8 };

void sim_wrong(struct sim_tally *tally, const char *kind, const char *format, ...)
{
    if (tally->wrong++ == 0)
        snprintf(tally->first_wrong, sizeof tally->first_wrong, "%s", kind);
    if (tally->wrong > PRINTED_MOST)
        return;
    va_list values;
    va_start(values, format);
    printf("WRONG: %s: %s: ", tally->about, kind);
    vprintf(format, values);
    putchar('\n');
    va_end(values);
}

void sim_note(const struct sim_tally *tally, const char *format, ...)
{
    va_list values;
    if (!tally->told)
        return;
    va_start(values, format);
    vprintf(format, values);
    putchar('\n');
    va_end(values);
}

void sim_tally_print(const struct sim_tally *tally, const char *title)
{
    printf("%s: %" PRIu64 " histories, %" PRIu64 " operations, %" PRIu64 " crashes, %" PRIu64
           " states, %" PRIu64 " losses, %" PRIu64 " replays, %" PRIu64 " refusals, %" PRIu64
           " blocks, %" PRIu64 " faults, %" PRIu64 " changes, %" PRIu64 " comebacks, %" PRIu64
           " scrubs, %" PRIu64 " healed, %" PRIu64 " wrong, %.1f s\n",
           title, tally->histories, tally->operations, tally->crashes, tally->states,
           tally->losses, tally->replays, tally->refusals, tally->blocks, tally->faults,
           tally->changes, tally->comebacks, tally->scrubs, tally->healed, tally->wrong,
           (double)clock() / CLOCKS_PER_SEC);
}
