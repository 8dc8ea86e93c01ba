/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The harness of every C test program.
 *
 *     int main(int argc, char **argv)
 *     {
 *         check_start("test_thing", argc, argv);
 *         if (check_case("add k=%d", 3)) {
 *             check_at("len=%ld", (long)len, 0, 0, 0);
 *             CHECK(add(1, 2) == 3);
 *             CHECK_INT(add(1, 2), 3);
 *             CHECK_BYTES(got, want, len);
 *         }
 *         return check_finish();
 *     }
 *
 * The harness counts cases.  A case fails when one of its checks fails, when it ends without a
 * single check, or when the program dies in it.  A case that cannot run here is skipped, by
 * name and with the reason, and never counts as passed.  A program that neither ran nor skipped
 * a case fails, even when the arguments select none.  The last line is `NAME: N passed, N
 * failed, N skipped`.
 *
 * Arguments: `-v` names every case, and `-h` is help.  `--bench` means what the program wants
 * (check_bench).  Any other argument selects the cases whose name contains it.  Environment:
 * PXR_SEED=number repeats a run.  PXR_EFFORT=1 to 100 is the percentage of the repetitions that
 * are done (check_effort), for emulators and other slow machines.
 */
#ifndef PXR_UNIT_CHECK_H
#define PXR_UNIT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECK_PRINTF(at) __attribute__((format(printf, at, at + 1)))

/* ---------------------------------------------------------------- cases -- */

void check_start(const char *program, int argc, char **argv);

/* Ends the case before and begins one; false when the arguments left it out. */
bool check_case(const char *format, ...) CHECK_PRINTF(1);

/* Skips by name: `skipped: NAME (why)`.  Ends the case before. */
void check_skip(const char *name, const char *why, ...) CHECK_PRINTF(2);

/* The closing line; main's return value. */
int check_finish(void);

/* Whether --bench was given. */
bool check_bench(void);

/*
 * The parameters of what happens next, kept (not formatted) for the message of
 * a failed check or of a crash.  The format takes up to four %ld.  One record
 * per thread.
 */
void check_at(const char *format, long a, long b, long c, long d);

/* --------------------------------------------------------------- checks -- */

/* Any thread may check.  Each yields whether it held. */
#define CHECK(condition) check_true(condition, #condition, __FILE__, __LINE__)
#define CHECK_INT(got, want) check_int(got, want, #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) check_str(got, want, #got, __FILE__, __LINE__)
#define CHECK_BYTES(got, want, len) check_bytes(got, want, len, #got, __FILE__, __LINE__)
#define CHECK_UNTOUCHED(guard, bytes, len) \
    check_untouched(guard, bytes, len, #bytes, __FILE__, __LINE__)

bool check_true(bool held, const char *what, const char *file, int line);
bool check_int(long long got, long long want, const char *what, const char *file, int line);
bool check_str(const char *got, const char *want, const char *what, const char *file, int line);
bool check_bytes(const void *got, const void *want, size_t len, const char *what,
                 const char *file, int line);

/* --------------------------------------------------------------- random -- */

/* Reproducible numbers: every thread draws the seed's sequence from its start,
   unless it chooses another stream first. */
uint64_t check_random(void);
void check_stream(uint64_t stream);
uint64_t check_seed(void);
/* 0 <= result < limit; limit > 0. */
size_t check_below(size_t limit);
void check_fill(void *bytes, size_t len);

/* --------------------------------------------------------------- effort -- */

/*
 * How much of a test is repetition is for the test to say.  Less effort makes
 * it repeat less; it never leaves out a case, nor a kind of call, of placement
 * or of border.
 */

/* Whether nothing is left out. */
bool check_thorough(void);

/* PXR_EFFORT percent of so many rounds, but at least one. */
unsigned check_effort(unsigned rounds);

/* Whether to do one of many: true in PXR_EFFORT percent of the calls. */
bool check_sampled(void);

/* Whether a length is a whole number of blocks, or a byte off: none of these is
   left out. */
bool check_border(size_t len, size_t block);

/* -------------------------------------------------------------- buffers -- */

/*
 * Memory between two inaccessible pages: reading or writing one byte before
 * the first or after the last dies.  Bytes of the room that the test does not
 * use hold a canary near the used ones.
 */
struct check_guard {
    uint8_t *room; /* page-aligned, and so is room + capacity */
    size_t capacity;
};

/* At least capacity bytes; dies when memory runs out. */
struct check_guard check_guard_new(size_t capacity);
void check_guard_free(struct check_guard *guard);

/* len bytes that start `offset` bytes after the guard page: offset 0 touches
   it, 1..63 choose the misalignment.  Sets the canaries around them. */
uint8_t *check_from_start(const struct check_guard *guard, size_t len, size_t offset);

/* len bytes that end `offset` bytes before the guard page. */
uint8_t *check_to_end(const struct check_guard *guard, size_t len, size_t offset);

/* Where a test wants its buffers: against the guard page before them, against
   the one after them, or at a random misalignment near either. */
enum check_placement { CHECK_AT_START, CHECK_AT_END, CHECK_ANYWHERE, CHECK_PLACEMENTS };
uint8_t *check_place(const struct check_guard *guard, size_t len,
                     enum check_placement placement);

/*
 * The sweep of short lengths at every misalignment under the guard pages:
 *
 *     struct check_spot spot = {0};
 *     while (check_next_spot(&spot))
 *         f(check_at_spot(&guard, spot.len, &spot, 0), spot.len);
 *
 * At full effort: each length from 0 to CHECK_SHORT with each offset from 0 to 63 bytes,
 * once from the page before and once to the page behind.  With offset 0 every buffer
 * touches the page; with another one, buffers of different numbers have different ones,
 * and each of them meets all of 1..63 at each length.  Less effort keeps the borders of
 * 64 bytes at the pages, PXR_EFFORT percent of the other lengths there, and of the other
 * offsets PXR_EFFORT percent of one in 16.
 */
#define CHECK_SHORT 300
struct check_spot {
    size_t len;
    unsigned offset; /* 0 to 63 */
    bool to_end;
    bool begun; /* the sweep's own */
};
bool check_next_spot(struct check_spot *spot);

/* len bytes for buffer `number` of a call, as above; also with a spot that a test
   makes up. */
uint8_t *check_at_spot(const struct check_guard *guard, size_t len,
                       const struct check_spot *spot, unsigned number);

/* The canaries around the bytes that were handed out are intact. */
bool check_untouched(const struct check_guard *guard, const uint8_t *bytes, size_t len,
                     const char *what, const char *file, int line);

/* -------------------------------------------------------------- kernels -- */

/*
 * A case: when PERMXOR_KERNELS forces a set, that set and no other is used.
 * Programs of the API level call it first (unit/check_kernels.c).
 */
void check_forced_kernels(void);

/* Call `test` for each kernel set that this machine can run; skip the others
   by name.  Where PERMXOR_KERNELS names a set, that one alone. */
struct pxr_kernels;
void check_each_kernel_set(void (*test)(const struct pxr_kernels *set));

/* Whatever this machine's own record says: calls that touch more than CHECK_STREAM_BEYOND
   bytes prefetch, and write their outputs around the caches. */
#define CHECK_STREAM_BEYOND ((size_t)256 << 10)
void check_stream_outputs(void);

#endif
