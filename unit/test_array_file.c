/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading and writing pieces of memory, where the system does less than it was asked for.  The
 * calls of the system are replaced by ones that do so, and so are two calls of liburing.
 */
#include "config.h"

#include "check.h"

#include "core/member.h"
#include "host/file.h"
#include "host/file_io.h"
#include "host/uring.h"

#include <errno.h>
#ifdef HAVE_LIBURING
#include <liburing.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPECT(held, what) check_true(held, what, __FILE__, __LINE__)

/* The most blocks of a piece, and bytes behind each piece that have to stay what they are. */
enum {
    BLOCKS = 3,
    GUARD = 16,
    FINEST = 512,
    BYTES = CORE_PIECES * BLOCKS * CORE_BLOCK,
    DEADLINE_SECONDS = 600
};

/* --------------------------------------------------------- the system's calls -- */

static struct {
    size_t most;    /* bytes of a call */
    bool unaligned; /* it got memory that a file past the page cache does not take */
    unsigned calls;
} kernel;

static ssize_t move(int fd, const struct iovec *piece, int count, off_t offset, bool write)
{
    size_t done = 0;
    kernel.unaligned |= (uintptr_t)piece[0].iov_base % FINEST != 0;
    if (kernel.calls++ % 3 == 0) {
        errno = EINTR;
        return -1;
    }
    for (int i = 0; i < count && done < kernel.most; i++) {
        const size_t left = kernel.most - done;
        const size_t len = piece[i].iov_len < left ? piece[i].iov_len : left;
        const off_t at = offset + (off_t)done;
        const ssize_t moved = write ? pwrite(fd, piece[i].iov_base, len, at)
                                    : pread(fd, piece[i].iov_base, len, at);
        done += moved > 0 ? (size_t)moved : 0;
    }
    return (ssize_t)done;
}

ssize_t preadv(int fd, const struct iovec *piece, int count, off_t offset)
{
    return move(fd, piece, count, offset, false);
}

ssize_t pwritev(int fd, const struct iovec *piece, int count, off_t offset)
{
    return move(fd, piece, count, offset, true);
}

#ifdef RWF_DSYNC
ssize_t pwritev2(int fd, const struct iovec *piece, int count, off_t offset, int flags)
{
    EXPECT(flags == RWF_DSYNC, "a durable write");
    return pwritev(fd, piece, count, offset);
}
#endif

/* ------------------------------------------------------------------ pieces -- */

struct pieces {
    struct iovec piece[CORE_PIECES];
    uint8_t *memory[CORE_PIECES];
    unsigned count;
    size_t len;
};

/* Where not all are aligned, some begin GUARD bytes later. */
static void make_pieces(struct pieces *pieces, unsigned count, bool aligned)
{
    pieces->count = count;
    pieces->len = 0;
    for (unsigned i = 0; i < count; i++) {
        const size_t len = (1 + check_random() % BLOCKS) * CORE_BLOCK;
        const size_t shift = aligned || check_random() % 4 > 0 ? 0 : GUARD;
        pieces->memory[i] = aligned_alloc(CORE_BLOCK, len + CORE_BLOCK);
        EXPECT(pieces->memory[i] != NULL, "memory");
        memset(pieces->memory[i], 0xee, len + CORE_BLOCK);
        pieces->piece[i] = (struct iovec){pieces->memory[i] + shift, len};
        pieces->len += len;
    }
}

static void free_pieces(struct pieces *pieces)
{
    for (unsigned i = 0; i < pieces->count; i++)
        free(pieces->memory[i]);
}

static bool same(const struct pieces *pieces, const uint8_t *want)
{
    bool held = true;
    for (unsigned i = 0; i < pieces->count; i++) {
        const struct iovec *piece = &pieces->piece[i];
        const uint8_t *end = (const uint8_t *)piece->iov_base + piece->iov_len;
        held = held && memcmp(piece->iov_base, want, piece->iov_len) == 0;
        for (unsigned j = 0; j < GUARD; j++)
            held = held && end[j] == 0xee;
        want += piece->iov_len;
    }
    return held;
}

