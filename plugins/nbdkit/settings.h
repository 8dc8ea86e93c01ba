/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings on nbdkit's command line, KEY=VALUE. */
#ifndef PXR_NBDKIT_SETTINGS_H
#define PXR_NBDKIT_SETTINGS_H

#include "files.h"

#include "permxor_array.h"

#include "host/host.h"

#include <stdbool.h>

struct settings {
    char **members; /* paths, or "missing" */
    unsigned count;
    /* Of a plain set. */
    unsigned k, m, level; /* 0: not given */
    bool has_layout, has_matrix;
    enum pxa_layout layout;
    enum pxr_matrix matrix;
    uint32_t chunk;  /* 0: not given */
    uint64_t offset; /* where blocks begin on each member */
    uint64_t size;   /* 0: as much as the smallest member has */
    /* Of all kinds. */
    const char *set; /* of shards: the beginning of the id of the set, or NULL */
    enum pxa_trust check;
    bool force;
    bool write;    /* an array of 'permxor array create' */
    char **spares; /* of such an array */
    unsigned spare_count;
    enum host_io io;
    bool has_cache;
    uint64_t cache; /* bytes, if has_cache */
    char *control;  /* the path of its socket, or NULL */
};

#define SETTINGS_HELP                                                                        \
    "[member=]<FILE>      A member: a device, an image, a shard, or a folder of shards.\n"   \
    "                     Give one for each member, in any order if the members describe\n"  \
    "                     themselves.  \"missing\" stands for a member of a plain set.\n"    \
    "m=<M> [k=<K>]        A plain set with M blocks of parity, given in order.\n"            \
    "level=<4|5|6>        A plain set with md's parity: P, or P and Q.\n"                    \
    "chunk=<SIZE>         The length of its blocks, for example 64K.\n"                      \
    "layout=<NAME>        Where its parity is, by mdadm's names.\n"                          \
    "matrix=<NAME>        Its code, by the names of permxor.h.\n"                            \
    "offset=<SIZE>        Where the blocks begin on each member.\n"                          \
    "size=<SIZE>          How many bytes of blocks each member has.\n"                       \
    "set=<ID>             The set of shards, if there are several.\n"                        \
    "check=<none|verify|correct>\n"                                                          \
    "                     Compare parity with the data in each read.\n"                      \
    "force=<BOOL>         Read an array of md that may hold wrong parity.\n"                 \
    "write=<BOOL>         Serve an array of 'permxor array create', and write to it.\n"      \
    "                     This is experimental.\n"                                           \
    "spare=<FILE>         With write=true: a file that takes the place of a member that\n"   \
    "                     fails.  Give one for each spare.\n"                                \
    "io=<auto|threads|uring>\n"                                                              \
    "                     With write=true: use members by io_uring or by threads.\n"         \
    "cache=<SIZE>         With write=true: memory for blocks that were read or written,\n"   \
    "                     from 0 to half of the memory.  The usual size is 16M.\n"           \
    "control=<SOCKET>     With write=true: make a socket for 'permxor array status' and so " \
    "on."

/* Return -1 after nbdkit_error(). */
int settings_take(struct settings *settings, const char *key, const char *value);
int settings_complete(const struct settings *settings);

/* Whether the settings describe a plain set. */
bool settings_are_plain(const struct settings *settings);

void settings_free(struct settings *settings);

#endif
