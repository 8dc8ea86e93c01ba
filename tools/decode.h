/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of permxor decode share. */
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
    const char *path; /* of the output, for messages */
    int fd;
    bool stream; /* fd is written in order, and not renamed */
    struct output output;
    uint64_t reserve;   /* bytes to reserve for the output */
    struct ranges lost; /* salvage: of the file; the survey's lock guards it */
    struct hash hash;   /* of what is written, in order */
    bool wrong;         /* it is not the one that was recorded */
};

/* What -o says, or else the recorded name: a file, or a stream. */
int decode_open_output(struct decoding *d);

/* Give the file its time, its mode and its name; flush a stream. */
int decode_close_output(struct decoding *d);

#endif
