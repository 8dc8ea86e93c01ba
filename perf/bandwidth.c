/* SPDX-License-Identifier: BSD-3-Clause */
#include "bandwidth.h"

#include "engine.h"

/* The same distance at which the kernels of this library fetch (kernels/kernel_dot.inc.h). */
#define PREFETCH_BYTES 512

/*
 * One stream is what the usual memory benchmarks read.  Eight keep busy every prefetcher that
 * the hardware has.  Sixteen need prefetch instructions on many cores.
 */
const struct bandwidth_way bandwidth_ways[BANDWIDTH_WAYS] = {
    {"1 stream", 1, false},
    {"8 streams", 8, false},
    {"16, prefetch", 16, true},
};

/* What a loop walks through: streams of len bytes that start `distance` apart. */
struct area {
    const unsigned char *source;
    unsigned char *target;
    unsigned char *scratch; /* a vector: the result, or what to write */
    size_t distance, streams, len;
};

typedef void area_loop(const struct area *area);

struct loops {
    size_t width;
    area_loop *run[BANDWIDTH_KINDS][2]; /* without and with prefetch; NULL: cannot be done */
};

/* ------------------------------------------------------------------ loops -- */

/* A block is eight vectors, so that the work of the loop itself does not count. */
#define BLOCK (8 * VECTOR)
#define LOOP TARGET static inline __attribute__((always_inline)) void

/* The barrier keeps compilers from replacing a loop by a call of memset or memcpy. */
#define BARRIER __asm__ volatile("" ::: "memory")
#define EACH_BLOCK(area)                                            \
    for (size_t pos = 0; pos < (area)->len; pos += BLOCK)           \
        for (size_t at = pos, stream = 0; stream < (area)->streams; \
             stream++, at += (area)->distance)

/* What is done with each of the eight vectors of a block. */
#define EIGHT(line) line(0) line(1) line(2) line(3) line(4) line(5) line(6) line(7)
#define LOAD(n) const NAME(vector) x##n = from[n];
#define CHANGE(n) const NAME(vector) x##n = to[n] ^ value;
#define STORE(n) to[n] = x##n;
#define FILL(n) to[n] = value;
#define COPY_AROUND(n) STORE_AROUND(to[n], x##n);
#define FILL_AROUND(n) STORE_AROUND(to[n], value);

/* Define each loop once without and once with prefetch. */
#define BOTH(kind)                                             \
    TARGET static void NAME(kind##_0)(const struct area *area) \
    {                                                          \
        NAME(kind)(area, false);                               \
    }                                                          \
    TARGET static void NAME(kind##_1)(const struct area *area) \
    {                                                          \
        NAME(kind)(area, true);                                \
    }
#define PAIR(kind)                     \
    {                                  \
        NAME(kind##_0), NAME(kind##_1) \
    }

#ifdef __x86_64__

#define STORES_DONE __asm__ volatile("sfence" ::: "memory")

#define NAME(x) x##_xmm
#define TARGET
#define VECTOR 16
#define STORE_AROUND(p, v) __asm__ volatile("movntdq %1, %0" : "=m"(p) : "x"(v))
#include "bandwidth.inc.h"

#define NAME(x) x##_ymm
#define TARGET __attribute__((target("avx2")))
#define VECTOR 32
#define STORE_AROUND(p, v) __asm__ volatile("vmovntdq %1, %0" : "=m"(p) : "x"(v))
#include "bandwidth.inc.h"

#define NAME(x) x##_zmm
#define TARGET __attribute__((target("avx512f")))
#define VECTOR 64
#define STORE_AROUND(p, v) __asm__ volatile("vmovntdq %1, %0" : "=m"(p) : "v"(v))
#include "bandwidth.inc.h"

static const struct loops *widest(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return &loops_zmm;
    return __builtin_cpu_supports("avx2") ? &loops_ymm : &loops_xmm;
}

#else

#define NAME(x) x##_any
#define TARGET
#define VECTOR 16
#include "bandwidth.inc.h"

static const struct loops *widest(void)
{
    return &loops_any;
}

#endif

/* ------------------------------------------------------------ measurement -- */

struct pass {
    area_loop *run;
    struct area area;
};

static void pass_batch(void *context, size_t calls)
{
    const struct pass *pass = context;
    for (; calls > 0; calls--)
        pass->run(&pass->area);
}

/* In GB/s; negative when memory runs out. */
static double pass_rate(struct pass *pass, double seconds)
{
    const double took = engine_fastest_call(pass_batch, pass, seconds);
    return 1e-9 * (double)(pass->area.streams * pass->area.len) / took;
}

static bool has_two_sides(enum bandwidth_kind kind)
{
    return kind == BANDWIDTH_COPY || kind == BANDWIDTH_NT_COPY;
}

/* Lay the streams out.  Where there are two sides, the targets lie behind the sources. */
static bool lay_out(struct area *area, struct arena *arena, size_t footprint, size_t block,
                    size_t sides)
{
    area->len = footprint / (area->streams * sides) / block * block;
    if (area->len == 0)
        area->len = block;
    area->distance = buffers_distance(area->len, 0, BUFFERS_DISPLACE);
    if (!arena_reserve(arena, area->distance * area->streams * sides))
        return false;
    area->source = arena->base;
    area->target = arena->base + area->distance * area->streams * (sides - 1);
    return true;
}

static bool measure_way(struct arena *arena, size_t footprint, double seconds,
                        enum bandwidth_kind kind, const struct bandwidth_way *way, double *gbs)
{
    static unsigned char scratch[64] __attribute__((aligned(64)));
    const struct loops *loops = widest();
    struct pass pass = {.run = loops->run[kind][way->prefetch],
                        .area = {.scratch = scratch, .streams = way->streams}};
    *gbs = 0;
    if (pass.run == NULL)
        return true;
    if (!lay_out(&pass.area, arena, footprint, 8 * loops->width, has_two_sides(kind) ? 2 : 1))
        return false;
    *gbs = pass_rate(&pass, seconds);
    return *gbs > 0;
}

bool bandwidth_measure(struct arena *arena, size_t footprint, double seconds,
                       struct bandwidth *bandwidth)
{
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
        for (int way = 0; way < BANDWIDTH_WAYS; way++)
            if (!measure_way(arena, footprint, seconds, (enum bandwidth_kind)kind,
                             &bandwidth_ways[way], &bandwidth->gbs[kind][way]))
                return false;
    return true;
}

double bandwidth_best(const struct bandwidth *bandwidth, enum bandwidth_kind kind)
{
    double best = 0;
    for (int way = 0; way < BANDWIDTH_WAYS; way++)
        if (bandwidth->gbs[kind][way] > best)
            best = bandwidth->gbs[kind][way];
    return best;
}

size_t bandwidth_width(void)
{
    return widest()->width;
}

const char *bandwidth_kind_name(enum bandwidth_kind kind)
{
    static const char *const names[] = {"read", "write",    "modify",
                                        "copy", "NT write", "NT copy"};
    return names[kind];
}
