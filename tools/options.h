/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line: the parser and the help are made from one table of options. */
#ifndef PXR_TOOLS_OPTIONS_H
#define PXR_TOOLS_OPTIONS_H

#include "permxor.h"
#include "permxor_array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which subcommands take an option. */
enum {
    IN_ENCODE = 1,
    IN_DECODE = 2,
    IN_VERIFY = 4,
    IN_REPAIR = 8,
    IN_INFO = 16,
    IN_BENCH = 32,
    IN_TUNE = 64,
    IN_HASH = 128,
    IN_ARRAY_CREATE = 256,
    IN_ARRAY_EXAMINE = 512,
    IN_ARRAY_STATUS = 1024,
    IN_ARRAY_FAIL = 2048,
    IN_ARRAY_REPLACE = 4096,
    IN_ARRAY_READD = 8192,
    IN_ARRAY_SCRUB = 16384,
    IN_ARRAY_VERIFY = 32768,
    IN_ARRAY_LIMITS = 65536,
    IN_ARRAY_ADD = 131072,
    IN_ARRAY_REMOVE = 262144,
    IN_ARRAY_ASSEMBLE = 524288,
    IN_ARRAY_SERVE = 1048576
};

struct options {
    unsigned k, m;
    enum pxr_matrix matrix;
    unsigned w;          /* 0: what suits the matrix */
    uint32_t packetsize; /* 0: likewise */
    uint32_t cell;       /* 0: likewise */
    uint32_t chunk;      /* array create */
    unsigned threads;    /* 0: as many as are suitable */
    bool quiet, deep, direct, salvage, help;
    bool no_hash, reproducible;    /* encode */
    bool warm, dry_run;            /* tune */
    bool json, metrics;            /* array status */
    bool repair;                   /* array scrub */
    unsigned least, most, latency; /* array limits: MiB/s and ms; 0: none */
    /* array serve; what is not given is NULL */
    const char *socket, *control, *plugin, *cache;
    const char *spares[PXA_MAX_MEMBERS];
    unsigned spare_count;
    bool read_only, foreground;
    bool hashes;                         /* verify: the operands are output of hash */
    bool stripes;                        /* hash: each stripe by itself as well */
    unsigned hash_size;                  /* hash: bytes */
    const char *key;                     /* hash: hexadecimal digits, or NULL */
    unsigned output_flags;               /* OUTPUT_REPLACE, OUTPUT_SYNC */
    const char *outputs[PXR_MAX_SHARDS]; /* each -o */
    unsigned output_count;
    const char *name;
    const char *set;
    size_t length;  /* bench, tune: bytes per shard; bench, 0: suits the code */
    double seconds; /* bench, tune: time per measurement */
    char **operands;
    int operand_count;
};

/* Returns the -o if there is exactly one, or NULL. */
const char *options_output(const struct options *options);

/* Parses argv[1..] of a subcommand; argv[0] is its name. */
int options_parse(struct options *options, unsigned subcommand, int argc, char **argv);

/* Prints one line for each option of the subcommand. */
void options_help(unsigned subcommand);

#endif
