/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file galois.h Arithmetic in GF(2^w), w = 1 to 32, under jerasure's names.
 *
 * A process has one field for each w.  The field is made when it is first needed, with the
 * default polynomial of gf_complete.h. galois_change_technique() replaces it by another field,
 * and from then on everything in jerasure.h computes with that field.
 *
 * Numbers are w bits in an int, so numbers of GF(2^32) may be negative.  Regions are words of
 * 8, 16 or 32 bits in the byte order of the machine.  Any alignment is allowed.
 *
 * Threads may compute at the same time, also in their first calls. galois_change_technique()
 * and galois_uninit_field() must not run while other calls use a field of that w that the
 * program has supplied.
 *
 * When an argument makes no sense, a message goes to standard error, and nothing is written.  A
 * function that returns a value then returns the one that its comment says.
 */
#ifndef PXR_JERASURE_GALOIS_H
#define PXR_JERASURE_GALOIS_H

#include <gf_complete.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Makes the default field of w, if there is none.  Returns 0, or ENOMEM, or EINVAL when there
 * is no such w.
 */
int galois_init_default_field(int w);

/**
 * Forgets the field of w.  When the program has supplied the field, the call frees the field,
 * its base and the gf_t.  Returns 0, also when there is no field of w.
 */
int galois_uninit_field(int w);

/**
 * Makes a field from the arguments of gf_init_hard().  Nothing uses it before
 * galois_change_technique().  Returns NULL when there is no such field, or no memory.
 */
gf_t *galois_init_field(int w, int mult_type, int region_type, int divide_type,
                        uint64_t prim_poly, int arg1, int arg2);

/** Makes a composite field over base_gf.  The rules of galois_init_field() hold. */
gf_t *galois_init_composite_field(int w, int region_type, int divide_type, int degree,
                                  gf_t *base_gf);

/**
 * Makes gf the field of w. gf must have all of its five functions.
 *
 * The call frees the scratch memory of a field that the program has supplied before, but not
 * its gf_t.  As in jerasure, it also frees the base of that field if the last field that was
 * made for this w is composite.
 */
void galois_change_technique(gf_t *gf, int w);

/** Returns the field of w, or NULL when it has not been made yet. */
gf_t *galois_get_field_ptr(int w);

/** Returns a * b, or 0 when there is no field of w. */
int galois_single_multiply(int a, int b, int w);

/**
 * Returns a / b. 0 / b is 0 for any b; otherwise a / 0 is -1.  Returns -1 when there is no
 * field of w.
 */
int galois_single_divide(int a, int b, int w);

/** Returns 1 / x, and -1 for x = 0.  Returns -1 when there is no field of w. */
int galois_inverse(int x, int w);

/**
 * Multiplies a region of words of 8 bits by a number: r2 = multby * region, or with `add`, r2
 * += multby * region. r2 may be region; NULL stands for region. nbytes is a multiple of w / 8,
 * unless multby is 0 or 1.
 */
void galois_w08_region_multiply(char *region, int multby, int nbytes, char *r2, int add);

/** Does the same for words of 16 bits. */
void galois_w16_region_multiply(char *region, int multby, int nbytes, char *r2, int add);

/** Does the same for words of 32 bits. */
void galois_w32_region_multiply(char *region, int multby, int nbytes, char *r2, int add);

/** Computes dest ^= src. */
void galois_region_xor(char *src, char *dest, int nbytes);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
