/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of shards, and a folder of such files, in memory. */
#ifndef PXR_UNIT_CORRUPT_FOLDER_H
#define PXR_UNIT_CORRUPT_FOLDER_H

#include "shard.h"

/* Room for the 256 shards of which a forged header may speak, and repair makes. */
enum { FOLDER_FILES = 400, FOLDER_NAME = 32, SET_SHARDS = 26 };

struct bytes {
    uint8_t *at; /* NULL: there is no such file */
    size_t size;
};

struct folder_file {
    char name[FOLDER_NAME];
    struct bytes bytes;
};

struct folder {
    struct folder_file file[FOLDER_FILES];
    unsigned count;
};

/* A set as encode has written it. */
struct original {
    bool used;
    struct shard_header header;
    struct bytes content; /* of the file */
    struct bytes shard[SET_SHARDS];
};

/* These end the program where the system or memory fails: nothing could be tested. */
void *must_allocate(size_t size);
void must_printf(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct bytes bytes_copy(struct bytes from);
void bytes_free(struct bytes *bytes);
bool bytes_equal(struct bytes a, struct bytes b);
struct bytes bytes_read(const char *path); /* .at is NULL where there is no file */
void bytes_write(const char *path, struct bytes bytes);

/* Takes over the bytes. */
void folder_add(struct folder *folder, const char *name, struct bytes bytes);
void folder_free(struct folder *folder);

/* The folder at a path becomes this one, or the other way round. */
void folder_store(const struct folder *folder, const char *path);
void folder_load(struct folder *folder, const char *path);
void folder_empty(const char *path);

/* The shard that a file has, byte for byte, or -1. */
int original_find(const struct original *set, struct bytes bytes);
void original_free(struct original *set);

#endif
