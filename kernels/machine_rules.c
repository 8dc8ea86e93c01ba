/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which ways of using memory suit which processors.  This file is data: the measurements for
 * each row are in doc/machine-measured.md, or for AMD in doc/machine-measured-amd.md, in the
 * section with the family's name.
 */
#include "config.h"

#include <string.h>

#include "machine.h"

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* How many lines of 64 bytes ahead sources, and outputs, are prefetched. */
#define AHEAD(sources, outputs) (PXR_AHEAD_SOURCES(sources) | PXR_AHEAD_OUTPUTS(outputs))
#define STREAM ((uint32_t)PXR_STREAM)
#define SMALL_BLOCKS ((uint32_t)PXR_SMALL_BLOCKS)
#define DOWNWARDS ((uint32_t)PXR_DOWNWARDS)
#define PLAIN ((uint32_t)0)

/* -------------------------------------------------------------- members -- */

static bool among(unsigned model, const unsigned char *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (models[i] == model)
            return true;
    return false;
}
#define AMONG(model, models) among(model, models, sizeof(models))

/* Granite Rapids (2 models).  It is the first with half-precision AMX, and the first with AMX
   that prefetches code.  Some hypervisors were seen to hide the model and one of these two
   features. */
static bool is_intel_granite(const struct pxr_core *core)
{
    return core->maker == PXR_MAKER_INTEL &&
           ((core->amx && (core->amx_fp16 || core->prefetchi)) ||
            (core->family == 6 && (core->model == 0xad || core->model == 0xae)));
}

/* Sapphire Rapids, Emerald Rapids.  No client core has AMX.  So when a hypervisor shows AMX
   with the number of another model, it runs on such a server. */
static bool is_intel_server(const struct pxr_core *core)
{
    static const unsigned char models[] = {0x8f, 0xcf};
    return core->maker == PXR_MAKER_INTEL &&
           (core->amx || (core->family == 6 && AMONG(core->model, models)));
}

/* Skylake and its refreshes, Ice Lake (2 models). 0x86 with AVX-512 is QEMU's "Icelake-Server".
 */
static bool is_intel_server_older(const struct pxr_core *core)
{
    static const unsigned char models[] = {0x55, 0x6a, 0x6c};
    return core->maker == PXR_MAKER_INTEL && core->family == 6 &&
           (AMONG(core->model, models) || (core->model == 0x86 && core->avx512));
}

/* Goldmont (3 models), Tremont (3), Gracemont, Crestmont (2), Darkmont. */
static bool is_intel_atom(const struct pxr_core *core)
{
    static const unsigned char models[] = {0x5c, 0x5f, 0x7a, 0x86, 0x96,
                                           0x9c, 0xbe, 0xaf, 0xb6, 0xdd};
    return core->maker == PXR_MAKER_INTEL && core->family == 6 && AMONG(core->model, models);
}

static bool is_intel(const struct pxr_core *core)
{
    return core->maker == PXR_MAKER_INTEL;
}

static bool is_amd_zen5(const struct pxr_core *core)
{
    return core->maker == PXR_MAKER_AMD && core->family == 26;
}

static bool is_amd_zen4(const struct pxr_core *core)
{
    return core->maker == PXR_MAKER_AMD && core->family == 25 &&
           ((core->model >= 0x10 && core->model <= 0x1f) ||
            (core->model >= 0x60 && core->model <= 0xaf));
}

/* Zen 4 has models among these, and comes earlier in the table of families. */
static bool is_amd_zen3(const struct pxr_core *core)
{
    return core->maker == PXR_MAKER_AMD && core->family == 25 && core->model < 0x60;
}

static bool is_amd(const struct pxr_core *core)
{
    return core->maker == PXR_MAKER_AMD || core->maker == PXR_MAKER_HYGON;
}

#define IS_OF(name, value)                             \
    static bool is_##name(const struct pxr_core *core) \
    {                                                  \
        return core->maker == PXR_MAKER_##value;       \
    }
IS_OF(arm64, ARM64)
IS_OF(power, POWER)
IS_OF(riscv, RISCV)
IS_OF(z, Z)
IS_OF(loongson, LOONGSON)

static bool is_any(const struct pxr_core *core)
{
    (void)core;
    return true;
}

/* ----------------------------------------------------------------- ways -- */

