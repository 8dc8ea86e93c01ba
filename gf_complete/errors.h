/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of _gf_errno.  Their numbers are part of gf-complete's interface, so the order is
 * that of the original.  X(name, text) lists them.  Only the original reports the errors that
 * concern the CPU, because here every method exists on any CPU.
 */
#ifndef PXR_GF_ERRORS_H
#define PXR_GF_ERRORS_H

#define PXR_GF_ERRORS(X)                                                                      \
    X(DEFAULT_DIVIDE, "the default multiplication takes no choice of division")               \
    X(DEFAULT_REGION, "the default multiplication takes no -r")                               \
    X(DEFAULT_ARGS, "the default multiplication takes no arguments")                          \
    X(COMPOSITE_DIVIDE, "COMPOSITE takes no choice of division")                              \
    X(COMPOSITE_CAUCHY, "COMPOSITE and CAUCHY exclude each other")                            \
    X(DOUBLE_AND_QUAD, "DOUBLE and QUAD exclude each other")                                  \
    X(SIMD_AND_NOSIMD, "SIMD and NOSIMD exclude each other")                                  \
    X(CAUCHY_AND_OTHER, "CAUCHY takes no other -r beside it")                                 \
    X(CAUCHY_W, "CAUCHY is for w up to 32")                                                   \
    X(ARG1, "only SPLIT, GROUP and COMPOSITE take a first argument")                          \
    X(ARG2, "only SPLIT and GROUP take a second argument")                                    \
    X(MATRIX_W, "division by MATRIX is for w up to 32")                                       \
    X(W, "w is 1 to 32, 64 or 128")                                                           \
    X(DOUBLE_METHOD, "DOUBLE is for TABLE alone")                                             \
    X(DOUBLE_W, "DOUBLE is for w = 4 and w = 8")                                              \
    X(DOUBLE_AND_OTHER, "DOUBLE excludes ALTMAP, SIMD and NOSIMD")                            \
    X(DOUBLE_LAZY, "DOUBLE with LAZY is for w = 8")                                           \
    X(QUAD_METHOD, "QUAD is for TABLE alone")                                                 \
    X(QUAD_W, "QUAD is for w = 4")                                                            \
    X(QUAD_AND_OTHER, "QUAD excludes ALTMAP, SIMD and NOSIMD")                                \
    X(LAZY_ALONE, "LAZY goes with DOUBLE or QUAD")                                            \
    X(SHIFT_ALTMAP, "SHIFT and ALTMAP exclude each other")                                    \
    X(SHIFT_SIMD, "SHIFT takes neither SIMD nor NOSIMD")                                      \
    X(CARRY_FREE_ALTMAP, "CARRY_FREE and ALTMAP exclude each other")                          \
    X(CARRY_FREE_SIMD, "CARRY_FREE takes neither SIMD nor NOSIMD")                            \
    X(CARRY_FREE_CPU, "CARRY_FREE needs a CPU with carry-less multiplication")                \
    X(BYTWO_ALTMAP, "BYTWO and ALTMAP exclude each other")                                    \
    X(BYTWO_CPU, "BYTWO with SIMD needs a CPU with SSE2")                                     \
    X(LOG_W, "logarithms are for w up to 27")                                                 \
    X(LOG_AND_OTHER, "logarithms take neither ALTMAP, SIMD nor NOSIMD")                       \
    X(LOG_ZERO_W, "LOG_ZERO is for w = 8 and w = 16")                                         \
    X(LOG_ZERO_EXT_W, "LOG_ZERO_EXT is for w = 8")                                            \
    X(LOG_POLY, "logarithms need a primitive polynomial")                                     \
    X(GROUP_ARGS, "GROUP takes two arguments above 0")                                        \
    X(GROUP_W, "GROUP is not for w = 4 and w = 8")                                            \
    X(GROUP_16, "GROUP with w = 16 takes the arguments 4 4")                                  \
    X(GROUP_128, "GROUP with w = 128 takes the arguments 4 4, 4 8 or 4 16")                   \
    X(GROUP_27, "GROUP takes arguments up to 27")                                             \
    X(GROUP_ABOVE_W, "GROUP takes arguments up to w")                                         \
    X(GROUP_AND_OTHER, "GROUP takes neither ALTMAP, SIMD nor NOSIMD")                         \
    X(TABLE_W, "TABLE is for w up to 14, and 16")                                             \
    X(TABLE_SIMD, "TABLE takes SIMD and NOSIMD for w = 4 alone")                              \
    X(TABLE_CPU, "TABLE with SIMD needs a CPU with SSSE3")                                    \
    X(TABLE_ALTMAP, "TABLE and ALTMAP exclude each other")                                    \
    X(SPLIT_128, "SPLIT with w = 128 takes the arguments 4 128 or 8 128")                     \
    X(SPLIT_128_SIMD_ALONE, "SPLIT with w = 128 and SIMD goes with ALTMAP")                   \
    X(SPLIT_128_NOSIMD, "SPLIT with w = 128 and ALTMAP needs SIMD")                           \
    X(SPLIT_128_ALTMAP, "SPLIT with w = 128 and ALTMAP takes the arguments 4 128")            \
    X(SPLIT_128_SIMD, "SPLIT with w = 128, SIMD or NOSIMD takes the arguments 4 128")         \
    X(SPLIT_W, "SPLIT is for w = 8, 16, 32, 64 and 128")                                      \
    X(SPLIT_16, "SPLIT with w = 16 takes the arguments 4 16, 8 16 or 8 8")                    \
    X(SPLIT_16_ALTMAP, "SPLIT with w = 16 and ALTMAP takes the arguments 4 16")               \
    X(SPLIT_16_SIMD, "SPLIT with w = 16, SIMD or NOSIMD takes the arguments 4 16")            \
    X(SPLIT_32, "SPLIT with w = 32 takes the arguments 4 32, 8 32, 16 32 or 8 8")             \
    X(SPLIT_32_NOSIMD, "SPLIT with w = 32 and ALTMAP needs SIMD")                             \
    X(SPLIT_32_ALTMAP, "SPLIT with w = 32 and ALTMAP takes the arguments 4 32")               \
    X(SPLIT_32_SIMD, "SPLIT with w = 32, SIMD or NOSIMD takes the arguments 4 32")            \
    X(SPLIT_64, "SPLIT with w = 64 takes the arguments 4 64, 8 64, 16 64 or 8 8")             \
    X(SPLIT_64_NOSIMD, "SPLIT with w = 64 and ALTMAP needs SIMD")                             \
    X(SPLIT_64_ALTMAP, "SPLIT with w = 64 and ALTMAP takes the arguments 4 64")               \
    X(SPLIT_64_SIMD, "SPLIT with w = 64, SIMD or NOSIMD takes the arguments 4 64")            \
    X(SPLIT_8, "SPLIT with w = 8 takes the arguments 4 8")                                    \
    X(SPLIT_8_ALTMAP, "SPLIT with w = 8 takes no ALTMAP")                                     \
    X(SPLIT_CPU, "SPLIT with SIMD needs a CPU with SSSE3")                                    \
    X(COMPOSITE_ARG1, "COMPOSITE takes the argument 2")                                       \
    X(COMPOSITE_SIMD, "COMPOSITE takes neither SIMD nor NOSIMD")                              \
    X(COMPOSITE_W, "COMPOSITE is for w = 8, 16, 32, 64 and 128")                              \
    X(UNKNOWN_FLAG, "a word that is not -m, -r, -p, -d or -")                                 \
    X(UNKNOWN_METHOD, "there is no such method to multiply")                                  \
    X(UNKNOWN_REGION, "there is no such -r")                                                  \
    X(UNKNOWN_DIVIDE, "there is no such division")                                            \
    X(CARRY_FREE_W, "CARRY_FREE is for w = 4, 8, 16, 32, 64 and 128")                         \
    X(CARRY_FREE_4_POLY, "CARRY_FREE with w = 4 takes polynomials without bits 0xc")          \
    X(CARRY_FREE_8_POLY, "CARRY_FREE with w = 8 takes polynomials without bit 0x80")          \
    X(CARRY_FREE_16_POLY, "CARRY_FREE with w = 16 takes polynomials without bits 0xe000")     \
    X(CARRY_FREE_32_POLY, "CARRY_FREE with w = 32 takes polynomials without bits 0xfe000000") \
    X(CARRY_FREE_64_POLY,                                                                     \
      "CARRY_FREE with w = 64 takes polynomials without their 15 top bits")                   \
    X(FEW_WORDS, "more words were expected (the last one is -)")                              \
    X(POLY, "a polynomial with bits above x^w")                                               \
    X(COMPOSITE_POLY, "a polynomial of COMPOSITE is an element of the base field")            \
    X(COMPOSITE_NO_POLY, "this base field has no default polynomial for COMPOSITE")           \
    X(COMPOSITE_BASE, "COMPOSITE takes a base field of half as many bits")                    \
    X(TWO_METHODS, "-m stands there twice")                                                   \
    X(TWO_DIVIDES, "-d stands there twice")                                                   \
    X(POLY_TEXT, "-p takes hexadecimal digits")                                               \
    X(SPLIT_FEW_WORDS, "SPLIT takes two arguments")                                           \
    X(SPLIT_TEXT, "SPLIT takes two numbers")                                                  \
    X(GROUP_FEW_WORDS, "GROUP takes two arguments")                                           \
    X(GROUP_TEXT, "GROUP takes two numbers")                                                  \
    X(NONE, "no error")

#define PXR_GF_ERROR_NAME(name, text) PXR_GF_E_##name,
enum pxr_gf_error { PXR_GF_ERRORS(PXR_GF_ERROR_NAME) PXR_GF_ERROR_COUNT };

/* Sets _gf_errno.  Returns 0, which is also what failing calls return. */
int pxr_gf_fail(enum pxr_gf_error error);

#endif
