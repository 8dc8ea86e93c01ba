/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine record: what is known of the machine that this runs on, and what follows from
 * it for calls that are long enough to think about memory.  No kernel and no plan of a call
 * has a constant of its own for any of this.  doc/machine.md has the rules, and
 * doc/machine-measured.md the measurements behind them.
 */
#ifndef PXR_MACHINE_H
#define PXR_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* Kinds of calls, which use memory in ways of their own. */
enum pxr_work {
    PXR_WORK_DOT,      /* some outputs from a few sources */
    PXR_WORK_DOT_WIDE, /* from wide_from sources and more */
    PXR_WORK_ONE,      /* one output: dot products, the rebuilding of one shard */
    PXR_WORK_ONE_WIDE,
    PXR_WORK_P, /* one output without multiplication: nothing but what is moved */
    PXR_WORK_P_WIDE,
    PXR_WORK_PQ, /* P and Q alone: little arithmetic for what is moved */
    PXR_WORK_PQ_WIDE,
    PXR_WORK_STRUCTURED, /* outputs by passes of structure.h */
    PXR_WORK_STRUCTURED_WIDE,
    PXR_WORK_UPDATE, /* one source or a few into some outputs, which are read, too */
    PXR_WORK_STEPS,  /* outputs by wide.h, from sources of any number */
    PXR_WORKS
};

/*
 * The smallest cache that holds all that a call touches.  Whether it is there when the call
 * begins, a call of look_from bytes or more finds out, by the time that two of its lines take:
 * then `memory` are shards that come from there, and `shared` is beyond the core's own cache.
 * Others go by the size alone.  Beyond the first cache, shards shorter than ahead_from are a
 * place of their own: prefetching has hardly begun when they end.
 */
enum pxr_place {
    PXR_PLACE_L1,
    PXR_PLACE_SHORT,
    PXR_PLACE_OWN,
    PXR_PLACE_SHARED,
    PXR_PLACE_MEMORY,
    PXR_PLACES
};

struct pxr_machine {
    size_t l1_bytes;     /* a core's data cache */
    size_t own_bytes;    /* the largest cache that a core shares with no other */
    size_t shared_bytes; /* a core's share of the last level; own_bytes where that is more */

    size_t ahead_from;  /* shards from this length on are not short */
    size_t wide_from;   /* so many sources make a wide call */
    size_t piece_bytes; /* sources and outputs of one piece of a call of several passes */
    size_t look_from;   /* calls that touch so much look where their shards are */
    size_t
        far_ticks; /* of the processor's clock: two lines that take longer come from memory */
    uint32_t way[PXR_WORKS][PXR_PLACES]; /* flags of kernels.h: enum pxr_flags */
};

/*
 * The record that calls use, never to be read but by PXR_MACHINE(member): it may be changed
 * meanwhile.  A call that sees some values of the old record and some of the new one takes
 * an unusual way to the same bytes.
 */
extern struct pxr_machine pxr_machine;
#define PXR_MACHINE(member) __atomic_load_n(&pxr_machine.member, __ATOMIC_RELAXED)

/* ---------------------------------------------------------------- facts -- */

/* Who answers for a value of the record. */
enum pxr_origin {
    PXR_ORIGIN_NOBODY, /* the values before anything is known */
    PXR_ORIGIN_CPUID_4,
    PXR_ORIGIN_CPUID_8000001D,
    PXR_ORIGIN_SYSFS,
    PXR_ORIGIN_SYSCONF,
    PXR_ORIGIN_FAMILY, /* the rules for the family of CPUs */
    PXR_ORIGIN_FILE,   /* the tune file */
    PXR_ORIGIN_PROGRAM /* pxr_tune_apply() */
};

/* Who made the processor, or of which architecture it is where no more is asked. */
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

/* A cache as it is told, 0 bytes where it is not. */
struct pxr_cache {
    size_t bytes;
    unsigned cores; /* that share it */
    enum pxr_origin origin;
};

/* The levels of data caches that are looked at. */
enum { PXR_L1, PXR_L2, PXR_L3, PXR_LEVELS };