#define SIX_WAYS(l1, short_shards, own, unaligned, shared, memory)                    \
    {                                                                                 \
        [PXR_PLACE_L1] = l1, [PXR_PLACE_SHORT] = short_shards, [PXR_PLACE_OWN] = own, \
        [PXR_PLACE_UNALIGNED] = unaligned, [PXR_PLACE_SHARED] = shared,               \
        [PXR_PLACE_MEMORY] = memory,                                                  \
    }
/* For processors that are not known to care where the lines begin. */
#define WAYS(l1, short_shards, own, shared, memory) \
    SIX_WAYS(l1, short_shards, own, own, shared, memory)

/* clang-format would break the alignment of these tables: */
/* clang-format off */

/* A structured pass visits its sources more often than a pass of the matrix, and for less at a
   time.  So from memory it is the slower one when there are more sources than the processor's
   prefetchers follow. */
#define MANY_STREAMS(own, shared) WAYS(PLAIN, PLAIN, own, shared, PXR_BY_MATRIX)

/* Any number of lines stands for the whole next piece (wide.c).  Without prefetching, codes of
   more shards than the processor's prefetchers follow collapse.  Prefetching what a cache
   already has takes a tenth of the time. */
#define STEPS_AHEAD \
    WAYS(PLAIN, AHEAD(8, 4), AHEAD(8, 4), AHEAD(8, 4), AHEAD(8, 4))

/* Nothing is prefetched, and outputs are written around the caches only where no cache can hold
   them. */
#define CAUTION WAYS(PLAIN, PLAIN, PLAIN, PLAIN, STREAM)
#define CAUTIOUS { \
    [PXR_WORK_DOT]      = CAUTION, \
    [PXR_WORK_DOT_WIDE] = CAUTION, \
    [PXR_WORK_ONE]      = CAUTION, \
    [PXR_WORK_ONE_WIDE] = CAUTION, \
    [PXR_WORK_P]        = CAUTION, \
    [PXR_WORK_P_WIDE]   = CAUTION, \
    [PXR_WORK_PQ]       = CAUTION, \
    [PXR_WORK_PQ_WIDE]  = CAUTION, \
    [PXR_WORK_STRUCTURED] = CAUTION, \
    [PXR_WORK_STRUCTURED_WIDE] = MANY_STREAMS(PLAIN, PLAIN), \
    [PXR_WORK_STEPS] = STEPS_AHEAD, \
}
static const pxr_ways cautious = CAUTIOUS;

/* Sources are prefetched 512 bytes ahead everywhere except in short shards.  This is for
   processors whose sets have no streaming stores. */
#define SOURCES WAYS(AHEAD(8, 0), PLAIN, AHEAD(8, 0), AHEAD(8, 0), AHEAD(8, 0))
static const pxr_ways sources_ahead = {
    [PXR_WORK_DOT]      = SOURCES,
    [PXR_WORK_DOT_WIDE] = SOURCES,
    [PXR_WORK_ONE]      = SOURCES,
    [PXR_WORK_ONE_WIDE] = SOURCES,
    [PXR_WORK_P]        = SOURCES,
    [PXR_WORK_P_WIDE]   = SOURCES,
    [PXR_WORK_PQ]       = SOURCES,
    [PXR_WORK_PQ_WIDE]  = SOURCES,
    [PXR_WORK_STRUCTURED] = SOURCES,
    [PXR_WORK_STRUCTURED_WIDE] = MANY_STREAMS(AHEAD(8, 0), AHEAD(8, 0)),
    [PXR_WORK_STEPS] = STEPS_AHEAD,
};

/* On these processors a call looks where its shards are.  Within L2 nothing is prefetched but
   outputs, and these only by calls that compute little, unless the sources do not begin at a
   line.  Beyond L2 sources are prefetched and outputs go around the caches: that is faster even
   where the last level keeps the stripe.  From memory, fewer lines ahead suit short shards
   better, and so do calls of many sources; P of many blocks gains from none. */
#define OUTPUTS AHEAD(0, 4)
#define NEAR AHEAD(8, 4)
#define NEAR_STREAM (NEAR | STREAM)
#define NEARER_STREAM (AHEAD(6, 4) | STREAM)
#define NEARER_SMALL (NEARER_STREAM | SMALL_BLOCKS)
#define NEAREST_STREAM (AHEAD(4, 0) | STREAM)
#define THREE_STREAM (AHEAD(3, 0) | STREAM)
#define SERVER(own, unaligned, shared, memory) \
    SIX_WAYS(PLAIN, PLAIN, own, unaligned, shared, memory)
