/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of permxor decode share. */
#ifndef PXR_TOOLS_DECODE_H
#define PXR_TOOLS_DECODE_H

#include "hash.h"
#include "options.h"
#include "output.h"
#include "ranges.h"
#include "survey.h"

struct decoding {
    const struct options *options;
    struct shard_set set;
    struct survey survey;
    const char *path; /* the path of the output, for messages */
    int fd;
    bool stream; /* fd is written in order, and is not renamed */
    struct output output;
    uint64_t reserve;   /* bytes to reserve for the output */
    struct ranges lost; /* salvage: lost ranges of the file; the survey's lock guards them */
    struct hash hash;   /* hash of the bytes that are written, in order */
    bool wrong;         /* the hash differs from the recorded one */
};

/* Opens the output that -o names, or else a file with the recorded name: a file, or a stream.
 */
int decode_open_output(struct decoding *d);

/* Gives the file its time, its mode and its name, or flushes a stream. */
int decode_close_output(struct decoding *d);

#endif
