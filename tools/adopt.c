/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "adopt.h"

#include "io.h"
#include "message.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file whose name tells its shard is compared with this shard in all records, because it may
   have one good cell.  In the first records it is also compared with all other shards. */
enum { RECORDS_TRIED = 4 };

/* Returns the shard that the file's name stands for, or the first shard. */
static unsigned guess_index(const struct shard_header *header, const char *path)
{
    char name[SHARD_FILE_NAME_SIZE];
    for (unsigned i = 0; i < header->k + header->m; i++) {
        shard_file_name(header, i, name);
        if (strcmp(path_base(path), name) == 0)
            return i;
    }
    return 0;
}

/* Finds the shard to which a record belongs, among `most` of them from *index on. */
static bool record_proves(const struct shard_header *header, uint64_t stripe,
                          const uint8_t *record, size_t length, unsigned most, unsigned *index)
{
    unsigned shards = header->k + header->m, first = *index;
    for (unsigned i = 0; i < most; i++) {
        *index = (first + i) % shards;
        if (shard_cell_intact(header, *index, stripe, record + SHARD_CHECK_SIZE, length,
                              record))
            return true;
    }
    *index = first;
    return false;
}

static bool cells_prove(const struct shard_header *header, const struct shard_file *file,
                        int fd, uint8_t *record, unsigned *index)
{
    uint64_t stripes = shard_stripes_within(header, (uint64_t)file->status.st_size);
    for (uint64_t s = 0; s < stripes; s++) {
        size_t length = shard_cell_length(header, s), size = SHARD_CHECK_SIZE + length;
        unsigned most = s < RECORDS_TRIED ? header->k + header->m : 1;
        if (io_read_at(fd, record, size, (off_t)shard_record_offset(header, s)) ==
                (ssize_t)size &&
            record_proves(header, s, record, length, most, index))
            return true;
    }
    return false;
}

static void adopt(struct shard_file *file, const struct shard_header *header, unsigned index)
{
    uint64_t size = (uint64_t)file->status.st_size, expected = shard_file_size(header);
    warn("%s: %s, but its cells prove that it is shard %03u", file->path,
         file->error != 0 ? strerror(file->error) : file->why, index);
    file->usable = true;
    file->header = *header;
    file->header.index = index;
    /* A part that cannot be read is not known to be damaged. */
    file->flaws = file->error != 0 ? 0 : SHARD_FLAW_HEADER | SHARD_FLAW_TRAILER;
    if (size < expected)
        file->flaws |= SHARD_FLAW_SHORT;
    else if (size > expected)
        file->flaws |= SHARD_FLAW_LONG;
}

int adopt_headless(struct shard_list *list, const struct shard_header *header)
{
    uint8_t *record = NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct shard_file *file = &list->files[i];
        if (!file->headless || file->status.st_size <= SHARD_HEADER_SIZE + SHARD_CHECK_SIZE)
            continue;
        if (record == NULL)
            record = malloc(SHARD_CHECK_SIZE + (size_t)shard_cell_length(header, 0));
        if (record == NULL)
            return complain(STATUS_SYSTEM, "not enough memory for a cell");
        unsigned index = guess_index(header, file->path);
        int fd = shard_file_open(file->path);
        if (fd < 0)
            continue;
        if (cells_prove(header, file, fd, record, &index))
            adopt(file, header, index);
        close(fd);
    }
    free(record);
    return STATUS_OK;
}
