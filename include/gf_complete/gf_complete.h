/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file gf_complete.h Arithmetic in GF(2^w), for w from 1 to 32, 64 and 128.  The names,
 * arguments and results are those of gf-complete 1.0's header with this name.
 *
 * A field is a gf_t, a table of functions, which gf_init_easy() or gf_init_hard() fills in.
 * Elements are numbers of w bits, where bit i is the coefficient of x^i.  Addition is xor.  For
 * w = 128 an element is two uint64_t, and the first one is the high half.  Bits above bit w-1
 * of an argument are ignored.
 *
 * A region is `bytes` bytes that hold words of w bits, in the byte order of the machine.  (With
 * w = 4 a byte holds two words, the first one in the low half.) The mapping says how the words
 * lie in the region:
 *
 * - Standard: one word after the other.
 * - ALTMAP, with SPLIT w 4: the region has blocks of 16 words, from the first address on that
 *   is a multiple of 16.  A block is w/8 runs of 16 bytes, and each run holds one byte of each
 *   word.  The low bytes come first, except for w = 16, where the high bytes come first.  The
 *   bytes before the blocks, and the bytes behind them that are too few for a block, are
 *   standard.
 * - ALTMAP, with COMPOSITE: from that address on, in multiples of 32 bytes (w = 128: 64 bytes),
 *   first the low halves of all words and then the high halves.  Each half is in the mapping of
 *   the base field.  The rest is standard.
 * - CAUCHY: w packets of bytes/w bytes, rounded down.  Packet i holds bit i of all words, eight
 *   words in a byte.  The bytes that are left over are standard words for w = 4, 8, 16 and 32,
 *   and no words at all for other w.  For these other w this is the only mapping.
 *
 * An ALTMAP region that does not begin at a multiple of w/8 bytes is standard as a whole.
 *
 * These rules hold for every function of a gf_t that gf_init_easy() or gf_init_hard() has
 * filled in:
 *
 * - Sizes: they are bytes, and any size is allowed.  Bytes that make no whole word are left as
 *   they are.  For sizes below 1 nothing is done.
 * - 0 and 1: a product with 0 or 1 clears, copies or adds all bytes as they are.
 * - Alignment: both regions may have any alignment, also relative to each other.  With ALTMAP
 *   the mapping of each region follows from its own address (except in products with 1).
 * - Aliasing: dest may be src, but must not overlap it partly.
 * - Errors: 1/0 and a/0 are 0.  So is the quotient by an element that has no inverse; such
 *   elements exist when the polynomial is reducible.
 * - Threads: any number of threads may use a field at once, because its functions change
 *   nothing but their outputs. gf_init_easy(), gf_init_hard() and gf_free() may run in several
 *   threads for different gf_t.
 */
#ifndef PXR_GF_COMPLETE_H
#define PXR_GF_COMPLETE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Methods to multiply.  In this library they only choose which arguments are accepted and, with
 * the flags below, the mapping.  Each field has one implementation, which all methods share.
 */
typedef enum {
    GF_MULT_DEFAULT,
    GF_MULT_SHIFT,
    GF_MULT_CARRY_FREE,
    GF_MULT_CARRY_FREE_GK,
    GF_MULT_GROUP,
    GF_MULT_BYTWO_p,
    GF_MULT_BYTWO_b,
    GF_MULT_TABLE,
    GF_MULT_LOG_TABLE,
    GF_MULT_LOG_ZERO,
    GF_MULT_LOG_ZERO_EXT,
    GF_MULT_SPLIT_TABLE,
    GF_MULT_COMPOSITE
} gf_mult_type_t;

/**
 * No flag.  As the methods above, the flags of regions only choose which arguments are accepted
 * and the mapping.  The words below say what they mean in gf-complete.
 */
