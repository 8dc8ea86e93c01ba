/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Erasure coding over GF(2^8), polynomial x^8+x^4+x^3+x^2+1 (0x11d): the names,
 * arguments, layouts and results of ISA-L's header of this name.
 *
 * Of every function here:
 *   lengths    bytes as int; zero or negative does nothing
 *   alignment  any, of every buffer, table and matrix
 *   aliasing   an output may be the same buffer as an input (not overlap one
 *              partly), up to 255 sources and 255 outputs, but not in the
 *              updating functions; outputs may not overlap one another;
 *              tables may not overlap buffers
 *   errors     the ABI has none: with a NULL pointer (in an array, too) or a
 *              count out of range nothing is read or written
 *   threads    thread-safe, without locks; the first call, too, makes no system call,
 *              opens no file and does not look at the environment: that is done when
 *              the library is loaded.  So every function may be called in a signal
 *              handler, and in a child that was forked while other threads were in
 *              calls, and none is a cancellation point.  On x86-64 long calls may read
 *              the time stamp counter (permxor.h: clock)
 *   stack      64 KiB at most, as unit/test_stack.c measures
 *
 * Tables.  gftbls holds one nibble table of 32 bytes per coefficient: that of
 * row r and source j of k at gftbls + 32*(r*k + j) is c*0 .. c*15 followed by
 * c*0x00, c*0x10 .. c*0xf0.  Always so, on every CPU: tables may be stored and
 * moved between machines.
 */
#ifndef PXR_ISAL_ERASURE_CODE_H
#define PXR_ISAL_ERASURE_CODE_H

#include "gf_vect_mul.h"
#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* --------------------------------------------------------------- tables -- */

/* Expand the rows*k coefficients of a, row by row, to 32*k*rows bytes. */
void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls);
void ec_init_tables_base(int k, int rows, unsigned char *a, unsigned char *gftbls);

/* --------------------------------------------------------------- coding -- */

/*
 * coding[r][i] = sum over j < k of a[r*k+j] * data[j][i], for r < rows, i < len.
 * Encodes with the parity rows of a generator matrix, decodes with rows of an
 * inverted one.  k = 0 zeroes the outputs.
 */
void ec_encode_data(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                    unsigned char **coding);

/*
 * coding[r][i] += a[r*k+vec_i] * data[i]: the share of source vec_i (< k)
 * alone.  Called for each source in turn on zeroed outputs it encodes; called
 * with the difference of a source's old and new contents it updates.  data may
 * not overlap an output.
 */
void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *g_tbls,
                           unsigned char *data, unsigned char **coding);

/* One row: dest[i] = sum over j < vlen of coefficient j * src[j][i]. */
void gf_vect_dot_prod(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                      unsigned char *dest);

/* One row, one source: dest[i] += coefficient vec_i (< vec) * src[i]. */
void gf_vect_mad(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                 unsigned char *dest);

/* The same in portable C. */
void ec_encode_data_base(int len, int srcs, int dests, unsigned char *v, unsigned char **src,
                         unsigned char **dest);
void ec_encode_data_update_base(int len, int k, int rows, int vec_i, unsigned char *v,
                                unsigned char *data, unsigned char **dest);
void gf_vect_dot_prod_base(int len, int vlen, unsigned char *v, unsigned char **src,
                           unsigned char *dest);
void gf_vect_mad_base(int len, int vec, int vec_i, unsigned char *v, unsigned char *src,
                      unsigned char *dest);

/* ------------------------------------------------ the field and matrices -- */

unsigned char gf_mul(unsigned char a, unsigned char b);

/* 1/a; 0 for 0. */
unsigned char gf_inv(unsigned char a);

/*
 * Generator matrices of m rows in all and k columns into a (m*k bytes): the
 * identity, then m-k parity rows.
 *   rs       row r (0 the first parity row), column j: 2^(r*j).  Any k of the m
 *            rows are independent only for m-k <= 3; m-k = 4 with k <= 21;
 *            m-k = 5 with k <= 5; m-k <= 21 with k <= 4; k <= 3.
 *   cauchy1  row i (counted from the top), column j: 1/(i ^ j).  Any k of the m
 *            rows are independent for every m <= 256.
 */
void gf_gen_rs_matrix(unsigned char *a, int m, int k);
void gf_gen_cauchy1_matrix(unsigned char *a, int m, int k);

/*
 * out = in^-1, both n*n bytes, not overlapping; in is destroyed.  Returns 0, or
 * -1 when in is singular, n is negative (or above 65535), or a pointer is NULL;
 * out is unspecified then.
 */
int gf_invert_matrix(unsigned char *in, unsigned char *out, const int n);

/* ------------------------------------------------------------ deprecated -- */

#if defined(__x86_64__) || defined(__i386__)
/*
 * The functions above with at most the instruction set in their name, or the
 * best below it that the CPU has, whatever PERMXOR_KERNELS says; a 32-bit library has the
 * portable code alone, and runs it. gf_{2..6}vect_* compute that many rows: dest is an array of
 * so many pointers.
 */
#define PXR_ISAL_N(n, isa)                                                          \
    ISAL_LIB_DEPRECATED("call ec_encode_data()")                                    \
    void gf_##n##vect_dot_prod_##isa(int len, int vlen, unsigned char *gftbls,      \
                                     unsigned char **src, unsigned char **dest);    \
    ISAL_LIB_DEPRECATED("call ec_encode_data_update()")                             \
    void gf_##n##vect_mad_##isa(int len, int vec, int vec_i, unsigned char *gftbls, \
                                unsigned char *src, unsigned char **dest);

#define PXR_ISAL_NAMES(isa)                                                                    \
    ISAL_LIB_DEPRECATED("call ec_encode_data()")                                               \
    void ec_encode_data_##isa(int len, int k, int rows, unsigned char *gftbls,                 \
                              unsigned char **data, unsigned char **coding);                   \
    ISAL_LIB_DEPRECATED("call ec_encode_data_update()")                                        \
    void ec_encode_data_update_##isa(int len, int k, int rows, int vec_i,                      \
                                     unsigned char *g_tbls, unsigned char *data,               \
                                     unsigned char **coding);                                  \
    ISAL_LIB_DEPRECATED("call gf_vect_dot_prod()")                                             \
    void gf_vect_dot_prod_##isa(int len, int vlen, unsigned char *gftbls, unsigned char **src, \
                                unsigned char *dest);                                          \
    ISAL_LIB_DEPRECATED("call gf_vect_mad()")                                                  \
    void gf_vect_mad_##isa(int len, int vec, int vec_i, unsigned char *gftbls,                 \
                           unsigned char *src, unsigned char *dest);                           \
    PXR_ISAL_N(2, isa)                                                                         \
    PXR_ISAL_N(3, isa)                                                                         \
    PXR_ISAL_N(4, isa)                                                                         \
    PXR_ISAL_N(5, isa)                                                                         \
    PXR_ISAL_N(6, isa)

PXR_ISAL_NAMES(sse)
PXR_ISAL_NAMES(avx)
PXR_ISAL_NAMES(avx2)

#undef PXR_ISAL_NAMES
#undef PXR_ISAL_N
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