static const pxr_ways intel_server = {
    [PXR_WORK_DOT]      = SERVER(PLAIN,   NEAR,        NEAR_STREAM,    NEARER_SMALL),
    [PXR_WORK_DOT_WIDE] = SERVER(PLAIN,   AHEAD(4, 4), NEAREST_STREAM, NEAREST_STREAM),
    [PXR_WORK_ONE]      = SERVER(OUTPUTS, NEAR,        NEAR_STREAM,    NEARER_STREAM),
    [PXR_WORK_ONE_WIDE] = SERVER(PLAIN,   AHEAD(4, 4), NEAREST_STREAM, NEAREST_STREAM),
    [PXR_WORK_P]        = SERVER(PLAIN,   NEAR,        NEAR_STREAM,    NEAR_STREAM),
    [PXR_WORK_P_WIDE]   = SERVER(PLAIN,   PLAIN,       STREAM,         STREAM),
    [PXR_WORK_PQ]       = SERVER(OUTPUTS, NEAR,        NEAR_STREAM,    NEAR_STREAM),
    [PXR_WORK_PQ_WIDE]  = SERVER(PLAIN,   AHEAD(4, 0), THREE_STREAM,   THREE_STREAM),
    [PXR_WORK_UPDATE]   = SERVER(PLAIN,   PLAIN,       PLAIN,          PLAIN),
    [PXR_WORK_STRUCTURED]      = SERVER(PLAIN, NEAR,        NEAR_STREAM, NEAREST_STREAM),
    [PXR_WORK_STRUCTURED_WIDE] = SERVER(PLAIN, AHEAD(4, 4), NEAR_STREAM, PXR_BY_MATRIX),
    [PXR_WORK_STEPS] = STEPS_AHEAD,
};

/* Here, too, a call looks where its shards are.  From memory, outputs go around the caches.
   Where the last level keeps them that is a loss.  Shards of a few KiB from memory are coded by
   smaller blocks, so that more of the sources are on their way at once.  P, and short calls with
   one output, do not gain from prefetched sources.  Structured passes of many sources in L2 do,
   and so does every call whose sources do not begin at a line. */
#define STREAM_SMALL (STREAM | SMALL_BLOCKS)
#define GRANITE(short_shards, own, memory) \
    SIX_WAYS(PLAIN, short_shards, own, NEAR, NEAR, memory)
static const pxr_ways intel_granite = {
    [PXR_WORK_DOT]      = GRANITE(NEARER_SMALL,  PLAIN,   NEARER_SMALL),
    [PXR_WORK_DOT_WIDE] = GRANITE(NEARER_SMALL,  PLAIN,   NEAR_STREAM),
    [PXR_WORK_ONE]      = GRANITE(STREAM_SMALL,  OUTPUTS, NEARER_STREAM),
    [PXR_WORK_ONE_WIDE] = GRANITE(STREAM_SMALL,  PLAIN,   NEAR_STREAM),
    [PXR_WORK_P]        = GRANITE(STREAM,        PLAIN,   STREAM),
    [PXR_WORK_P_WIDE]   = GRANITE(STREAM,        PLAIN,   STREAM),
    [PXR_WORK_PQ]       = GRANITE(STREAM,        OUTPUTS, NEAREST_STREAM),
    [PXR_WORK_PQ_WIDE]  = GRANITE(STREAM,        PLAIN,   NEAREST_STREAM),
    [PXR_WORK_UPDATE]   = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, PLAIN),
    [PXR_WORK_STRUCTURED]      = GRANITE(NEARER_STREAM, PLAIN,       NEAREST_STREAM),
    [PXR_WORK_STRUCTURED_WIDE] = GRANITE(PXR_BY_MATRIX, AHEAD(4, 0), PXR_BY_MATRIX),
    [PXR_WORK_STEPS]    = GRANITE(NEAR,          PLAIN,   NEAR),
};

/* For Zen 3 and Zen 4.  There a call looks where its shards are, so the places are what their
   names say.  From memory, outputs go around the caches, and smaller blocks and sources that are
   prefetched a little ahead keep more of the sources on their way at once.  Within the caches
   all of that is a loss.  Seventeen sources and more are too many for the prefetchers, so these
   go in groups.  `one` is the way of calls with one output, and `wide` and `wide_pq` are those
   of wide ones: all from memory. */
