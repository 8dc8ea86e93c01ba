/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading and writing pieces of memory, where the system does less than it was asked for.  The
 * calls of the system are replaced by ones that do so.
 */
#include "config.h"

#include "check.h"

#include "core/member.h"
#include "host/file_io.h"

#include <errno.h>
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
    fclose(file);
    return check_finish();
}
