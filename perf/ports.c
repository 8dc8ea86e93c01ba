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

static bool has_ssse3(void)
{
    return __builtin_cpu_supports("ssse3");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

static bool has_avx2_gfni(void)
{
    return has_avx2() && __builtin_cpu_supports("gfni");
}

static bool has_avx512_gfni(void)
{
    return has_avx512() && __builtin_cpu_supports("gfni");
}

/* What rows of the table have in common: how a set multiplies, and the loops of its vectors. */
#define NIBBLES .permutes_per_row = 2, .splits = 3
#define TRANSFORMS .permutes_per_row = 1, .splits = 0
#define RUN(vector, bytes, permutes, logicals)                        \
    .width = (bytes), .run_permutes = vector##_##permutes,            \
    .run_logicals = vector##_##logicals, .run_loads = vector##_loads, \
    .run_stores = vector##_stores

const struct port_set port_sets[] = {
    {
        .name = "ssse3",
        .permute = "pshufb xmm",
        .usable = has_ssse3,
        NIBBLES,
        .xors_per_row = 2,
        .xors_per_ones_row = 1,
        .logicals_per_doubled_row = 3,
        RUN(xmm, 16, permutes, xors),
    },
    {
        .name = "avx2",
        .permute = "vpshufb ymm",
        .usable = has_avx2,
        NIBBLES,
        .xors_per_row = 2,
        .xors_per_ones_row = 1,
        .logicals_per_doubled_row = 3,
        RUN(ymm, 32, permutes, xors),
    },
    {
        .name = "avx512",
        .permute = "vpshufb zmm",
        .usable = has_avx512,
        NIBBLES,
        .xors_per_row = 1,
        .xors_per_ones_row = 0.5,
        .logicals_per_doubled_row = 2,
        RUN(zmm, 64, permutes, ternaries),
    },
    {
        .name = "avx2_gfni",
        .permute = "vgf2p8affineqb ymm",
        .usable = has_avx2_gfni,
        TRANSFORMS,
        .xors_per_row = 1,
        .xors_per_ones_row = 1,
        .logicals_per_doubled_row = 1,
        RUN(ymm, 32, affines, xors),
    },
    {
        .name = "avx512_gfni",
        .permute = "vgf2p8affineqb zmm",
        .usable = has_avx512_gfni,
        TRANSFORMS,
        .xors_per_row = 0.5,
        .xors_per_ones_row = 0.5,
        .logicals_per_doubled_row = 0.5,
        RUN(zmm, 64, affines, ternaries),
    },
};
const size_t port_set_count = sizeof(port_sets) / sizeof(port_sets[0]);

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

#endif

const struct port_set *port_set_find(const char *name)
{
    for (size_t i = 0; i < port_set_count; i++)
        if (strcmp(port_sets[i].name, name) == 0)
            return &port_sets[i];
    return NULL;
}

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

static bool rate_of(void (*run)(size_t loops), double seconds, double *rate)
{
    double took = seconds_per_loop(run, seconds);
    *rate = PER_LOOP / (1e9 * took);
    return took > 0;
}

bool port_set_measure(const struct port_set *set, double seconds, struct port_rates *rates)
{
    return rate_of(set->run_permutes, seconds, &rates->permutes) &&
           rate_of(set->run_logicals, seconds, &rates->logicals) &&
           rate_of(set->run_loads, seconds, &rates->loads) &&
           rate_of(set->run_stores, seconds, &rates->stores);
}

/* The bounds when `doubled` rows use Horner's rule and the others products.  A bound is
   INFINITY where there is no work for it. */
static void limits_with(const struct port_set *set, const struct port_rates *rates,
                        const struct port_work *work, int doubled, double gbs[PORT_ROOFS])
{
    const int general = work->rows - doubled;
    const double width = (double)set->width;
    double permutes = general * set->permutes_per_row + doubled;
    double logicals = general * set->xors_per_row + doubled * set->logicals_per_doubled_row +
                      work->ones * set->xors_per_ones_row;
    if (general > 0)
        logicals += set->splits;
    gbs[PORT_PERMUTES] = width * rates->permutes / permutes;
    gbs[PORT_INSTRUCTIONS] = width * rates->logicals / (permutes + logicals);
    gbs[PORT_LOADS] = width * rates->loads / work->loads;
    gbs[PORT_STORES] = width * rates->stores / work->stores;
}

static double least(const double gbs[PORT_ROOFS])
{
    double nearest = gbs[0];
    for (int i = 1; i < PORT_ROOFS; i++)
        nearest = gbs[i] < nearest ? gbs[i] : nearest;
    return nearest;
}

void port_set_limits(const struct port_set *set, const struct port_rates *rates,
                     const struct port_work *work, double gbs[PORT_ROOFS])
{
    double horner[PORT_ROOFS];
    limits_with(set, rates, work, 0, gbs);
    limits_with(set, rates, work, work->doubled, horner);
    if (least(horner) > least(gbs))
        memcpy(gbs, horner, sizeof(horner));
}

double port_set_limit(const struct port_set *set, const struct port_rates *rates,
                      const struct port_work *work)
{
    double gbs[PORT_ROOFS];
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