#define FAR_STREAM (NEAREST_STREAM | SMALL_BLOCKS)
#define AMD_ZEN(groups, one, wide, wide_pq) { \
    [PXR_WORK_DOT]      = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, FAR_STREAM), \
    [PXR_WORK_DOT_WIDE] = WAYS(PLAIN, PLAIN, PLAIN, groups, (groups) | (wide)), \
    [PXR_WORK_ONE]      = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, one), \
    [PXR_WORK_ONE_WIDE] = WAYS(PLAIN, PLAIN, PLAIN, groups, (groups) | (one)), \
    [PXR_WORK_P]        = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, one), \
    [PXR_WORK_P_WIDE]   = WAYS(PLAIN, PLAIN, PLAIN, groups, (groups) | (one)), \
    [PXR_WORK_PQ]       = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, FAR_STREAM), \
    [PXR_WORK_PQ_WIDE]  = WAYS(PLAIN, PLAIN, PLAIN, groups, (groups) | (wide_pq)), \
    [PXR_WORK_UPDATE]   = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, PLAIN), \
    [PXR_WORK_STRUCTURED] = MANY_STREAMS(PLAIN, PLAIN), \
    [PXR_WORK_STRUCTURED_WIDE] = MANY_STREAMS(PLAIN, groups), \
    [PXR_WORK_STEPS] = STEPS_AHEAD, \
}

/* One output computes so little that its sources are prefetched into L2, far ahead.  From ten
   sources on, a call with more outputs that visits them downwards loses the least while the
   memory is slow.  With prefetching into L2 it would lose the most. */
#define ZEN4_ONE (AHEAD(12, 0) | PXR_AHEAD_L2 | DOWNWARDS | STREAM)
#define ZEN4_WIDE (AHEAD(2, 0) | DOWNWARDS | STREAM)
static const pxr_ways amd_zen4 = AMD_ZEN(PXR_IN_GROUPS(10), ZEN4_ONE, ZEN4_WIDE, FAR_STREAM);

/* Prefetching into L2, and the order of the sources, have not been measured on a Zen 3. */
static const pxr_ways amd_zen3 =
    AMD_ZEN(PXR_IN_GROUPS(12), FAR_STREAM, NEAREST_STREAM, NEAREST_STREAM);

/* Calls with few outputs wait for the caches or for memory.  They take up to twice as long when
   they visit their sources upwards as when they visit them downwards.  For calls with more
   outputs the order is no loss.  Calls with Q go downwards anyway.  Calls look where their
   shards are, as on Zen 4.  What is prefetched from memory is further ahead than there, because
   L1 has 12 ways, except in wide calls.  From memory, P alone gains from nothing, and one
   output gains only from the order.  Updates gain from turns of two vectors, which come with
   prefetching (kernel_mad.inc.h). */
#define FAR_AHEAD (AHEAD(8, 0) | STREAM)
#define FAR_DOWNWARDS (AHEAD(12, 0) | STREAM | DOWNWARDS)
static const pxr_ways amd_zen5 = {
    [PXR_WORK_DOT]      = WAYS(PLAIN, PLAIN, DOWNWARDS, DOWNWARDS, FAR_DOWNWARDS),
    [PXR_WORK_DOT_WIDE] = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, NEAREST_STREAM),
    [PXR_WORK_ONE]      = WAYS(PLAIN, PLAIN, DOWNWARDS, DOWNWARDS, DOWNWARDS),
    [PXR_WORK_ONE_WIDE] = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, NEAREST_STREAM),
    [PXR_WORK_P]        = WAYS(PLAIN, PLAIN, DOWNWARDS, DOWNWARDS, PLAIN),
    [PXR_WORK_P_WIDE]   = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, NEAREST_STREAM),
    [PXR_WORK_PQ]       = WAYS(PLAIN, PLAIN, DOWNWARDS, DOWNWARDS, FAR_AHEAD),
    [PXR_WORK_PQ_WIDE]  = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, NEAREST_STREAM),
    [PXR_WORK_UPDATE]   = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, AHEAD(4, 0)),
    [PXR_WORK_STRUCTURED] = WAYS(PLAIN, PLAIN, PLAIN, PLAIN, AHEAD(8, 0)),
    [PXR_WORK_STRUCTURED_WIDE] = MANY_STREAMS(PLAIN, PLAIN),
    [PXR_WORK_STEPS] = STEPS_AHEAD,
};

/* clang-format on */

/* ------------------------------------------------------------- families -- */

#define UNMEASURED "not measured, so cautious values"
#define PREDICTED "not measured; values that helped servers of another architecture"

