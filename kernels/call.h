/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every kind of call looks at first: whether its pointers are NULL, and how much memory it
 * touches.
 */
#ifndef PXR_CALL_H
#define PXR_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

/* Whether calls can look where their shards are.  Not every architecture has a clock that any
   program may read at any time. */
#ifdef __x86_64__
#define PXR_HAS_CLOCK 1
#else
#define PXR_HAS_CLOCK 0
#endif

/* The sources that a call may look at to learn where its shards are.  None of them is NULL. */
struct pxr_sources {
    const uint8_t *const *src;
    unsigned count;
    unsigned written; /* as many buffers are written; a call that writes much looks sooner */
};
#define PXR_UNSEEN ((struct pxr_sources){NULL, 0, 0}) /* no look; the size alone decides */

/* Shorter shards have no place and no way of their own: finding these would take longer than
   they can save. */
#define PXR_WAYLESS_BYTES 1024

enum pxr_place pxr_find_place(size_t len, size_t buffers, struct pxr_sources from);

/* In a library that is loaded later, glibc allocates a thread's memory when it is first used,
   and ends the process if it can not.  This model avoids that. */
#ifdef __GLIBC__
#define PXR_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define PXR_THREAD_LOCAL _Thread_local
#endif

/* What a thread knows about its latest calls (call.c): so many in a row touched this many bytes
   and found near shards, or trusted that they would; and the turn of the next look. */
struct pxr_near {
    size_t footprint;
    unsigned calls;
    uint32_t turn;
};
extern PXR_THREAD_LOCAL struct pxr_near pxr_near;

/*
 * If shards are near, the fences of a look take up to a tenth of a short call.  But a program
 * that fills buffers and encodes them finds all its shards near.  So when PXR_PROVEN calls in a
 * row of a thread have looked, and all had the same size and near shards, only each
 * PXR_ONE_IN-th call of this size looks, until one finds far shards.
 *
 * It takes many calls because trust in the wrong place costs more than a look.  If one call in
 * thirty has far shards, both cost the same, and 64 near calls in a row are then rare.
 */
enum { PXR_PROVEN = 64, PXR_ONE_IN = 16 };

/* Returns whether a call of this footprint trusts that its shards are near, and counts it if it
   does. */
static inline bool pxr_trusts(size_t footprint)
{
    const bool trusts = pxr_near.footprint == footprint && pxr_near.calls >= PXR_PROVEN &&
                        pxr_near.calls % PXR_ONE_IN != 0;
    pxr_near.calls += trusts;
    return trusts;
}

/*
 * Returns whether there are crowd_from sources or more, and they seem to begin at the same
 * place of their pages, as parts of one allocation often do.  Then the lines that a pass needs
 * at the same time belong in the same set of L1, and push each other out: the set of a line
 * follows from its place in its page.
 */
bool pxr_is_crowded(struct pxr_sources from);

/* Returns where the shards are of a call that touches this many buffers. */
static inline enum pxr_place pxr_place(size_t len, size_t buffers, struct pxr_sources from)
{
    return len < PXR_WAYLESS_BYTES ? PXR_NO_PLACE : pxr_find_place(len, buffers, from);
}

/* Returns what the record says about a call of this kind at this place.  `work` is the narrow
   kind; in the enumeration each narrow kind is followed by its wide kind. */
static inline uint32_t pxr_recorded_way(enum pxr_work work, enum pxr_place place,
                                        unsigned sources)
{
    if (place == PXR_NO_PLACE)
        return 0;
    const size_t wide_from =
        place == PXR_PLACE_MEMORY ? PXR_MACHINE(far_wide_from) : PXR_MACHINE(wide_from);
    if (work < PXR_WORK_UPDATE && sources >= wide_from)
        work++;
    return PXR_MACHINE(way[work][place]);
}

/* Returns the kind of a call that multiplies.  With few sources it writes much for what it
   reads, and waits for its outputs as a call with one output does. */
static inline enum pxr_work pxr_dot_work(unsigned sources, unsigned outputs)
{
    return outputs == 1 || sources <= PXR_MACHINE(few_sources) ? PXR_WORK_ONE : PXR_WORK_DOT;
}

/* Returns how such a call uses memory, as flags of kernels.h. */
static inline uint32_t pxr_way(enum pxr_work work, enum pxr_place place, unsigned sources)
{
    return pxr_recorded_way(work, place, sources) & ~PXR_IN_GROUPS(0x1f);
}

/* Returns the way of an update.  It is the same for any number of sources, and the size alone
   decides where the shards are. */
static inline uint32_t pxr_update_way(size_t len, size_t buffers)
{
    return pxr_way(PXR_WORK_UPDATE, pxr_place(len, buffers, PXR_UNSEEN), 0);
}

/* Returns the work of computing this many parities: P, or P and Q. */
static inline enum pxr_work pxr_work_of_parity(unsigned parities)
{
    return parities == 1 ? PXR_WORK_P : PXR_WORK_PQ;
}

/* From here on a caller's shards are read and not written.  C does not convert the pointer type
   by itself; C++ does. */
static inline const uint8_t *const *pxr_read_only(uint8_t *const *shards)
{
    return (const uint8_t *const *)shards;
}

/* Returns whether none of the n pointers is NULL.  Without an array it returns false.  Counting
   takes one comparison and one addition with carry for each pointer, and no branch, because
   pointers are hardly ever NULL. */
static inline bool pxr_all_present(unsigned n, const uint8_t *const *pointers)
{
    if (!pointers)
        return false;
    unsigned missing = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < n; i++)
        missing += !pointers[i];
    return missing == 0;
}

/* Returns whether no source and no output of a call is NULL. */
static inline bool pxr_call_present(unsigned k, const uint8_t *const *src, unsigned count,
                                    uint8_t *const *dst)
{
    return pxr_all_present(k, src) && pxr_all_present(count, pxr_read_only(dst));
}

#endif
