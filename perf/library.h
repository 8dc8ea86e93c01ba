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
#include <stdint.h>

#include "isa-l.h"
#include "permxor.h"
#include "permxor_hash.h"
#include "permxor_raid.h"
#include "walk.h"

struct library {
    void *handle;
    void *base;          /* where its first segment is mapped */
    char path[PATH_MAX]; /* the file that was really loaded, with links resolved */
    char version[64];    /* how it describes itself */
};

/*
 * Functions that no header here declares.  The first four are not part of ISA-L's interface. An
 * adapter (perf/peers) may have them, for a runtime that is costly to enter: a batch of calls
 * in one call.
 *
 * Stripe s has the sources from sources[s * k] (for an update the single source sources[s]) and
 * the targets from targets[s * rows].  The calls begin with stripe `first`, and after the last
 * stripe they go on with stripe 0.  The Leopard code (peers/klauspost/leopard.go) walks over
 * all k+m shards of each stripe; its decode rebuilds the first `lost` data shards in place.
 */
void ec_encode_data_walk(int len, int k, int rows, u8 *tables, u8 **sources, u8 **targets,
                         size_t stripes, size_t first, size_t calls);
void ec_encode_data_update_walk(int len, int k, int rows, int index, u8 *tables, u8 **sources,
                                u8 **targets, size_t stripes, size_t first, size_t calls);
void leopard_encode_walk(uintptr_t code, int len, u8 **shards, size_t stripes, size_t first,
                         size_t calls);
void leopard_decode_walk(uintptr_t code, int len, int lost, u8 **shards, size_t stripes,
                         size_t first, size_t calls);
uintptr_t leopard_open(int k, int m);
void leopard_close(uintptr_t code);
unsigned crc32_iscsi(u8 *buffer, int len, unsigned init); /* ISA-L's */
uint64_t XXH3_64bits(const void *buffer, size_t len);     /* libxxhash's */

/* clang-format off */
/* Functions that a library may take from another one. */
#define MATRIX_FUNCTIONS(X) \
    X(gf_gen_rs_matrix) X(gf_gen_cauchy1_matrix) X(gf_invert_matrix) X(gf_vect_mul_init)

/* Functions to whose names a suffix is added. */
#define VARIANT_FUNCTIONS(X)                                                                   \
    X(ec_encode_data) X(ec_encode_data_walk)                                                   \
    X(ec_encode_data_update) X(ec_encode_data_update_walk)                                     \
    X(gf_vect_dot_prod) X(gf_vect_mad) X(gf_vect_mul)                                          \
    X(xor_gen) X(xor_check) X(pq_gen) X(pq_check) X(isal_zero_detect) X(isal_adler32)          \
    X(crc32_iscsi) X(XXH3_64bits)                                                              \
    X(leopard_open) X(leopard_close) X(leopard_encode_walk) X(leopard_decode_walk)             \
    X(pxr_code_create) X(pxr_code_create_bits) X(pxr_code_create_words) X(pxr_code_free)       \
    X(pxr_encode) X(pxr_update) X(pxr_reconstruct)                                             \
    X(pxr_plan_create) X(pxr_plan_apply) X(pxr_plan_free)                                      \
    X(pxr_hash_create) X(pxr_hash_create_ceph_71721) X(pxr_hash_free) X(pxr_hash_add)          \
    X(pxr_raid_generate) X(pxr_raid_update) X(pxr_raid_accumulate) X(pxr_raid_check)           \
    X(pxr_raid_recover) X(pxr_compare) X(pxr_find_nonzero) X(pxr_adler32)
/* clang-format on */

/* The functions of one library, in one variant.  Functions that it lacks are NULL. */
struct functions {
#define MEMBER(name) __typeof__(name) *name;
    MATRIX_FUNCTIONS(MEMBER)
    VARIANT_FUNCTIONS(MEMBER)
    MEMBER(ec_init_tables)
#undef MEMBER
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
