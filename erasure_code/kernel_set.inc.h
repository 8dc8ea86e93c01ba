/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel set: the bodies of all operations over the vector verbs of one
 * instruction set.  An instance file defines KERNEL_NAME, KERNEL_NEEDS and
 * KERNEL_USABLE, includes its verbs and then this file, which leaves the
 * registry row `const struct pxr_kernels pxr_kernels_NAME`.
 *
 * The verbs, on vec (VEC_BYTES bytes), terms (a source vector prepared for
 * multiplication) and coef (a coefficient prepared for it):
 *
 *   vec_load(p), vec_load_part(p, n)        n in 1..VEC_BYTES-1: exactly n bytes
 *   vec_store(p, v), vec_store_part(p, v, n)    are touched, in any arrangement
 *   vec_stream(p, v), stream_fence()            p aligned to VEC_BYTES
 *   vec_zero(), vec_xor(a, b)
 *   terms_of(x), coef_load(nibble table)
 *   mul_add(acc, terms, coef)                   acc + x*c
 *   double_add(q, x)                            2*q + x, in Horner's form:
 *   horner_open(v), horner_close(q)             the form of v, and back
 *
 * and the choices that go with them:
 *
 *   HORNER_GENERAL   the most general rows that share a pass with P and Q by
 *                    Horner's rule (-1: none); with more, multiplying Q like
 *                    any other row is cheaper
 *   DOT_BULK(n)      where defined, names an assembly function that takes the
 *                    whole vectors of a pass of n general rows
 *   KERNEL_STEP      bytes of the largest block, where that is not two vectors
 */
#include "kernels.h"

/* F(0) to F(PXR_MAX_ROWS - 1) */
#define EACH_ROW(F) F(0) F(1) F(2) F(3) F(4) F(5)

/* A vector at p: all of it, or its first `part` bytes. */
PXR_INLINE vec load(const uint8_t *p, size_t part)
{
    return part ? vec_load_part(p, part) : vec_load(p);
}

PXR_INLINE void store(uint8_t *p, vec v, size_t part)
{
    if (part)
        vec_store_part(p, v, part);
    else
        vec_store(p, v);
}

#if HORNER_GENERAL != -1 && HORNER_GENERAL != 0 && HORNER_GENERAL != 4
#error "passes with P, Q and at most 0 or 4 general rows are instantiated"
#endif

#include "kernel_dot.inc.h"
#include "kernel_mad.inc.h"

#ifndef KERNEL_STEP
#define KERNEL_STEP (2 * VEC_BYTES)
#endif

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define STRING_(a) #a
#define STRING(a) STRING_(a)

const struct pxr_kernels PASTE(pxr_kernels_, KERNEL_NAME) = {
    .name = STRING(KERNEL_NAME),
    .needs = KERNEL_NEEDS,
    .usable = KERNEL_USABLE,
    .step = KERNEL_STEP,
    .dot =
        {
            [PXR_SPECIAL_NONE] = {NULL, dot_general_1, dot_general_2, dot_general_3,
                                  dot_general_4, dot_general_5, dot_general_6},
            [PXR_SPECIAL_P] = {dot_p_0, dot_p_1, dot_p_2, dot_p_3, dot_p_4, dot_p_5},
#if HORNER_GENERAL >= 4
            [PXR_SPECIAL_PQ] = {dot_pq_0, dot_pq_1, dot_pq_2, dot_pq_3, dot_pq_4},
#elif HORNER_GENERAL >= 0
            [PXR_SPECIAL_PQ] = {dot_pq_0},
#endif
        },
    .mad = {NULL, mad_1, mad_2, mad_3, mad_4, mad_5, mad_6},
};
