/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file erasure_code.h Erasure coding over GF(2^8) with the polynomial x^8+x^4+x^3+x^2+1
 * (0x11d).  The names, arguments, memory layouts and results are those of ISA-L's header with
 * this name.
 *
 * These rules hold for every function here:
 *
 * - Lengths: they are in bytes, as int.  With a length of zero or below, a function does
 *   nothing.
 * - Alignment: every buffer, table and matrix may have any alignment.
 * - Aliasing: an output may be the same buffer as an input, but must not overlap it partly.
 *   This holds for up to 255 sources and 255 outputs.  The updating functions do not allow an
 *   output that is also an input.  Outputs must not overlap one another.  Tables must not
 *   overlap buffers.
 * - Errors: the ABI has none.  When a pointer is NULL, also one in an array, or a count is out
 *   of range, nothing is read or written.
 * - Threads: every function is thread-safe and takes no lock.  No call makes a system call,
 *   opens a file or looks at the environment, not even the first one: that is done when the
 *   library is loaded.  So every function may be called in a signal handler, and in a child
 *   that was forked while other threads were in calls.  None is a cancellation point.  On
 *   x86-64, long calls may read the time stamp counter (permxor.h: Clock).
 * - Stack: a call needs 64 KiB at most, as unit/test_stack.c measures.
 *
 * Tables: gftbls holds one nibble table of 32 bytes for each coefficient.  The table of row r
 * and source j, of k sources, is at gftbls + 32*(r*k + j).  For the coefficient c it holds c*0
 * to c*15, followed by c*0x00, c*0x10 to c*0xf0.  Tables have this form on every CPU, so they
 * may be stored and moved between machines.
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

/** Expands the rows*k coefficients of a, row by row, to 32*k*rows bytes of tables. */
void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls);

/** Does the same as ec_init_tables(). */
void ec_init_tables_base(int k, int rows, unsigned char *a, unsigned char *gftbls);

/* --------------------------------------------------------------- coding -- */

/**
 * Computes for r < rows and i < len
 *
 *     coding[r][i] = sum over j < k of a[r*k+j] * data[j][i]
 *
 * With the parity rows of a generator matrix it encodes.  With rows of an inverted matrix it
 * decodes.  With k = 0 it writes zeros to the outputs.
 */
void ec_encode_data(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                    unsigned char **coding);

/**
 * Adds the contribution of the single source with the number vec_i, which is below k:
 *
 *     coding[r][i] += a[r*k+vec_i] * data[i]
 *
 * Called for each source in turn, on outputs that were zeroed, it encodes.  Called with the
 * difference of a source's old and new contents, it updates. data must not overlap an output.
 */
void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *g_tbls,
                           unsigned char *data, unsigned char **coding);

/** Computes one row: dest[i] = sum over j < vlen of coefficient j * src[j][i]. */
void gf_vect_dot_prod(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                      unsigned char *dest);

/** Adds one source to one row: dest[i] += coefficient vec_i * src[i], with vec_i below vec. */
void gf_vect_mad(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                 unsigned char *dest);

/** ec_encode_data() in portable C. */
void ec_encode_data_base(int len, int srcs, int dests, unsigned char *v, unsigned char **src,
                         unsigned char **dest);

/** ec_encode_data_update() in portable C. */
void ec_encode_data_update_base(int len, int k, int rows, int vec_i, unsigned char *v,
                                unsigned char *data, unsigned char **dest);

/** gf_vect_dot_prod() in portable C. */
void gf_vect_dot_prod_base(int len, int vlen, unsigned char *v, unsigned char **src,
                           unsigned char *dest);

/** gf_vect_mad() in portable C. */
void gf_vect_mad_base(int len, int vec, int vec_i, unsigned char *v, unsigned char *src,
                      unsigned char *dest);

/* ------------------------------------------------ the field and matrices -- */

/** Returns the product of a and b. */
unsigned char gf_mul(unsigned char a, unsigned char b);

/** Returns 1/a, or 0 when a is 0. */
unsigned char gf_inv(unsigned char a);

/**
 * Writes a generator matrix of m rows in all and k columns to a (m*k bytes): first the
 * identity, then m-k parity rows.
 *
 * Row r (0 is the first parity row), column j: 2^(r*j).  Any k of the m rows are independent
 * only for m-k <= 3; for m-k = 4 with k <= 21; for m-k = 5 with k <= 5; for m-k <= 21 with k <=
 * 4; and for k <= 3.
 */
void gf_gen_rs_matrix(unsigned char *a, int m, int k);

/**
 * Writes a generator matrix like gf_gen_rs_matrix(), with other parity rows.  Row i (counted
 * from the top), column j: 1/(i ^ j).  Any k of the m rows are independent, for every m <= 256.
 */
void gf_gen_cauchy1_matrix(unsigned char *a, int m, int k);

/**
 * Computes out = in^-1.  Both are n*n bytes and must not overlap.  The call destroys in.
 *
 * \return 0, or -1 when in is singular, when n is negative or above 65535, or when a pointer is
 *     NULL.  With -1 the contents of out are unspecified.
 */
int gf_invert_matrix(unsigned char *in, unsigned char *out, const int n);

/* ------------------------------------------------------------ deprecated -- */

#if defined(__x86_64__) || defined(__i386__)
/*
 * The functions above, each with at most the instruction set in its name, or with the best one
 * below it that the CPU has.  PERMXOR_KERNELS has no effect on them.  A 32-bit library has only
 * the portable code, and runs it. gf_2vect_* to gf_6vect_* compute that many rows: dest is an
 * array of that many pointers.
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