#define GF_REGION_DEFAULT (0x0)
#define GF_REGION_DOUBLE_TABLE (0x1) /**< a table of two words at a time */
#define GF_REGION_QUAD_TABLE (0x2)   /**< a table of four words at a time */
#define GF_REGION_LAZY (0x4)         /**< a table that is made for each constant */
#define GF_REGION_SIMD (0x8)         /**< with vector instructions */
#define GF_REGION_SSE (0x8)          /**< another name of GF_REGION_SIMD */
#define GF_REGION_NOSIMD (0x10)      /**< without vector instructions */
#define GF_REGION_NOSSE (0x10)       /**< another name of GF_REGION_NOSIMD */
#define GF_REGION_ALTMAP (0x20)      /**< the mapping ALTMAP */
#define GF_REGION_CAUCHY (0x40)      /**< the mapping CAUCHY */

/** GF_REGION flags, joined by |. */
typedef uint32_t gf_region_type_t;

/** Methods to divide. */
typedef enum { GF_DIVIDE_DEFAULT, GF_DIVIDE_MATRIX, GF_DIVIDE_EUCLID } gf_division_type_t;

/** An element for w up to 32. */
typedef uint32_t gf_val_32_t;

/** An element for w = 64. */
typedef uint64_t gf_val_64_t;

/** An element for w = 128: two words, the high one first. */
typedef uint64_t *gf_val_128_t;

/** Why a call failed: the reason of the last call that failed, in any thread. */
extern int _gf_errno;

/** Prints that reason in words to standard error. */
extern void gf_error(void);

/** A field, as functions take it. */
typedef struct gf *GFP;

