/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine record: what is known about the machine that this code runs on, and what follows
 * from it for calls that are long enough to consider memory.  No kernel and no plan of a call
 * has a constant of its own for any of this.  doc/machine.md has the rules, and
 * doc/machine-measured.md the measurements behind them.
 */
#ifndef PXR_MACHINE_H
#define PXR_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* Kinds of calls.  Each kind uses memory in its own way. */
enum pxr_work {
    PXR_WORK_DOT,      /* some outputs from a few sources */
    PXR_WORK_DOT_WIDE, /* the same from wide_from sources on */
    PXR_WORK_ONE,      /* one output, or few sources */
    PXR_WORK_ONE_WIDE,
    PXR_WORK_P, /* one output without multiplication: only data movement */
    PXR_WORK_P_WIDE,
    PXR_WORK_PQ, /* P and Q alone: little arithmetic for the data that is moved */
    PXR_WORK_PQ_WIDE,
    PXR_WORK_STRUCTURED, /* outputs by structured passes (structure.h) */
    PXR_WORK_STRUCTURED_WIDE,
    PXR_WORK_UPDATE, /* one source or a few into some outputs, which are read as well */
    PXR_WORK_STEPS,  /* outputs by the steps of wide.h, from any number of sources */
    PXR_WORKS
};

/*
 * Where the shards of a call are: the smallest cache that can hold everything that the call
 * touches.
 *
 * A call that touches look_from bytes or more, or whose outputs have look_outputs bytes or
 * more, measures how long it takes to load two of its lines.  If they come from memory, its
 * place is `memory`; `shared` is then beyond the core's own cache.  Other calls decide by the
 * size alone.  Shards that are shorter than ahead_from have a place of their own, because they
 * end when prefetching has hardly begun.  It is for calls that have found them far, and for
 * calls that do not look and exceed the first cache.  The core's own cache has two places:
 * `unaligned` is for calls whose first source does not begin at a line.
 */
enum pxr_place {
    PXR_PLACE_L1,
    PXR_PLACE_SHORT,
    PXR_PLACE_OWN,
    PXR_PLACE_UNALIGNED,
    PXR_PLACE_SHARED,
    PXR_PLACE_MEMORY,
    PXR_PLACES,
    PXR_NO_PLACE = PXR_PLACES /* the call does not use memory in any special way */
};

struct pxr_machine {
    size_t l1_bytes;     /* a core's data cache */
    size_t own_bytes;    /* the largest cache that a core does not share with another core */
    size_t shared_bytes; /* a core's share of the last level, or own_bytes if that is more */

    size_t ahead_from;    /* shards of this length or more are not short */
    size_t wide_from;     /* a call of this many sources or more is wide */
    size_t far_wide_from; /* a call from memory is wide from this many sources on */
    size_t few_sources;   /* calls of up to this many sources go in the way of one output */
    size_t crowd_from;    /* this many sources that begin at the same place of their pages crowd
                             the sets of L1 */
    size_t piece_bytes;   /* bytes of all shards in one piece of a call of several passes */
    size_t groups_from;   /* calls within the shared cache that touch fewer bytes do not go in
                             groups */
    size_t look_from;     /* calls that touch this many bytes look where their shards are */
    size_t look_outputs;  /* so do calls whose outputs have this many bytes */
    size_t
        far_ticks; /* clock ticks: if loading two lines takes longer, they come from memory */
    uint32_t way[PXR_WORKS][PXR_PLACES]; /* flags of kernels.h: enum pxr_flags */
};

/*
 * The record that calls use.  Read it only by PXR_MACHINE(member), because it may change at any
 * time.  A call that sees some values of the old record and some of the new one uses memory in
 * an unusual way, and computes the same bytes.
 */
extern struct pxr_machine pxr_machine;
#define PXR_MACHINE(member) __atomic_load_n(&pxr_machine.member, __ATOMIC_RELAXED)

/* ---------------------------------------------------------------- facts -- */

/* Where a value of the record comes from. */
enum pxr_origin {
    PXR_ORIGIN_NOBODY, /* nowhere: the initial values */
    PXR_ORIGIN_CPUID_4,
    PXR_ORIGIN_CPUID_8000001D,
    PXR_ORIGIN_SYSFS,
    PXR_ORIGIN_SYSCONF,
    PXR_ORIGIN_FAMILY, /* the rules for the family of CPUs */
    PXR_ORIGIN_FILE,   /* the tune file */
    PXR_ORIGIN_PROGRAM /* pxr_tune_apply() */
};

/* Who made the processor; or its architecture, where nothing more is asked. */
enum pxr_maker {
    PXR_MAKER_UNKNOWN,
    PXR_MAKER_INTEL,
    PXR_MAKER_AMD,
    PXR_MAKER_HYGON,
    PXR_MAKER_ARM64,
    PXR_MAKER_POWER,
    PXR_MAKER_RISCV,
    PXR_MAKER_Z,
    PXR_MAKER_LOONGSON
};

/* A cache as a source describes it; 0 bytes where none does. */
struct pxr_cache {
    size_t bytes;
    unsigned cores; /* how many cores share it */
    enum pxr_origin origin;
};

