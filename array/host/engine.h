/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of an array in use.  Only the thread that turns the core uses the core. */
#ifndef PXA_HOST_ENGINE_H
#define PXA_HOST_ENGINE_H

#include "file.h"
#include "host.h"

#include "core/disk.h"

/* Times are microseconds of the monotonic clock. */
#define NEVER UINT64_MAX

/* Something that another thread wants of the thread that turns the core. */
struct call {
    struct host *host;
    void (*begin)(struct host *host, struct call *call);
    void *argument;
    struct core_op op;
    int status;
    struct pxr_error why;
    bool answered;
    pthread_cond_t news; /* it was answered */
    struct call *next;
};

struct host {
    struct host_options options;
    struct core *core;
    struct file *files; /* all that are open */
    uint64_t capacity;
    uint32_t stripe;
    struct disk_super super; /* of a member, as it was at the start */
    pthread_t thread;
    bool running; /* the thread exists */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t wake;  /* the thread has something to do */
    struct completions completions;
    struct call *first, *last;
    bool leaving; /* the thread is to end */

    /* Of the thread that turns the core. */
    struct call *answers; /* since the last turn */
    uint64_t now;         /* when the turn began */
    uint64_t commit_at;   /* when the log is to be committed; NEVER if nothing waits for it */
    struct core_status seen; /* what was said already */
    struct core_limits limits;
    struct file *taking; /* the spare that is being made a member, or NULL */
    bool ending;         /* nothing new is begun */
};

int engine_make(struct host **host, const struct host_options *options, struct pxr_error *why);
void engine_free(struct host *host); /* when its threads are stopped */
/* Adds a file to those that are open.  Then the thread that turns the core must not run, or be
   the one that calls. */
void engine_add(struct host *host, struct file *file);
/* Whether a file or an export is open.  The same holds as for engine_add(). */
bool engine_has(const struct host *host, const char *path);
/* Opens a file and adds it. */
int engine_open(struct host *host, const char *path, struct file **file, struct pxr_error *why);
int engine_start(struct host *host, struct pxr_error *why);
void engine_stop(struct host *host);

/* Runs a call, and returns its status.  The caller has set begin, argument and op. */
int engine_call(struct host *host, struct call *call);
/* The same for a call that only has an argument, with a message if it fails. */
int engine_ask(struct host *host, void (*begin)(struct host *host, struct call *call),
               void *argument, struct pxr_error *why);
/* Ends a call, in the thread that turns the core. */
void call_answer(struct call *call, int status, const char *why);
/* The same for jobs of the core, whose token is the call. */
void call_done(void *token, int status, const char *why);

void host_say(const struct host *host, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Says how the members have changed.  The thread that turns the core calls it. */
void host_watch(struct host *host);

/* Whether a file is a member's, or is about to be.  For the thread that turns the core. */
bool members_use(const struct host *host, const struct file *file);
/* Opens a file, and starts its threads. */
int members_open(struct host *host, const char *path, struct file **file,
                 struct pxr_error *why);
/* Closes the files that are neither members nor spares. */
void members_close_retired(struct host *host);

/*
 * Begins to put a spare in the place of a member that has failed, if there are both.  Returns
 * whether it has.  The thread that turns the core calls it.
 */
bool spares_use(struct host *host);
/*
 * Opens the spares that the options name.  Those that have become members of the array are
 * added to its files instead, of which there are *count.
 */
void spares_open(struct host *host, struct file **files, unsigned *count);

#endif
