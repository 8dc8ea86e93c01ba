/* SPDX-License-Identifier: BSD-3-Clause */
#include "ports.h"

#include <string.h>

#include "engine.h"

#define PER_LOOP 12 /* instructions of a loop, each in a register of its own */

#ifdef __x86_64__

/*
 * Each loop is written out in assembly language: a compiler would see that the
 * work is never used.  Twelve registers are twelve independent chains, enough
 * to hide a latency of 3 cycles on 4 ports.
 */
#define LINES(line)                                                                          \
    line(0) line(1) line(2) line(3) line(4) line(5) line(6) line(7) line(8) line(9) line(10) \
        line(11)

#define CLOBBERED                                                                            \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
        "xmm11", "xmm15", "cc", "memory"

/* `end` is vzeroupper for wide vectors, without which later code would run slowly. */
#define LOOP(name, line, end)                                                    \
    static void name(size_t loops)                                               \
    {                                                                            \
        static unsigned char memory[PER_LOOP * 64] __attribute__((aligned(64))); \
        __asm__ volatile("1:\n\t" LINES(line) "dec %0\n\tjnz 1b\n\t" end         \
                         : "+r"(loops)                                           \
                         : "r"(memory)                                           \
                         : CLOBBERED);                                           \
    }

#define XMM_PERMUTE(n) "pshufb %%xmm15, %%xmm" #n "\n\t"
#define XMM_XOR(n) "pxor %%xmm15, %%xmm" #n "\n\t"
#define XMM_LOAD(n) "movdqa " #n "*16(%1), %%xmm" #n "\n\t"
#define XMM_STORE(n) "movdqa %%xmm" #n ", " #n "*16(%1)\n\t"
#define YMM_PERMUTE(n) "vpshufb %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define YMM_AFFINE(n) "vgf2p8affineqb $0, %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define YMM_XOR(n) "vpxor %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define YMM_LOAD(n) "vmovdqa " #n "*32(%1), %%ymm" #n "\n\t"
#define YMM_STORE(n) "vmovdqa %%ymm" #n ", " #n "*32(%1)\n\t"
#define ZMM_PERMUTE(n) "vpshufb %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"
#define ZMM_AFFINE(n) "vgf2p8affineqb $0, %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"
#define ZMM_TERNARY(n) "vpternlogd $0x96, %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"
#define ZMM_LOAD(n) "vmovdqa64 " #n "*64(%1), %%zmm" #n "\n\t"
#define ZMM_STORE(n) "vmovdqa64 %%zmm" #n ", " #n "*64(%1)\n\t"

LOOP(xmm_permutes, XMM_PERMUTE, "")
LOOP(xmm_xors, XMM_XOR, "")
LOOP(xmm_loads, XMM_LOAD, "")
LOOP(xmm_stores, XMM_STORE, "")
LOOP(ymm_permutes, YMM_PERMUTE, "vzeroupper")
LOOP(ymm_affines, YMM_AFFINE, "vzeroupper")
LOOP(ymm_xors, YMM_XOR, "vzeroupper")
LOOP(ymm_loads, YMM_LOAD, "vzeroupper")
LOOP(ymm_stores, YMM_STORE, "vzeroupper")
LOOP(zmm_permutes, ZMM_PERMUTE, "vzeroupper")
LOOP(zmm_affines, ZMM_AFFINE, "vzeroupper")
LOOP(zmm_ternaries, ZMM_TERNARY, "vzeroupper")
LOOP(zmm_loads, ZMM_LOAD, "vzeroupper")
LOOP(zmm_stores, ZMM_STORE, "vzeroupper")

