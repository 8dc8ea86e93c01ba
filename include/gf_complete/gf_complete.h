/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic in GF(2^w), for w from 1 to 32, 64 and 128: the names, arguments and results of
 * gf-complete 1.0's header of this name.
 *
 * A field is a gf_t, a table of functions, which gf_init_easy() or gf_init_hard() fills in.
 * Elements are numbers of w bits whose bit i is the coefficient of x^i; addition is xor.  For
 * w = 128 an element is two uint64_t, of which the first one holds the high half.  Bits above
 * bit w-1 of an argument are not looked at.
 *
 * A region is `bytes` bytes of words of w bits, in the byte order of the machine (w = 4: two
 * words a byte, the first one in the low half).  How words lie in it is the mapping:
 *   standard    one word behind the other
 *   ALTMAP      with SPLIT w 4: from the first address that is a multiple of 16 on, blocks of
 *               16 words, which are w/8 runs of 16 bytes, a byte of each word in each run; low
 *               bytes first, but for w = 16, which has the high ones first.  What lies before
 *               the blocks, and what is too short for one behind them, is standard
 *   ALTMAP      with COMPOSITE: from that address on, in multiples of 32 bytes (w = 128: 64),
 *               first the low halves of all words and then the high halves, each in the
 *               mapping of the base field; the rest is standard
 *   CAUCHY      w packets of bytes/w bytes, rounded down.  Packet i holds bit i of all words,
 *               eight words a byte.  The bytes that are left over are standard words for w =
 *               4, 8, 16 and 32, and else no words at all.  Other w have no other mapping
 * ALTMAP regions that do not begin at a multiple of w/8 bytes are standard as a whole.
 *
 * Of every function of a gf_t that gf_init_easy() or gf_init_hard() has filled in:
 *   sizes      bytes, any; bytes that make no whole word are left as they are.  Nothing is done
 *              for sizes below 1
 *   0 and 1    a product with 0 or 1 clears, copies or adds all bytes as they are
 *   alignment  any, of both regions, also in relation to each other; with ALTMAP the mapping
 *              of each region follows from its own address (but for products with 1)
 *   aliasing   dest may be src (not overlap it partly)
 *   errors     1/0 and a/0 are 0, and so is the quotient by an element that has no inverse,
 *              which there is where the polynomial is reducible
 *   threads    a field may be used by any number of threads at once: its functions change
 *              nothing but their outputs.  gf_init_easy(), gf_init_hard() and gf_free() may run
 *              in several threads for different gf_t
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

/* Methods to multiply.  Here they choose which arguments are accepted and, with the flags
   below, the mapping: each field has one implementation, which all of them share. */
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

/* Flags for regions. */
#define GF_REGION_DEFAULT (0x0)
#define GF_REGION_DOUBLE_TABLE (0x1)
#define GF_REGION_QUAD_TABLE (0x2)
#define GF_REGION_LAZY (0x4)
#define GF_REGION_SIMD (0x8)
#define GF_REGION_SSE (0x8)
#define GF_REGION_NOSIMD (0x10)
#define GF_REGION_NOSSE (0x10)
#define GF_REGION_ALTMAP (0x20)
#define GF_REGION_CAUCHY (0x40)

typedef uint32_t gf_region_type_t;

/* Methods to divide. */
typedef enum { GF_DIVIDE_DEFAULT, GF_DIVIDE_MATRIX, GF_DIVIDE_EUCLID } gf_division_type_t;

/* Elements for w up to 32, for w = 64, and for w = 128: two words, the high one first. */
typedef uint32_t gf_val_32_t;
typedef uint64_t gf_val_64_t;
typedef uint64_t *gf_val_128_t;

/* Why the last call of any thread failed that did.  gf_error() says it in words, on standard
   error. */
extern int _gf_errno;
extern void gf_error(void);

typedef struct gf *GFP;

typedef union gf_func_a_b {
    gf_val_32_t (*w32)(GFP gf, gf_val_32_t a, gf_val_32_t b);
    gf_val_64_t (*w64)(GFP gf, gf_val_64_t a, gf_val_64_t b);
    void (*w128)(GFP gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c);
} gf_func_a_b;

