/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel set: the bodies of all operations over the vector verbs of one instruction set.  An
 * instance file defines KERNEL_NAME, KERNEL_NEEDS and KERNEL_REQUIRES (kernels.h: needs,
 * requires), includes its verbs and then this file.  The result is the registry row `const
 * struct pxr_kernels pxr_kernels_NAME`.
 *
 * The verbs work on three types: vec (VEC_BYTES bytes, a number that may be known only at run
 * time), terms (a source vector prepared for multiplication) and coef (a coefficient prepared
 * for it).  The compiler need not know the size of any of these types, so no array, structure
 * or conditional operator holds them.
 *
 *   vec_load(p), vec_load_part(p, n)            n in 1..VEC_BYTES: exactly n bytes are
 *   vec_store(p, v), vec_store_part(p, v, n)    touched, and may be in any order in the
 *                                               vector; the rest of it is zero
 *   vec_zero(), vec_xor(a, b), vec_or(a, b)
 *   vec_any(v)                                  whether any bit is set
 *   terms_of(x), coef_load(nibble table)
 *   mul_add(acc, terms, coef)                   acc + x*c
 *   double_add(q, x)                            2*q + x
 *
 * Verbs on sums: numbers in lanes of 32 bits, to each of which a vector may add 8 bytes:
 *
 *   sums_zero(), sums_add(s, t)
 *   sums_of_bytes(s, x)                         adds each byte of x to some lane
 *   sums_of_positions(s, x)                     the same, with byte l of x times l
 *   sums_total(s)                               the sum of all lanes, in 64 bits
 *
 * The choices that go with the verbs.  A choice that is defined, and has no other value, is
 * defined as 1:
 *
 *   HORNER_GENERAL     the most general rows (0 or 4) that share a pass with P and Q by
 *                      Horner's rule; with more rows it is cheaper to multiply Q like
 *                      any other row
 *   BLOCK_VECTORS(rows)  the number of vectors (1, 2 or 4, a constant) in a block of this
 *                      many outputs: more vectors share the loading of a coefficient, and
 *                      need more registers.  2 where not defined; always 4 where all
 *                      outputs are special, because these need few registers
 *   VERBS_HORNER_FORM  where defined, q is kept in another form while it is doubled;
 *                      horner_open(v) and horner_close(q) convert to that form and back
 *   VERBS_STREAM       where defined, vec_stream(p, v), with p aligned to VEC_BYTES, writes
 *                      around the caches, and stream_fence() ends that
 *   VERBS_PART_IN_ORDER  where defined, vec_load_part() puts byte l of memory at the place
 *                      where vec_load() puts it
 *   VERBS_XOR3, VERBS_MUL_PAIR, VERBS_DOUBLE_PAIR   defined as 1 where the set has its own
 *                      vec_xor3(a, b, c), mul_add_pair(acc, t, c, u, d) and
 *                      double_add_pair(q, x, y) = 2*(2*q + x) + y; otherwise each of these
 *                      is two of the verbs above
 *   PAIR_SOURCES(general)  whether a block of this many general rows takes two sources at
 *                      once; no block does where this is not defined
 *   VERBS_AHEAD        where 1, a set with PAIR_SOURCES has registers for two sources of the
 *                      next block, which are loaded before this block's outputs are stored
 *   PAIR_GROUPS        where 1, structured passes may take two groups of sources at once
 *   MOST_KEPT          the most vectors that a block of a structured pass keeps in registers
 *                      beside the ones it works on; 12 where not defined, which suits 16
 *                      registers
 *   VERBS_MATRICES     where defined, the set multiplies by bit matrices.  coef_load() has to
 *                      look a matrix up; coef_of_matrix(matrix) makes a coef without that,
 *                      and coef_keep(p, c) writes the matrix of c to *p.
 *                      Such a set also has VERBS_ZIP; vec_of_64(m), which puts 64 bits
 *                      into every lane of 64 bits; and bit_products(x, a), which takes the
 *                      64 bits of each lane of a as a matrix and multiplies the 8 bytes of
 *                      the same lane of x by it
 *   VERBS_ZIP          where defined, the set has zip_bytes_low(a, b) and
 *                      zip_bytes_high(a, b), which interleave the bytes of the low half and
 *                      of the high half of every lane of 128 bits; unzip_bytes_even(l, h) and
 *                      unzip_bytes_odd(l, h), which give a and b back
 *   VERBS_LANES        where defined, such a set has several lanes of 128 bits in a vector,
 *                      and zip_lanes_low(a, b) and so on, which interleave whole lanes
 *   LINE_VECTORS       see kernel_block.inc.h
 *   DOT_BULK(n)        where defined, names an assembly function that handles the whole
 *                      vectors of a pass of n general rows; DOT_BULK_AHEAD(n) names one that
 *                      also prefetches
 *   VEC_BYTES_MAX      a constant that VEC_BYTES never exceeds, where VEC_BYTES is no constant
 *   KERNEL_PREFERS     features without which the set is used only when it is asked for
 *   KERNEL_UNROLL      1, 2 or 4 makes this a variant of the set in which every block has
 *                      this many vectors.  It is called NAME_x1, NAME_x2 or NAME_x4, and is
 *                      used only when it is asked for
 */
