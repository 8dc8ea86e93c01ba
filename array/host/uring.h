/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that are used by Linux' io_uring.  The thread that turns the core begins all requests
 * of a turn by one call of the system, and takes their results, so no other thread has to be
 * woken.  What needs several calls stays with the threads of the file: zeros, memory that is
 * not aligned, and what the system did in part.
 */
#ifndef PXA_HOST_URING_H
#define PXA_HOST_URING_H

#include "file_request.h"

struct uring;

/* Returns 0, or a number of errno.h where the kernel or this build has no io_uring. */
int uring_open(struct uring **uring);

/* Closes it when nothing is under way.  NULL is allowed. */
void uring_close(struct uring *uring);

/* Makes the calling thread the only one that may call the functions below. */
void uring_enter(struct uring *uring);

/*
 * Takes a request, which uring_turn() begins.  Returns false if it is one for the threads of
 * the file.
 */
bool uring_take(struct uring *uring, struct request *request);

/*
 * Begins what was taken, and returns the requests that have ended, as a list.  If there are
 * none, it waits for one, for uring_wake(), or for some microseconds to pass.
 */
struct request *uring_turn(struct uring *uring, uint64_t patience);

/* Waits until nothing is under way, and returns the requests that have ended meanwhile. */
struct request *uring_drain(struct uring *uring);

/* Makes uring_turn() return.  Any thread may call it, once for each time that it waits. */
void uring_wake(const struct uring *uring);

#endif