const struct pxr_family pxr_families[] = {
    {
        .name = "intel_granite",
        .evidence = "measured on a Granite Rapids Xeon",
        .has = is_intel_granite,
        .own_most = KIB(1280), /* of 2 MiB (doc/machine-measured.md) */
        .shared_most = MIB(5),
        .ahead_from = KIB(9),
        .wide_from = 20,
        .few_sources = 5,
        .look_from = KIB(48),
        .look_outputs = KIB(8),
        .far_ticks = 330,
        .way = intel_granite,
    },
    {
        .name = "intel_server",
        .evidence = "measured on an Emerald Rapids Xeon",
        .has = is_intel_server,
        .own_most = MIB(2),
        .shared_most = MIB(5), /* Emerald Rapids models with the largest share */
        .ahead_from = 1024,
        .wide_from = 33,
        .look_from = KIB(192),
        .look_outputs = KIB(5),
        .far_ticks = 260,
        .way = intel_server,
    },
    {
        .name = "intel_server_older",
        .evidence = "measured on an Emerald Rapids Xeon, not on this family",
        .has = is_intel_server_older,
        .own_most = KIB(1280), /* Ice Lake; earlier ones have 1 MiB */
        .shared_most = MIB(2),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = intel_server,
    },
    {
        .name = "amd_zen5",
        .evidence = "measured on an EPYC with Zen 5",
        .has = is_amd_zen5,
        .own_most = MIB(1),
        .shared_most = MIB(12),
        .shared_by = 8,
        .ahead_from = 1024,
        .wide_from = 32,
        .look_from = KIB(48),
        .far_ticks = 150,
        .way = amd_zen5,
    },
    {
        .name = "amd_zen4",
        .evidence = "measured on an EPYC with Zen 4",
        .has = is_amd_zen4,
        .own_most = MIB(1),
        .shared_most = MIB(12), /* with the stacked cache */
        .shared_by = 8,
        .ahead_from = 1024,
        .wide_from = 17,
        .far_wide_from = 10,
        .crowd_from = 12,
        .groups_from = MIB(12),
        .look_from = KIB(32),
        .look_outputs = KIB(4),
        .far_ticks = 300,
        .way = amd_zen4,
    },
    {
        .name = "amd_zen3",
        .evidence = "measured on an EPYC with Zen 3",
        .has = is_amd_zen3,
        .own_most = KIB(512),
        .shared_most = MIB(12), /* with the stacked cache */
        .shared_by = 8,
        .ahead_from = 1024,
        .wide_from = 17,
        .groups_from = MIB(12),
        .look_from = KIB(32),
        .far_ticks = 300,
        .way = amd_zen3,
    },
    {
        .name = "amd_older",
        .evidence = UNMEASURED,
        .has = is_amd,
        .own_most = KIB(512), /* Zen and Zen 2 */
        .shared_most = MIB(12),
        .shared_by = 4,
        .ahead_from = 1024,
        .wide_from = 33,
        .way = cautious,
    },
    {
        .name = "intel_atom",
        .evidence = UNMEASURED,
        .has = is_intel_atom,
        .own_most = MIB(1), /* a quarter of the cache of a cluster */
        .shared_most = MIB(2),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = cautious,
    },
    {
        .name = "intel_client",
        .evidence = UNMEASURED,
        .has = is_intel,
        .own_most = MIB(3), /* Lion Cove */
        .shared_most = MIB(4),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = cautious,
    },
    {
        .name = "arm64",
        .evidence = PREDICTED,
        .has = is_arm64,
        .own_most = MIB(2),
        .shared_most = MIB(4),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = sources_ahead,
    },
    {
        .name = "power",
        .evidence = PREDICTED,
        .has = is_power,
        .own_most = MIB(2),
        .shared_most = MIB(10), /* POWER9 */
        .ahead_from = 1024,
        .wide_from = 33,
        .way = sources_ahead,
    },
    {
        .name = "riscv",
        .evidence = PREDICTED,
        .has = is_riscv,
        .own_most = MIB(2),
        .shared_most = MIB(4),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = sources_ahead,
    },
    {
        .name = "z",
        .evidence = PREDICTED,
        .has = is_z,
        .own_most = MIB(2), /* z13 has 2 MiB, its successors more */
        .shared_most = MIB(4),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = sources_ahead,
    },
    {
        .name = "loongson",
        .evidence = PREDICTED,
        .has = is_loongson,
        .own_most = MIB(2),
        .shared_most = MIB(4),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = sources_ahead,
    },
    {
        .name = "other",
        .evidence = UNMEASURED,
        .has = is_any,
        .own_most = MIB(2),
        .shared_most = MIB(4),
        .ahead_from = 1024,
        .wide_from = 33,
        .way = cautious,
    },
};

