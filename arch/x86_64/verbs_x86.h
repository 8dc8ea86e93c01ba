/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common parts of the verbs of x86's three widths.  With VERBS_GFNI defined, multiplication
 * is gf2p8affineqb by the coefficient's bit matrix.  Otherwise it is two look-ups of sixteen
 * entries by pshufb.  The header of each width first defines the following, and then includes
 * this header:
 *
 *   VEC_BYTES, vec        16, 32 or 64, and the type of the intrinsics
 *   MM(name)              the intrinsic with this name: _mm_name, _mm256_name, _mm512_name
 *   VEC_REGISTER          the constraint of inline assembly for a vector
 *   vec_load() and the other verbs that move bytes, vec_any(), vec_xor3()
 *   vec_of_64(m)          m in every lane of 64 bits
 *   vec_of_table(p)       sixteen bytes in every lane of 128 bits
 *   vec_low(v)            the first sixteen bytes of a vector
 *   vec_total(v)          the sum of the lanes of 64 bits
 */
#ifndef PXR_VERBS_X86_H
#define PXR_VERBS_X86_H

PXR_INLINE void stream_fence(void)
{
    _mm_sfence();
}

PXR_INLINE vec vec_zero(void)
{
    return vec_of_64(0);
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return a ^ b;
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return a | b;
}

#define VERBS_ZIP 1
PXR_INLINE vec zip_bytes_low(vec a, vec b)
{
    return MM(unpacklo_epi8)(a, b);
}

PXR_INLINE vec zip_bytes_high(vec a, vec b)
{
    return MM(unpackhi_epi8)(a, b);
}

/* Puts the bytes at even places of every lane of 128 bits in front of those at odd places. */
PXR_INLINE vec halves_of_lanes(vec v)
{
    static const uint8_t order[16] = {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15};
    return MM(shuffle_epi8)(v, vec_of_table(order));
}

PXR_INLINE vec unzip_bytes_even(vec l, vec h)
{
    return MM(unpacklo_epi64)(halves_of_lanes(l), halves_of_lanes(h));
}

PXR_INLINE vec unzip_bytes_odd(vec l, vec h)
{
    return MM(unpackhi_epi64)(halves_of_lanes(l), halves_of_lanes(h));
}

/* Sums in lanes of 32 bits. */
typedef vec sums;

PXR_INLINE sums sums_zero(void)
{
    return vec_zero();
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return MM(add_epi32)(s, t);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return sums_add(s, MM(sad_epu8)(x, vec_zero()));
}

/* The sum of two products of a byte and a position is below 2^15. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    static const uint8_t positions[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const vec pairs = MM(maddubs_epi16)(x, vec_load(positions));
    return sums_add(s, MM(madd_epi16)(pairs, MM(set1_epi16)(1)));
}

PXR_INLINE uint64_t sums_total(sums s)
{
    return vec_total(MM(add_epi64)(s & vec_of_64(0xffffffff), MM(srli_epi64)(s, 32)));
}

#ifdef VERBS_GFNI

/* gcc 9 takes the operands of gf2p8affineqb for exchangeable, and multiplies the matrix by the
   data where that saves a move.  configure leaves the set out then. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 10
#error gcc before 10 exchanges the operands of gf2p8affineqb
#endif

#define VERBS_MATRICES 1

typedef vec terms;
typedef char coef __attribute__((vector_size(VEC_BYTES)));

PXR_INLINE terms terms_of(vec x)
{
    return x;
}

PXR_INLINE coef coef_of_matrix(uint64_t m)
{
    coef matrix = (coef)vec_of_64(m);
#if VEC_BYTES == 64
    /* The matrix is kept in a register, in the type in which it is used.  Otherwise gcc would
       copy it in front of every loop, and clang before 20 gives wrong displacements to the
       broadcast memory operands of gf2p8affineqb (llvm-project, pull request 120340). */
    __asm__("" : "+" VEC_REGISTER(matrix));
#endif
    return matrix;
}

PXR_INLINE void coef_keep(uint64_t *matrix, coef c)
{
    _mm_storel_epi64((__m128i *)matrix, vec_low((vec)c));
}

/* Entry 1 of a nibble table is the coefficient itself. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return coef_of_matrix(pxr_affine[table[1]]);
}

PXR_INLINE vec product(terms x, coef c)
{
    return MM(gf2p8affine_epi64_epi8)(x, (vec)c, 0);
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return acc ^ product(x, c);
}

PXR_INLINE vec bit_products(vec x, vec a)
{
    return product(x, (coef)a);
}

#define BY_2 coef_of_matrix(pxr_affine[2])
#define BY_4 coef_of_matrix(pxr_affine[4])

PXR_INLINE vec double_add(vec q, vec x)
{
    return product(q, BY_2) ^ x;
}

#define VERBS_DOUBLE_PAIR 1
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    return vec_xor3(product(q, BY_4), product(x, BY_2), y);
}

#else

typedef struct {
    vec low, high;
} terms, coef;

PXR_INLINE terms terms_of(vec x)
{
#if VEC_BYTES > 16
    __asm__("" : "+" VEC_REGISTER(x)); /* otherwise it is loaded twice, as an operand of both */
#endif
    const vec mask = MM(set1_epi8)(0x0f);
    /* gcc 9 takes such an expression for no vec where it stands in the braces itself. */
    const vec low = x & mask, high = MM(srli_epi16)(x, 4) & mask;
    return (terms){low, high};
}

/* pshufb looks up within lanes of 128 bits, so each lane gets the table. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){vec_of_table(table), vec_of_table(table + 16)};
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return vec_xor3(acc, MM(shuffle_epi8)(c.low, x.low), MM(shuffle_epi8)(c.high, x.high));
}

#define VERBS_HORNER_FORM 1

/*
 * Horner's form of v is v + 0x0b.  A shuffle of 0x1d's by q gives 0x1d where q's top bit is
 * clear, so q+q (bytes) ^ shuffle = 2q + 0x1d.  With q = v + 0x0b that is 2v + 0x16 + 0x1d = 2v
 * + 0x0b, which is Horner's form again.
 */
PXR_INLINE vec double_add(vec q, vec x)
{
    return vec_xor3(MM(add_epi8)(q, q), MM(shuffle_epi8)(MM(set1_epi8)(0x1d), q), x);
}

PXR_INLINE vec horner_open(vec v)
{
    return v ^ MM(set1_epi8)(0x0b);
}

PXR_INLINE vec horner_close(vec q)
{
    return horner_open(q);
}

#endif
#endif
