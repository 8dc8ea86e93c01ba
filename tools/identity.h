/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether two looks at a file saw the same one.
 */
#ifndef PXR_TOOLS_IDENTITY_H
#define PXR_TOOLS_IDENTITY_H

#include <stdbool.h>
#include <sys/stat.h>

/* The same file, in whatever state. */
bool same_inode(const struct stat *a, const struct stat *b);

/* The same file in the same state. */
bool same_file(const struct stat *a, const struct stat *b);

/* The same file in the same state, which may have another name now. */
bool same_but_renamed(const struct stat *a, const struct stat *b);

#endif
