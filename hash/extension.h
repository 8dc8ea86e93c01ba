/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fields of 2^32, 2^64 and 2^128 elements, built on GF(2^8):
 *
 *     F = GF(2^8)[t] / p(t)        with p(t) of degree d = 4, 8 or 16
 *
 * An element is d bytes: byte i is its coefficient of t^i.  An element that has only byte 0 is
 * an element of GF(2^8), and multiplies each byte of the other factor by itself.  Linear hashes
 * need this property (blocks.c).
 */
#ifndef PXR_EXTENSION_H
#define PXR_EXTENSION_H

#include <stdbool.h>
#include <stdint.h>

/* The most bytes of an element. */
#define PXR_MAX_DEGREE 16

/* Elements have room for the largest degree.  The bytes beyond d are zero. */
struct pxr_element {
    uint8_t byte[PXR_MAX_DEGREE];
};

/* Returns whether there is a field of this degree. */
bool pxr_is_degree(unsigned d);

struct pxr_element pxr_element_add(struct pxr_element a, struct pxr_element b);
struct pxr_element pxr_element_multiply(unsigned d, struct pxr_element a, struct pxr_element b);

/* Returns a^exponent, and 1/a. */
struct pxr_element pxr_element_power(unsigned d, struct pxr_element a, uint64_t exponent);
struct pxr_element pxr_element_inverse(unsigned d, struct pxr_element a);

/* Returns whether the smallest field that contains GF(2^8) and a is all of F. */
bool pxr_element_generates(unsigned d, struct pxr_element a);

#endif
