/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library.h - a shared library with ISA-L's binary interface, loaded by path.
 *
 * Libraries with the same soname can be loaded side by side: glibc compares
 * a path with the files already open (device and inode), and a soname only with
 * names that hold no slash.  RTLD_LOCAL keeps the symbols of one out of the
 * other's sight.
 */
#ifndef PERF_LIBRARY_H
#define PERF_LIBRARY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "permxor.h"
#include "walk.h"

struct library {
    void *handle;
    void *base;          /* where its first segment is mapped */
    char path[PATH_MAX]; /* the file really loaded, links resolved */
    char version[64];    /* what it says of itself, in words */
};

/* The functions of one library, in one variant.  Missing ones are NULL. */
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
     * Not of ISA-L's interface: a batch of encodes, or updates, in one call, for a
     * runtime that is costly to enter.  Stripe s has sources[s * k..] (an update: the
     * one sources[s]) and targets[s * rows..]; the calls begin with stripe `first` and
     * go around.
     */
    void (*encode_walk)(int len, int k, int rows, u8 *tables, u8 **sources, u8 **targets,
                        size_t stripes, size_t first, size_t calls);
    void (*update_walk)(int len, int k, int rows, int index, u8 *tables, u8 **sources,
                        u8 **targets, size_t stripes, size_t first, size_t calls);

    /* Of permxor.h, in the dispatched variant. */
    int (*code_create)(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                       struct pxr_error *why);
    int (*code_encode)(const pxr_code *code, size_t len, uint8_t *const *data,
                       uint8_t *const *parity);
    void (*code_free)(pxr_code *code);
};

/*
 * Load the library at `path` and check, through the address of one of its
 * functions, that this very file was loaded.  On failure writes the reason to
 * standard error and returns false.
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
 * Look the erasure-coding functions up.  A suffix such as "avx2" names the variant with that
 * ending; its tables come from ec_init_tables_base or, for GFNI, ec_init_tables_gfni, because
 * newer releases of ISA-L have two forms and ec_init_tables makes that of this CPU.  An empty
 * suffix gives the dispatched functions.
 */
void library_functions(const struct library *library, const char *suffix,
                       struct functions *functions);

#endif
