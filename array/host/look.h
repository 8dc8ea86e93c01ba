/* SPDX-License-Identifier: BSD-3-Clause */
/* How files would be assembled to an array, by their superblocks alone.  Nothing is written. */
#ifndef PXA_HOST_LOOK_H
#define PXA_HOST_LOOK_H

#include "core/core.h"

enum host_verdict {
    HOST_CURRENT,    /* it takes part */
    HOST_STALE,      /* the array was changed without it */
    HOST_REPLACED,   /* another file has taken its place */
    HOST_NO_SUPER,   /* it has no superblock */
    HOST_BAD_SUPER,  /* its superblocks are damaged */
    HOST_UNREADABLE, /* its superblocks cannot be read */
};

struct host_candidate {
    enum host_verdict verdict;
    unsigned role;   /* of these three, if it has a superblock */
    uint64_t events; /* how many it knows */
    uint64_t left;   /* if it is stale: after how many it left the array */
};

struct host_look {
    struct host_candidate candidate[PXA_MAX_MEMBERS]; /* by the order of the caller */
    unsigned newest;                                  /* the file that says what the array is */
    unsigned data, parity;
    uint8_t uuid[16];
    char name[32];
    uint64_t events;
    /* What a start would find, by role: a member that is not there has failed. */
    enum core_member_state state[PXA_MAX_MEMBERS];
};

/*
 * Looks at files, which may come in any order.  Returns PXR_OK if a start would find an array
 * in them that works.  Otherwise it returns what core_assemble() would, with a message in which
 * device i is paths[i]: PXA_ENONE, PXA_EREFUSED or PXR_ETOOFEW, and for the last one, *look is
 * filled in as well.  A file that cannot be opened is PXA_EIO or PXA_EREFUSED.
 */
int host_look(char *const *paths, unsigned count, struct host_look *look,
              struct pxr_error *why);

#endif
