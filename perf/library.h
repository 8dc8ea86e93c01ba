/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.h - a shared library with the binary interface of ISA-L, jerasure or gf-complete,
 * loaded by path.
 *
 * Libraries with the same soname can be loaded side by side: glibc compares a path with the
 * files already open (device and inode), and compares a soname only with names that hold no
 * slash.  RTLD_LOCAL hides the symbols of one library from the others.  A libJerasure.so.2
 * needs the libgf_complete.so.1 that belongs to it, and a namespace can hold only one library
 * of that name.  So libraries of jerasure and gf-complete get namespaces of their own, with C
 * libraries of their own.
 */
#ifndef PERF_LIBRARY_H
#define PERF_LIBRARY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "permxor_hash.h"
#include "permxor_raid.h"
#include "walk.h"

struct library {
    void *handle;
    void *base;          /* where its first segment is mapped */
    char path[PATH_MAX]; /* the file that was really loaded, with links resolved */
    char version[64];    /* how it describes itself */
};

/* The coding functions of one library, in one variant.  Functions that it lacks are NULL. */
struct functions {
    void (*gen_rs_matrix)(u8 *matrix, int rows, int k);
    void (*gen_cauchy1_matrix)(u8 *matrix, int rows, int k);
    int (*invert_matrix)(u8 *in, u8 *out, int n);
    void (*init_tables)(int k, int rows, u8 *matrix, u8 *tables);
    void (*mul_init)(u8 c, u8 *table);
    void (*encode)(int len, int k, int rows, u8 *tables, u8 **data, u8 **coding);
    void (*update)(int len, int k, int rows, int index, u8 *tables, u8 *data, u8 **coding);
    void (*dot_prod)(int len, int k, u8 *tables, u8 **data, u8 *coding);
    void (*mad)(int len, int k, int index, u8 *tables, u8 *data, u8 *coding);
    int (*mul)(int len, u8 *table, void *source, void *target);

    /*
     * Not part of ISA-L's interface: a batch of encodes, or updates, in one call, for a runtime
     * that is costly to enter.  Stripe s has the sources from sources[s * k] (for an update the
     * single source sources[s]) and the targets from targets[s * rows].  The calls begin with
     * stripe `first`, and after the last stripe they go on with stripe 0.
     */
    void (*encode_walk)(int len, int k, int rows, u8 *tables, u8 **sources, u8 **targets,
                        size_t stripes, size_t first, size_t calls);
    void (*update_walk)(int len, int k, int rows, int index, u8 *tables, u8 **sources,
                        u8 **targets, size_t stripes, size_t first, size_t calls);

    /* The functions of permxor.h, in the dispatched variant. */
    int (*code_create)(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                       struct pxr_error *why);
    int (*code_create_bits)(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                            unsigned w, size_t packetsize, unsigned flags,
                            struct pxr_error *why);
    int (*code_create_words)(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                             unsigned w, struct pxr_error *why);
    int (*code_update)(const pxr_code *code, size_t len, unsigned index, const u8 *old_data,
                       const u8 *new_data, u8 *const *parity);
    int (*code_encode)(const pxr_code *code, size_t len, u8 *const *data, u8 *const *parity);
    void (*code_free)(pxr_code *code);
    int (*plan_create)(pxr_plan **plan, const pxr_code *code, const u8 *have, const u8 *want,
                       struct pxr_error *why);
    int (*plan_apply)(const pxr_plan *plan, size_t len, u8 *const *have, u8 *const *want);
    void (*plan_free)(pxr_plan *plan);
    int (*hash_create)(pxr_hash **hash, unsigned size, const u8 *key, struct pxr_error *why);
    int (*hash_create_ceph_71721)(pxr_hash **hash, struct pxr_error *why);
    void (*hash_free)(pxr_hash *hash);
    int (*hash_add)(const pxr_hash *hash, uint64_t offset, size_t len, const u8 *piece,
                    u8 *sum);

    /* Checksums of ISA-L and of libxxhash. */
    unsigned (*crc)(u8 *buffer, int len, unsigned init);
    uint64_t (*xxh)(const void *buffer, size_t len);

    /* The Leopard code of a peer (peers/klauspost/leopard.go), by walks over all k+m shards of
       each stripe.  A decode rebuilds the first `lost` data shards in place. */
    uintptr_t (*leopard_open)(int k, int m);
    void (*leopard_close)(uintptr_t code);
    void (*leopard_encode_walk)(uintptr_t code, int len, u8 **shards, size_t stripes,
                                size_t first, size_t calls);
    void (*leopard_decode_walk)(uintptr_t code, int len, int lost, u8 **shards, size_t stripes,
                                size_t first, size_t calls);
};

/* The function that an operation times, where it is not one of struct functions. */
union timed_function {
    void *any;
    /* of ISA-L's interface */
    int (*array)(int vects, int len, void **array); /* RAID */
    int (*detect)(void *mem, size_t len);
    uint32_t (*checksum)(uint32_t init, const u8 *buffer, uint64_t len);
    /* of permxor.h and permxor_raid.h */
    int (*reconstruct)(const pxr_code *code, size_t len, u8 *const *have, u8 *const *want);
    int (*generate)(unsigned n, size_t len, u8 *const *data, u8 *p, u8 *q);
    int (*change)(unsigned index, size_t len, const u8 *before, const u8 *after, u8 *p, u8 *q);
    int (*accumulate)(unsigned first, unsigned count, size_t len, u8 *const *blocks, u8 *p,
                      u8 *q);
    int (*check)(unsigned n, size_t len, u8 *const *data, const u8 *p, const u8 *q,
                 struct pxr_raid_report *report, size_t size);
    int (*recover)(unsigned n, size_t len, u8 *const *data, u8 *p, u8 *q, unsigned lost_count,
                   const unsigned *lost);
    size_t (*compare)(const void *a, const void *b, size_t len);
    size_t (*find)(const void *buffer, size_t len);
    uint32_t (*adler)(uint32_t adler, const void *buffer, size_t len);
};

/*
 * Load the library at `path` and check, through the address of one of its functions, that this
 * very file was loaded.  On failure writes the reason to standard error and returns false.
 */
bool library_open(struct library *library, const char *path);

void library_close(struct library *library);

/*
 * Set the function pointer at `function` to `name`, or name_suffix where the suffix
 * is not empty; NULL where the library has no such function.  (ISO C has no
 * conversion between object and function pointers; POSIX promises that dlsym's
 * result can be stored through one.)
 */
void library_lookup(const struct library *library, const char *name, const char *suffix,
                    void *function);

/*
 * Look the functions up.  A suffix such as "avx2" selects the variant with that ending.  Its
 * tables come from ec_init_tables_base or, for GFNI, ec_init_tables_gfni, because newer
 * releases of ISA-L have two forms of tables, and ec_init_tables makes the form for this CPU.
 * An empty suffix gives the dispatched functions.
 */
void library_functions(const struct library *library, const char *suffix,
                       struct functions *functions);

#endif
