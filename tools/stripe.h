/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One stripe in memory: a cell for each shard, with its checksum directly before it, as in the
 * file.  So a record is read and written in one piece.
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
    size_t pitch; /* distance from cell to cell */
    const atomic_bool *cancelled;
    char why[1024]; /* the message of a failure, see stripe_fail() */

    uint64_t number;
    uint64_t bytes;      /* bytes of the file in this stripe */
    size_t length;       /* bytes of each cell */
    unsigned good;       /* number of intact cells */
    unsigned unreadable; /* number of shards whose cell the system failed to read */
    int error;           /* the error of the last of these */
    uint8_t *cell[PXR_MAX_SHARDS];
    bool unread[PXR_MAX_SHARDS];   /* the cell is bad because of a read error */
    uint8_t *have[PXR_MAX_SHARDS]; /* the cell if it is intact, or NULL */
    uint8_t *want[PXR_MAX_SHARDS]; /* the cell if it is to be rebuilt, or NULL */
};

/*
 * Makes room for `shards` cells of at most `cell` bytes.  Returns false without memory, also
 * for sizes that an address cannot reach.
 */
bool stripe_alloc(struct stripe *stripe, unsigned shards, size_t cell);
void stripe_free(struct stripe *stripe);

/* Sets number, bytes and length for one stripe of a set. */
void stripe_begin(struct stripe *stripe, const struct shard_header *header, uint64_t number);

/* Stores the message for the user, and returns code. */
int stripe_fail(struct stripe *stripe, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Data of the file. stripe_read_data() fills whole cells one after the other, and returns the
 * number of bytes, or -1.  From a stream (IO_STREAM) it stops when the run is cancelled.
 * stripe_settle() then distributes the bytes of a short (the last) stripe evenly and pads with
 * zeros. stripe_write_data() leaves the padding out.  For a sparse file it also leaves zeros
 * out, because the file is new; in a stream it does not.
 */
ssize_t stripe_read_data(struct stripe *stripe, const struct shard_header *header, int fd,
                         off_t offset, size_t most);
void stripe_settle(struct stripe *stripe, const struct shard_header *header, uint64_t bytes);
ssize_t stripe_write_data(struct stripe *stripe, const struct shard_header *header, int fd,
                          off_t offset);

/*
 * Lists the pieces of memory that hold the data of the file, without the padding.  Returns the
 * number of pieces.
 */
int stripe_data(const struct stripe *stripe, const struct shard_header *header,
                struct iovec vector[PXR_MAX_SHARDS]);

/* Fills a cell with zeros. */
void stripe_clear(struct stripe *stripe, unsigned index);

/*
 * Records. stripe_load() reads and checks one cell.  A record that is cut off is corrupt; when
 * the system fails to read a record, errno is set. stripe_store() writes a record into a new
 * file, and leaves holes in the shards of a sparse file.  Before, stripe_seal() must have been
 * called on new cells.
 */
enum cell_state { CELL_GOOD, CELL_CORRUPT, CELL_UNREADABLE };
enum cell_state stripe_load(struct stripe *stripe, const struct shard_header *header,
                            unsigned index, int fd);

/*
 * Reads a record as it is, good or not, with zeros for bytes that the file lacks.  Returns
 * false, with errno, when the system fails to read it.
 */
bool stripe_copy(struct stripe *stripe, const struct shard_header *header, unsigned index,
                 int fd);
void stripe_seal(struct stripe *stripe, const struct shard_header *header, unsigned index);
ssize_t stripe_store(const struct stripe *stripe, const struct shard_header *header,
                     unsigned index, int fd);

#endif
