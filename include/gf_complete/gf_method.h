/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file gf_method.h Makes fields from the words of a command line.  The name and the arguments
 * are those of gf-complete 1.0's header with this name.
 */
#ifndef PXR_GF_METHOD_H
#define PXR_GF_METHOD_H

#include "gf_complete.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Initialises the field of this w from the words argv[starting] and following, up to the word
 * -:
 *
 *     -m METHOD   SHIFT, CARRY_FREE, CARRY_FREE_GK, BYTWO_p, BYTWO_b, TABLE, LOG, LOG_ZERO,
 *                 LOG_ZERO_EXT, GROUP arg1 arg2, SPLIT arg1 arg2, or COMPOSITE 2 and the words
 *                 of the base field up to their own -
 *     -r REGION   DOUBLE, QUAD, LAZY, SIMD, NOSIMD, SSE, NOSSE, ALTMAP or CAUCHY; any number
 *                 of them
 *     -p POLY     the polynomial in hexadecimal digits
 *     -d DIVIDE   EUCLID or MATRIX
 *
 * gf_free(gf, 1) frees the field with its base.
 *
 * \return The index of the word behind the last one, or 0 with _gf_errno set.
 */
extern int create_gf_from_argv(gf_t *gf, int w, int argc, char **argv, int starting);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
