/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An array in use: the core, its members, and the threads that drive both.  It is experimental.
 *
 * One thread turns the core, and each member has threads that read and write.  The calls below
 * may come from any number of threads.  Each waits until it is answered.  Bytes and lengths of
 * the array need no alignment.
 *
 * A status is PXR_OK or another value of enum pxr_status or enum pxa_status.
 */
#ifndef PXA_HOST_H
#define PXA_HOST_H

#include "core/core.h"

struct host;

/* How members that are files or devices are read and written. */
enum host_io {
    HOST_IO_AUTO /* by io_uring if it can be used */,
    HOST_IO_THREADS,
    HOST_IO_URING
};

struct host_options {
    unsigned pages; /* of the core's pool; 0: its default, which suffices for every array */
    enum host_io io;
    uint64_t cache; /* bytes for clean blocks, at most host_most_cache(); 0: none */
    /* Is told what the user should know, a sentence at a time, by any thread.  May be NULL. */
    void (*say)(void *token, const char *text);
    void *token;
    /* Files that stand by, at most PXA_MAX_MEMBERS.  One that is a member already, because it
       has replaced another one, takes part as such.  One that cannot be used is left out with a
       message. */
    char *const *spares;
    unsigned spare_count;
};

/* Half of the machine's memory, and what is suitable if the user does not say how much. */
uint64_t host_most_cache(void);
uint64_t host_usual_cache(void);

/*
 * Opens the members, which may be fewer than k + m, in any order, and assembles the array.  It
 * writes to the members: it says there who is missing, and replays the log.  Returns what
 * core_assemble() says, or PXA_EIO or PXA_EREFUSED if a file cannot be opened, or PXR_EINVAL if
 * the cache is too large.  In a message, device i is paths[i]; behind them are the spares that
 * are members already.
 */
int host_open(struct host **host, char *const *paths, unsigned count,
              const struct host_options *options, struct pxr_error *why);

/*
 * Stops all threads, so that the process can fork, and starts them again in the child.  Until
 * then no other call is allowed but host_stop() and host_close().
 */
void host_pause(struct host *host);
int host_resume(struct host *host, struct pxr_error *why);

/*
 * Puts everything in place and stops, when no read, write, zero, trim or flush is under way.
 * Later calls fail, but host_close() and host_status() are allowed.  Returns whether it has
 * worked.
 */
int host_stop(struct host *host);

/* Closes the members, when no call is under way.  NULL is allowed. */
void host_close(struct host *host);

uint64_t host_capacity(const struct host *host);
uint32_t host_stripe(const struct host *host); /* the bytes of data in a stripe */

int host_read(struct host *host, void *buffer, uint64_t len, uint64_t offset);
int host_write(struct host *host, const void *buffer, uint64_t len, uint64_t offset, bool fua);
int host_zero(struct host *host, uint64_t len, uint64_t offset, bool fua);
int host_trim(struct host *host, uint64_t len, uint64_t offset, bool fua);
int host_flush(struct host *host);

/*
 * Says whether the array was ever written to around an address, and where the part of its
 * addresses ends that the answer holds for.  Where it was not, there are zeros.
 */
bool host_is_written(struct host *host, uint64_t offset, uint64_t *end);

/* ----------------------------------------------------------------- control -- */

/* An open file that no member has. */
struct host_idle {
    char *path;
    bool spare;
    int role; /* of the member that it was, or -1 */
};

struct host_status {
    struct core_status core;
    uint8_t uuid[16];
    char name[32];
    char *path[PXA_MAX_MEMBERS]; /* of the members that take part; "" of others */
    struct core_limits limits;
    enum host_io io;        /* which of the ways is used */
    struct host_idle *idle; /* the spares, and what is left of members */
    unsigned idle_count;
};

/* The caller frees what is in it with host_status_free(), also after an error. */
int host_status(struct host *host, struct host_status *status);
void host_status_free(struct host_status *status);

/* These do what the calls of the same names in core.h do. */
int host_limit(struct host *host, const struct core_limits *limits, struct pxr_error *why);
int host_fail(struct host *host, unsigned role, struct pxr_error *why);
int host_readd(struct host *host, unsigned role, const char *path, struct pxr_error *why);
/* A file that has a superblock of an array is PXA_EREFUSED, unless forced. */
int host_replace(struct host *host, unsigned role, const char *path, bool force,
                 struct pxr_error *why);

/*
 * Adds a spare: when a member fails, or one has failed already, it takes its place by itself,
 * and the rebuild begins.  The array does not note on disk which spares it has, so each start
 * has to name them again.  PXR_EINVAL: the file is too small or too large.  A file that has a
 * superblock of an array is PXA_EREFUSED, unless forced.
 */
int host_add(struct host *host, const char *path, bool force, struct pxr_error *why);
/*
 * Closes the file of a member that has failed, or any file that is no member's, such as a
 * spare.  PXR_EINVAL: no such file is open.  PXA_EREFUSED: it is in use.
 */
int host_remove(struct host *host, unsigned role, struct pxr_error *why);
int host_remove_file(struct host *host, const char *path, struct pxr_error *why);

/*
 * Returns when the scrub has ended, or host_stop() has ended it.  found->scrub_... say what has
 * been found since it began.
 */
int host_scrub(struct host *host, bool repair, struct core_status *found,
               struct pxr_error *why);

#endif