static void fill(const struct pieces *pieces, uint8_t *want)
{
    for (unsigned i = 0; i < pieces->count; i++) {
        for (size_t j = 0; j < pieces->piece[i].iov_len; j++)
            want[j] = (uint8_t)check_random();
        memcpy(pieces->piece[i].iov_base, want, pieces->piece[i].iov_len);
        want += pieces->piece[i].iov_len;
    }
}

static void wipe(const struct pieces *pieces)
{
    for (unsigned i = 0; i < pieces->count; i++)
        memset(pieces->piece[i].iov_base, 0xdd, pieces->piece[i].iov_len);
}

/* ------------------------------------------------------------------- cases -- */

static uint8_t want[BYTES], held[BYTES];

static void round_trip(int fd, unsigned count, size_t most, bool aligned)
{
    struct pieces pieces;
    const uint64_t offset = check_random() % 8 * CORE_BLOCK;
    kernel.most = most;
    kernel.unaligned = false;
    make_pieces(&pieces, count, aligned);
    fill(&pieces, want);
    EXPECT(ftruncate(fd, 0) == 0, "the file is emptied");
    EXPECT(io_pwritev(fd, offset, pieces.piece, count, check_random() % 2 == 0) == 0,
           "a write");
    EXPECT(pread(fd, held, BYTES, (off_t)offset) == (ssize_t)pieces.len &&
               memcmp(held, want, pieces.len) == 0,
           "the file has what was written");
    wipe(&pieces);
    EXPECT(io_preadv(fd, offset, pieces.piece, count) == 0, "a read");
    EXPECT(same(&pieces, want), "the pieces have what was written");
    EXPECT(!kernel.unaligned, "the system gets memory that is aligned");
    EXPECT(ftruncate(fd, (off_t)(offset + pieces.len - CORE_BLOCK)) == 0, "the file is cut");
    EXPECT(io_preadv(fd, offset, pieces.piece, count) == EIO, "a read behind the end");
    free_pieces(&pieces);
}

static void test_round_trips(int fd, bool aligned)
{
    static const size_t most[] = {512, 5 * 512, CORE_BLOCK, 11 * 512, BYTES};
    for (unsigned i = 0; i < sizeof most / sizeof most[0]; i++) {
        round_trip(fd, 1, most[i], aligned);
        round_trip(fd, 2 + (unsigned)(check_random() % 20), most[i], aligned);
        round_trip(fd, CORE_PIECES, most[i], aligned);
    }
}

/* ---------------------------------------------------------------- io_uring -- */

#ifdef HAVE_LIBURING

/* What becomes of the results of io_uring. */
static enum { AS_IT_IS, LESS, NOTHING, LATER, BROKEN } results;

static void change_results(struct io_uring *ring)
{
    struct io_uring_cqe *entry;
    unsigned head;
    io_uring_for_each_cqe(ring, head, entry)
    {
        if (io_uring_cqe_get_data(entry) == NULL)
            continue; /* it wakes the thread */
        if (results == LESS && entry->res > 0)
            entry->res -= FINEST;
        else if (results == NOTHING)
            entry->res = entry->res > 0 ? 0 : entry->res;
        else if (results == LATER)
            entry->res = check_random() % 2 == 0 ? -EAGAIN : -EINTR;
        else if (results == BROKEN)
            entry->res = -ENXIO;
    }
}

/* The linker lets the calls of these end here (--wrap). */
int __real_io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **entry,
                                            unsigned count, struct __kernel_timespec *time,
                                            sigset_t *mask);
int __wrap_io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **entry,
                                            unsigned count, struct __kernel_timespec *time,
                                            sigset_t *mask);
int __real_io_uring_submit_and_get_events(struct io_uring *ring);
int __wrap_io_uring_submit_and_get_events(struct io_uring *ring);

