/* SPDX-License-Identifier: BSD-3-Clause */
#include "buffers.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

const char *const arena_pages_names[] = {"default", "small", "huge", NULL};

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* xorshift64* (Vigna): good enough for bytes whose values do not change any timing. */
void buffers_fill(unsigned char *bytes, size_t size, uint64_t seed)
{
    uint64_t state = 0x9e3779b97f4a7c15 ^ seed;
    for (size_t i = 0; i < size; i += 8) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        uint64_t word = state * 0x2545f4914f6cdd1d;
        memcpy(bytes + i, &word, size - i < 8 ? size - i : 8);
    }
}

bool arena_reserve(struct arena *arena, size_t size)
{
    if (size <= arena->size)
        return true;
    arena_close(arena);
    size = round_up(size, HUGE_PAGE);
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return false;
    /* A kernel without huge pages refuses this; arena_huge_bytes() shows the result. */
    if (arena->pages != PAGES_DEFAULT)
        (void)madvise(base, size, arena->pages == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    arena->base = base;
    arena->size = size;
    buffers_fill(arena->base, size, 0);
    return true;
}

void arena_close(struct arena *arena)
{
    if (arena->base != NULL)
        munmap(arena->base, arena->size);
    arena->base = NULL;
    arena->size = 0;
}

size_t arena_huge_bytes(const struct arena *arena)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    if (maps == NULL)
        return 0;
    char line[512];
    size_t kib, total = 0;
    uintptr_t from, to, base = (uintptr_t)arena->base;
    bool inside = false;
    while (fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            inside = from < base + arena->size && base < to;
        else if (inside && sscanf(line, "AnonHugePages: %zu", &kib) == 1)
            total += kib * 1024;
    }
    fclose(maps);
    return total;
}

size_t buffers_distance(size_t len, size_t offset, size_t displace)
{
    size_t room = len + offset;
    if (room < displace)
        return (round_up(room, BUFFERS_ALIGN) / BUFFERS_ALIGN | 1) * BUFFERS_ALIGN;
    return round_up(room - displace, BUFFERS_PAGE) + displace;
}