#include <string.h>

#include "call.h"
#include "cpu.h"
#include "kernels.h"

#ifndef BLOCK_VECTORS
#define BLOCK_VECTORS(rows) 2
#endif
#ifdef KERNEL_UNROLL
#undef DOT_BULK
#define VECTORS(special, general) KERNEL_UNROLL
#else
#define VECTORS(special, general) ((general) == 0 ? 4 : BLOCK_VECTORS((special) + (general)))
#endif

#ifndef VERBS_STREAM
#define VERBS_STREAM 0
PXR_INLINE void vec_stream(uint8_t *p, vec v)
{
    vec_store(p, v);
}

PXR_INLINE void stream_fence(void)
{
}
#endif

#ifndef VERBS_HORNER_FORM
PXR_INLINE vec horner_open(vec v)
{
    return v;
}

PXR_INLINE vec horner_close(vec q)
{
    return q;
}
#endif

/* Loads a vector at p: all of it, or its first `part` bytes where part is not 0. */
PXR_INLINE vec load(const uint8_t *p, size_t part)
{
    if (part)
        return vec_load_part(p, part);
    return vec_load(p);
}

PXR_INLINE void store(uint8_t *p, vec v, size_t part)
{
    if (part)
        vec_store_part(p, v, part);
    else
        vec_store(p, v);
}

#ifndef VERBS_PART_IN_ORDER
#define VERBS_PART_IN_ORDER 0
#endif

#ifndef VERBS_XOR3
PXR_INLINE vec vec_xor3(vec a, vec b, vec c)
{
    return vec_xor(a, vec_xor(b, c));
}
#endif

#ifndef VERBS_MUL_PAIR
PXR_INLINE vec mul_add_pair(vec acc, terms x, coef c, terms y, coef d)
{
    return mul_add(mul_add(acc, x, c), y, d);
}
#endif

#ifndef VERBS_DOUBLE_PAIR
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    return double_add(double_add(q, x), y);
}
#endif

#ifndef VERBS_AHEAD
#define VERBS_AHEAD 0
#endif

#ifndef PAIR_SOURCES
#define PAIR_SOURCES(general) 0
#endif

#ifndef PAIR_GROUPS
#define PAIR_GROUPS 0
#endif

#ifndef MOST_KEPT
#define MOST_KEPT 12
#endif

#ifndef VERBS_MATRICES
#define VERBS_MATRICES 0
#endif

/* With one lane in a vector, two vectors are interleaved lanes as they are. */
#if defined VERBS_ZIP && !defined VERBS_LANES
PXR_INLINE vec unzip_lanes_even(vec l, vec h)
{
    (void)h;
    return l;
}

PXR_INLINE vec unzip_lanes_odd(vec l, vec h)
{
    (void)l;
    return h;
}

PXR_INLINE vec zip_lanes_low(vec a, vec b)
{
    (void)b;
    return a;
}

PXR_INLINE vec zip_lanes_high(vec a, vec b)
{
    (void)a;
    return b;
}
#endif

#if HORNER_GENERAL != 0 && HORNER_GENERAL != 4
#error "passes with P, Q and at most 0 or 4 general rows are instantiated"
#endif

#ifndef VEC_BYTES_MAX
#define VEC_BYTES_MAX VEC_BYTES
#endif

#include "kernel_block.inc.h"
#include "kernel_dot.inc.h"
#include "kernel_check.inc.h"
#include "kernel_mad.inc.h"
#include "kernel_one.inc.h"
#include "kernel_structured.inc.h"
#include "kernel_packets.inc.h"
#include "kernel_adler.inc.h"
#include "kernel_words.inc.h"

