/* SPDX-License-Identifier: BSD-3-Clause */
/* The few lowest members of a set of stripe numbers, and the number of all members. */
#ifndef PXR_TOOLS_TALLY_H
#define PXR_TOOLS_TALLY_H

#include <stdint.h>

enum { TALLY_LISTED = 8 };
struct tally {
    uint64_t count;
    uint64_t lowest[TALLY_LISTED]; /* ascending */
};

void tally_add(struct tally *tally, uint64_t number);

/* Adds a number that may have been added before.  It is then listed once, and counted once if
   it is among the lowest. */
void tally_add_once(struct tally *tally, uint64_t number);

/* Adds the numbers from `from` to end - 1, in no more time than a few numbers take. */
void tally_add_range(struct tally *tally, uint64_t from, uint64_t end);

/* Writes "1, 2, 3", and ", ..." when there are more. out holds TALLY_TEXT bytes. */
enum { TALLY_TEXT = TALLY_LISTED * 22 + 8 };
void tally_text(const struct tally *tally, char out[TALLY_TEXT]);

#endif