const struct pxr_family *pxr_family_of(const struct pxr_core *core)
{
    const struct pxr_family *family = pxr_families;
    while (!family->has(core))
        family++;
    return family;
}

/* --------------------------------------------------------------- record -- */

_Static_assert((int)PXR_SET_L1 == PXR_L1 && (int)PXR_SET_OWN == PXR_L2 &&
                   (int)PXR_SET_SHARED == PXR_L3,
               "a level's number is that of its setting");

/* Guesses for sizes that the system does not report: those of most cores in use. */
#define L1_GUESS KIB(32)
#define OWN_GUESS MIB(1)
#define SHARED_GUESS MIB(2)
/* No core has a larger data cache. */
#define L1_MOST KIB(256)

struct pxr_machine pxr_machine = {
    .l1_bytes = L1_GUESS,
    .own_bytes = OWN_GUESS,
    .shared_bytes = SHARED_GUESS,
    .piece_bytes = PXR_PIECE_OF(OWN_GUESS),
    .ahead_from = 1024,
    .wide_from = 33,
    .far_wide_from = 33,
    .crowd_from = PXR_NEVER,
    .look_from = PXR_NEVER,
    .look_outputs = PXR_NEVER,
    .way = CAUTIOUS,
};

/* Returns a core's share of a level: as reported, cut to the family's maximum, or guessed. */
static size_t share(struct pxr_record *record, const struct pxr_core *core, unsigned level,
                    unsigned cores_least, size_t most, size_t guess)
{
    const struct pxr_cache *cache = &core->cache[level];
    if (cache->bytes == 0)
        return guess < most ? guess : most;
    const size_t told =
        cache->bytes / (cache->cores > cores_least ? cache->cores : cores_least);
    record->origin[level] = (unsigned char)cache->origin;
    record->told[level] = told > most ? told : 0;
    return told > most ? most : told;
}

struct pxr_record pxr_record_of(const struct pxr_core *core)
{
    const struct pxr_family *family = pxr_family_of(core);
    const unsigned shared_by = core->guest && family->shared_by ? family->shared_by : 1;
    struct pxr_record record = {.family = family};
    size_t *value = record.value;

    value[PXR_SET_L1] = share(&record, core, PXR_L1, 1, L1_MOST, L1_GUESS);
    value[PXR_SET_OWN] = share(&record, core, PXR_L2, 1, family->own_most, OWN_GUESS);
    value[PXR_SET_SHARED] =
        share(&record, core, PXR_L3, shared_by, family->shared_most, SHARED_GUESS);
    if (value[PXR_SET_SHARED] < value[PXR_SET_OWN]) {
        value[PXR_SET_SHARED] = value[PXR_SET_OWN];
        record.origin[PXR_SET_SHARED] = record.origin[PXR_SET_OWN];
        record.told[PXR_L3] = 0;
    }
    memset(record.origin + PXR_LEVELS, PXR_ORIGIN_FAMILY, PXR_SETTINGS - PXR_LEVELS);
    value[PXR_SET_AHEAD_FROM] = family->ahead_from;
    value[PXR_SET_WIDE_FROM] = family->wide_from;
    value[PXR_SET_FAR_WIDE_FROM] =
        family->far_wide_from ? family->far_wide_from : family->wide_from;
    value[PXR_SET_FEW_SOURCES] = family->few_sources;
    value[PXR_SET_CROWD_FROM] = family->crowd_from ? family->crowd_from : PXR_NEVER;
    value[PXR_SET_PIECE] = PXR_PIECE_OF(value[PXR_SET_OWN]);
    value[PXR_SET_GROUPS_FROM] = family->groups_from;
    value[PXR_SET_LOOK_FROM] = core->clock && family->look_from ? family->look_from : PXR_NEVER;
    value[PXR_SET_LOOK_OUTPUTS] =
        core->clock && family->look_outputs ? family->look_outputs : PXR_NEVER;
    value[PXR_SET_FAR] = family->far_ticks;
    for (unsigned work = 0; work < PXR_WORKS; work++)
        for (unsigned place = 0; place < PXR_PLACES; place++)
            value[PXR_SET_WAY(work, place)] = family->way[work][place];
    return record;
}
