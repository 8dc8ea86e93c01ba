/* SPDX-License-Identifier: BSD-3-Clause */
#include "call.h"

/* ----------------------------------------------------------------- a look -- */

/* Returns how long it takes to load a byte at `a` and a byte at `b` at the same time, in ticks
   of the processor's clock.  The first fence waits for what came before, above all for the
   streaming stores of the previous call.  Otherwise the second one would, and near shards would
   look far for as long as calls stream. */
#if PXR_HAS_CLOCK
static unsigned ticks_to(const uint8_t *a, const uint8_t *b)
{
    __builtin_ia32_lfence();
    const uint64_t began = __builtin_ia32_rdtsc();
    const unsigned both = *(const volatile uint8_t *)a | *(const volatile uint8_t *)b;
    __asm__ volatile("lfence" : : "r"(both) : "memory");
    return (unsigned)(__builtin_ia32_rdtsc() - began);
}
#else
static unsigned ticks_to(const uint8_t *a, const uint8_t *b)
{
    (void)a, (void)b;
    return 0;
}
#endif

/*
 * Returns the place in a source that stands for all of it.  It is in the middle half, because
 * the ends may have been touched by the code that filled the source, or that read the memory
 * before it.  `turn`, a fraction of 2^32, says where in that half.
 */
static const uint8_t *place_in(const uint8_t *source, size_t len, uint32_t turn)
{
    return source + len / 4 + (size_t)((uint64_t)turn * (len / 2) >> 32);
}

/* Has the processor find the page of a place, without loading the place itself.  In a virtual
   machine, finding a page that is new to the core takes longer than loading a line from L3. */
static void prefetch_page(const uint8_t *place)
{
    __builtin_prefetch((const void *)((uintptr_t)place ^ 2048));
}

/*
 * Only sources are looked at.  If one call wrote its outputs around the caches, they would be
 * far in the next call too, and that call would write them around the caches again.  The call
 * needs the beginnings of its sources at once, so these are prefetched meanwhile.  Otherwise
 * looking at far shards would take as long as a fifth of a short call.
 */
static bool look_far(size_t len, struct pxr_sources from, uint32_t turn)
{
    const uint8_t *const first = place_in(from.src[0], len, turn);
    const uint8_t *const last = place_in(from.src[from.count - 1], len, turn);
    prefetch_page(first);
    prefetch_page(last);
    for (unsigned j = 0; j < from.count; j++) {
        __builtin_prefetch(from.src[j]);
        __builtin_prefetch(from.src[j] + 64);
    }
    return ticks_to(first, last) > PXR_MACHINE(far_ticks);
}

/* ------------------------------------------------------------------- trust -- */

/*
 * A call in a signal handler may change it between any two instructions; then calls look at
 * other times and places.
 *
 * Looks at the same buffers take turns among the places in them.  On a Zen 4, a program that
 * goes through many buffers in the same order again and again finds most places near that it
 * looked at in the round before, although it has read far more than the caches hold since.
 * doc/machine-looks.md has the measurements; the cause is not known.  Multiples of the
 * golden ratio are spread evenly, however many they are.
 */
PXR_THREAD_LOCAL struct pxr_near pxr_near;

static bool look(size_t len, struct pxr_sources from)
{
    pxr_near.turn += UINT32_C(0x9e3779b9);
    return look_far(len, from, pxr_near.turn);
}

static bool is_far(size_t len, size_t footprint, struct pxr_sources from)
{
    if (footprint > PXR_MACHINE(own_bytes))
        return look(len, from);
    if (pxr_trusts(footprint))
        return false;
    if (pxr_near.footprint != footprint) {
        pxr_near.footprint = footprint;
        pxr_near.calls = 0;
    }
    const bool far = look(len, from);
    pxr_near.calls = far ? 0 : pxr_near.calls + 1;
    return far;
}

/* ------------------------------------------------------------------ places -- */

bool pxr_is_crowded(struct pxr_sources from)
{
    enum { PAGE = 4096, LINE = 64 };
    if (from.count < 2 || from.count < PXR_MACHINE(crowd_from))
        return false;
    const uintptr_t first = (uintptr_t)from.src[0], second = (uintptr_t)from.src[1],
                    last = (uintptr_t)from.src[from.count - 1];
    return (((first ^ second) | (first ^ last)) & (PAGE - LINE)) == 0;
}

/* What a look saves grows with the bytes of the outputs, because far outputs can go around the
   caches.  So calls that write much look even if they touch little. */
static bool may_look(size_t footprint, size_t outputs, struct pxr_sources from)
{
    const size_t least = PXR_MACHINE(look_from);
    return PXR_HAS_CLOCK && from.count && least < PXR_NEVER &&
           (footprint >= least || outputs >= PXR_MACHINE(look_outputs));
}

/* Returns the place of a call that fits in the core's own cache.  A load that crosses a line
   waits for two lines, so prefetching may pay there although it does not pay otherwise. */
static enum pxr_place in_own(struct pxr_sources from)
{
    return from.count && (uintptr_t)from.src[0] % 64 != 0 ? PXR_PLACE_UNALIGNED : PXR_PLACE_OWN;
}

enum pxr_place pxr_find_place(size_t len, size_t buffers, struct pxr_sources from)
{
    size_t footprint;
    if (__builtin_mul_overflow(len, buffers, &footprint))
        return PXR_PLACE_MEMORY;
    const bool looks = may_look(footprint, len * from.written, from);
    const bool far =
        looks ? is_far(len, footprint, from) : footprint > PXR_MACHINE(shared_bytes);
    const bool fits_l1 = footprint <= PXR_MACHINE(l1_bytes);
    if (len < PXR_MACHINE(ahead_from) && (looks ? far : !fits_l1))
        return PXR_PLACE_SHORT;
    if (far)
        return PXR_PLACE_MEMORY;
    if (fits_l1)
        return PXR_PLACE_L1;
    return footprint <= PXR_MACHINE(own_bytes) ? in_own(from) : PXR_PLACE_SHARED;
}
