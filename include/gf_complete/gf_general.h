/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file gf_general.h Elements of fields of any w.  The names, arguments and results are those
 * of gf-complete 1.0's header with this name. w is 1 to 32, 64 or 128, and it decides which
 * member of gf_general_t holds the element.
 */
#ifndef PXR_GF_GENERAL_H
#define PXR_GF_GENERAL_H

/* The original header includes these, too. */
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gf_complete.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** An element of a field of any w. */
typedef union {
    uint32_t w32;     /**< for w up to 32 */
    uint64_t w64;     /**< for w = 64 */
    uint64_t w128[2]; /**< for w = 128, the high half first */
} gf_general_t;

/** Sets v to 0. */
void gf_general_set_zero(gf_general_t *v, int w);

/** Sets v to 1. */
void gf_general_set_one(gf_general_t *v, int w);

/** Sets v to 2. */
void gf_general_set_two(gf_general_t *v, int w);

/** Returns 1 when v is 0, and otherwise 0. */
int gf_general_is_zero(gf_general_t *v, int w);

/** Returns 1 when v is 1, and otherwise 0. */
int gf_general_is_one(gf_general_t *v, int w);

/** Returns 1 when v1 and v2 are equal, and otherwise 0. */
int gf_general_are_equal(gf_general_t *v1, gf_general_t *v2, int w);

/**
 * Writes the element as text: hexadecimal digits, or else a decimal number, which is signed for
 * w = 64.  For w = 128 there are only hexadecimal digits. s has room for 33 characters.
 */
void gf_general_val_to_s(gf_general_t *v, int w, char *s, int hex);

/**
 * Reads the element from text.  Returns 1, or 0 when there are no such digits, when the number
 * does not fit, or when w is 128 and hex is not set.  For w = 32 and 64 the number may be
 * negative.
 */
int gf_general_s_to_val(gf_general_t *v, int w, char *s, int hex);

/**
 * Sets v to a number of the generator of gf_rand.h.  It is not 0, unless zero_ok is set.  If
 * nothing has seeded the generator, and zero_ok is not set, the call seeds it.
 */
void gf_general_set_random(gf_general_t *v, int w, int zero_ok);

/** Computes c = a + b. */
void gf_general_add(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c);

/** Computes c = a * b. */
void gf_general_multiply(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c);

/** Computes c = a / b. */
void gf_general_divide(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c);

/** Computes b = 1 / a. */
void gf_general_inverse(gf_t *gf, gf_general_t *a, gf_general_t *b);

/** Computes rb = a * ra, or with add rb += a * ra. */
void gf_general_do_region_multiply(gf_t *gf, gf_general_t *a, void *ra, void *rb, int bytes,
                                   int add);

/**
 * Checks that final_target holds the words a * orig_a, with add plus the words of orig_target.
 * When a word differs, the function prints a message to standard error and aborts the program.
 */
void gf_general_do_region_check(gf_t *gf, gf_general_t *a, void *orig_a, void *orig_target,
                                void *final_target, int bytes, int add);

/** Fills two regions of `size` bytes with random elements.  None of those in rb is 0. */
void gf_general_set_up_single_timing_test(int w, void *ra, void *rb, int size);

/**
 * Replaces the elements of ra one by one: by their products with those of rb when `which` is
 * 'M', by their quotients for 'D', or by their inverses for 'I'.  With w = 128 each result goes
 * to the first two words of ra.  Returns the number of elements.
 */
int gf_general_do_single_timing_test(gf_t *gf, void *ra, void *rb, int size, char which);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
