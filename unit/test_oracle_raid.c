/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our RAID functions, isal_zero_detect and isal_adler32 must give the same bytes and results as
 * those of the real ISA-L (oracle.h).  The RAID functions get aligned buffers, as ISA-L
 * documents them, because its functions crash with misaligned buffers.
 */
#include "check.h"
#include "isal_raid_functions.h"
#include "oracle.h"

#include "isa-l.h"

#include <string.h>

#define MOST 257
#define MOST_BYTES (16 * 1024)

static struct {
    uint8_t bytes[MOST][MOST_BYTES] __attribute__((aligned(64)));
    uint8_t ours[2][MOST_BYTES];
    void *array[MOST];
} room;

static void prepare(int vects, int len)
{
    check_at("vects=%ld len=%ld", vects, len, 0, 0);
    for (int i = 0; i < vects; i++) {
        room.array[i] = room.bytes[i];
        check_fill(room.bytes[i], (size_t)len);
    }
}

/* A check that finds an error returns 1 in our library, and any number except 0 in the
   oracle. */
static void same_result(const struct isal_raid_function *f, isal_raid_fn *theirs, int vects,
                        int len)
{
    CHECK_INT(f->ours(vects, len, room.array), theirs(vects, len, room.array) != 0);
}

/* ---------------------------------------------------------------- results -- */

static void compare_gen(const struct isal_raid_function *f, isal_raid_fn *theirs, int vects,
                        int len)
{
    const unsigned first = (unsigned)vects - f->parities;
    prepare(vects, len);
    CHECK_INT(f->ours(vects, len, room.array), 0);
    for (unsigned r = 0; r < f->parities; r++) {
        memcpy(room.ours[r], room.bytes[first + r], MOST_BYTES);
        check_fill(room.bytes[first + r], (size_t)len);
    }
    CHECK_INT(theirs(vects, len, room.array), 0);
    for (unsigned r = 0; r < f->parities; r++)
        CHECK_BYTES(room.ours[r], room.bytes[first + r], MOST_BYTES);
}

/* Compares the results for random buffers, for right ones, and for right ones with one wrong
   bit. */
static void compare_check(const struct isal_raid_function *f, isal_raid_fn *theirs, int vects,
                          int len)
{
    prepare(vects, len);
    same_result(f, theirs, vects, len);
    if (f->parities == 1)
        xor_gen_base(vects + (vects == 2), len, room.array);
    else
        pq_gen_base(vects, len, room.array);
    if (vects == 2) /* each block is the parity of the other */
        memcpy(room.bytes[1], room.bytes[0], (size_t)len);
    same_result(f, theirs, vects, len);
    CHECK_INT(f->ours(vects, len, room.array), 0);
    for (unsigned round = 0; round < 3 && len > 0; round++) {
        uint8_t *const byte = &room.bytes[check_below((size_t)vects)][check_below((size_t)len)];
        *byte ^= 0x20;
        same_result(f, theirs, vects, len);
        *byte ^= 0x20;
    }
}

static void compare(const struct isal_raid_function *f, isal_raid_fn *theirs, int vects,
                    int len)
{
    /* The oracle's C functions ignore the bytes behind the last whole word. */
    const int multiple = f->parities == 2 && f->multiple < 16 ? 16 : f->multiple;
    (f->checks ? compare_check : compare_gen)(f, theirs, vects, len - len % multiple);
}

/* Whether the oracle's function checks its arguments.  Its C functions do so only since 2.31,
   and on some architectures other than x86 it has no other functions. */
static bool looks_at_arguments(const struct isal_raid_function *f)
{
#if defined(__x86_64__)
    return !oracle_name_ends(f->name, "_base");
#else
    (void)f;
    return false;
#endif
}

/* The fewest buffers that both libraries accept.  On architectures other than x86, the oracle's
   functions do not look at this number, and are only known to work with three. */
static int least_vects(const struct isal_raid_function *f)
{
#if defined(__x86_64__)
    return f->least;
#else
    return f->least < 3 ? 3 : f->least;
#endif
}

static void compare_sizes(const struct isal_raid_function *f, isal_raid_fn *theirs, int least)
{
    for (int len = 0; len <= 600; len++)
        if (check_border((size_t)len, 32) || check_sampled())
            compare(f, theirs, least + (int)check_below(9), len);
    for (int vects = least; vects <= 20; vects++)
        compare(f, theirs, vects, (int)check_below(2000));
    compare(f, theirs, 129, 1 + (int)check_below(900));
    compare(f, theirs, MOST, 1 + (int)check_below(900));
    compare(f, theirs, 10, MOST_BYTES);
}

