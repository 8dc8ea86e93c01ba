/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * galois.h - arithmetic in GF(2^w), w = 1 to 32, under jerasure's names.
 *
 * A process has one field for each w.  It is made when it is first needed, with the default
 * polynomial of gf_complete.h; galois_change_technique() puts another one in its place, and
 * from then on everything in jerasure.h computes with that one.
 *
 * Numbers are w bits in an int, so those of GF(2^32) may be negative.  Regions are words of
 * 8, 16 or 32 bits in the byte order of the machine.  Any alignment is allowed.
 *
 * Threads may compute at the same time, also in their first calls.  galois_change_technique()
 * and galois_uninit_field() may not run while other calls use a field of that w that the
 * program has given.
 *
 * An argument that makes no sense is told on standard error.  Nothing is written then, and a
 * function that returns a value returns the one that its comment says.
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

/* Makes the default field of w, if there is none.  0, ENOMEM, or EINVAL: no such w. */
int galois_init_default_field(int w);

/* Forgets the field of w, and frees it, its base and the gf_t if the program has given it.
   0, also where there is none. */
int galois_uninit_field(int w);

/*
 * Make a field, whose arguments are those of gf_init_hard(), or a composite one over `base`.
 * Nothing uses it before galois_change_technique().  NULL: it cannot be had.
 */
gf_t *galois_init_field(int w, int mult_type, int region_type, int divide_type,
                        uint64_t prim_poly, int arg1, int arg2);
gf_t *galois_init_composite_field(int w, int region_type, int divide_type, int degree,
                                  gf_t *base_gf);

/* Makes gf the field of w.  gf must have all of its five functions. */
void galois_change_technique(gf_t *gf, int w);

/* The field of w, or NULL where it has not been made yet. */
gf_t *galois_get_field_ptr(int w);

/* Products and quotients; 0 / x is 0 for any x, and otherwise x / 0 and the inverse of 0 are
   -1.  Without such a field, 0 for a product and -1 for the others. */
int galois_single_multiply(int a, int b, int w);
int galois_single_divide(int a, int b, int w);
int galois_inverse(int x, int w);

/*
 * Multiply a region by a number: r2 = multby * region, or with `add`, r2 += multby * region.
 * r2 may be region, and NULL stands for it.  nbytes is a multiple of w / 8.
 */
void galois_w08_region_multiply(char *region, int multby, int nbytes, char *r2, int add);
void galois_w16_region_multiply(char *region, int multby, int nbytes, char *r2, int add);
void galois_w32_region_multiply(char *region, int multby, int nbytes, char *r2, int add);

/* dest ^= src */
void galois_region_xor(char *src, char *dest, int nbytes);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
