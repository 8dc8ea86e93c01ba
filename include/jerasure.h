/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file jerasure.h Erasure codes under the names of jerasure 2.0.
 *
 * There are k data devices and m coding devices.  Each is a region of `size` bytes:
 * data_ptrs[0] to data_ptrs[k-1] and coding_ptrs[0] to coding_ptrs[m-1].  Device ids are 0 to
 * k-1 for data, and k to k+m-1 for coding.
 *
 * A matrix has m * k numbers of GF(2^w), row by row.  Row i makes coding device i.  With a
 * matrix, regions are words of w bits, w is 8, 16 or 32, and size is a multiple of w / 8.  Any
 * size is allowed if all numbers are 0 and 1.
 *
 * A bit matrix has m * w rows of k * w numbers, each 0 or 1.  With a bit matrix, a region is a
 * sequence of units of w packets, and a packet is packetsize bytes.  So size is a multiple of w
 * * packetsize.  Row i*w + x makes packet x of coding device i: column j*w + y stands for
 * packet y of data device j, and the packet is the xor of all packets whose column is 1.
 *
 * A schedule says the same as a list of operations on packets.  It is an array of pointers to
 * five int each: source device, source packet, destination device, destination packet, and 0 to
 * copy or 1 to xor.  An operation whose first number is -1 ends the list.
 *
 * A row of zeros leaves its destination as it is.  The pointer to a source may be NULL if all
 * numbers of that source are 0.
 *
 * An array called erasures lists the ids of the lost devices, in any order, and ends with -1.
 * An array called erased has a flag for each device.
 *
 * The caller owns everything that a function returns by a pointer.  Release it with free(), or
 * with the function for it that is declared here.  Regions may have any alignment.  A
 * destination must not be a source of the same call.  Any threads may call at the same time.
 *
 * When an argument makes no sense, a message goes to standard error, and nothing is written.
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

/**
 * Makes the m*w by k*w bit matrix of a matrix.  Each element e becomes a block of w by w bits,
 * whose column y is e * 2^y.
 */
int *jerasure_matrix_to_bitmatrix(int k, int m, int w, int *matrix);

/** Makes the schedule of a bit matrix, row by row. */
int **jerasure_dumb_bitmatrix_to_schedule(int k, int m, int w, int *bitmatrix);

/** Makes a schedule that is shorter, because a row may begin as a copy of another row. */
int **jerasure_smart_bitmatrix_to_schedule(int k, int m, int w, int *bitmatrix);

/** Frees a schedule. */
void jerasure_free_schedule(int **schedule);

/**
 * Makes the decoding schedules for every loss of one or two devices, for m = 2.  Returns NULL
 * for any other m.
 */
int ***jerasure_generate_schedule_cache(int k, int m, int w, int *bitmatrix, int smart);

/** Frees what jerasure_generate_schedule_cache() made. */
void jerasure_free_schedule_cache(int k, int m, int ***cache);

/* --------------------------------------------------------------- encoding -- */

/** Computes parity_ptr = the xor of all data devices. */
void jerasure_do_parity(int k, char **data_ptrs, char *parity_ptr, int size);

/** Computes all coding devices by a matrix. */
void jerasure_matrix_encode(int k, int m, int w, int *matrix, char **data_ptrs,
                            char **coding_ptrs, int size);

/** Computes all coding devices by a bit matrix. */
void jerasure_bitmatrix_encode(int k, int m, int w, int *bitmatrix, char **data_ptrs,
                               char **coding_ptrs, int size, int packetsize);

/** Computes all coding devices by a schedule. */
void jerasure_schedule_encode(int k, int m, int w, int **schedule, char **data_ptrs,
                              char **coding_ptrs, int size, int packetsize);

/* --------------------------------------------------------------- decoding -- */

/**
 * Rebuilds everything that is lost, data and coding devices, by a matrix.
 *
 * row_k_ones says that row 0 of the matrix is all ones, or that its first row of blocks is
 * identities.  This saves work.  For bit matrices only the value 1 says so.
 *
 * \return 0, or -1 when too few devices are left, when they do not determine the data, when an
 *     argument is wrong, or when there is no memory.  This also holds for the three functions
 *     below.
 */
