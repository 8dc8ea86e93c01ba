/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields from words of a command line, with the name and the arguments of gf-complete 1.0's
 * header of this name.
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

/*
 * Initialises the field of this w as the words from argv[starting] on say, up to the word -:
 *   -m METHOD   SHIFT, CARRY_FREE, CARRY_FREE_GK, BYTWO_p, BYTWO_b, TABLE, LOG, LOG_ZERO,
 *               LOG_ZERO_EXT, GROUP arg1 arg2, SPLIT arg1 arg2, or COMPOSITE 2 and the words
 *               of the base field up to their own -
 *   -r REGION   DOUBLE, QUAD, LAZY, SIMD, NOSIMD, SSE, NOSSE, ALTMAP or CAUCHY; as many as are
 *               wanted
 *   -p POLY     the polynomial in hexadecimal digits
 *   -d DIVIDE   EUCLID or MATRIX
 * Returns the index of the word behind the last one, or 0 with _gf_errno set.  gf_free(gf, 1)
 * frees the field with its base.
 */
extern int create_gf_from_argv(gf_t *gf, int w, int argc, char **argv, int starting);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
