/* SPDX-License-Identifier: BSD-3-Clause */
/* The core's own structures.  In these headers, each file's functions are declared under its
 * name. */
#ifndef PXA_CORE_INTERNAL_H
#define PXA_CORE_INTERNAL_H

#include "work.h"

/* ------------------------------------------------------------- the whole -- */

struct member {
    struct core_member device;
    bool open;       /* it takes operations */
    unsigned serial; /* another one for each device that ever was in a role */
    unsigned under_way;
    uint64_t head, chain;          /* where the next segment goes */
    uint64_t placed, placed_chain; /* behind the last segment that is in place */
    uint64_t start;                /* where the log begins, by the superblocks */
    uint64_t read_errors, bad_sums;
    unsigned defects;         /* how many; core->defects has them */
    struct task *idle_waiter; /* waits until nothing is under way */
    struct task *adopter;     /* may use the device although it is not open */
};

/* A job of the caller: format, assemble, replace, stop. */
struct job {
    struct task task;
    core_job_done *done;
    void *token;
    struct pxr_error why;
    void (*destroy)(struct job *job); /* what it has allocated; may be NULL */
    struct job *next;
};

struct core {
    struct core_options options;
    struct task_queue ready;
    unsigned io_under_way;
    bool assembled, dead, stopping;
    struct disk_super super; /* the array; of what differs by member only the roles */
    struct pxa_geometry geometry;
    pxr_code *code;
    unsigned width;       /* n */
    unsigned stripe_rows; /* rows in a stripe */
    struct member member[PXA_MAX_MEMBERS];
    uint64_t tail; /* durable */
    struct pool pool;
    struct cache cache;
    struct shard shards[64];
    struct overlay overlay;
    struct sums_table sums;
    uint8_t *scratch;  /* a block */
    uint64_t *defects; /* by role, error_limit of each: blocks that cannot be read */
    struct region_map map;
    struct epochs epochs;
    struct checkpoint checkpoint;
    struct config config;
    struct parts parts;
    struct sync sync;
    struct scrub scrub;
    struct pace pace;
    struct job *jobs;       /* under way */
    struct task_queue idle; /* wait until nothing at all is under way */
    uint64_t replayed, dropped;
    unsigned serials; /* how many have been given out */
};

/* ----------------------------------------------------------------- job.c -- */

/* Makes a job of `size` bytes, or says at once that there is no memory and returns NULL. */
void *job_make(struct core *core, size_t size, core_job_done *done, void *token);
void job_start(struct core *core, struct job *job, task_step *step);
/* The last thing of a step: answers, and frees the job.  Returns true. */
bool job_end(struct core *core, struct job *job, int status);
void jobs_destroy(struct core *core);

/* core.c: memory for an array whose superblock is known; and the reverse. */
int core_open_array(struct core *core, struct pxr_error *why);
void core_close_array(struct core *core);
uint64_t matrix_hash(const pxr_code *code, unsigned k, unsigned m);
int make_code(pxr_code **code, unsigned k, unsigned m);

#endif
