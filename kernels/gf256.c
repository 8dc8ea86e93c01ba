/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The constant tables of GF(2^8).  The preprocessor writes them from the definition of the
 * field, so nothing is computed at start-up.
 */
#include "gf256.h"

/* F(h, l) for each byte 0xhl in order.  The two hexadecimal digits are separate tokens, so that
   F can also paste names of them. */
#define LIST_16(F, h)                                                                         \
    F(h, 0), F(h, 1), F(h, 2), F(h, 3), F(h, 4), F(h, 5), F(h, 6), F(h, 7), F(h, 8), F(h, 9), \
        F(h, a), F(h, b), F(h, c), F(h, d), F(h, e), F(h, f)
#define LIST_256(F)                                                                           \
    LIST_16(F, 0), LIST_16(F, 1), LIST_16(F, 2), LIST_16(F, 3), LIST_16(F, 4), LIST_16(F, 5), \
        LIST_16(F, 6), LIST_16(F, 7), LIST_16(F, 8), LIST_16(F, 9), LIST_16(F, a),            \
        LIST_16(F, b), LIST_16(F, c), LIST_16(F, d), LIST_16(F, e), LIST_16(F, f)

#define BIT(x, b) ((x) >> (b)&1)

/* ------------------------------------------------------ nibble tables -- */

/* Reduction: each power from x^8 to x^14 is replaced by its remainder modulo x^8+x^4+x^3+x^2+1.
   x^8 = 0x1d, and each next remainder is twice the one before. */
#define REDUCE(v)                                                           \
    (((v)&0xff) ^ BIT(v, 8) * 0x1d ^ BIT(v, 9) * 0x3a ^ BIT(v, 10) * 0x74 ^ \
     BIT(v, 11) * 0xe8 ^ BIT(v, 12) * 0xcd ^ BIT(v, 13) * 0x87 ^ BIT(v, 14) * 0x13)

/* C_hl_b = 0xhl * 2^b */
#define DOUBLES(h, l)                                                           \
    C_##h##l##_0 = REDUCE(0x##h##l << 0), C_##h##l##_1 = REDUCE(0x##h##l << 1), \
    C_##h##l##_2 = REDUCE(0x##h##l << 2), C_##h##l##_3 = REDUCE(0x##h##l << 3), \
    C_##h##l##_4 = REDUCE(0x##h##l << 4), C_##h##l##_5 = REDUCE(0x##h##l << 5), \
    C_##h##l##_6 = REDUCE(0x##h##l << 6), C_##h##l##_7 = REDUCE(0x##h##l << 7)
enum { LIST_256(DOUBLES) };

/* All sums of four products: c times each value of a nibble whose bits have these products. */
#define SUMS(p0, p1, p2, p3)                                                      \
    0, p0, p1, p0 ^ p1, p2, p2 ^ p0, p2 ^ p1, p2 ^ p1 ^ p0, p3, p3 ^ p0, p3 ^ p1, \
        p3 ^ p1 ^ p0, p3 ^ p2, p3 ^ p2 ^ p0, p3 ^ p2 ^ p1, p3 ^ p2 ^ p1 ^ p0