int __wrap_io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **entry,
                                            unsigned count, struct __kernel_timespec *time,
                                            sigset_t *mask)
{
    const int result = __real_io_uring_submit_and_wait_timeout(ring, entry, count, time, mask);
    change_results(ring);
    return result;
}

int __wrap_io_uring_submit_and_get_events(struct io_uring *ring)
{
    const int result = __real_io_uring_submit_and_get_events(ring);
    change_results(ring);
    return result;
}

struct rig {
    char path[300];
    struct file *file;
    struct core_member member;
    struct completions completions;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    unsigned ended;
    int error; /* of the last one that failed */
};

static void note(void *token, int error)
{
    struct rig *rig = token;
    rig->ended++;
    if (error != 0)
        rig->error = error;
}

/* Does what the thread that turns the core does, until so many requests have ended. */
static int wait_for(struct rig *rig, unsigned count)
{
    enum { MOMENT = 1000 };
    while (rig->ended < count) {
        completions_tell(uring_turn(rig->completions.uring, MOMENT));
        pthread_mutex_lock(&rig->lock);
        struct request *first = rig->completions.first;
        rig->completions.first = NULL;
        pthread_mutex_unlock(&rig->lock);
        completions_tell(first);
    }
    EXPECT(rig->ended == count, "each request ends once");
    rig->ended = 0;
    const int error = rig->error;
    rig->error = 0;
    return error;
}

static void make_rig(struct rig *rig, struct uring *uring)
{
    const char *where = getenv("TMPDIR");
    struct pxr_error why = {""};
    snprintf(rig->path, sizeof rig->path, "%s/permxor-file.XXXXXX",
             where != NULL ? where : "/tmp");
    const int fd = mkstemp(rig->path);
    EXPECT(fd >= 0 && ftruncate(fd, 2 * BYTES) == 0 && close(fd) == 0, "a file is made");
    pthread_mutex_init(&rig->lock, NULL);
    pthread_cond_init(&rig->wake, NULL);
    rig->completions =
        (struct completions){.lock = &rig->lock, .wake = &rig->wake, .uring = uring};
    EXPECT(file_open(&rig->file, rig->path, true, &why) == PXR_OK, why.text);
    EXPECT(file_start(rig->file, &rig->completions, &why) == PXR_OK, why.text);
    rig->member = file_member(rig->file);
    uring_enter(uring);
}

static void end_rig(struct rig *rig)
{
    file_stop(rig->file);
    file_close(rig->file);
    uring_close(rig->completions.uring);
    unlink(rig->path);
}

/* The threads do the rest of what io_uring did not do, and what it does not get. */
static bool threads_help(bool aligned)
{
    return !aligned || results == LESS || results == NOTHING || results == LATER;
}

static void ring_round_trip(struct rig *rig, unsigned count, bool aligned)
{
    struct pieces pieces;
    const uint64_t offset = check_random() % 8 * CORE_BLOCK;
    const struct core_member_calls *calls = rig->member.calls;
    make_pieces(&pieces, count, aligned);
    aligned = io_are_aligned(pieces.piece, count);
    fill(&pieces, want);
    kernel.calls = 0;
    calls->write(rig->file, offset, pieces.piece, count, check_random() % 2 == 0, note, rig);
    EXPECT(wait_for(rig, 1) == (results == BROKEN && aligned ? ENXIO : 0), "a write");
    EXPECT((kernel.calls > 0) == threads_help(aligned), "who writes");
    EXPECT(file_read(rig->file, offset, pieces.len, held) == 0 &&
               memcmp(held, want, pieces.len) == 0,
           "the file has what was written");
    wipe(&pieces);
    kernel.calls = 0;
    calls->read(rig->file, offset, pieces.piece, count, note, rig);
    EXPECT(wait_for(rig, 1) == (results == BROKEN && aligned ? ENXIO : 0), "a read");
    EXPECT((kernel.calls > 0) == threads_help(aligned), "who reads");
    EXPECT(same(&pieces, want), "the pieces have what was written");
    calls->flush(rig->file, note, rig);
    EXPECT(wait_for(rig, 1) == (results == BROKEN ? ENXIO : 0), "a flush");
    calls->zero(rig->file, offset, pieces.len, note, rig);
    EXPECT(wait_for(rig, 1) == 0, "zeros");
    memset(want, 0, pieces.len);
    EXPECT(file_read(rig->file, offset, pieces.len, held) == 0 &&
               memcmp(held, want, pieces.len) == 0,
           "the file has zeros");
    free_pieces(&pieces);
}

