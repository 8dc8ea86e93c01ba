/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers that touch inaccessible pages.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The length of the canary on either side.  It is more than the longest vector register, which
   is SVE's of 2048 bits. */
#define REACH 320
#define CANARY 0xC5

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

struct check_guard check_guard_new(size_t capacity)
{
    size_t page = page_size();
    struct check_guard guard;
    guard.capacity = (capacity + page - 1) / page * page;
    if (guard.capacity == 0)
        guard.capacity = page;
    void *map =
        mmap(NULL, guard.capacity + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED ||
        mprotect((uint8_t *)map + page, guard.capacity, PROT_READ | PROT_WRITE) != 0) {
        perror("guarded buffer");
        exit(2);
    }
    guard.room = (uint8_t *)map + page;
    return guard;
}

void check_guard_free(struct check_guard *guard)
{
    size_t page = page_size();
    if (guard->room != NULL)
        munmap(guard->room - page, guard->capacity + 2 * page);
    guard->room = NULL;
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number of canary bytes before and after the bytes in use. */
static size_t reach_before(const struct check_guard *guard, const uint8_t *bytes)
{
    return at_most(REACH, (size_t)(bytes - guard->room));
}

static size_t reach_after(const struct check_guard *guard, const uint8_t *bytes, size_t len)
{
    return at_most(REACH, (size_t)(guard->room + guard->capacity - (bytes + len)));
}

static uint8_t *hand_out(const struct check_guard *guard, size_t begin, size_t len)
{
    if (len > guard->capacity || begin > guard->capacity - len) {
        fprintf(stderr, "guarded buffer: %zu bytes at %zu of %zu\n", len, begin,
                guard->capacity);
        exit(2);
    }
    uint8_t *bytes = guard->room + begin;
    size_t before = reach_before(guard, bytes);
    memset(bytes - before, CANARY, before);
    memset(bytes + len, CANARY, reach_after(guard, bytes, len));
    return bytes;
}

uint8_t *check_from_start(const struct check_guard *guard, size_t len, size_t offset)
{
    return hand_out(guard, offset, len);
}

uint8_t *check_to_end(const struct check_guard *guard, size_t len, size_t offset)
{
    return hand_out(guard, guard->capacity - len - offset, len);
}

uint8_t *check_place(const struct check_guard *guard, size_t len,
                     enum check_placement placement)
{
    if (placement == CHECK_AT_START)
        return check_from_start(guard, len, 0);
    if (placement == CHECK_AT_END)
        return check_to_end(guard, len, 0);
    const size_t spare = guard->capacity - len;
    const size_t offset = check_below(spare < 64 ? spare + 1 : 64);
    return check_random() & 1 ? check_from_start(guard, len, offset)
                              : check_to_end(guard, len, offset);
}

/* ---------------------------------------------------------------- sweep -- */

static bool keeps(const struct check_spot *spot)
{
    if (spot->offset == 0)
        return check_border(spot->len, 64) || check_sampled();
    return check_thorough() || (check_below(16) == 0 && check_sampled());
}

/* Moves to the next spot of the whole sweep.  Returns false after the last one. */
static bool step(struct check_spot *spot)
{
    if (!spot->begun) {
        *spot = (struct check_spot){.begun = true};
        return true;
    }
    spot->to_end = !spot->to_end;
    if (!spot->to_end)
        spot->offset = (spot->offset + 1) % 64;
    if (!spot->to_end && spot->offset == 0)
        spot->len++;
    return spot->len <= CHECK_SHORT;
}

bool check_next_spot(struct check_spot *spot)
{
    while (step(spot))
        if (keeps(spot)) {
            check_at("len=%ld offset=%ld to the end=%ld", (long)spot->len, spot->offset,
                     spot->to_end, 0);
            return true;
        }
    return false;
}

/* There are 63 offsets besides 0.  Adding the same number to all of them, modulo 63, permutes
   them.  So each buffer meets all of them. */
uint8_t *check_at_spot(const struct check_guard *guard, size_t len,
                       const struct check_spot *spot, unsigned number)
{
    const size_t offset = spot->offset ? 1 + (spot->offset - 1 + 37u * number) % 63 : 0;
    return spot->to_end ? check_to_end(guard, len, offset)
                        : check_from_start(guard, len, offset);
}

/* -------------------------------------------------------------- canaries -- */

static bool all_canaries(const uint8_t *bytes, size_t len)
{
    return len == 0 || (bytes[0] == CANARY && memcmp(bytes, bytes + 1, len - 1) == 0);
}

bool check_untouched(const struct check_guard *guard, const uint8_t *bytes, size_t len,
                     const char *what, const char *file, int line)
{
    size_t before = reach_before(guard, bytes);
    bool held = all_canaries(bytes - before, before) &&
                all_canaries(bytes + len, reach_after(guard, bytes, len));
    char message[96];
    if (!held)
        snprintf(message, sizeof message, "bytes around %s were overwritten", what);
    return check_true(held, held ? what : message, file, line);
}
