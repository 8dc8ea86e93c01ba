/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of fields of any w, with the names, arguments and results of gf-complete 1.0's
 * header of this name.  w is 1 to 32, 64 or 128, and which member of gf_general_t holds the
 * element follows from it.
 */
#ifndef PXR_GF_GENERAL_H
#define PXR_GF_GENERAL_H

/* The original brings these along. */
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

typedef union {
    uint32_t w32;
    uint64_t w64;
    uint64_t w128[2]; /* the high half first */
} gf_general_t;

void gf_general_set_zero(gf_general_t *v, int w);
void gf_general_set_one(gf_general_t *v, int w);
void gf_general_set_two(gf_general_t *v, int w);

int gf_general_is_zero(gf_general_t *v, int w);
int gf_general_is_one(gf_general_t *v, int w);
int gf_general_are_equal(gf_general_t *v1, gf_general_t *v2, int w);

/* The element as text, in hexadecimal digits or else as a decimal number, which for w = 64 is
   a signed one; w = 128 has hexadecimal digits alone.  s has room for 33 characters. */
void gf_general_val_to_s(gf_general_t *v, int w, char *s, int hex);

/* The element from text.  Returns 1, or 0 where there are no such digits, or the number does
   not fit, or w is 128 and hex is not set. */
int gf_general_s_to_val(gf_general_t *v, int w, char *s, int hex);

/* From the generator of gf_rand.h; not 0 unless zero_ok. */
void gf_general_set_random(gf_general_t *v, int w, int zero_ok);

/* c = a + b, a * b, a / b, and b = 1 / a. */
void gf_general_add(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c);
void gf_general_multiply(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c);
void gf_general_divide(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c);
void gf_general_inverse(gf_t *gf, gf_general_t *a, gf_general_t *b);

/* rb = a * ra, or with add rb += a * ra. */
void gf_general_do_region_multiply(gf_t *gf, gf_general_t *a, void *ra, void *rb, int bytes,
                                   int add);

/* Whether final_target holds the words a * orig_a, with add plus those of orig_target: where
   one does not, a message goes to standard error, and the program is aborted. */
void gf_general_do_region_check(gf_t *gf, gf_general_t *a, void *orig_a, void *orig_target,
                                void *final_target, int bytes, int add);

/* Fills two regions of `size` bytes with random elements, none of which is 0 in rb. */
void gf_general_set_up_single_timing_test(int w, void *ra, void *rb, int size);

/* Replaces the elements of ra one by one: by their products with those of rb ('M' for which),
   their quotients ('D') or their inverses ('I').  With w = 128 each result goes to the first
   two words of ra.  Returns how many elements that were. */
int gf_general_do_single_timing_test(gf_t *gf, void *ra, void *rb, int size, char which);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
