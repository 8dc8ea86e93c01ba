/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "writer.h"

#include "io.h"
#include "message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int writer_create(struct output *output, const struct shard_header *header, unsigned index,
                  const char *directory, unsigned flags, uint64_t size)
{
    char name[SHARD_FILE_NAME_SIZE];
    shard_file_name(header, index, name);
    char *path = path_join(directory, name);
    if (path == NULL)
        return complain(STATUS_SYSTEM, "%s: cannot create: out of memory", name);
    int status = output_create(output, path, flags, size);
    free(path);
    return status;
}

int writer_store(const struct output *output, struct stripe *stripe,
                 const struct shard_header *header, unsigned index)
{
    ssize_t written = stripe_store(stripe, header, index, output->fd);
    if (written < 0)
        return stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot write: %s", output->path,
                           strerror(errno));
    output_written(output, (off_t)shard_record_offset(header, stripe->number), (size_t)written);
    return STATUS_OK;
}

int writer_finish(const struct output *output, const struct shard_header *header,
                  unsigned index)
{
    uint8_t bytes[SHARD_HEADER_SIZE];
    struct shard_header own = *header;
    own.index = index;
    shard_header_encode(&own, bytes);
    off_t trailer = (off_t)(shard_file_size(&own) - SHARD_HEADER_SIZE);
    if (io_write_at(output->fd, bytes, sizeof bytes, trailer) < 0 ||
        io_write_at(output->fd, bytes, sizeof bytes, 0) < 0)
        return complain(STATUS_SYSTEM, "%s: cannot write: %s", output->path, strerror(errno));
    return STATUS_OK;
}
