/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "stripe.h"

#include "io.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Cells start at multiples of 64 bytes.  The 64 bytes before a cell hold its checksum.  They
 * also displace the cells, which would otherwise be a power of two apart and compete for the
 * same cache sets.
 */
enum { ALIGNMENT = 64 };

bool stripe_alloc(struct stripe *stripe, unsigned shards, size_t cell)
{
    size_t padded, total;
    memset(stripe, 0, sizeof *stripe);
    /*
     * At most what a ptrdiff_t can hold.  Then the bytes of a stripe also fit in the size_t and
     * the ssize_t with which they are read and written.
     */
    if (__builtin_add_overflow(cell, (size_t)(2 * ALIGNMENT - 1), &padded))
        return false;
    stripe->pitch = padded / ALIGNMENT * ALIGNMENT;
    if (__builtin_mul_overflow((size_t)shards, stripe->pitch, &total) || total > PTRDIFF_MAX)
        return false;
    stripe->memory = aligned_alloc(ALIGNMENT, total);
    if (stripe->memory == NULL)
        return false;
    for (unsigned i = 0; i < shards; i++)
        stripe->cell[i] = stripe->memory + i * stripe->pitch + ALIGNMENT;
    return true;
}

void stripe_free(struct stripe *stripe)
{
    free(stripe->memory);
    stripe->memory = NULL;
}

void stripe_begin(struct stripe *stripe, const struct shard_header *header, uint64_t number)
{
    stripe->number = number;
    stripe->bytes = shard_stripe_bytes(header, number);
    stripe->length = shard_cell_length(header, number);
    stripe->good = 0;
    stripe->unreadable = 0;
    memset(stripe->have, 0, sizeof stripe->have);
    memset(stripe->unread, 0, sizeof stripe->unread);
    memset(stripe->want, 0, sizeof stripe->want);
}

int stripe_fail(struct stripe *stripe, enum exit_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(stripe->why, sizeof stripe->why, format, arguments);
    va_end(arguments);
    return code;
}

/* ----------------------------------------------------------------- data -- */

/* Describes `bytes` bytes in the data cells, `each` in one cell. */
static int data_vector(const struct stripe *stripe, unsigned k, size_t each, size_t bytes,
                       struct iovec vector[PXR_MAX_SHARDS])
{
    int count = 0;
    for (unsigned i = 0; i < k && bytes > 0; i++) {
        size_t part = bytes < each ? bytes : each;
        vector[count++] = (struct iovec){stripe->cell[i], part};
        bytes -= part;
    }
    return count;
}

ssize_t stripe_read_data(struct stripe *stripe, const struct shard_header *header, int fd,
                         off_t offset, size_t most)
{
    struct iovec vector[PXR_MAX_SHARDS];
    int count = data_vector(stripe, header->k, header->cell, most, vector);
    if (offset == IO_STREAM)
        return io_read_pipe(fd, vector, count, stripe->cancelled);
    return io_read_vector(fd, vector, count, offset);
}

int stripe_data(const struct stripe *stripe, const struct shard_header *header,
                struct iovec vector[PXR_MAX_SHARDS])
{
    return data_vector(stripe, header->k, stripe->length, stripe->bytes, vector);
}

static ssize_t write_sparse(int fd, const struct iovec *vector, int count, off_t offset)
{
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        ssize_t written =
            io_write_sparse(fd, vector[i].iov_base, vector[i].iov_len, offset + total);
        if (written < 0)
            return -1;
        total += written;
    }
    return total;
}

ssize_t stripe_write_data(struct stripe *stripe, const struct shard_header *header, int fd,
                          off_t offset)
{
    struct iovec vector[PXR_MAX_SHARDS];
    int count = stripe_data(stripe, header, vector);
    if (offset != IO_STREAM && (header->attributes & SHARD_IS_SPARSE))
        return write_sparse(fd, vector, count, offset);
    return io_write_vector(fd, vector, count, offset);
}

/*
 * Copies the bytes from, from + 1, ... of cells of `full` bytes into a cell.  The last piece is
 * copied first, because it may come from the very cell that is being filled.
 */
static void gather(const struct stripe *stripe, size_t full, size_t from, uint8_t *to,
                   size_t length)
{
    while (length > 0) {
        size_t end = from + length;
        size_t in_cell = (end - 1) % full + 1; /* bytes of the last cell before end */
        size_t part = in_cell < length ? in_cell : length;
        memmove(to + length - part, stripe->cell[(end - 1) / full] + in_cell - part, part);
        length -= part;
    }
}

/*
 * With cells of c bytes, cell i has to hold bytes i*c to i*c + c of the data, which were read
 * into cells of the full size; c does not exceed that size.  The cells are filled from the last
 * to the first.  This overwrites no byte that is still to be copied: the bytes that the cells
 * below i need end before byte i*c, and that byte is not beyond the start of cell i.
 */
void stripe_settle(struct stripe *stripe, const struct shard_header *header, uint64_t bytes)
{
    size_t total = bytes;
    size_t each = shard_cell_for(header, bytes);
    stripe->bytes = total;
    stripe->length = each;
    if (each == header->cell && total == each * header->k)
        return;
    for (unsigned i = header->k; i-- > 0;) {
        size_t from = i * each < total ? i * each : total;
        size_t part = each < total - from ? each : total - from;
        gather(stripe, header->cell, from, stripe->cell[i], part);
        memset(stripe->cell[i] + part, 0, each - part);
    }
}

void stripe_clear(struct stripe *stripe, unsigned index)
{
    memset(stripe->cell[index], 0, stripe->length);
}

/* -------------------------------------------------------------- records -- */

static uint8_t *record_of(const struct stripe *stripe, unsigned index)
{
    return stripe->cell[index] - SHARD_CHECK_SIZE;
}

enum cell_state stripe_load(struct stripe *stripe, const struct shard_header *header,
                            unsigned index, int fd)
{
    uint8_t *record = record_of(stripe, index);
    size_t size = SHARD_CHECK_SIZE + stripe->length;
    ssize_t got =
        io_read_at(fd, record, size, (off_t)shard_record_offset(header, stripe->number));
    if (got < 0)
        return CELL_UNREADABLE;
    if (got == (ssize_t)size && shard_cell_intact(header, index, stripe->number,
                                                  stripe->cell[index], stripe->length, record))
        return CELL_GOOD;
    return CELL_CORRUPT;
}

bool stripe_copy(struct stripe *stripe, const struct shard_header *header, unsigned index,
                 int fd)
{
    uint8_t *record = record_of(stripe, index);
    size_t size = SHARD_CHECK_SIZE + stripe->length;
    ssize_t got =
        io_read_at(fd, record, size, (off_t)shard_record_offset(header, stripe->number));
    if (got < 0)
        return false;
    memset(record + got, 0, size - (size_t)got);
    return true;
}

void stripe_seal(struct stripe *stripe, const struct shard_header *header, unsigned index)
{
    shard_cell_seal(header, index, stripe->number, stripe->cell[index], stripe->length,
                    record_of(stripe, index));
}

ssize_t stripe_store(const struct stripe *stripe, const struct shard_header *header,
                     unsigned index, int fd)
{
    off_t offset = (off_t)shard_record_offset(header, stripe->number);
    size_t size = SHARD_CHECK_SIZE + stripe->length;
    if (header->attributes & SHARD_IS_SPARSE)
        return io_write_sparse(fd, record_of(stripe, index), size, offset);
    return io_write_at(fd, record_of(stripe, index), size, offset);
}
