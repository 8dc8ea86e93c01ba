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

/* `end` is vzeroupper behind wide vectors: later code would run slowly without it. */
#define LOOP(name, line, end)                                                          \
    static void name(size_t loops)                                                     \
    {                                                                                  \
        static const unsigned char memory[PER_LOOP * 64] __attribute__((aligned(64))); \
        __asm__ volatile("1:\n\t" LINES(line) "dec %0\n\tjnz 1b\n\t" end               \
                         : "+r"(loops)                                                 \
                         : "r"(memory)                                                 \
                         : CLOBBERED);                                                 \
    }

#define XMM_PERMUTE(n) "pshufb %%xmm15, %%xmm" #n "\n\t"
#define XMM_XOR(n) "pxor %%xmm15, %%xmm" #n "\n\t"
#define XMM_LOAD(n) "movdqa " #n "*16(%1), %%xmm" #n "\n\t"
#define XMM_LOAD_XOR(n) "pxor " #n "*16(%1), %%xmm" #n "\n\t"
#define YMM_PERMUTE(n) "vpshufb %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define YMM_AFFINE(n) "vgf2p8affineqb $0, %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define YMM_XOR(n) "vpxor %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define YMM_LOAD(n) "vmovdqa " #n "*32(%1), %%ymm" #n "\n\t"
#define YMM_LOAD_XOR(n) "vpxor " #n "*32(%1), %%ymm" #n ", %%ymm" #n "\n\t"
#define ZMM_PERMUTE(n) "vpshufb %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"
#define ZMM_AFFINE(n) "vgf2p8affineqb $0, %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"
#define ZMM_TERNARY(n) "vpternlogd $0x96, %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"
#define ZMM_LOAD(n) "vmovdqa64 " #n "*64(%1), %%zmm" #n "\n\t"
#define ZMM_LOAD_XOR(n) "vpxorq " #n "*64(%1), %%zmm" #n ", %%zmm" #n "\n\t"

LOOP(xmm_permutes, XMM_PERMUTE, "")
LOOP(xmm_xors, XMM_XOR, "")
LOOP(xmm_loads, XMM_LOAD, "")
LOOP(xmm_load_xors, XMM_LOAD_XOR, "")
LOOP(ymm_permutes, YMM_PERMUTE, "vzeroupper")
LOOP(ymm_affines, YMM_AFFINE, "vzeroupper")
LOOP(ymm_xors, YMM_XOR, "vzeroupper")
LOOP(ymm_loads, YMM_LOAD, "vzeroupper")
LOOP(ymm_load_xors, YMM_LOAD_XOR, "vzeroupper")
LOOP(zmm_permutes, ZMM_PERMUTE, "vzeroupper")
LOOP(zmm_affines, ZMM_AFFINE, "vzeroupper")
LOOP(zmm_ternaries, ZMM_TERNARY, "vzeroupper")
LOOP(zmm_loads, ZMM_LOAD, "vzeroupper")
LOOP(zmm_load_xors, ZMM_LOAD_XOR, "vzeroupper")

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

const struct port_set port_sets[] = {
    {"ssse3", "pshufb xmm", 16, 2, 3, 2, 1, has_ssse3, xmm_permutes, xmm_xors, xmm_loads,
     xmm_load_xors},
    {"avx2", "vpshufb ymm", 32, 2, 3, 2, 1, has_avx2, ymm_permutes, ymm_xors, ymm_loads,
     ymm_load_xors},
    {"avx512", "vpshufb zmm", 64, 2, 3, 1, 0.5, has_avx512, zmm_permutes, zmm_ternaries,
     zmm_loads, zmm_load_xors},
    {"avx2_gfni", "vgf2p8affineqb ymm", 32, 1, 0, 1, 1, has_avx2_gfni, ymm_affines, ymm_xors,
     ymm_loads, ymm_load_xors},
    {"avx512_gfni", "vgf2p8affineqb zmm", 64, 1, 0, 0.5, 0.5, has_avx512_gfni, zmm_affines,
     zmm_ternaries, zmm_loads, zmm_load_xors},
};
const size_t port_set_count = sizeof(port_sets) / sizeof(port_sets[0]);

#define CLOCK_CYCLES (PER_LOOP * 3)

static void dependent_multiplications(size_t loops)
{
#define MULTIPLY(n) "imul %1, %1\n\t"
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

/* Seconds that one loop takes; negative when memory runs out. */
static double seconds_per_loop(void (*run)(size_t loops))
{
    struct loop_context context = {run};
    struct engine_subject subject = {loop_batch, &context};
    struct engine_options options = ENGINE_DEFAULTS;
    struct engine_result result;
    if (!engine_measure(&subject, 1, &options, &result))
        return -1;
    return result.seconds[0].median;
}

static bool rate_of(void (*run)(size_t loops), double *rate)
{
    double seconds = seconds_per_loop(run);
    *rate = PER_LOOP / (1e9 * seconds);
    return seconds > 0;
}

bool port_set_measure(const struct port_set *set, struct port_rates *rates)
{
    return rate_of(set->run_permutes, &rates->permutes) &&
           rate_of(set->run_logicals, &rates->logicals) &&
           rate_of(set->run_loads, &rates->loads) &&
           rate_of(set->run_load_xors, &rates->load_xors);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double port_set_limit(const struct port_set *set, const struct port_rates *rates, int rows,
                      int ones)
{
    double permutes = rows * set->permutes_per_row;
    double logicals = rows * set->xors_per_row + ones * set->xors_per_ones_row;
    if (rows > 0)
        logicals += set->splits;
    double time = 1 / rates->loads;
    time = larger(time, permutes / rates->permutes);
    time = larger(time, (permutes + logicals) / rates->logicals);
    return (double)set->width / time;
}

double port_clock(void)
{
#ifdef __x86_64__
    double seconds = seconds_per_loop(dependent_multiplications);
    return seconds > 0 ? CLOCK_CYCLES / (1e9 * seconds) : -1;
#else
    return 0;
#endif
}
