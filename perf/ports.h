/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ports.h - how fast a dot product could be on this core, by the instructions
 * that it cannot do without.
 *
 * For each vector of W bytes of one source, and m general rows, the kernel sets
 * on byte permutes need
 *
 *     2m permutes        low and high nibble's products, for each row
 *     3 logicals         shift and two masks that split the nibbles
 *     2m xors, or m      three-input logicals (AVX-512) add both products at once
 *
 * and the sets on GFNI
 *
 *     m affine transforms
 *     m xors, or m/2     three-input logicals add the products of two sources
 *
 * Permutes run on some of the vector ports, logicals on all of them.  With P
 * permutes (or transforms) and A logicals per second measured alone, a vector
 * takes at least
 *
 *     t = max(permutes / P, all instructions / A, 1 / L)
 *
 * where L is the rate of loads from L1, one for the source itself; and no
 * kernel of that set works off more than W / t bytes of source per second.  A
 * row of ones costs its xor alone.  The loads of tables, the stores and the loop
 * are left out, so the limit is a bound, not a prediction.
 *
 * Rows of powers of two (Vandermonde's second) can be had by doublings, without
 * any permute; only there may a kernel pass the limit of general rows.
 */
#ifndef PERF_PORTS_H
#define PERF_PORTS_H

#include <stdbool.h>
#include <stddef.h>

/* Instructions per nanosecond of one kernel set. */
struct port_rates {
    double permutes;  /* or affine transforms */
    double logicals;  /* xors; three-input ones where the set has them */
    double loads;     /* of whole vectors from L1 */
    double load_xors; /* xors with an operand from L1: a source of a row of ones */
};

struct port_set {
    const char *name;    /* the kernel set's name in the library */
    const char *permute; /* the limiting instruction */
    size_t width;        /* W */
    double permutes_per_row;
    double splits; /* logicals per vector whatever m */
    double xors_per_row;
    double xors_per_ones_row;
    bool (*usable)(void);
    void (*run_permutes)(size_t loops); /* 12 instructions per loop each */
    void (*run_logicals)(size_t loops);
    void (*run_loads)(size_t loops);
    void (*run_load_xors)(size_t loops);
};

extern const struct port_set port_sets[];
extern const size_t port_set_count;

/* The set with this name, or NULL. */
const struct port_set *port_set_find(const char *name);

/* Measure a usable set.  False when memory runs out. */
bool port_set_measure(const struct port_set *set, struct port_rates *rates);

/*
 * Bytes of source per nanosecond (GB/s) that `set` cannot exceed with `rows`
 * general rows and `ones` rows of ones.
 */
double port_set_limit(const struct port_set *set, const struct port_rates *rates, int rows,
                      int ones);

/*
 * Cycles per nanosecond, from a chain of dependent multiplications of 3 cycles
 * each, which every x86-64 core of the last fifteen years takes for them (a
 * chain of additions would not do: some cores add constants while renaming
 * registers).  0 where the chain is not known; negative when memory runs out.
 */
double port_clock(void);

#endif