/* The core that this runs on, before anything of it is judged. */
struct pxr_core {
    enum pxr_maker maker;
    unsigned family, model; /* x86: as cpuid has them */
    bool guest;             /* x86: of a hypervisor, which may tell legends */
    bool avx512, amx, amx_fp16, prefetchi;
    bool clock; /* there is one that calls may read, and quickly */
    struct pxr_cache cache[PXR_LEVELS];
};

/* What the processor itself tells, without files: arch/<name>/cpu.c. */
void pxr_cpu_identify(struct pxr_core *core);

/* A cache of `bytes` that `threads` share; kept where it is the first that is told of its
   level, and believable at all. */
void pxr_core_add(struct pxr_core *core, unsigned level, size_t bytes, unsigned threads,
                  unsigned threads_per_core, enum pxr_origin origin);

/* What the folder .../cpu0 of sysfs tells of levels that are not known yet; and the C
   library. */
void pxr_core_ask_sysfs(struct pxr_core *core, const char *folder);
void pxr_core_ask_sysconf(struct pxr_core *core);

/* ---------------------------------------------------------------- rules -- */

typedef uint32_t pxr_ways[PXR_WORKS][PXR_PLACES];

/* What processors of a kind have in common.  machine_rules.c has them all. */
struct pxr_family {
    const char *name;
    const char *evidence; /* what its ways rest on, one English phrase */
    bool (*has)(const struct pxr_core *core);
    /* What no core of the family exceeds: hypervisors tell legends. */
    size_t own_most, shared_most;
    unsigned
        shared_by; /* at least so many cores share a last level, whatever a guest is told */
    size_t ahead_from, wide_from;
    size_t look_from, far_ticks; /* 0, 0: calls do not look, as where there is no clock */
    const uint32_t (*way)[PXR_PLACES];
};

/* The first family that has the core; the last one has all. */
extern const struct pxr_family pxr_families[];
const struct pxr_family *pxr_family_of(const struct pxr_core *core);

/* The values of a record, one by one: sizes and limits, and then the ways. */
enum pxr_setting_index {
    PXR_SET_L1,
    PXR_SET_OWN,
    PXR_SET_SHARED,
    PXR_SET_AHEAD_FROM,
    PXR_SET_WIDE_FROM,
    PXR_SET_PIECE,
    PXR_SET_LOOK_FROM,
    PXR_SET_FAR,
    PXR_SET_WAYS,
    PXR_SETTINGS = PXR_SET_WAYS + PXR_WORKS * PXR_PLACES
};
#define PXR_SET_WAY(work, place) (PXR_SET_WAYS + (work)*PXR_PLACES + (place))

/* A record, and where its values come from. */
struct pxr_record {
    size_t value[PXR_SETTINGS];
    unsigned char origin[PXR_SETTINGS]; /* enum pxr_origin */
    size_t told[PXR_LEVELS]; /* a core's share of a level before it was cut, else 0 */
    const struct pxr_family *family;
};

/* What a piece takes of a core's own cache: the rest is for tables, and for what comes next. */
#define PXR_PIECE_OF(own_bytes) ((own_bytes) / 2)

/* So large is no call that looks. */
#define PXR_LOOK_NEVER ((size_t)1 << 30)

/* The record of a core by the rules. */
struct pxr_record pxr_record_of(const struct pxr_core *core);

/* --------------------------------------------------------------- settings -- */

/* Values that somebody wants, of all or of some. */
struct pxr_settings {
    bool wanted[PXR_SETTINGS];
    size_t value[PXR_SETTINGS];
};

/* Take one "NAME = VALUE" (doc/tune.md), without a newline; false, and nothing taken, where
   it is none, out of bounds, or wanted already. */
bool pxr_settings_take(struct pxr_settings *settings, const char *line, size_t length);

/* Put them into a record. */
void pxr_settings_apply(const struct pxr_settings *settings, struct pxr_record *record,
                        enum pxr_origin origin);

/* "way dot l1", and "sources 8 stream": what pxr_settings_take() takes. */
void pxr_setting_name(unsigned index, char *text, size_t size);
void pxr_setting_value(unsigned index, size_t value, char *text, size_t size);

/* ------------------------------------------------------------- the record -- */

/* Ask the processor, files where they are needed, and the rules. */
struct pxr_record pxr_record_of_this_machine(void);

/* Make it the record that calls use, and that pxr_tune_apply() goes back to. */
void pxr_record_publish(const struct pxr_record *record);

#endif
