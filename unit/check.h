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
 * single check, or when the program dies in it.  A case that cannot run here is skipped: the
 * harness prints its name and the reason, and does not count it as passed.  A program that
 * neither ran nor skipped a case fails, even when the arguments select none.  The last line is
 * `NAME: N passed, N failed, N skipped`.
 *
 * Arguments: `-v` names every case, and `-h` prints help.  What `--bench` does depends on the
 * program (check_bench).  Any other argument selects the cases whose name contains it.
 *
 * Environment: PXR_SEED=number repeats a run.  PXR_EFFORT=1 to 100 is the percentage of the
 * repetitions that are done (check_effort), for emulators and other slow machines.
 */
#ifndef PXR_UNIT_CHECK_H
#define PXR_UNIT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECK_PRINTF(at) __attribute__((format(printf, at, at + 1)))

/* ---------------------------------------------------------------- cases -- */

void check_start(const char *program, int argc, char **argv);

/* Ends the previous case and begins a new one.  Returns false when the arguments do not select
   the new one. */
bool check_case(const char *format, ...) CHECK_PRINTF(1);

/* Ends the previous case and prints `skipped: NAME (why)`. */
void check_skip(const char *name, const char *why, ...) CHECK_PRINTF(2);

/* Ends the last case and prints the closing line.  Returns the exit status for main(). */
int check_finish(void);

/* Whether --bench was given. */
bool check_bench(void);

/*
 * Records the parameters of the next step, for the message of a failed check or of a crash.
 * The format and the values are kept, and are formatted only for such a message.  The format
 * takes up to four %ld.  Each thread has its own record.
 */
void check_at(const char *format, long a, long b, long c, long d);

/* --------------------------------------------------------------- checks -- */

/* Any thread may use these checks.  Each returns whether the check held. */
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

/* Reproducible random numbers.  Each thread draws the sequence of the seed from its start,
   unless the thread first chooses another stream with check_stream(). */
uint64_t check_random(void);
void check_stream(uint64_t stream);
uint64_t check_seed(void);
/* 0 <= result < limit; limit > 0. */
size_t check_below(size_t limit);
void check_fill(void *bytes, size_t len);

/* --------------------------------------------------------------- effort -- */

/*
 * Each test decides which of its parts are repetitions.  With less effort, it repeats less.  It
 * never leaves out a case, or a kind of call, placement or border.
 */

/* Whether the effort is 100 %, so that nothing is left out. */
bool check_thorough(void);

/* PXR_EFFORT percent of `rounds`, but at least one. */
unsigned check_effort(unsigned rounds);

/* Whether to do one of many repetitions.  Each call returns true with a probability of
   PXR_EFFORT percent. */
bool check_sampled(void);

/* Whether a length is a multiple of the block, or one byte more or less.  Tests never leave out
   such a length. */
bool check_border(size_t len, size_t block);

/* -------------------------------------------------------------- buffers -- */

/*
 * Memory between two inaccessible pages.  A program that touches the byte before the first one
 * or after the last one dies.  Where a test uses only a part of this memory, the bytes beside
 * that part hold canaries.
 */
struct check_guard {
    uint8_t *room; /* page-aligned, and so is room + capacity */
    size_t capacity;
};

/* Allocates at least `capacity` bytes.  Exits when there is no memory. */
struct check_guard check_guard_new(size_t capacity);
void check_guard_free(struct check_guard *guard);

/* Returns len bytes that start `offset` bytes after the guard page, and sets the canaries
   around them.  With offset 0 the bytes touch the page; 1 to 63 choose the misalignment. */
uint8_t *check_from_start(const struct check_guard *guard, size_t len, size_t offset);

/* Returns len bytes that end `offset` bytes before the guard page, and sets the canaries around
   them. */
uint8_t *check_to_end(const struct check_guard *guard, size_t len, size_t offset);

/* Where a test wants its buffers: touching the guard page before them, touching the guard page
   after them, or at a random misalignment near either page. */
enum check_placement { CHECK_AT_START, CHECK_AT_END, CHECK_ANYWHERE, CHECK_PLACEMENTS };
uint8_t *check_place(const struct check_guard *guard, size_t len,
                     enum check_placement placement);

/*
 * Goes through short lengths at every misalignment, next to the guard pages:
 *
 *     struct check_spot spot = {0};
 *     while (check_next_spot(&spot))
 *         f(check_at_spot(&guard, spot.len, &spot, 0), spot.len);
 *
 * At full effort, this is each length from 0 to CHECK_SHORT with each offset from 0 to 63
 * bytes, once from the page before the buffer and once to the page behind it.  With offset 0,
 * every buffer touches the page.  With another offset, buffers with different numbers have
 * different offsets, and each buffer meets all offsets from 1 to 63 at each length.
 *
 * With less effort, the sweep keeps
 *
 * - at offset 0: the borders of blocks of 64 bytes (check_border), and PXR_EFFORT percent of
 *   the other lengths;
 * - at the other offsets: PXR_EFFORT percent of one in 16.
 */
#define CHECK_SHORT 300
struct check_spot {
    size_t len;
    unsigned offset; /* 0 to 63 */
    bool to_end;
    bool begun; /* only for check_next_spot() */
};
bool check_next_spot(struct check_spot *spot);

/* Returns len bytes for buffer `number` of a call, as described above.  A test may also fill in
   a spot itself. */
uint8_t *check_at_spot(const struct check_guard *guard, size_t len,
                       const struct check_spot *spot, unsigned number);

/* Checks that the canaries around the bytes that were handed out are intact. */
bool check_untouched(const struct check_guard *guard, const uint8_t *bytes, size_t len,
                     const char *what, const char *file, int line);

/* -------------------------------------------------------------- kernels -- */

/*
 * A case which checks that the library uses the kernel set that PERMXOR_KERNELS forces, if it
 * forces one.  Programs that test the public functions call this first.  It is in
 * unit/check_kernels.c.
 */
void check_forced_kernels(void);

/* Calls `test` for each kernel set that this machine can run, and skips the others by name.  If
   PERMXOR_KERNELS names a set, this looks at that set alone. */
struct pxr_kernels;
void check_each_kernel_set(void (*test)(const struct pxr_kernels *set));

/* Changes the machine record: calls that touch more than CHECK_STREAM_BEYOND bytes prefetch,
   and write their outputs around the caches.  The record of this machine might never do so. */
#define CHECK_STREAM_BEYOND ((size_t)256 << 10)
void check_stream_outputs(void);

#endif
