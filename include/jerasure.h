/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jerasure.h - erasure codes under jerasure 2.0's names.
 *
 * k data devices and m coding devices are regions of `size` bytes each: data_ptrs[0 to k-1] and
 * coding_ptrs[0 to m-1].  Device ids are 0 to k-1 for data, and k to k+m-1 for coding.
 *
 * A matrix has m * k numbers of GF(2^w), row by row: row i makes coding device i.  Regions are
 * words of w bits then, w is 8, 16 or 32, and size is a multiple of w / 8.
 *
 * A bit matrix has m * w rows of k * w numbers that are 0 or 1.  A region is a sequence of
 * units, each of w packets of packetsize bytes, so size is a multiple of w * packetsize.  Row
 * i*w + x makes packet x of coding device i: the xor of packet y of data device j over all
 * columns j*w + y that are 1.
 *
 * A schedule says the same as a list of operations on packets.  It is an array of pointers to
 * five int each: source device, source packet, destination device, destination packet, and 0
 * to copy or 1 to xor.  An operation whose first number is -1 ends it.
 *
 * A row of zeros leaves its destination as it is.
 *
 * Arrays called erasures list the ids of what is lost, in any order, and end with -1; those
 * called erased have a flag for each device.
 *
 * Everything that a function returns by a pointer is the caller's, to be released with free(),
 * or by the function that is named for it.  Regions may have any alignment.  A destination
 * may not be a source of the same call.  Any threads may call at the same time.
 *
 * An argument that makes no sense is told on standard error, and nothing is written.
 */
#ifndef PXR_JERASURE_H
#define PXR_JERASURE_H

#include "jerasure/galois.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ------------------------------------------------ matrices and schedules -- */

/* The m*w by k*w bit matrix of a matrix: column y of element e's block is e * 2^y. */
int *jerasure_matrix_to_bitmatrix(int k, int m, int w, int *matrix);

/* The schedule of a bit matrix, row by row; or a shorter one, in which a row may begin as a
   copy of another one. */
int **jerasure_dumb_bitmatrix_to_schedule(int k, int m, int w, int *bitmatrix);
int **jerasure_smart_bitmatrix_to_schedule(int k, int m, int w, int *bitmatrix);
void jerasure_free_schedule(int **schedule);

/* Decoding schedules for every loss of one or two devices, for m = 2; NULL for another m. */
int ***jerasure_generate_schedule_cache(int k, int m, int w, int *bitmatrix, int smart);
void jerasure_free_schedule_cache(int k, int m, int ***cache);

/* --------------------------------------------------------------- encoding -- */

/* parity = the xor of all data devices. */
void jerasure_do_parity(int k, char **data_ptrs, char *parity_ptr, int size);

void jerasure_matrix_encode(int k, int m, int w, int *matrix, char **data_ptrs,
                            char **coding_ptrs, int size);
void jerasure_bitmatrix_encode(int k, int m, int w, int *bitmatrix, char **data_ptrs,
                               char **coding_ptrs, int size, int packetsize);
void jerasure_schedule_encode(int k, int m, int w, int **schedule, char **data_ptrs,
                              char **coding_ptrs, int size, int packetsize);

/* --------------------------------------------------------------- decoding -- */

/*
 * Rebuild all that is lost, data and coding devices.  row_k_ones says that row 0 (or block 0)
 * of the matrix is ones (or identities), which saves work.  0, or -1: too few devices are
 * left, they do not determine the data, an argument is wrong, or there is no memory.
 */
int jerasure_matrix_decode(int k, int m, int w, int *matrix, int row_k_ones, int *erasures,
                           char **data_ptrs, char **coding_ptrs, int size);
int jerasure_bitmatrix_decode(int k, int m, int w, int *bitmatrix, int row_k_ones,
                              int *erasures, char **data_ptrs, char **coding_ptrs, int size,
                              int packetsize);
int jerasure_schedule_decode_lazy(int k, int m, int w, int *bitmatrix, int *erasures,
                                  char **data_ptrs, char **coding_ptrs, int size,
                                  int packetsize, int smart);
int jerasure_schedule_decode_cache(int k, int m, int w, int ***scache, int *erasures,
                                   char **data_ptrs, char **coding_ptrs, int size,
                                   int packetsize);

/*
 * The matrix that makes the data from the first k devices that are not erased, whose ids
 * become dm_ids[0 to k-1].  decoding_matrix has room for k * k numbers, and for k * k * w * w
 * in the second form.  0, or -1: too few, or they do not determine the data.
 */
int jerasure_make_decoding_matrix(int k, int m, int w, int *matrix, int *erased,
                                  int *decoding_matrix, int *dm_ids);
int jerasure_make_decoding_bitmatrix(int k, int m, int w, int *matrix, int *erased,
                                     int *decoding_matrix, int *dm_ids);

/* The k + m flags of a list of losses; NULL: fewer than k devices are left. */
int *jerasure_erasures_to_erased(int k, int m, int *erasures);

/* ------------------------------------------------------------ single rows -- */

/* Device dest_id from the k devices src_ids, or from the data where that is NULL, by one row
   of a matrix, or by the w rows of a bit matrix.  w may also be 1. */
void jerasure_matrix_dotprod(int k, int w, int *matrix_row, int *src_ids, int dest_id,
                             char **data_ptrs, char **coding_ptrs, int size);
void jerasure_bitmatrix_dotprod(int k, int w, int *bitmatrix_row, int *src_ids, int dest_id,
                                char **data_ptrs, char **coding_ptrs, int size, int packetsize);

/* One unit of a schedule; ptrs has the address of its w packets for each device. */
void jerasure_do_scheduled_operations(char **ptrs, int **schedule, int packetsize);

/* ------------------------------------------------------- work on matrices -- */

/* inv = mat^-1, rows by rows; mat is destroyed.  0, or -1: it is singular. */
int jerasure_invert_matrix(int *mat, int *inv, int rows, int w);
int jerasure_invert_bitmatrix(int *mat, int *inv, int rows);

/* 1 where an inverse exists, else 0; mat is destroyed. */
int jerasure_invertible_matrix(int *mat, int rows, int w);
int jerasure_invertible_bitmatrix(int *mat, int rows);

/* The r1 by c2 product of an r1 by c1 matrix and an r2 by c2 one; c1 = r2. */
int *jerasure_matrix_multiply(int *m1, int *m2, int r1, int c1, int r2, int c2, int w);

/* Print to standard output: the numbers in decimal, or the bits in blocks of w. */
void jerasure_print_matrix(int *matrix, int rows, int cols, int w);
void jerasure_print_bitmatrix(int *matrix, int rows, int cols, int w);

/* ------------------------------------------------------------- statistics -- */

/* The bytes that were xored, multiplied and copied, in this order, by all calls of the process
   since the last one of this function. */
void jerasure_get_stats(double *fill_in);

/* 0.  It is there to be looked for. */
int jerasure_autoconf_test(void);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
