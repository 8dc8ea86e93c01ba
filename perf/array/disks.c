/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "buffers.h"
#include "disks.h"
#include "engine.h"

#include <stdlib.h>
#include <string.h>

/* The most operations of one disk that are under way: a power of two. */
#define UNDER_WAY 16384

/* Superblocks and pages, which are read again, are written alone or few at a time. */
#define RUN 4

struct answer {
    core_io_done *done;
    void *token;
    uint64_t due;
};

struct disk {
    struct disks *all;
    uint8_t *bytes;
    uint64_t free_at;       /* when it has moved all bytes that it was given */
    struct answer *waiting; /* a ring: what came first is due first */
    unsigned first, count;
};

struct disks {
    unsigned count;
    uint64_t size;
    struct disk_speed speed;
    struct disk_counts counts;
    struct disk disk[];
};

uint64_t disks_clock(void)
{
    return (uint64_t)(1e9 * engine_now());
}

/* ------------------------------------------------------------- operations -- */

static void answer_later(struct disk *disk, uint64_t bytes, core_io_done *done, void *token)
{
    const struct disk_speed *speed = &disk->all->speed;
    if (speed->delay == 0 && speed->bandwidth == 0) {
        done(token, 0);
        return;
    }
    const uint64_t now = disks_clock();
    if (disk->free_at < now)
        disk->free_at = now;
    if (speed->bandwidth > 0)
        disk->free_at += bytes * UINT64_C(1000000000) / speed->bandwidth;
    if (disk->count == UNDER_WAY)
        abort(); /* the core never has as many */
    disk->waiting[(disk->first + disk->count++) % UNDER_WAY] =
        (struct answer){done, token, disk->free_at + speed->delay};
}

static void disk_read(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                      core_io_done *done, void *token)
{
    struct disk *disk = self;
    const uint64_t begin = offset;
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len)
        memcpy(piece[i].iov_base, disk->bytes + offset, piece[i].iov_len);
    disk->all->counts.reads++;
    disk->all->counts.bytes_read += offset - begin;
    answer_later(disk, offset - begin, done, token);
}

static void disk_write(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                       bool durable, core_io_done *done, void *token)
{
    struct disk *disk = self;
    const uint64_t begin = offset;
    const bool forgets = disk->all->speed.forgets && count >= RUN;
    (void)durable; /* memory has no cache that could be lost */
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len)
        if (!forgets)
            memcpy(disk->bytes + offset, piece[i].iov_base, piece[i].iov_len);
    disk->all->counts.writes++;
    disk->all->counts.bytes_written += offset - begin;
    answer_later(disk, offset - begin, done, token);
}

static void disk_flush(void *self, core_io_done *done, void *token)
{
    struct disk *disk = self;
    disk->all->counts.flushes++;
    answer_later(disk, 0, done, token);
}

static void disk_zero(void *self, uint64_t offset, uint64_t len, core_io_done *done,
                      void *token)
{
    struct disk *disk = self;
    memset(disk->bytes + offset, 0, len);
    disk->all->counts.writes++;
    answer_later(disk, 0, done, token);
}

static uint64_t disk_size(void *self)
{
    return ((struct disk *)self)->all->size;
}

static const struct core_member_calls calls = {disk_read, disk_write, disk_flush, disk_zero,
                                               disk_size};

/* ------------------------------------------------------------------- disks -- */

/* The system gives memory when it is first written, so a disk's first writes would take longer
   than later ones. */
static void touch(volatile uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i += BUFFERS_PAGE)
        bytes[i] = 0;
}

struct disks *disks_make(unsigned count, uint64_t size, struct disk_speed speed)
{
    struct disks *disks = calloc(1, sizeof *disks + count * sizeof *disks->disk);
    if (disks == NULL)
        return NULL;
    disks->count = count;
    disks->size = size;
    disks->speed = speed;
    for (unsigned i = 0; i < count; i++) {
        struct disk *disk = &disks->disk[i];
        disk->all = disks;
        disk->bytes = calloc(1, size);
        disk->waiting = calloc(UNDER_WAY, sizeof *disk->waiting);
        if (disk->bytes == NULL || disk->waiting == NULL) {
            disks_free(disks);
            return NULL;
        }
        touch(disk->bytes, size);
    }
    return disks;
}

void disks_free(struct disks *disks)
{
    if (disks == NULL)
        return;
    for (unsigned i = 0; i < disks->count; i++) {
        free(disks->disk[i].bytes);
        free(disks->disk[i].waiting);
    }
    free(disks);
}

struct core_member disks_member(struct disks *disks, unsigned index)
{
    return (struct core_member){&calls, &disks->disk[index]};
}

struct disk_counts disks_counts(const struct disks *disks)
{
    return disks->counts;
}

bool disks_answer(struct disks *disks, uint64_t now)
{
    bool any = false;
    for (unsigned i = 0; i < disks->count; i++) {
        struct disk *disk = &disks->disk[i];
        while (disk->count > 0 && disk->waiting[disk->first].due <= now) {
            const struct answer answer = disk->waiting[disk->first];
            disk->first = (disk->first + 1) % UNDER_WAY;
            disk->count--;
            answer.done(answer.token, 0);
            any = true;
        }
    }
    return any;
}
