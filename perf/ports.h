/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ports.h - how fast a dot product could be on this core, judged by the instructions that it
 * cannot do without.
 *
 * For each vector of W bytes of one source, and m general rows, the kernel sets on byte
 * permutes need
 *
 *     2m permutes        low and high nibble's products, for each row
 *     3 logicals         shift and two masks that split the nibbles
 *     2m xors, or m      three-input logicals (AVX-512) add both products at once
 *
 * and the sets on GFNI need
 *
 *     m affine transforms
 *     m xors, or m/2     three-input logicals add the products of two sources
 *
 * A row of ones costs its xor alone.  Permutes run on some of the vector ports, logicals on all
 * of them.  With P permutes (or transforms), A logicals, L loads from L1 and S stores to it per
 * nanosecond, each measured alone, a vector takes at least
 *
 *     t = max(permutes / P, all instructions / A, loads / L, stores / S)
 *
 * nanoseconds, and no kernel of that set processes more than W / t bytes of source per
 * nanosecond.  There is one load for the source itself, and one store for each target's share
 * of it; an update also loads what it adds to.  The loads of tables and the loop are left out,
 * so this is a bound and not a prediction.
 *
 * A row of the powers of two (Vandermonde's second) can be computed by Horner's rule, which
 * doubles the sum so far and adds the next source:
 *
 *     permutes: 1 permute, which looks up what the top bit is reduced by, 1 addition and 2
 *               xors (1 with three-input logicals); and no nibbles to split
 *     GFNI:     the same as a general row
 *
 * Where a row may be such a row, the bound is that of the cheaper way.
 */
#ifndef PERF_PORTS_H
#define PERF_PORTS_H

#include <stdbool.h>
#include <stddef.h>

/* The kinds of instructions whose rates are measured, each of which is a bound: that of the
   logicals bounds all instructions together. */
enum port_kind {
    PORT_PERMUTES, /* or affine transforms */
    PORT_LOGICALS, /* xors; three-input ones where the set has them */
    PORT_LOADS,    /* of whole vectors from L1 */
    PORT_STORES,   /* of whole vectors to L1 */
    PORT_KINDS
};
extern const char *const port_kind_names[PORT_KINDS];

/* The rates of one kernel set. */
struct port_rates {
    double per_ns[PORT_KINDS];
};

struct port_set {
    const char *name;    /* the kernel set's name in the library */
    const char *permute; /* the limiting instruction */
    size_t width;        /* W */
    double permutes_per_row;
    double splits; /* logicals per vector whatever m */
    double xors_per_row;
    double xors_per_ones_row;
    double logicals_per_doubled_row;       /* beside one permute */
    void (*run[PORT_KINDS])(size_t loops); /* 12 instructions per loop each */
};

/* What must be done for a vector of one source. */
struct port_work {
    int rows;    /* rows that are not of ones */
    int ones;    /* rows of ones */
    int doubled; /* of `rows`, those of the powers of two */
    double loads, stores;
};

extern const struct port_set port_sets[];
extern const size_t port_set_count;

/* The set with this name, or NULL. */
const struct port_set *port_set_find(const char *name);

/* Returns whether this CPU has the set's instructions. */
bool port_set_usable(const struct port_set *set);

/* Measure a usable set, each rate for about `seconds` seconds.  Returns false when memory runs
   out. */
bool port_set_measure(const struct port_set *set, double seconds, struct port_rates *rates);

/* Bytes of source per nanosecond (GB/s) that each of the bounds allows `set`. */
void port_set_limits(const struct port_set *set, const struct port_rates *rates,
                     const struct port_work *work, double gbs[PORT_KINDS]);

/* The lowest of these bounds. */
double port_set_limit(const struct port_set *set, const struct port_rates *rates,
                      const struct port_work *work);

/*
 * Cycles per nanosecond.  It comes from a chain of dependent multiplications of 32 bits, which
 * take 3 cycles each on the x86-64 cores of the last fifteen years, except AMD's Bulldozer and
 * its successors, which take 4 (llvm-mca 19; for 64 bits Zen 1 takes 4, small cores 5 and 6).
 * A chain of additions would not do, because some cores add constants while renaming registers.
 * Returns 0 where the chain is not known, and a negative number when memory runs out.
 */
double port_clock(double seconds);

#endif