/* A set's names, and the loops of its vectors. */
#define SET(its_name, vector, bytes, instruction, permutes, logicals) \
    .name = (its_name), .permute = (instruction), .width = (bytes),   \
    .run = {vector##_##permutes, vector##_##logicals, vector##_loads, vector##_stores}

const struct port_set port_sets[] = {
    {SET("ssse3", xmm, 16, "pshufb xmm", permutes, xors), .permutes_per_row = 2, .splits = 3,
     .xors_per_row = 2, .xors_per_ones_row = 1, .logicals_per_doubled_row = 3},
    {SET("avx2", ymm, 32, "vpshufb ymm", permutes, xors), .permutes_per_row = 2, .splits = 3,
     .xors_per_row = 2, .xors_per_ones_row = 1, .logicals_per_doubled_row = 3},
    {SET("avx512", zmm, 64, "vpshufb zmm", permutes, ternaries), .permutes_per_row = 2,
     .splits = 3, .xors_per_row = 1, .xors_per_ones_row = 0.5, .logicals_per_doubled_row = 2},
    {SET("avx2_gfni", ymm, 32, "vgf2p8affineqb ymm", affines, xors), .permutes_per_row = 1,
     .xors_per_row = 1, .xors_per_ones_row = 1, .logicals_per_doubled_row = 1},
    {SET("avx512_gfni", zmm, 64, "vgf2p8affineqb zmm", affines, ternaries),
     .permutes_per_row = 1, .xors_per_row = 0.5, .xors_per_ones_row = 0.5,
     .logicals_per_doubled_row = 0.5},
};
const size_t port_set_count = sizeof(port_sets) / sizeof(port_sets[0]);

bool port_set_usable(const struct port_set *set)
{
    const bool avx2 = __builtin_cpu_supports("avx2"), gfni = __builtin_cpu_supports("gfni");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    /* In the order of port_sets. */
    const bool usable[] = {__builtin_cpu_supports("ssse3"), avx2, avx512, avx2 && gfni,
                           avx512 && gfni};
    return usable[set - port_sets];
}

#define CLOCK_CYCLES (PER_LOOP * 3)

static void dependent_multiplications(size_t loops)
{
#define MULTIPLY(n) "imul %k1, %k1\n\t"
    size_t value = 1;
    __asm__ volatile("1:\n\t" LINES(MULTIPLY) "dec %0\n\tjnz 1b"
                     : "+r"(loops), "+r"(value)
                     :
                     : "cc");
}

#else

const struct port_set port_sets[] = {{0}};
const size_t port_set_count = 0;

bool port_set_usable(const struct port_set *set)
{
    (void)set;
    return false;
}

#endif

const struct port_set *port_set_find(const char *name)
{
    for (size_t i = 0; i < port_set_count; i++)
        if (strcmp(port_sets[i].name, name) == 0)
            return &port_sets[i];
    return NULL;
}

const char *const port_kind_names[PORT_KINDS] = {"permutes", "logicals", "loads", "stores"};

struct loop_context {
    void (*run)(size_t loops);
};

static void loop_batch(void *context, size_t calls)
{
    ((struct loop_context *)context)->run(calls);
}

/* Returns the seconds that one loop takes, or a negative number when memory runs out. */
static double seconds_per_loop(void (*run)(size_t loops), double seconds)
{
    struct loop_context context = {run};
    return engine_fastest_call(loop_batch, &context, seconds);
}

bool port_set_measure(const struct port_set *set, double seconds, struct port_rates *rates)
{
    for (int kind = 0; kind < PORT_KINDS; kind++) {
        const double took = seconds_per_loop(set->run[kind], seconds);
        if (took <= 0)
            return false;
        rates->per_ns[kind] = PER_LOOP / (1e9 * took);
    }
    return true;
}

/* The bounds when `doubled` rows use Horner's rule and the others products.  A bound is
   INFINITY where there is no work for it. */
static void limits_with(const struct port_set *set, const struct port_rates *rates,
                        const struct port_work *work, int doubled, double gbs[PORT_KINDS])
{
    const int general = work->rows - doubled;
    const double width = (double)set->width;
    double permutes = general * set->permutes_per_row + doubled;
    double logicals = general * set->xors_per_row + doubled * set->logicals_per_doubled_row +
                      work->ones * set->xors_per_ones_row;
    if (general > 0)
        logicals += set->splits;
    const double amounts[PORT_KINDS] = {permutes, permutes + logicals, work->loads,
                                        work->stores};
    for (int kind = 0; kind < PORT_KINDS; kind++)
        gbs[kind] = width * rates->per_ns[kind] / amounts[kind];
}

static double least(const double gbs[PORT_KINDS])
{
    double nearest = gbs[0];
    for (int i = 1; i < PORT_KINDS; i++)
        nearest = gbs[i] < nearest ? gbs[i] : nearest;
    return nearest;
}

void port_set_limits(const struct port_set *set, const struct port_rates *rates,
                     const struct port_work *work, double gbs[PORT_KINDS])
{
    double horner[PORT_KINDS];
    limits_with(set, rates, work, 0, gbs);
    limits_with(set, rates, work, work->doubled, horner);
    if (least(horner) > least(gbs))
        memcpy(gbs, horner, sizeof(horner));
}

double port_set_limit(const struct port_set *set, const struct port_rates *rates,
                      const struct port_work *work)
{
    double gbs[PORT_KINDS];
    port_set_limits(set, rates, work, gbs);
    return least(gbs);
}

double port_clock(double seconds)
{
#ifdef __x86_64__
    double took = seconds_per_loop(dependent_multiplications, seconds);
    return took > 0 ? CLOCK_CYCLES / (1e9 * took) : -1;
#else
    (void)seconds;
    return 0;
#endif
}