#define NIBBLE(h, l)                                                     \
    {                                                                    \
        SUMS(C_##h##l##_0, C_##h##l##_1, C_##h##l##_2, C_##h##l##_3),    \
            SUMS(C_##h##l##_4, C_##h##l##_5, C_##h##l##_6, C_##h##l##_7) \
    }

/* With an alignment of 64 bytes, a table never straddles cache lines. */
__attribute__((aligned(64))) const uint8_t pxr_nibble[256][PXR_TABLE] = {LIST_256(NIBBLE)};

/* ---------------------------------------------------- affine matrices -- */

/*
 * gf2p8affineqb computes bit i of its result as the parity of (byte 7-i of the matrix) & x.
 * Multiplication by c is linear: bit i of c*x is the sum over j of (bit i of c*2^j) * (bit j of
 * x).  So bit j of byte 7-i is bit i of c*2^j.  The matrix is linear in c, too: it is the sum
 * of the matrices of the powers of two whose bits c has.
 */
#define AFFINE(h, l)                                   \
    (BIT(0x##h##l, 0) * UINT64_C(0x0102040810204080) ^ \
     BIT(0x##h##l, 1) * UINT64_C(0x8001828488102040) ^ \
     BIT(0x##h##l, 2) * UINT64_C(0x408041c2c4881020) ^ \
     BIT(0x##h##l, 3) * UINT64_C(0x2040a061e2c48810) ^ \
     BIT(0x##h##l, 4) * UINT64_C(0x102050b071e2c488) ^ \
     BIT(0x##h##l, 5) * UINT64_C(0x8810a8d83871e2c4) ^ \
     BIT(0x##h##l, 6) * UINT64_C(0xc488d46c1c3871e2) ^ \
     BIT(0x##h##l, 7) * UINT64_C(0xe2c46a368e1c3871))

__attribute__((aligned(64))) const uint64_t pxr_affine[256] = {LIST_256(AFFINE)};

/* -------------------------------------------------------------- powers -- */

/* E_hl = 2^0xhl.  Each power is twice the one before.  The first one comes from 2 * 0x8e = 1.
 */
#define TWICE(x) (((x) << 1 & 0xff) ^ ((x) >> 7) * 0x1d)
#define POWERS(h, before)                                                               \
    E_##h##0 = TWICE(before), E_##h##1 = TWICE(E_##h##0), E_##h##2 = TWICE(E_##h##1),   \
    E_##h##3 = TWICE(E_##h##2), E_##h##4 = TWICE(E_##h##3), E_##h##5 = TWICE(E_##h##4), \
    E_##h##6 = TWICE(E_##h##5), E_##h##7 = TWICE(E_##h##6), E_##h##8 = TWICE(E_##h##7), \
    E_##h##9 = TWICE(E_##h##8), E_##h##a = TWICE(E_##h##9), E_##h##b = TWICE(E_##h##a), \
    E_##h##c = TWICE(E_##h##b), E_##h##d = TWICE(E_##h##c), E_##h##e = TWICE(E_##h##d), \
    E_##h##f = TWICE(E_##h##e)
enum {
    POWERS(0, 0x8e),
    POWERS(1, E_0f),
    POWERS(2, E_1f),
    POWERS(3, E_2f),
    POWERS(4, E_3f),
    POWERS(5, E_4f),
    POWERS(6, E_5f),
    POWERS(7, E_6f),
    POWERS(8, E_7f),
    POWERS(9, E_8f),
    POWERS(a, E_9f),
    POWERS(b, E_af),
    POWERS(c, E_bf),
    POWERS(d, E_cf),
    POWERS(e, E_df),
    POWERS(f, E_ef)
};
#define POWER(h, l) E_##h##l

const uint8_t pxr_power[256] = {LIST_256(POWER)};

/* ------------------------------------------------------------ twiddles -- */

/* Each level is linear, so its values at the powers of two define it: zero at those below
   2^level, and one at 2^level itself.  A test derives all of the constants. */
#define TWIDDLE_0(h, l) (0x##h##l)
#define TWIDDLE_1(h, l)                                                            \
    (BIT(0x##h##l, 1) * 0x01 ^ BIT(0x##h##l, 2) * 0x06 ^ BIT(0x##h##l, 3) * 0x1c ^ \
     BIT(0x##h##l, 4) * 0x78 ^ BIT(0x##h##l, 5) * 0xed ^ BIT(0x##h##l, 6) * 0xb3 ^ \
     BIT(0x##h##l, 7) * 0xb6)
#define TWIDDLE_2(h, l)                                                            \
    (BIT(0x##h##l, 2) * 0x01 ^ BIT(0x##h##l, 3) * 0x16 ^ BIT(0x##h##l, 4) * 0x61 ^ \
     BIT(0x##h##l, 5) * 0x26 ^ BIT(0x##h##l, 6) * 0xb7 ^ BIT(0x##h##l, 7) * 0x0c)
#define TWIDDLE_3(h, l)                                                            \
    (BIT(0x##h##l, 3) * 0x01 ^ BIT(0x##h##l, 4) * 0x0b ^ BIT(0x##h##l, 5) * 0xae ^ \
     BIT(0x##h##l, 6) * 0x21 ^ BIT(0x##h##l, 7) * 0x2d)
#define TWIDDLE_4(h, l)                                                            \
    (BIT(0x##h##l, 4) * 0x01 ^ BIT(0x##h##l, 5) * 0x47 ^ BIT(0x##h##l, 6) * 0xbd ^ \
     BIT(0x##h##l, 7) * 0x12)

const uint8_t pxr_twiddle[PXR_MAX_LEVELS + 1][256] = {{LIST_256(TWIDDLE_0)},
                                                      {LIST_256(TWIDDLE_1)},
                                                      {LIST_256(TWIDDLE_2)},
                                                      {LIST_256(TWIDDLE_3)},
                                                      {LIST_256(TWIDDLE_4)}};

/* ------------------------------------------------------------ inverses -- */

/* Found by search for c*x = 1.  A test repeats the search. */
const uint8_t pxr_inverse[256] = {
    0x00, 0x01, 0x8e, 0xf4, 0x47, 0xa7, 0x7a, 0xba, 0xad, 0x9d, 0xdd, 0x98, 0x3d, 0xaa, 0x5d,
    0x96, 0xd8, 0x72, 0xc0, 0x58, 0xe0, 0x3e, 0x4c, 0x66, 0x90, 0xde, 0x55, 0x80, 0xa0, 0x83,
    0x4b, 0x2a, 0x6c, 0xed, 0x39, 0x51, 0x60, 0x56, 0x2c, 0x8a, 0x70, 0xd0, 0x1f, 0x4a, 0x26,
    0x8b, 0x33, 0x6e, 0x48, 0x89, 0x6f, 0x2e, 0xa4, 0xc3, 0x40, 0x5e, 0x50, 0x22, 0xcf, 0xa9,
    0xab, 0x0c, 0x15, 0xe1, 0x36, 0x5f, 0xf8, 0xd5, 0x92, 0x4e, 0xa6, 0x04, 0x30, 0x88, 0x2b,
    0x1e, 0x16, 0x67, 0x45, 0x93, 0x38, 0x23, 0x68, 0x8c, 0x81, 0x1a, 0x25, 0x61, 0x13, 0xc1,
    0xcb, 0x63, 0x97, 0x0e, 0x37, 0x41, 0x24, 0x57, 0xca, 0x5b, 0xb9, 0xc4, 0x17, 0x4d, 0x52,
    0x8d, 0xef, 0xb3, 0x20, 0xec, 0x2f, 0x32, 0x28, 0xd1, 0x11, 0xd9, 0xe9, 0xfb, 0xda, 0x79,
    0xdb, 0x77, 0x06, 0xbb, 0x84, 0xcd, 0xfe, 0xfc, 0x1b, 0x54, 0xa1, 0x1d, 0x7c, 0xcc, 0xe4,
    0xb0, 0x49, 0x31, 0x27, 0x2d, 0x53, 0x69, 0x02, 0xf5, 0x18, 0xdf, 0x44, 0x4f, 0x9b, 0xbc,
    0x0f, 0x5c, 0x0b, 0xdc, 0xbd, 0x94, 0xac, 0x09, 0xc7, 0xa2, 0x1c, 0x82, 0x9f, 0xc6, 0x34,
    0xc2, 0x46, 0x05, 0xce, 0x3b, 0x0d, 0x3c, 0x9c, 0x08, 0xbe, 0xb7, 0x87, 0xe5, 0xee, 0x6b,
    0xeb, 0xf2, 0xbf, 0xaf, 0xc5, 0x64, 0x07, 0x7b, 0x95, 0x9a, 0xae, 0xb6, 0x12, 0x59, 0xa5,
    0x35, 0x65, 0xb8, 0xa3, 0x9e, 0xd2, 0xf7, 0x62, 0x5a, 0x85, 0x7d, 0xa8, 0x3a, 0x29, 0x71,
    0xc8, 0xf6, 0xf9, 0x43, 0xd7, 0xd6, 0x10, 0x73, 0x76, 0x78, 0x99, 0x0a, 0x19, 0x91, 0x14,
    0x3f, 0xe6, 0xf0, 0x86, 0xb1, 0xe2, 0xf1, 0xfa, 0x74, 0xf3, 0xb4, 0x6d, 0x21, 0xb2, 0x6a,
    0xe3, 0xe7, 0xb5, 0xea, 0x03, 0x8f, 0xd3, 0xc9, 0x42, 0xd4, 0xe8, 0x75, 0x7f, 0xff, 0x7e,
    0xfd,
};