/* Arguments that must be refused, and length 0.  vects is never negative, because the oracle
   takes negative numbers for large ones. */
static void compare_refusals(const struct isal_raid_function *f, isal_raid_fn *theirs)
{
    prepare(8, 128);
    for (int vects = 0; vects < 8; vects++)
        for (int len = 0; len < 100; len++) {
            check_at("vects=%ld len=%ld", vects, len, 0, 0);
            if (vects < f->least || len % f->multiple != 0 || len == 0)
                same_result(f, theirs, vects, len);
        }
}

static void test_function(const struct isal_raid_function *f)
{
    isal_raid_fn *theirs = (isal_raid_fn *)oracle_find(f->name);
    const char *missing = oracle_lacks(f->name);
    if (theirs == NULL) {
        check_skip(f->name, "the oracle has no such function");
        return;
    }
    if (missing != NULL) {
        check_skip(f->name, "needs %s", missing);
        return;
    }
    const int least = least_vects(f);
    if (check_case("%s", f->name))
        compare_sizes(f, theirs, least);
    if (looks_at_arguments(f) && check_case("%s refuses", f->name))
        compare_refusals(f, theirs);
}

/* ---------------------------------------------------- zeros and Adler-32 -- */

typedef int zero_fn(void *, size_t);
typedef uint32_t adler_fn(uint32_t, const unsigned char *, uint64_t);

static void test_zero_detect(void)
{
    zero_fn *theirs = (zero_fn *)oracle_find("isal_zero_detect");
    if (theirs == NULL) {
        check_skip("isal_zero_detect", "the oracle has no such function");
        return;
    }
    if (!check_case("isal_zero_detect"))
        return;
    for (size_t len = 0; len <= 900; len++) {
        uint8_t *const bytes = room.bytes[0] + check_below(64);
        check_at("len=%ld", (long)len, 0, 0, 0);
        memset(bytes, 0, len);
        CHECK_INT(isal_zero_detect(bytes, len), theirs(bytes, len) != 0);
        for (size_t round = 0; round < 3 && len > 0; round++) {
            bytes[check_below(len)] ^= 4;
            CHECK_INT(isal_zero_detect(bytes, len), theirs(bytes, len) != 0);
        }
    }
}

static void test_adler(void)
{
    static const uint32_t seeds[] = {1,          0,          0xffffffff, 0xfff1fff1,
                                     0xfff0fff0, 0x0000fff1, 0xfff10000, 0x0000ffff};
    adler_fn *theirs = (adler_fn *)oracle_find("isal_adler32");
    if (theirs == NULL) {
        check_skip("isal_adler32", "the oracle has no such function");
        return;
    }
    if (!check_case("isal_adler32"))
        return;
    for (size_t len = 0; len <= 900; len++)
        for (size_t s = 0; s <= sizeof seeds / sizeof *seeds; s++) {
            const uint32_t seed =
                s < sizeof seeds / sizeof *seeds ? seeds[s] : (uint32_t)check_random();
            const uint8_t *const bytes = room.bytes[0] + check_below(64);
            if (!check_sampled())
                continue;
            check_at("len=%ld seed=0x%lx", (long)len, (long)seed, 0, 0);
            check_fill(room.bytes[0], 1000);
            if (s % 2)
                memset(room.bytes[0], 0xff, 1000);
            CHECK_INT(isal_adler32(seed, bytes, len), theirs(seed, bytes, len));
        }
    memset(room.bytes, 0xff, sizeof room.bytes);
    for (unsigned round = 0; round < check_effort(8); round++) {
        const size_t len = check_below(sizeof room.bytes);
        check_at("len=%ld", (long)len, 0, 0, 0);
        CHECK_INT(isal_adler32(0xffffffff, room.bytes[0], len),
                  theirs(0xffffffff, room.bytes[0], len));
    }
}

int main(int argc, char **argv)
{
    check_start("test_oracle_raid", argc, argv);
    check_forced_kernels();
    if (!oracle_open())
        return check_finish();
    for (const struct isal_raid_function *f = isal_raid_functions; f->name; f++)
        test_function(f);
    test_zero_detect();
    test_adler();
    return check_finish();
}