/* More requests than one call of the system begins. */
static void test_many(struct rig *rig)
{
    enum { MANY = 700 };
    static struct iovec piece[MANY];
    uint8_t *memory = aligned_alloc(CORE_BLOCK, MANY * CORE_BLOCK);
    EXPECT(memory != NULL, "memory");
    for (unsigned i = 0; i < MANY; i++) {
        piece[i] = (struct iovec){memory + i * CORE_BLOCK, CORE_BLOCK};
        memset(piece[i].iov_base, (int)(i % 251), CORE_BLOCK);
        rig->member.calls->write(rig->file, i * CORE_BLOCK, &piece[i], 1, false, note, rig);
    }
    EXPECT(wait_for(rig, MANY) == 0, "many writes");
    memset(memory, 0xee, MANY * CORE_BLOCK);
    for (unsigned i = 0; i < MANY; i++)
        rig->member.calls->read(rig->file, i * CORE_BLOCK, &piece[i], 1, note, rig);
    completions_tell(uring_drain(rig->completions.uring));
    EXPECT(wait_for(rig, MANY) == 0, "many reads");
    for (unsigned i = 0; i < MANY; i++)
        EXPECT(memory[i * CORE_BLOCK] == i % 251 &&
                   memcmp(piece[i].iov_base, memory + i * CORE_BLOCK + 1, CORE_BLOCK - 1) == 0,
               "what was written is read");
    free(memory);
}

static void test_ring(struct uring *uring)
{
    struct rig rig = {.ended = 0};
    make_rig(&rig, uring);
    kernel.most = BYTES;
    for (results = AS_IT_IS; results <= BROKEN; results++) {
        ring_round_trip(&rig, 1, true);
        ring_round_trip(&rig, 2 + (unsigned)(check_random() % 20), true);
        ring_round_trip(&rig, CORE_PIECES, true);
        ring_round_trip(&rig, 8, false);
    }
    results = AS_IT_IS;
    test_many(&rig);
    EXPECT(truncate(rig.path, CORE_BLOCK) == 0, "the file is cut");
    struct pieces pieces;
    make_pieces(&pieces, 2, true);
    rig.member.calls->read(rig.file, 0, pieces.piece, 2, note, &rig);
    EXPECT(wait_for(&rig, 1) == EIO, "a read behind the end");
    free_pieces(&pieces);
    end_rig(&rig);
}

#else

/* It is not called, because uring_open() fails. */
static void test_ring(struct uring *uring)
{
    uring_close(uring);
}

#endif

int main(int argc, char **argv)
{
    check_start("test_array_file", argc, argv);
    alarm(DEADLINE_SECONDS); /* for a loop that never transfers the last byte */
    FILE *file = tmpfile();
    if (file == NULL) {
        check_skip("all", "no temporary file can be made");
        return check_finish();
    }
    if (check_case("pieces that are aligned"))
        test_round_trips(fileno(file), true);
    if (check_case("pieces that are not aligned"))
        test_round_trips(fileno(file), false);
    struct uring *uring;
    const int error = uring_open(&uring);
    if (error != 0)
        check_skip("io_uring", "%s", strerror(error));
    else if (check_case("io_uring"))
        test_ring(uring);
    else
        uring_close(uring);
    fclose(file);
    return check_finish();
}
