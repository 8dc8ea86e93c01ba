/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXR_NBDKIT_WRITABLE_H
#define PXR_NBDKIT_WRITABLE_H

#include "files.h"

/* A file that looks like a member of an array of 'permxor array create', or NULL. */
const char *array_among(const struct files *files);

#endif