#define KERNEL_STEP (4 * VEC_BYTES_MAX)
_Static_assert(KERNEL_STEP <= PXR_ZEROS, "zeros stand for a block of any size");

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define STRING_(a) #a
#define STRING(a) STRING_(a)

#ifdef KERNEL_UNROLL
#define ROW_NAME PASTE(KERNEL_NAME, PASTE(_x, KERNEL_UNROLL))
#undef KERNEL_PREFERS
#define KERNEL_PREFERS PXR_CPU_NONE_HAS_IT
#else
#define ROW_NAME KERNEL_NAME
#endif
#ifndef KERNEL_PREFERS
#define KERNEL_PREFERS 0
#endif

#define ROW PASTE(pxr_kernels_, ROW_NAME)
const struct pxr_kernels ROW = {
    .name = STRING(ROW_NAME),
    .needs = KERNEL_NEEDS,
    .requires = KERNEL_REQUIRES,
    .prefers = KERNEL_PREFERS,
    .form = VERBS_MATRICES ? PXR_MATRICES : PXR_TABLES,
    .vector = VEC_BYTES_MAX,
    .step = KERNEL_STEP,
    .dot =
        {
            [PXR_SPECIAL_NONE] = {NULL, dot_general_1, dot_general_2, dot_general_3,
                                  dot_general_4, dot_general_5, dot_general_6},
            [PXR_SPECIAL_P] = {dot_p_0, dot_p_1, dot_p_2, dot_p_3, dot_p_4, dot_p_5},
#if HORNER_GENERAL >= 4
            [PXR_SPECIAL_PQ] = {dot_pq_0, dot_pq_1, dot_pq_2, dot_pq_3, dot_pq_4},
#else
            [PXR_SPECIAL_PQ] = {dot_pq_0},
#endif
        },
    .plain =
        {
            [PXR_TABLES] = {NULL, plain_tables_1, plain_tables_2, plain_tables_3,
                            plain_tables_4, plain_tables_5, plain_tables_6},
#if VERBS_MATRICES
            [PXR_MATRICES] = {NULL, plain_matrices_1, plain_matrices_2, plain_matrices_3,
                              plain_matrices_4, plain_matrices_5, plain_matrices_6},
#endif
        },
    .mad =
        {
            [PXR_SPECIAL_NONE] = {NULL, mad_general_1, mad_general_2, mad_general_3,
                                  mad_general_4, mad_general_5, mad_general_6},
            [PXR_SPECIAL_P] = {NULL, mad_p_1},
        },
    .add = {NULL, add_general_1, add_general_2, add_general_3, add_general_4, add_general_5,
            add_general_6},
    .structured =
        {
            [1] = {NULL, NULL, structured_1_2, structured_1_3, structured_1_4},
            [2] = {NULL, structured_2_1, structured_2_2, structured_2_3},
            [3] = {NULL, NULL, structured_3_2},
        },
    .transform =
        {
            [PXR_TRANSFORM_IN] = {[3] = transform_in_3, [4] = transform_in_4},
            [PXR_TRANSFORM_OUT] = {[3] = transform_out_3, [4] = transform_out_4},
        },
    .transform_levels = MOST_KEPT >= 16 ? 4 : 3,
    .plain_one = plain_one,
    .add_one = add_one,
    .check = {[PXR_SPECIAL_P] = check_p, [PXR_SPECIAL_PQ] = check_pq},
    .split = {split_2, split_4},
    .join = {join_2, join_4},
#ifdef VERBS_ZIP
    .words =
        {
            [PXR_WORDS_16] = {WORD_PASSES(bytes_two), WORD_PASSES(bytes_two_p)},
            [PXR_WORDS_32] = {WORD_PASSES(bytes_four), WORD_PASSES(bytes_four_p)},
            [PXR_WORDS_64] = {{NULL, words_bytes_eight_1}},
        },
    .runs = {words_lanes_two_1, words_lanes_four_1, words_lanes_eight_1},
#endif
    .packets =
        {
            [PXR_PACKETS_DIRECT] = packets_direct,
            [PXR_PACKETS_GATHERED] = packets_gathered,
#if VERBS_MATRICES
            [PXR_PACKETS_TRANSPOSED] = packets_transposed,
#endif
        },
    .adler32 = adler32,
};
