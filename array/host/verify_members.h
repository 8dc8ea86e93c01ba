/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of an array that is only read. */
#ifndef PXA_HOST_VERIFY_MEMBERS_H
#define PXA_HOST_VERIFY_MEMBERS_H

#include "file.h"

#include "core/disk.h"

struct verify_members {
    struct file *files[PXA_MAX_MEMBERS];  /* by the order of the caller */
    struct file *member[PXA_MAX_MEMBERS]; /* by role: in sync; or NULL */
    struct disk_super super;
    pxa_mask unread_logs; /* members in sync whose log could not be read where it begins */
    bool *written;        /* by region */
    uint8_t *page;        /* a page of a table */
};

/* Opens the files, chooses the members that are in sync, and reads the region map. */
int verify_members_open(struct verify_members *members, char *const *paths, unsigned count,
                        struct pxr_error *why);
void verify_members_close(struct verify_members *members);

/*
 * Reads the newer slot of a page of a table of a member into members->page.  Returns PXR_OK,
 * PXA_ENONE if it was never written, PXA_EDAMAGED, or PXA_EIO.
 */
int verify_page(struct verify_members *members, unsigned role, enum disk_table table,
                uint64_t index, uint64_t *sequence);

#endif
