/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at all members of an array that nobody uses, without the core, and without writing.
 */
#ifndef PXA_HOST_VERIFY_H
#define PXA_HOST_VERIFY_H

#include "core/core.h"

/* What was found. */
struct host_found {
    unsigned data, parity;
    pxa_mask missing;     /* members that are missing, failed, or being rebuilt */
    uint64_t rows;        /* that were ever written */
    uint64_t blank;       /* rows of zeros, in regions that were written */
    uint64_t unreadable;  /* blocks that could not be read, of data, parity or the log */
    uint64_t bad;         /* blocks that have a wrong checksum */
    uint64_t pages;       /* pages of checksums of which no right one is left */
    uint64_t parity_rows; /* rows whose blocks are all right, and whose parity does not fit */
    uint64_t unchecked; /* rows whose parity could not be compared, since blocks are missing */
    uint64_t lost;      /* rows that have fewer than k right blocks */
    uint64_t by_member[PXA_MAX_MEMBERS]; /* bad and unreadable blocks */
};

/*
 * Reads the members of an array, which may come in any order, and compares all blocks that were
 * ever written with their checksums, and parity with the data.  Returns PXR_OK if everything
 * could be looked at, whatever was found.  Otherwise, with a message, in which device i is
 * paths[i]:
 *
 *   PXA_ENONE, PXR_ETOOFEW   as core_assemble() says
 *   PXA_EREFUSED             the same; or the members are in use; or the log has something that
 *                            is not in place, because the array was not stopped cleanly
 *   PXA_EDAMAGED             no member has a page of the region map
 *   PXA_EIO, PXR_ENOMEM
 */
int host_verify(char *const *paths, unsigned count, struct host_found *found,
                struct pxr_error *why);

#endif