int jerasure_matrix_decode(int k, int m, int w, int *matrix, int row_k_ones, int *erasures,
                           char **data_ptrs, char **coding_ptrs, int size);

/** Does the same by a bit matrix. */
int jerasure_bitmatrix_decode(int k, int m, int w, int *bitmatrix, int row_k_ones,
                              int *erasures, char **data_ptrs, char **coding_ptrs, int size,
                              int packetsize);

/** Does the same by a schedule that is made for this call. */
int jerasure_schedule_decode_lazy(int k, int m, int w, int *bitmatrix, int *erasures,
                                  char **data_ptrs, char **coding_ptrs, int size,
                                  int packetsize, int smart);

/** Does the same by the schedules of jerasure_generate_schedule_cache(). */
int jerasure_schedule_decode_cache(int k, int m, int w, int ***scache, int *erasures,
                                   char **data_ptrs, char **coding_ptrs, int size,
                                   int packetsize);

/**
 * Makes the matrix that computes the data from the first k devices that are not erased.
 * dm_ids[0] to dm_ids[k-1] become the ids of these devices. decoding_matrix has room for k * k
 * numbers.
 *
 * \return 0, or -1 when too few devices are left, or when they do not determine the data.
 */
int jerasure_make_decoding_matrix(int k, int m, int w, int *matrix, int *erased,
                                  int *decoding_matrix, int *dm_ids);

/** Does the same for a bit matrix. decoding_matrix has room for k * k * w * w numbers. */
int jerasure_make_decoding_bitmatrix(int k, int m, int w, int *matrix, int *erased,
                                     int *decoding_matrix, int *dm_ids);

/**
 * Makes the k + m flags of a list of erasures.  Returns NULL when fewer than k devices are
 * left.
 */
int *jerasure_erasures_to_erased(int k, int m, int *erasures);

/* ------------------------------------------------------------ single rows -- */

/**
 * Computes device dest_id by one row of a matrix, from the k devices src_ids, or from the data
 * when src_ids is NULL. w may also be 1.
 */
void jerasure_matrix_dotprod(int k, int w, int *matrix_row, int *src_ids, int dest_id,
                             char **data_ptrs, char **coding_ptrs, int size);

/** Does the same by the w rows of a bit matrix. */
void jerasure_bitmatrix_dotprod(int k, int w, int *bitmatrix_row, int *src_ids, int dest_id,
                                char **data_ptrs, char **coding_ptrs, int size, int packetsize);

/** Runs a schedule on one unit. ptrs has the address of the w packets of each device. */
void jerasure_do_scheduled_operations(char **ptrs, int **schedule, int packetsize);

/* ------------------------------------------------------- work on matrices -- */

/**
 * Computes inv = mat^-1, both rows by rows.  The call destroys mat.  Returns 0, or -1 when mat
 * is singular.
 */
int jerasure_invert_matrix(int *mat, int *inv, int rows, int w);

/** Does the same for a bit matrix. */
int jerasure_invert_bitmatrix(int *mat, int *inv, int rows);

/** Returns 1 when the matrix has an inverse, and otherwise 0.  The call destroys mat. */
int jerasure_invertible_matrix(int *mat, int rows, int w);

/** Does the same for a bit matrix. */
int jerasure_invertible_bitmatrix(int *mat, int rows);

/** Returns the r1 by c2 product of an r1 by c1 matrix and an r2 by c2 matrix, where c1 = r2. */
int *jerasure_matrix_multiply(int *m1, int *m2, int r1, int c1, int r2, int c2, int w);

/** Prints a matrix to standard output, with the numbers in decimal. */
void jerasure_print_matrix(int *matrix, int rows, int cols, int w);

/** Prints a bit matrix to standard output, in blocks of w bits. */
void jerasure_print_bitmatrix(int *matrix, int rows, int cols, int w);

/* ------------------------------------------------------------- statistics -- */

/**
 * Writes three numbers to fill_in: the bytes that were xored, multiplied and copied, in this
 * order.  They count all calls of the process since this function was last called.
 */
void jerasure_get_stats(double *fill_in);

/** Returns 0.  Configure scripts look for this function. */
int jerasure_autoconf_test(void);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
