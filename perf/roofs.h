/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * roofs.h - the roofline of this core: which of its rates bounds a shape, and at what speed.
 *
 * S. Williams, A. Waterman and D. Patterson, "Roofline: An Insightful Visual Performance Model
 * for Multicore Architectures", Communications of the ACM 52(4), 2009: a program cannot be
 * faster than the core computes, nor faster than memory delivers the bytes that it computes
 * with, and the nearer of these roofs says how much there is to win.  Here a roof is a speed in
 * GB/s of source bytes, and there is a roof for each rate that was measured.
 *
 * Ports: ports.h describes the bounds by the vector instructions and by L1's loads and stores.
 *
 * Levels of the memory behind L1: for each byte of source, 1 byte is read and w bytes are
 * written, where w = targets / sources.  A level reads R bytes per nanosecond when it only
 * reads, writes W when it only writes, and copies C, each measured (bandwidth.h).  Time can be
 * shared between reading, writing and copying, so a byte of source takes
 *
 *     t = c / C + (r - c) / R + (w - c) / W       r = 1, c = min(r, w)
 *
 * This interpolates between what was measured, and is not a derived bound: a level could do
 * more with such a mixture.  No mixture of 1, 2, 4 and 10 sources with 1, 2 and 4 targets did
 * (0.4 to 1.00 of it, Emerald Rapids Xeon, L2, L3 and memory).  Where reading and then writing
 * is faster than copying (1/R + 1/W < 1/C), that is taken, as c = 0.  There are two ways to
 * write, and the roof is the better of them, called "NT" where it is the second:
 *
 *     ordinary       A line that the cache lacks is read first (for ownership) and written back
 *                    later, two lines moved for one.  No factor is applied for it: W and C
 *                    were measured with just such stores.  A target that is added to is read
 *                    by the program instead of for ownership, which costs the same, or less:
 *                    W is the better of writing and of modifying in place.
 *     non-temporal   A line goes to memory at once, and is not read first; a target that is
 *                    added to is, by the program: r = 1 + w.
 *
 * How many of the bytes come from a level: in a cold walk, all bytes come from memory.  In a
 * warm one, a stripe of F bytes is read and written again and again, and no replacement policy
 * can keep more of it than the caches hold.  With S bytes in the caches nearer to the core, the
 * share 1 - S/F comes from further away, or nothing where the stripe fits, and t is that share
 * of the above.  Levels work at the same time, hence each is a roof of its own.
 *
 * So the ports' roofs are bounds: a result passes them only when the machine's speed changes
 * between the two measurements.  The levels' roofs are bounds as far as the interpolation holds
 * and the measured loops are the best possible ones.
 */
#ifndef PERF_ROOFS_H
#define PERF_ROOFS_H

#include <stdbool.h>
#include <stddef.h>

#include "bandwidth.h"
#include "ports.h"
#include "setting.h"

#define ROOFS_MAX_SETS 8
#define ROOFS_MAX_LEVELS 4 /* L1, L2, L3, memory */

struct roof_level {
    char name[8];
    size_t size;      /* bytes that it holds, with the levels before; SIZE_MAX for memory */
    size_t footprint; /* the bytes that were walked through to measure it */
    struct bandwidth bandwidth;
};

struct roofs {
    double clock;               /* GHz; 0 unknown */
    bool known[ROOFS_MAX_SETS]; /* measured, in the order of port_sets */
    struct port_rates rates[ROOFS_MAX_SETS];
    size_t levels; /* the last one is memory */
    struct roof_level level[ROOFS_MAX_LEVELS];
};

/* The work for a byte of source. */
struct roof_work {
    int rows, ones, doubled; /* as in struct port_work */
    double writes;           /* targets / sources */
    bool adds;               /* adds to what the targets hold */
    size_t footprint;        /* bytes of a stripe */
    bool cold;
};

struct roof {
    char name[32];
    double gbs;
};

#define ROOFS_MAX (PORT_KINDS + ROOFS_MAX_LEVELS)

/*
 * Measure every kernel set's ports and every level.  This takes about ten seconds at the
 * setting's usual time, and three times that on a noisy machine: a figure takes a quarter of
 * the time that a shape does.  The arena grows to the cold set's size.  Returns false when
 * memory runs out.
 */
bool roofs_measure(struct roofs *roofs, const struct setting *setting, struct arena *arena);

/*
 * List all roofs of the work for the kernel set `set`; NULL means the set that could be
 * fastest.  For a set that ports.h does not know (base, or another architecture's), L1's
 * measured bandwidth takes the place of the ports' roofs.  Returns how many roofs there are,
 * and 0 where this machine lacks the set.
 */
size_t roofs_list(const struct roofs *roofs, const struct roof_work *work, const char *set,
                  struct roof list[ROOFS_MAX]);

#endif