/* The levels of data caches that this library looks at. */
enum { PXR_L1, PXR_L2, PXR_L3, PXR_LEVELS };

/* The core that this code runs on, before any of it is judged. */
struct pxr_core {
    enum pxr_maker maker;
    unsigned family, model; /* x86: as cpuid reports them */
    bool guest;             /* x86: runs under a hypervisor, which may report wrong values */
    bool avx512, amx, amx_fp16, prefetchi;
    bool clock; /* there is a clock that calls may read, and that is fast to read */
    struct pxr_cache cache[PXR_LEVELS];
};

/* Asks the processor itself, without reading files: arch/<name>/cpu.c. */
void pxr_cpu_identify(struct pxr_core *core);

/* Adds a cache of `bytes` that `threads` share.  It is kept if it is the first one reported for
   its level, and believable. */
void pxr_core_add(struct pxr_core *core, unsigned level, size_t bytes, unsigned threads,
                  unsigned threads_per_core, enum pxr_origin origin);

/* Ask the folder .../cpu0 of sysfs, and the C library, for levels that are not known yet. */
void pxr_core_ask_sysfs(struct pxr_core *core, const char *folder);
void pxr_core_ask_sysconf(struct pxr_core *core);

/* ---------------------------------------------------------------- rules -- */

typedef uint32_t pxr_ways[PXR_WORKS][PXR_PLACES];

/* What processors of one family have in common. machine_rules.c has all families. */
struct pxr_family {
    const char *name;
    const char *evidence; /* what its ways are based on, in one English phrase */
    bool (*has)(const struct pxr_core *core);
    /* No core of the family has more than this, whatever a hypervisor reports. */
    size_t own_most, shared_most;
    unsigned
        shared_by; /* at least this many cores share a last level, whatever a guest is told */
    size_t ahead_from, wide_from, few_sources;
    size_t far_wide_from; /* 0: the same as wide_from */
    size_t crowd_from;    /* 0: never */
    size_t groups_from;
    size_t look_outputs;         /* 0: what a call touches decides alone */
    size_t look_from, far_ticks; /* 0, 0: calls do not look; the same holds where there is no
                                    clock */
    const uint32_t (*way)[PXR_PLACES];
};

/* The first family that has the core.  The last family has all cores. */
extern const struct pxr_family pxr_families[];
const struct pxr_family *pxr_family_of(const struct pxr_core *core);

/* The values of a record, numbered: first sizes and limits, then the ways. */
enum pxr_setting_index {
    PXR_SET_L1,
    PXR_SET_OWN,
    PXR_SET_SHARED,
    PXR_SET_AHEAD_FROM,
    PXR_SET_WIDE_FROM,
    PXR_SET_FAR_WIDE_FROM,
    PXR_SET_FEW_SOURCES,
    PXR_SET_CROWD_FROM,
    PXR_SET_PIECE,
    PXR_SET_GROUPS_FROM,
    PXR_SET_LOOK_FROM,
    PXR_SET_LOOK_OUTPUTS,
    PXR_SET_FAR,
    PXR_SET_WAYS,
    PXR_SETTINGS = PXR_SET_WAYS + PXR_WORKS * PXR_PLACES
};
#define PXR_SET_WAY(work, place) (PXR_SET_WAYS + (work)*PXR_PLACES + (place))

/* A record, and where each of its values comes from. */
struct pxr_record {
    size_t value[PXR_SETTINGS];
    unsigned char origin[PXR_SETTINGS]; /* enum pxr_origin */
    size_t told[PXR_LEVELS]; /* a core's share of a level as reported, if it was cut; else 0 */
    const struct pxr_family *family;
};

/* The part of a core's own cache that a piece uses.  The rest is for tables, and for the data
   that come next. */
#define PXR_PIECE_OF(own_bytes) ((own_bytes) / 2)

/* A value of look_from, look_outputs and crowd_from: never. */
#define PXR_NEVER ((size_t)1 << 30)

/* Makes the record of a core by the rules. */
struct pxr_record pxr_record_of(const struct pxr_core *core);

/* --------------------------------------------------------------- settings -- */

/* Values that a caller asks for, of all settings or of some. */
struct pxr_settings {
    bool wanted[PXR_SETTINGS];
    size_t value[PXR_SETTINGS];
};

/* Takes one "NAME = VALUE" (doc/tune.md), without a newline.  Returns false, and takes nothing,
   when the line has another form, is out of bounds, or names a value that was taken before. */
bool pxr_settings_take(struct pxr_settings *settings, const char *line, size_t length);

/* Puts the settings into a record. */
void pxr_settings_apply(const struct pxr_settings *settings, struct pxr_record *record,
                        enum pxr_origin origin);

/* Write "way dot l1" and "sources 8 stream": the texts that pxr_settings_take() takes. */
void pxr_setting_name(unsigned index, char *text, size_t size);
void pxr_setting_value(unsigned index, size_t value, char *text, size_t size);

/* ------------------------------------------------------------- the record -- */

/* Makes the record of this machine: asks the processor, and files where they are needed, and
   applies the rules. */
struct pxr_record pxr_record_of_this_machine(void);

/* Makes this the record that calls use, and the one that pxr_tune_apply() goes back to. */
void pxr_record_publish(const struct pxr_record *record);

#endif
