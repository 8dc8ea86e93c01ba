/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of shards, and the files of a folder, in memory. */
#ifndef PXR_UNIT_CORRUPT_FOLDER_H
#define PXR_UNIT_CORRUPT_FOLDER_H

#include "shard.h"

/* This is enough for the 256 shards that a forged header may state, and repair then writes. */
enum { FOLDER_FILES = 400, FOLDER_NAME = 32, SET_SHARDS = 26 };

struct bytes {
    uint8_t *at; /* NULL: the file does not exist */
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
    struct bytes content; /* the bytes of the file that was encoded */
    struct bytes shard[SET_SHARDS];
};

/* These end the program when the system fails or memory runs out, because then nothing can be
   tested. */
void *must_allocate(size_t size);
void must_printf(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct bytes bytes_copy(struct bytes from);
void bytes_free(struct bytes *bytes);
bool bytes_equal(struct bytes a, struct bytes b);
struct bytes bytes_read(const char *path); /* .at is NULL if there is no file */
void bytes_write(const char *path, struct bytes bytes);

/* Adds a file, and takes over the memory of its bytes. */
void folder_add(struct folder *folder, const char *name, struct bytes bytes);
void folder_free(struct folder *folder);

/* folder_store() replaces the files in the folder at a path by these files, folder_load() reads
   the files from there, and folder_empty() removes them. */
void folder_store(const struct folder *folder, const char *path);
void folder_load(struct folder *folder, const char *path);
void folder_empty(const char *path);

/* Returns the index of the shard that consists of exactly these bytes, or -1. */
int original_find(const struct original *set, struct bytes bytes);
void original_free(struct original *set);

#endif
