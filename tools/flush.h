/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out what became of bytes that were written: errors of the disk or of a server may show
 * only here.  The functions return 0, or -1 with errno set.
 */
#ifndef PXR_TOOLS_FLUSH_H
#define PXR_TOOLS_FLUSH_H

#include <stdbool.h>

/*
 * With sync, waits until the disk has the file.  Otherwise finds out what closing the
 * descriptor would report.  The descriptor stays open.
 */
int flush_file(int fd, bool sync);

/* Waits for the disk, if the descriptor, of whatever kind, leads to one. */
int flush_stream(int fd);

/* Makes the names in the directory of a path permanent, where a directory can be synced. */
int flush_directory(const char *path);

#endif
