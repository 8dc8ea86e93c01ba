/* SPDX-License-Identifier: BSD-3-Clause */
/* Members that are files or block devices. */
#ifndef PXR_NBDKIT_FILES_H
#define PXR_NBDKIT_FILES_H

#include "permxor_array.h"

#include <stdbool.h>
#include <sys/types.h>

struct file {
    const char *path; /* as on the command line */
    int fd;           /* -1: it is missing, or a folder */
    bool folder;
    dev_t device; /* of a block device, this device; else the one that the file is on */
    ino_t number; /* of the file on it; 0 for a block device */
    uint64_t size;
    struct pxa_range *bad; /* what md knows to be bad, or NULL */
};

struct files {
    struct file *file;
    unsigned count;
};

/* The functions of a member that is a struct file. */
extern const struct pxa_member_calls file_calls;

/* Opens the files for reading.  Returns -1 after nbdkit_error(). */
int files_open(struct files *files, char *const *paths, unsigned count);
void files_close(struct files *files);

/* Whether both are there, and are one file or device, perhaps by different names. */
bool files_are_one(const struct file *a, const struct file *b);

#endif