/** A function of two elements.  With w = 128 the result is c. */
typedef union gf_func_a_b {
    gf_val_32_t (*w32)(GFP gf, gf_val_32_t a, gf_val_32_t b); /**< for w up to 32 */
    gf_val_64_t (*w64)(GFP gf, gf_val_64_t a, gf_val_64_t b); /**< for w = 64 */
    /** For w = 128. */
    void (*w128)(GFP gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
} gf_func_a_b; /**< the same type */

/** A function of one element.  With w = 128 the result is b. */
typedef union {
    gf_val_32_t (*w32)(GFP gf, gf_val_32_t a);            /**< for w up to 32 */
    gf_val_64_t (*w64)(GFP gf, gf_val_64_t a);            /**< for w = 64 */
    void (*w128)(GFP gf, gf_val_128_t a, gf_val_128_t b); /**< for w = 128 */
} gf_func_a;

/** A function of regions: dest becomes val * src, or with add that product is added to it. */
typedef union {
    /** For w up to 32. */
    void (*w32)(GFP gf, void *src, void *dest, gf_val_32_t val, int bytes, int add);
    /** For w = 64. */
    void (*w64)(GFP gf, void *src, void *dest, gf_val_64_t val, int bytes, int add);
    /** For w = 128. */
    void (*w128)(GFP gf, void *src, void *dest, gf_val_128_t val, int bytes, int add);
} gf_region;

/** A function that gets word `index` of a region.  With w = 128 the result is rv. */
typedef union {
    gf_val_32_t (*w32)(GFP gf, void *start, int bytes, int index); /**< for w up to 32 */
    gf_val_64_t (*w64)(GFP gf, void *start, int bytes, int index); /**< for w = 64 */
    /** For w = 128. */
    void (*w128)(GFP gf, void *start, int bytes, int index, gf_val_128_t rv);
} gf_extract;

/**
 * A field.  In each union one member is set, according to w: w32 for w up to 32, w64, or w128.
 * For w = 128 the last argument takes the result.  It may also be one of the other arguments.
 */
typedef struct gf {
    gf_func_a_b multiply;      /**< a * b */
    gf_func_a_b divide;        /**< a / b */
    gf_func_a inverse;         /**< 1 / a */
    gf_region multiply_region; /**< dest = val * src, or with add dest += val * src */
    gf_extract extract_word;   /**< word `index` of a region, or 0 if there is no such word */
    void *scratch;             /**< the library's data of the field */
} gf_t;

/**
 * Makes the field of this w with its default polynomial.  Returns 1, or 0 with _gf_errno set.
 */
extern int gf_init_easy(GFP gf, int w);

/**
 * Makes a field with everything chosen by the caller.
 *
 * \param gf The gf_t to fill in.
 * \param w The bits of an element.
 * \param mult_type A GF_MULT method.
 * \param region_type GF_REGION flags.
 * \param divide_type A GF_DIVIDE method.
 * \param arg1 As in gf-complete: for SPLIT_TABLE and GROUP a number of bits, for COMPOSITE 2.
 * \param arg2 As in gf-complete: for SPLIT_TABLE and GROUP a number of bits.
 * \param prim_poly 0 is the default polynomial.  Otherwise bit i is the coefficient of x^i, and
 *     x^w may be left out.  For COMPOSITE it is the s of x^2 + s*x + 1.
 * \param base_gf For COMPOSITE, a field of w/2 bits.  It must live as long as the new field.
 * \param scratch_memory NULL, or gf_scratch_size() bytes with the alignment of malloc().
 *     gf_free() does not free them.
 *
 * \return 1, or 0 with _gf_errno set.  Two failures leave _gf_errno as it was: lack of memory,
 *     and CARRY_FREE_GK with a w for which there is no such method.
 */
extern int gf_init_hard(GFP gf, int w, int mult_type, int region_type, int divide_type,
                        uint64_t prim_poly, int arg1, int arg2, GFP base_gf,
                        void *scratch_memory);

/**
 * Returns the number of bytes that gf_init_hard() needs as scratch_memory, or 0 when it would
 * fail.
 */
extern int gf_scratch_size(int w, int mult_type, int region_type, int divide_type, int arg1,
                           int arg2);

/**
 * Returns the number of bytes of a field: its gf_t, its scratch memory and, for COMPOSITE,
 * those of its base.
 */
extern int gf_size(GFP gf);

/**
 * Frees the scratch memory that gf_init_easy() or gf_init_hard() has allocated.  With
 * recursive, it also frees the base of a COMPOSITE field, which must have been allocated by
 * malloc().  Returns 0.
 */
extern int gf_free(GFP gf, int recursive);

/**
 * Returns the products of a field of w = 4, for GF_W4_INLINE_MULTDIV().
 *
 * This and the functions below return tables to multiply and divide with inline.  The tables
 * belong to the field.  The functions return NULL in the cases in which the original has no
 * table: with w = 4 and 8 the method must be DEFAULT or TABLE.  With w = 16 the method must be
 * LOG, DEFAULT, TABLE or SPLIT without 8 8, and x must generate the field of the polynomial.
 */
uint8_t *gf_w4_get_mult_table(GFP gf);

/** Returns the quotients of a field of w = 4, for GF_W4_INLINE_MULTDIV(). */
uint8_t *gf_w4_get_div_table(GFP gf);

/** a * b with the table of products, a / b with that of quotients. */
#define GF_W4_INLINE_MULTDIV(table, a, b) (table[((a) << 4) | (b)])

/** Returns the products of a field of w = 8, for GF_W8_INLINE_MULTDIV(). */
uint8_t *gf_w8_get_mult_table(GFP gf);

/** Returns the quotients of a field of w = 8, for GF_W8_INLINE_MULTDIV(). */
uint8_t *gf_w8_get_div_table(GFP gf);

/** a * b with the table of products, a / b with that of quotients. */
#define GF_W8_INLINE_MULTDIV(table, a, b) (table[(((uint32_t)(a)) << 8) | (b)])

/** Returns the logarithms of the elements of a field of w = 16. */
uint16_t *gf_w16_get_log_table(GFP gf);

/** Returns the powers of x by their exponents, for GF_W16_INLINE_MULT(). */
uint16_t *gf_w16_get_mult_alog_table(GFP gf);

/** Returns the powers of x by their exponents, also negative ones, for GF_W16_INLINE_DIV(). */
uint16_t *gf_w16_get_div_alog_table(GFP gf);

/** a * b with the logarithms and gf_w16_get_mult_alog_table(). */
#define GF_W16_INLINE_MULT(log, alog, a, b) \
    ((a) == 0 || (b) == 0) ? 0 : (alog[(uint32_t)log[a] + (uint32_t)log[b]])

/** a / b with the logarithms and gf_w16_get_div_alog_table(). */
#define GF_W16_INLINE_DIV(log, alog, a, b) \
    ((a) == 0 || (b) == 0) ? 0 : (alog[(int)log[a] - (int)log[b]])

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
