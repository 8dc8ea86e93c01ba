/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves an array of libpermxor_array. */
#ifndef PXR_NBDKIT_ARRAY_SOURCE_H
#define PXR_NBDKIT_ARRAY_SOURCE_H

#include "source.h"

/*
 * Makes the array and its source.  The files, the ranges and the names of the members, which
 * are for messages, have to stay as long as the source.  Returns NULL after nbdkit_error().
 */
struct source *array_source(const struct pxa_geometry *geometry, enum pxr_matrix matrix,
                            const struct pxa_member *members, const char *const *names,
                            enum pxa_trust check);

#endif