typedef union {
    gf_val_32_t (*w32)(GFP gf, gf_val_32_t a);
    gf_val_64_t (*w64)(GFP gf, gf_val_64_t a);
    void (*w128)(GFP gf, gf_val_128_t a, gf_val_128_t b);
} gf_func_a;

typedef union {
    void (*w32)(GFP gf, void *src, void *dest, gf_val_32_t val, int bytes, int add);
    void (*w64)(GFP gf, void *src, void *dest, gf_val_64_t val, int bytes, int add);
    void (*w128)(GFP gf, void *src, void *dest, gf_val_128_t val, int bytes, int add);
} gf_region;

typedef union {
    gf_val_32_t (*w32)(GFP gf, void *start, int bytes, int index);
    gf_val_64_t (*w64)(GFP gf, void *start, int bytes, int index);
    void (*w128)(GFP gf, void *start, int bytes, int index, gf_val_128_t rv);
} gf_extract;

/* Of each union the member of this w is set: w32 up to 32, w64, w128.  For w = 128 the last
   argument takes the result, which may be an argument, too. */
typedef struct gf {
    gf_func_a_b multiply;      /* a * b */
    gf_func_a_b divide;        /* a / b */
    gf_func_a inverse;         /* 1 / a */
    gf_region multiply_region; /* dest = val * src, or with add dest += val * src */
    gf_extract extract_word;   /* word `index` of a region, 0 where it has no such word */
    void *scratch;
} gf_t;

/* The field of this w with its default polynomial.  Returns 1, or 0 with _gf_errno set. */
extern int gf_init_easy(GFP gf, int w);

/*
 * The field with everything chosen.  prim_poly 0 is the default polynomial; else bit i is the
 * coefficient of x^i, and x^w need not be there.  COMPOSITE takes arg1 = 2, a base field of
 * w/2, which must live as long as this one does, and as prim_poly the s of x^2 + s*x + 1.
 * scratch_memory is NULL, or gf_scratch_size() bytes that are aligned as malloc() does, and
 * which gf_free() leaves to the caller.
 * Returns 1, or 0 with _gf_errno set (but for lack of memory, and for CARRY_FREE_GK with a w
 * that has none, where _gf_errno stays as it was).
 */
extern int gf_init_hard(GFP gf, int w, int mult_type, int region_type, int divide_type,
                        uint64_t prim_poly, int arg1, int arg2, GFP base_gf,
                        void *scratch_memory);

/* Bytes that gf_init_hard() wants as scratch_memory; 0 where it would fail. */
extern int gf_scratch_size(int w, int mult_type, int region_type, int divide_type, int arg1,
                           int arg2);

/* Bytes of a field: its gf_t, its scratch memory and, of COMPOSITE, those of its base. */
extern int gf_size(GFP gf);

/* Frees the scratch memory that gf_init_easy() or gf_init_hard() has allocated.  With
   recursive, the base of a COMPOSITE field is freed, too, which malloc() has to have made.
   Returns 0. */
extern int gf_free(GFP gf, int recursive);

/*
 * Tables to multiply and divide with inline; they belong to the field.  NULL where the
 * original has none: with w = 4 and 8 the method must be DEFAULT or TABLE; w = 16 wants LOG,
 * DEFAULT, TABLE or SPLIT without 8 8, and a polynomial of which x generates the field.
 */
uint8_t *gf_w4_get_mult_table(GFP gf);
uint8_t *gf_w4_get_div_table(GFP gf);
#define GF_W4_INLINE_MULTDIV(table, a, b) (table[((a) << 4) | (b)])

uint8_t *gf_w8_get_mult_table(GFP gf);
uint8_t *gf_w8_get_div_table(GFP gf);
#define GF_W8_INLINE_MULTDIV(table, a, b) (table[(((uint32_t)(a)) << 8) | (b)])

uint16_t *gf_w16_get_log_table(GFP gf);
uint16_t *gf_w16_get_mult_alog_table(GFP gf);
uint16_t *gf_w16_get_div_alog_table(GFP gf);
#define GF_W16_INLINE_MULT(log, alog, a, b) \
    ((a) == 0 || (b) == 0) ? 0 : (alog[(uint32_t)log[a] + (uint32_t)log[b]])
#define GF_W16_INLINE_DIV(log, alog, a, b) \
    ((a) == 0 || (b) == 0) ? 0 : (alog[(int)log[a] - (int)log[b]])

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
