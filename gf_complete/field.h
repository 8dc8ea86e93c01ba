/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of gf_complete/ know about a field beyond its functions. */
#ifndef PXR_GF_FIELD_H
#define PXR_GF_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "gf_complete.h"
#include "poly.h"

/*
 * The beginning of a gf_t's scratch memory.  The names are ours.  The order and the types are
 * part of the original's binary interface: the original's tools read them, and so does this
 * library when the base of a COMPOSITE field comes from the original library.
 */
struct pxr_gf_head {
    int mult_type, region_type, divide_type, w;
    uint64_t poly; /* contains x^w only for w up to 31; for COMPOSITE it is s */
    int free_me;   /* whether gf_free() frees the scratch memory */
    int arg1, arg2;
    gf_t *base;   /* of COMPOSITE */
    void *tables; /* the memory behind the head (tables.c) */
};

static inline struct pxr_gf_head *pxr_gf_head(const gf_t *gf)
{
    return gf->scratch;
}

/* Convert between an element of any w and the array in which such an element is kept. */
static inline struct pxr_gf_word pxr_gf_of_pair(const uint64_t *pair)
{
    return (struct pxr_gf_word){pair[0], pair[1]};
}

static inline void pxr_gf_to_pair(struct pxr_gf_word word, uint64_t *pair)
{
    pair[0] = word.high;
    pair[1] = word.low;
}

/* Call the functions of a gf_t, of any library, on elements of any w. */
struct pxr_gf_word pxr_gf_multiply(gf_t *gf, struct pxr_gf_word a, struct pxr_gf_word b);
struct pxr_gf_word pxr_gf_inverse(gf_t *gf, struct pxr_gf_word a);

/* Returns the polynomial, without x^w, of a field that is not COMPOSITE. */
static inline uint64_t pxr_gf_low_poly(const struct pxr_gf_head *head)
{
    return head->poly & pxr_gf_mask(head->w).low;
}

/* Returns the mask that removes the bits above w-1 of an argument, for w up to 32. */
static inline uint32_t pxr_gf_mask_32(const struct pxr_gf_head *head)
{
    return (uint32_t)pxr_gf_mask(head->w).low;
}

/* Returns the bytes of the tables of fields with this w (tables.c). */
size_t pxr_gf_tables_bytes(int w);

/* Fill in the tables and set the functions on single elements: for w up to 8, and for w from 9
   to 16 when the polynomial is primitive. */
void pxr_gf_set_small(gf_t *gf);
void pxr_gf_set_logs(gf_t *gf);

/* Completes a field whose head is filled in: its polynomial, tables and functions.  Returns 1,
   or 0 with _gf_errno set. */
int pxr_gf_complete(gf_t *gf);

/* Sets the functions of COMPOSITE fields on single elements; and returns the default s for a
   base field, or 0 when there is none. */
void pxr_gf_set_composite(gf_t *gf);
uint64_t pxr_gf_composite_poly(gf_t *base);

/* Returns 1 when these arguments of gf_init_hard() are accepted, or 0 with _gf_errno set. */
int pxr_gf_check(int w, int mult_type, int region_type, int divide_type, int arg1, int arg2,
                 uint64_t poly, gf_t *base);

#endif
