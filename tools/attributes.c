/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "attributes.h"

#include "hash.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void attributes_take(struct shard_header *header, const struct stat *status)
{
    header->attributes |= SHARD_HAS_STATUS;
    header->mode = status->st_mode & 07777;
    header->seconds = status->st_mtim.tv_sec;
    header->nanoseconds = (uint32_t)status->st_mtim.tv_nsec;
    /* In POSIX blocks may have any size; in Linux they have 512 bytes. */
    if ((uint64_t)status->st_blocks * 512 < (uint64_t)status->st_size)
        header->attributes |= SHARD_IS_SPARSE;
}

/*
 * The tag makes the id different from the hash of anything else.  It would change if other
 * bytes were hashed.  The bytes are those of the header up to its checksum, without the id that
 * is to be found, and without the index, which differs from shard to shard.
 */
int attributes_make_id(struct shard_header *header)
{
    static const char tag[] = "permxor set id 1";
    uint8_t source[sizeof tag - 1 + SHARD_HEADER_SIZE], hash[SHARD_HASH_SIZE];
    struct shard_header plain = *header;
    plain.index = 0;
    memset(plain.id, 0, sizeof plain.id);
    memcpy(source, tag, sizeof tag - 1);
    shard_header_encode(&plain, source + sizeof tag - 1);
    int status = hash_of(source, sizeof source - SHARD_CHECK_SIZE, hash);
    memcpy(header->id, hash, sizeof header->id);
    return status;
}

/* Returns false when this system cannot represent the time. */
static bool time_of(const struct shard_header *header, struct timespec *time)
{
    *time = (struct timespec){(time_t)header->seconds, (long)header->nanoseconds};
    return time->tv_sec == header->seconds;
}

void attributes_restore_time(const struct shard_header *header, int fd, const char *path)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}};
    if (!(header->attributes & SHARD_HAS_STATUS))
        return;
    errno = EOVERFLOW;
    if (!time_of(header, &times[1]) || futimens(fd, times) != 0)
        warn("%s: cannot set the time of modification of the original: %s", path,
             strerror(errno));
}

/* Prints the time in a form that date(1) reads, or as a number when the calendar does not reach
   it. */
static void print_time(const struct shard_header *header)
{
    char text[64];
    struct timespec time;
    struct tm parts;
    if (time_of(header, &time) && gmtime_r(&time.tv_sec, &parts) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts) > 0)
        printf("  modified  %s.%09" PRIu32 " UTC\n", text, header->nanoseconds);
    else
        printf("  modified  %" PRId64 " seconds since 1970 UTC\n", header->seconds);
}

void attributes_print(const struct shard_header *header)
{
    char hash[HASH_TEXT_SIZE];
    hash_text(header->hash, hash);
    if (header->attributes & SHARD_HAS_HASH)
        printf("  sha256    %s\n", hash);
    if (header->attributes & SHARD_HAS_STATUS) {
        printf("  mode      %04o\n", header->mode);
        print_time(header);
    }
    if (header->attributes & SHARD_IS_SPARSE)
        printf("  sparse    blocks of zeros are holes\n");
    if (header->disks > 0)
        printf("  folders   %u\n", header->disks);
}
