/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sides.h - two libisals, or two libJerasures, behind one liberasurecode, in one process.
 *
 * liberasurecode opens these libraries by name, so a process normally has one of each.  But
 * each namespace of the dynamic linker has names of its own.  A side is a namespace into which
 * a certain library is loaded before liberasurecode, which then finds that one under the name.
 */
#ifndef SIDES_H
#define SIDES_H

#include <liberasurecode/erasurecode.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    ISA_L_RS_VAND_INV = 9, /* of liberasurecode 1.7 and 1.8, whose headers we do not need */
    ISA_L_RS_LRC = 10,
};

struct backend {
    const char *name;
    ec_backend_id_t id;
    int w, most;     /* bits of a word, and the most fragments */
    bool always_mds; /* for all k and m */
};

/* Returns NULL when there is no backend of that name. */
const struct backend *backend_find(const char *name);

struct code {
    const struct backend *backend;
    int k, m;
    ec_checksum_type_t checksum;
};

struct side {
    const char *library; /* its file */
    void *handle;        /* of liberasurecode */
    int (*create)(ec_backend_id_t id, struct ec_args *args);
    int (*destroy)(int desc);
    int (*encode)(int desc, const char *bytes, uint64_t size, char ***data, char ***parity,
                  uint64_t *fragment_len);
    int (*encode_cleanup)(int desc, char **data, char **parity);
    int (*decode)(int desc, char **fragments, int count, uint64_t fragment_len, int check,
                  char **bytes, uint64_t *size);
    int (*decode_cleanup)(int desc, char *bytes);
    int (*rebuild)(int desc, char **fragments, int count, uint64_t fragment_len, int index,
                   char *fragment);
    int (*is_invalid)(int desc, char *fragment);
    int (*verify)(int desc, char **fragments, int count);
    int (*metadata)(char *fragment, fragment_metadata_t *metadata);
};

/* Open a side.  On failure, this function and the next two end the program with a message. */
void side_open(struct side *side, const char *codec, const char *library);

/* Make an instance, and check that the side's library and no other version is then loaded in
   its namespace. */
int side_create(const struct side *side, const struct code *code);

struct stripe {
    char *fragment[EC_MAX_FRAGMENTS];
    char **data, **parity; /* as liberasurecode allocated them */
    uint64_t len;          /* of a fragment with its header */
};
void side_encode(const struct side *side, int desc, const struct code *code, const char *bytes,
                 uint64_t size, struct stripe *stripe);

/* Returns what liberasurecode_instance_create() returns for the code. */
int side_try_create(const struct side *side, const struct code *code);

#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void die_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
