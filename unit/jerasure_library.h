/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of jerasure.h and the headers beside it as a structure, so that a test can
 * compare two libraries.
 */
#ifndef PXR_UNIT_JERASURE_LIBRARY_H
#define PXR_UNIT_JERASURE_LIBRARY_H

#include <stdbool.h>

#include "cauchy.h"
#include "jerasure.h"
#include "liberation.h"
#include "reed_sol.h"

#define JERASURE_FUNCTIONS(X)                       \
    X(galois_init_default_field)                    \
    X(galois_uninit_field)                          \
    X(galois_init_field)                            \
    X(galois_init_composite_field)                  \
    X(galois_change_technique)                      \
    X(galois_get_field_ptr)                         \
    X(galois_single_multiply)                       \
    X(galois_single_divide)                         \
    X(galois_inverse)                               \
    X(galois_w08_region_multiply)                   \
    X(galois_w16_region_multiply)                   \
    X(galois_w32_region_multiply)                   \
    X(galois_region_xor)                            \
    X(reed_sol_vandermonde_coding_matrix)           \
    X(reed_sol_extended_vandermonde_matrix)         \
    X(reed_sol_big_vandermonde_distribution_matrix) \
    X(reed_sol_r6_coding_matrix)                    \
    X(reed_sol_r6_encode)                           \
    X(reed_sol_galois_w08_region_multby_2)          \
    X(reed_sol_galois_w16_region_multby_2)          \
    X(reed_sol_galois_w32_region_multby_2)          \
    X(cauchy_original_coding_matrix)                \
    X(cauchy_xy_coding_matrix)                      \
    X(cauchy_improve_coding_matrix)                 \
    X(cauchy_good_general_coding_matrix)            \
    X(cauchy_n_ones)                                \
    X(liberation_coding_bitmatrix)                  \
    X(liber8tion_coding_bitmatrix)                  \
    X(blaum_roth_coding_bitmatrix)                  \
    X(jerasure_matrix_to_bitmatrix)                 \
    X(jerasure_dumb_bitmatrix_to_schedule)          \
    X(jerasure_smart_bitmatrix_to_schedule)         \
    X(jerasure_free_schedule)                       \
    X(jerasure_generate_schedule_cache)             \
    X(jerasure_free_schedule_cache)                 \
    X(jerasure_do_parity)                           \
    X(jerasure_matrix_encode)                       \
    X(jerasure_bitmatrix_encode)                    \
    X(jerasure_schedule_encode)                     \
    X(jerasure_matrix_decode)                       \
    X(jerasure_bitmatrix_decode)                    \
    X(jerasure_schedule_decode_lazy)                \
    X(jerasure_schedule_decode_cache)               \
    X(jerasure_make_decoding_matrix)                \
    X(jerasure_make_decoding_bitmatrix)             \
    X(jerasure_erasures_to_erased)                  \
    X(jerasure_matrix_dotprod)                      \
    X(jerasure_bitmatrix_dotprod)                   \
    X(jerasure_do_scheduled_operations)             \
    X(jerasure_invert_matrix)                       \
    X(jerasure_invert_bitmatrix)                    \
    X(jerasure_invertible_matrix)                   \
    X(jerasure_invertible_bitmatrix)                \
    X(jerasure_matrix_multiply)                     \
    X(jerasure_print_matrix)                        \
    X(jerasure_print_bitmatrix)                     \
    X(jerasure_get_stats)                           \
    X(jerasure_autoconf_test)

#define JERASURE_FIELD(name) __typeof__(name) *name;
struct jerasure_library {
    JERASURE_FUNCTIONS(JERASURE_FIELD)
};

extern const struct jerasure_library jerasure_ours;

/* Opens the system's own library.  Returns false if there is none; the test is then skipped by
   name. */
bool jerasure_open_theirs(struct jerasure_library *theirs);

#endif
