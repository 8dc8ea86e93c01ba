/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of _gf_errno.  Their numbers are part of gf-complete's interface, so the order is
 * that of the original.  X(name, text) lists them.  Only the original reports the errors that
 * concern the CPU, because here every method exists on any CPU.
 */
#ifndef PXR_GF_ERRORS_H
#define PXR_GF_ERRORS_H

#define PXR_GF_ERRORS(X)                                                                       \
    X(DEFAULT_DIVIDE, "the DEFAULT method allows no choice of division")                       \
    X(DEFAULT_REGION, "the DEFAULT method allows no region option (-r)")                       \
    X(DEFAULT_ARGS, "the DEFAULT method takes no arguments")                                   \
    X(COMPOSITE_DIVIDE, "COMPOSITE allows no choice of division")                              \
    X(COMPOSITE_CAUCHY, "COMPOSITE and CAUCHY cannot be combined")                             \
    X(DOUBLE_AND_QUAD, "DOUBLE and QUAD cannot be combined")                                   \
    X(SIMD_AND_NOSIMD, "SIMD and NOSIMD cannot be combined")                                   \
    X(CAUCHY_AND_OTHER, "CAUCHY cannot be combined with another region option (-r)")           \
    X(CAUCHY_W, "CAUCHY works only for w up to 32")                                            \
    X(ARG1, "only SPLIT, GROUP and COMPOSITE take a first argument")                           \
    X(ARG2, "only SPLIT and GROUP take a second argument")                                     \
    X(MATRIX_W, "division by MATRIX works only for w up to 32")                                \
    X(W, "w must be 1 to 32, 64 or 128")                                                       \
    X(DOUBLE_METHOD, "DOUBLE works only with TABLE")                                           \
    X(DOUBLE_W, "DOUBLE works only for w = 4 and w = 8")                                       \
    X(DOUBLE_AND_OTHER, "DOUBLE cannot be combined with ALTMAP, SIMD or NOSIMD")               \
    X(DOUBLE_LAZY, "DOUBLE with LAZY works only for w = 8")                                    \
    X(QUAD_METHOD, "QUAD works only with TABLE")                                               \
    X(QUAD_W, "QUAD works only for w = 4")                                                     \
    X(QUAD_AND_OTHER, "QUAD cannot be combined with ALTMAP, SIMD or NOSIMD")                   \
    X(LAZY_ALONE, "LAZY needs DOUBLE or QUAD")                                                 \
    X(SHIFT_ALTMAP, "SHIFT and ALTMAP cannot be combined")                                     \
    X(SHIFT_SIMD, "SHIFT cannot be combined with SIMD or NOSIMD")                              \
    X(CARRY_FREE_ALTMAP, "CARRY_FREE and ALTMAP cannot be combined")                           \
    X(CARRY_FREE_SIMD, "CARRY_FREE cannot be combined with SIMD or NOSIMD")                    \
    X(CARRY_FREE_CPU, "CARRY_FREE needs a CPU with carry-less multiplication")                 \
    X(BYTWO_ALTMAP, "BYTWO and ALTMAP cannot be combined")                                     \
    X(BYTWO_CPU, "BYTWO with SIMD needs a CPU with SSE2")                                      \
    X(LOG_W, "logarithms work only for w up to 27")                                            \
    X(LOG_AND_OTHER, "logarithms cannot be combined with ALTMAP, SIMD or NOSIMD")              \
    X(LOG_ZERO_W, "LOG_ZERO works only for w = 8 and w = 16")                                  \
    X(LOG_ZERO_EXT_W, "LOG_ZERO_EXT works only for w = 8")                                     \
    X(LOG_POLY, "logarithms need a primitive polynomial")                                      \
    X(GROUP_ARGS, "GROUP needs two arguments above 0")                                         \
    X(GROUP_W, "GROUP does not work for w = 4 and w = 8")                                      \
    X(GROUP_16, "GROUP with w = 16 needs the arguments 4 4")                                   \
    X(GROUP_128, "GROUP with w = 128 needs the arguments 4 4, 4 8 or 4 16")                    \
    X(GROUP_27, "the arguments of GROUP must be at most 27")                                   \
    X(GROUP_ABOVE_W, "the arguments of GROUP must be at most w")                               \
    X(GROUP_AND_OTHER, "GROUP cannot be combined with ALTMAP, SIMD or NOSIMD")                 \
    X(TABLE_W, "TABLE works only for w up to 14 and for w = 16")                               \
    X(TABLE_SIMD, "TABLE can be combined with SIMD or NOSIMD only for w = 4")                  \
    X(TABLE_CPU, "TABLE with SIMD needs a CPU with SSSE3")                                     \
    X(TABLE_ALTMAP, "TABLE and ALTMAP cannot be combined")                                     \
    X(SPLIT_128, "SPLIT with w = 128 needs the arguments 4 128 or 8 128")                      \
    X(SPLIT_128_SIMD_ALONE, "SPLIT with w = 128 and SIMD needs ALTMAP")                        \
    X(SPLIT_128_NOSIMD, "SPLIT with w = 128 and ALTMAP needs SIMD")                            \
    X(SPLIT_128_ALTMAP, "SPLIT with w = 128 and ALTMAP needs the arguments 4 128")             \
    X(SPLIT_128_SIMD, "SPLIT with w = 128, SIMD or NOSIMD needs the arguments 4 128")          \
    X(SPLIT_W, "SPLIT works only for w = 8, 16, 32, 64 and 128")                               \
    X(SPLIT_16, "SPLIT with w = 16 needs the arguments 4 16, 8 16 or 8 8")                     \
    X(SPLIT_16_ALTMAP, "SPLIT with w = 16 and ALTMAP needs the arguments 4 16")                \
    X(SPLIT_16_SIMD, "SPLIT with w = 16, SIMD or NOSIMD needs the arguments 4 16")             \
    X(SPLIT_32, "SPLIT with w = 32 needs the arguments 4 32, 8 32, 16 32 or 8 8")              \
    X(SPLIT_32_NOSIMD, "SPLIT with w = 32 and ALTMAP needs SIMD")                              \
    X(SPLIT_32_ALTMAP, "SPLIT with w = 32 and ALTMAP needs the arguments 4 32")                \
    X(SPLIT_32_SIMD, "SPLIT with w = 32, SIMD or NOSIMD needs the arguments 4 32")             \
    X(SPLIT_64, "SPLIT with w = 64 needs the arguments 4 64, 8 64, 16 64 or 8 8")              \
    X(SPLIT_64_NOSIMD, "SPLIT with w = 64 and ALTMAP needs SIMD")                              \
    X(SPLIT_64_ALTMAP, "SPLIT with w = 64 and ALTMAP needs the arguments 4 64")                \
    X(SPLIT_64_SIMD, "SPLIT with w = 64, SIMD or NOSIMD needs the arguments 4 64")             \
    X(SPLIT_8, "SPLIT with w = 8 needs the arguments 4 8")                                     \
    X(SPLIT_8_ALTMAP, "SPLIT with w = 8 cannot be combined with ALTMAP")                       \
    X(SPLIT_CPU, "SPLIT with SIMD needs a CPU with SSSE3")                                     \
    X(COMPOSITE_ARG1, "the argument of COMPOSITE must be 2")                                   \
    X(COMPOSITE_SIMD, "COMPOSITE cannot be combined with SIMD or NOSIMD")                      \
    X(COMPOSITE_W, "COMPOSITE works only for w = 8, 16, 32, 64 and 128")                       \
    X(UNKNOWN_FLAG, "unknown word: -m, -r, -p, -d or - is expected")                           \
    X(UNKNOWN_METHOD, "unknown multiplication method (-m)")                                    \
    X(UNKNOWN_REGION, "unknown region option (-r)")                                            \
    X(UNKNOWN_DIVIDE, "unknown division (-d)")                                                 \
    X(CARRY_FREE_W, "CARRY_FREE works only for w = 4, 8, 16, 32, 64 and 128")                  \
    X(CARRY_FREE_4_POLY, "CARRY_FREE with w = 4 needs a polynomial without the bits 0xc")      \
    X(CARRY_FREE_8_POLY, "CARRY_FREE with w = 8 needs a polynomial without the bit 0x80")      \
    X(CARRY_FREE_16_POLY, "CARRY_FREE with w = 16 needs a polynomial without the bits 0xe000") \
    X(CARRY_FREE_32_POLY,                                                                      \
      "CARRY_FREE with w = 32 needs a polynomial without the bits 0xfe000000")                 \
    X(CARRY_FREE_64_POLY, "CARRY_FREE with w = 64 needs a polynomial without its 15 top bits") \
    X(FEW_WORDS, "the arguments end too early: the last word must be -")                       \
    X(POLY, "the polynomial has bits above x^w")                                               \
    X(COMPOSITE_POLY, "the polynomial of COMPOSITE must be an element of the base field")      \
    X(COMPOSITE_NO_POLY, "this base field has no default polynomial for COMPOSITE")            \
    X(COMPOSITE_BASE, "COMPOSITE needs a base field of half as many bits")                     \
    X(TWO_METHODS, "-m is given twice")                                                        \
    X(TWO_DIVIDES, "-d is given twice")                                                        \
    X(POLY_TEXT, "-p needs a hexadecimal number")                                              \
    X(SPLIT_FEW_WORDS, "SPLIT needs two arguments")                                            \
    X(SPLIT_TEXT, "the arguments of SPLIT must be numbers")                                    \
    X(GROUP_FEW_WORDS, "GROUP needs two arguments")                                            \
    X(GROUP_TEXT, "the arguments of GROUP must be numbers")                                    \
    X(NONE, "no error")

#define PXR_GF_ERROR_NAME(name, text) PXR_GF_E_##name,
enum pxr_gf_error { PXR_GF_ERRORS(PXR_GF_ERROR_NAME) PXR_GF_ERROR_COUNT };

/* Sets _gf_errno.  Returns 0, which is also what failing calls return. */
int pxr_gf_fail(enum pxr_gf_error error);

#endif
