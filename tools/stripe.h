/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One stripe in memory: a cell for each shard, with its checksum right before
 * it, as in the file, so that a record is read and written in one piece.
 */
#ifndef PXR_TOOLS_STRIPE_H
#define PXR_TOOLS_STRIPE_H

#include "message.h"
#include "shard.h"

#include <stdatomic.h>
#include <sys/types.h>
#include <sys/uio.h>

struct stripe {
    uint8_t *memory;
    size_t pitch; /* from cell to cell */
    const atomic_bool *cancelled;
    char why[1024]; /* message of a failure, see stripe_fail() */

    uint64_t number;
    uint64_t bytes;      /* of the file in this stripe */
    size_t length;       /* of each cell */
    unsigned good;       /* number of intact cells */
    unsigned unreadable; /* shards whose cell the system failed to read */
    int error;           /* of the last of these */
    uint8_t *cell[PXR_MAX_SHARDS];
    bool unread[PXR_MAX_SHARDS];   /* that it is bad is for a read error */
    uint8_t *have[PXR_MAX_SHARDS]; /* the cell where intact, or NULL */
    uint8_t *want[PXR_MAX_SHARDS]; /* the cell where to be rebuilt, or NULL */
};

/*
 * Make room for `shards` cells of at most `cell` bytes; false without memory,
 * which includes sizes that an address cannot reach.
 */
bool stripe_alloc(struct stripe *stripe, unsigned shards, size_t cell);
void stripe_free(struct stripe *stripe);

/* Set number, bytes and length for one stripe of a set. */
void stripe_begin(struct stripe *stripe, const struct shard_header *header, uint64_t number);

/* Note the message for the user; returns code. */
int stripe_fail(struct stripe *stripe, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Data of the file.  Reading fills whole cells one after the other, and gives
 * the number of bytes, or -1; from a stream (IO_STREAM) it stops when the run
 * is cancelled.  Settle then shares the bytes of a short (the
 * last) stripe out evenly and pads with zeros.  Writing leaves the padding out,
 * and where the file was sparse also zeros, but in a stream: the file is a new one.
 */
ssize_t stripe_read_data(struct stripe *stripe, const struct shard_header *header, int fd,
                         off_t offset, size_t most);
void stripe_settle(struct stripe *stripe, const struct shard_header *header, uint64_t bytes);
ssize_t stripe_write_data(struct stripe *stripe, const struct shard_header *header, int fd,
                          off_t offset);

/*
 * Where the data of the file lies, piece after piece, without the padding; the
 * number of pieces.
 */
int stripe_data(const struct stripe *stripe, const struct shard_header *header,
                struct iovec vector[PXR_MAX_SHARDS]);

/* Zeros in place of a cell. */
void stripe_clear(struct stripe *stripe, unsigned index);

/*
 * Records.  Load reads and checks one cell; a record that is cut off is corrupt,
 * and one that the system fails to read sets errno.  Store writes one into a new
 * file, leaving holes in those of a sparse file; seal must have been called on
 * new cells.
 */
enum cell_state { CELL_GOOD, CELL_CORRUPT, CELL_UNREADABLE };
enum cell_state stripe_load(struct stripe *stripe, const struct shard_header *header,
                            unsigned index, int fd);

/*
 * Read a record as it is, good or not, zeros standing for what the file lacks;
 * false, with errno, when the system fails to.
 */
bool stripe_copy(struct stripe *stripe, const struct shard_header *header, unsigned index,
                 int fd);
void stripe_seal(struct stripe *stripe, const struct shard_header *header, unsigned index);
ssize_t stripe_store(const struct stripe *stripe, const struct shard_header *header,
                     unsigned index, int fd);

#endif
