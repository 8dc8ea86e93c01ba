/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Inserts in order, and drops the highest number when full. */
void tally_add(struct tally *tally, uint64_t number)
{
    unsigned used = tally->count < TALLY_LISTED ? (unsigned)tally->count : TALLY_LISTED;
    unsigned at = used;
    while (at > 0 && tally->lowest[at - 1] > number)
        at--;
    tally->count++;
    if (at == TALLY_LISTED)
        return;
    unsigned moved = used < TALLY_LISTED ? used - at : TALLY_LISTED - 1 - at;
    memmove(tally->lowest + at + 1, tally->lowest + at, moved * sizeof tally->lowest[0]);
    tally->lowest[at] = number;
}

void tally_add_once(struct tally *tally, uint64_t number)
{
    for (unsigned i = 0; i < TALLY_LISTED && i < tally->count; i++)
        if (tally->lowest[i] == number)
            return;
    tally_add(tally, number);
}

/* No more than these few of them can be among the lowest. */
void tally_add_range(struct tally *tally, uint64_t from, uint64_t end)
{
    for (unsigned n = 0; n < TALLY_LISTED && from < end; n++)
        tally_add(tally, from++);
    if (from < end)
        tally->count += end - from;
}

void tally_text(const struct tally *tally, char out[TALLY_TEXT])
{
    int at = 0;
    for (unsigned i = 0; i < TALLY_LISTED && i < tally->count; i++)
        at += snprintf(out + at, (size_t)(TALLY_TEXT - at), "%s%" PRIu64, i > 0 ? ", " : "",
                       tally->lowest[i]);
    snprintf(out + at, (size_t)(TALLY_TEXT - at), "%s",
             tally->count > TALLY_LISTED ? ", ..." : "");
}
