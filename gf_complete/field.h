/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of gf_complete/ know of a field beyond its functions.
 */
#ifndef PXR_GF_FIELD_H
#define PXR_GF_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "gf_complete.h"
#include "poly.h"

/*
 * What a gf_t's scratch memory begins with.  The names are ours; order and types are part of
 * the original's binary interface: its tools read it, and so do we where the base of a
 * COMPOSITE field comes from the original library.
 */
struct pxr_gf_head {
    int mult_type, region_type, divide_type, w;
    uint64_t poly; /* x^w is among the bits for w up to 31 alone; of COMPOSITE its s */
    int free_me;   /* whether gf_free() frees the scratch memory */
    int arg1, arg2;
    gf_t *base;   /* of COMPOSITE */
    void *tables; /* what follows the head (tables.c) */
};

static inline struct pxr_gf_head *pxr_gf_head(const gf_t *gf)
{
    return gf->scratch;
}

/* An element of any w, and what such an element is kept in. */
static inline struct pxr_gf_word pxr_gf_of_pair(const uint64_t *pair)
{
    return (struct pxr_gf_word){pair[0], pair[1]};
}

static inline void pxr_gf_to_pair(struct pxr_gf_word word, uint64_t *pair)
{
    pair[0] = word.high;
    pair[1] = word.low;
}

/* The functions of a gf_t, of whichever library, on elements of any w. */
struct pxr_gf_word pxr_gf_multiply(gf_t *gf, struct pxr_gf_word a, struct pxr_gf_word b);
struct pxr_gf_word pxr_gf_inverse(gf_t *gf, struct pxr_gf_word a);

/* The polynomial of a field that is not COMPOSITE, without x^w. */
static inline uint64_t pxr_gf_low_poly(const struct pxr_gf_head *head)
{
    return head->poly & pxr_gf_mask(head->w).low;
}

/* What the bits above w-1 of an argument are cut off with, w up to 32. */
static inline uint32_t pxr_gf_mask_32(const struct pxr_gf_head *head)
{
    return (uint32_t)pxr_gf_mask(head->w).low;
}

/* Bytes of the tables that fields of this w have (tables.c). */
size_t pxr_gf_tables_bytes(int w);

/* Fills in the tables and sets the functions on single elements: of w up to 8, and of w from 9
   to 16 where the polynomial is primitive. */
void pxr_gf_set_small(gf_t *gf);
void pxr_gf_set_logs(gf_t *gf);

/* Completes a field of which the head is filled in: its polynomial, tables and functions.
   Returns 1, or 0 with _gf_errno set. */
int pxr_gf_complete(gf_t *gf);

/* The functions of COMPOSITE fields on single elements, and its default s for a base field: 0
   where there is none. */
void pxr_gf_set_composite(gf_t *gf);
uint64_t pxr_gf_composite_poly(gf_t *base);

/* Whether these arguments of gf_init_hard() are accepted: 1, or 0 with _gf_errno set. */
int pxr_gf_check(int w, int mult_type, int region_type, int divide_type, int arg1, int arg2,
                 uint64_t poly, gf_t *base);

#endif
