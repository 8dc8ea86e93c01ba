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

/* Reach of the canary on either side: more than the longest vector register, which
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

/* The number of canary bytes before, and after, the used ones. */
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

static bool all_canaries(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != CANARY)
            return false;
    return true;
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
