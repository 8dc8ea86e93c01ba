/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated array: a core, disks, a model of what the blocks hold, and operations under way.
 *
 * Everything follows from the dice.  The world turns the core, and lets the dice choose which
 * waiting request of which disk is answered next.  If the core waits and no request does, that
 * is a hang.  Whatever is wrong goes into the tally and breaks the world, so that its history
 * ends.
 */
#ifndef PXR_UNIT_SIM_WORLD_H
#define PXR_UNIT_SIM_WORLD_H

#include "core/core.h"
#include "sim_member.h"
#include "sim_model.h"

enum { SIM_DISKS = 8 };

/* What all worlds of a test have in common. */
struct sim_setup {
    unsigned k, m;
    struct core_shape shape;
    struct core_options options;
    uint64_t disk_size;
    struct sim_image blank[SIM_DISKS]; /* the disks after core_format() */
    size_t blocks;                     /* of data */
    struct sim_tally *tally;
};

struct sim_op {
    struct core_op op;
    struct sim_world *world;
    struct sim_op *next, *previous;
    unsigned number;    /* for sim_note() */
    uint32_t write;     /* its number in the model, or 0 */
    uint64_t submitted; /* by the model's clock */
    uint8_t *buffer;
};

struct sim_world {
    const struct sim_setup *setup;
    struct sim_tally *tally;
    struct dice dice;
    struct sim_member *disk[SIM_DISKS]; /* by role; NULL: it is not there */
    struct sim_image away[SIM_DISKS];   /* what a disk held that was lost in a crash */
    pxa_mask out;     /* roles that count as missing, whatever the core says */
    pxa_mask suspect; /* roles with faults: they are there, but count as missing */
    pxa_mask damaged; /* roles whose disks hold what nobody wrote there */
    pxa_mask tables;  /* of these, those of which more than data are damaged */
    pxa_mask liars;   /* roles whose disks lost a write without saying so */
    struct core *core;
    struct sim_model model;
    struct sim_op *ops; /* under way */
    unsigned op_count;
    /* A crash has happened, and what survived it has not been read yet. */
    bool unread;
    /* Errors may be answered, because more went wrong than the array promises to bear. */
    bool errors_allowed;
    bool broken;
    bool assembled; /* operations are possible */
    bool scrubbing;
    pxa_mask heals; /* roles whose disks a scrub that is under way repairs */
    char why[200];  /* if it could not be assembled */
    /* Is called when a write, zero or flush was answered and the core was turned. */
    void (*event)(struct sim_world *world, const void *context);
    const void *context;
    unsigned depth; /* of crashes */
};

struct sim_shape {
    unsigned k, m, stripes;
    uint32_t chunk;
    unsigned region_shift;               /* a region has 1 << this chunks of each member */
    unsigned log_blocks;                 /* of the ring */
    unsigned spare_pages;                /* in the pool, beyond the least */
    unsigned cache;                      /* its pages */
    unsigned batch, shards, sync_window; /* for core_create(); 0: as it likes */
};

/* Formats the disks of a setup.  Returns whether that worked. */
bool sim_setup_make(struct sim_setup *setup, const struct sim_shape *shape,
                    struct sim_tally *tally);
void sim_setup_free(struct sim_setup *setup);

/* A disk of the right size that was used for something else. */
struct sim_image sim_used_disk(const struct sim_setup *setup, struct dice *dice);

/* Makes a world.  It has no disks yet, and no array. */
struct sim_world *sim_world_new(const struct sim_setup *setup, uint64_t seed);
void sim_world_free(struct sim_world *world);

/* Gives the world a disk with this content, which it takes over. */
void sim_world_add(struct sim_world *world, unsigned role, struct sim_image content);

/* Gives the world a disk with what another one and its cache have after a process crashed. */
void sim_world_keep(struct sim_world *world, unsigned role, const struct sim_member *disk);

/* Takes away the disk of a role, and what one held that was lost in a crash. */
void sim_world_drop(struct sim_world *world, unsigned role);

/* Formats the disks.  Returns the status. */
int sim_world_format(struct sim_world *world);

/* Assembles the array of the disks, in an order that the dice choose.  Returns the status. */
int sim_world_assemble(struct sim_world *world);

/* Stops the array in the orderly way. */
void sim_world_stop(struct sim_world *world);

/*
 * Puts a disk with this content, which it takes over, in the place of one that has failed.  The
 * old disk is gone.  Returns whether that worked; the rebuild then goes on by itself.
 */
bool sim_world_replace(struct sim_world *world, unsigned role, struct sim_image content,
                       const uint8_t uuid[16]);

/*
 * Takes a disk with this content, which it takes over, back into the role that it had.  Returns
 * whether the core did that.  If it refuses, that is no fault: the disk may have been replaced,
 * or not have been in sync.  Then there is no disk.
 */
bool sim_world_readd(struct sim_world *world, unsigned role, struct sim_image content);

/*
 * Begins a scrub.  When one that repairs has ended, disks of which only data were damaged
 * before it began are sound again.
 */
void sim_world_scrub(struct sim_world *world, bool repair);

/* Answers a request that the dice choose, and turns the core.  Returns whether there was one.
 */
bool sim_world_step(struct sim_world *world);

/* Steps until all operations are answered, or the world is broken. */
void sim_world_finish(struct sim_world *world);

/* Steps until the core waits for nothing, such as after core_commit(). */
void sim_world_drain(struct sim_world *world);

/* Steps until `*ended`.  Returns false if it cannot become true; then the world is broken. */
bool sim_world_wait(struct sim_world *world, const bool *ended, const char *what);

/*
 * Submits an operation.  The range is in bytes.  A write may begin or end within a block only
 * if the model knows what the block holds.
 */
void sim_world_submit(struct sim_world *world, enum core_kind kind, uint64_t offset,
                      uint64_t len, bool fua);

/* Reads the whole array and checks it.  Afterwards, each block has to stay as it was read. */
void sim_world_read_all(struct sim_world *world);

/* The roles that the core counts as missing: those that are not in sync. */
pxa_mask sim_world_out(const struct sim_world *world);

/* The roles whose disks have lied, now or before a crash. */
pxa_mask sim_world_liars(const struct sim_world *world);

/* Counts something wrong and breaks the world. */
void sim_world_wrong(struct sim_world *world, const char *kind, const char *detail);

#endif
