/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine record: its rules, its values as text, how calls use them, and changes of the
 * record while calls run.
 */
#include "config.h"

#include "call.h"
#include "check.h"
#include "encode.h"
#include "judge.h"
#include "machine.h"
#include "permxor.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB(n) ((size_t)(n) << 20)

/* ---------------------------------------------------------------- rules -- */

static void test_rules(void)
{
    static const struct {
        struct pxr_core core;
        const char *family;
    } rules[] = {
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0x8f}, "intel_server"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0xad}, "intel_granite"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0xa7, .amx = true, .amx_fp16 = true},
         "intel_granite"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0xa7, .amx = true, .prefetchi = true},
         "intel_granite"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0xaf, .prefetchi = true},
         "intel_atom"},
        {{.maker = PXR_MAKER_INTEL, .family = 19, .model = 1, .amx = true}, "intel_server"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0x6a}, "intel_server_older"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0x86}, "intel_atom"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0xaf}, "intel_atom"},
        {{.maker = PXR_MAKER_INTEL, .family = 6, .model = 0xb7}, "intel_client"},
        {{.maker = PXR_MAKER_INTEL, .family = 15, .model = 0x8f}, "intel_client"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0x0f}, "amd_zen3"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0x10}, "amd_zen4"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0x1f}, "amd_zen4"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0x20}, "amd_zen3"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0x5f}, "amd_zen3"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0x60}, "amd_zen4"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0xaf}, "amd_zen4"},
        {{.maker = PXR_MAKER_AMD, .family = 25, .model = 0xb0}, "amd_older"},
        {{.maker = PXR_MAKER_AMD, .family = 26, .model = 0x44}, "amd_zen5"},
        {{.maker = PXR_MAKER_AMD, .family = 23, .model = 0x31}, "amd_older"},
        {{.maker = PXR_MAKER_HYGON, .family = 24, .model = 0}, "amd_older"},
        {{.maker = PXR_MAKER_ARM64}, "arm64"},
        {{.maker = PXR_MAKER_POWER}, "power"},
        {{.maker = PXR_MAKER_RISCV}, "riscv"},
        {{.maker = PXR_MAKER_Z}, "z"},
        {{.maker = PXR_MAKER_LOONGSON}, "loongson"},
        {{.maker = PXR_MAKER_UNKNOWN, .family = 6, .model = 0x8f, .amx = true}, "other"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (check_case("rules: maker %d, family %u, model %#x", (int)rules[i].core.maker,
                       rules[i].core.family, rules[i].core.model))
            CHECK_STR(pxr_family_of(&rules[i].core)->name, rules[i].family);
}

/* A family that looks where its shards are does so only if the machine has a clock. */
static void test_clock(void)
{
    struct pxr_core core = {.maker = PXR_MAKER_AMD, .family = 25, .model = 0x11};
    if (!check_case("rules: a family looks only where there is a clock"))
        return;
    CHECK_INT((long long)pxr_record_of(&core).value[PXR_SET_LOOK_FROM], PXR_NEVER);
    CHECK_INT((long long)pxr_record_of(&core).value[PXR_SET_LOOK_OUTPUTS], PXR_NEVER);
    core.clock = true;
    CHECK_INT((long long)pxr_record_of(&core).value[PXR_SET_LOOK_FROM], 32 << 10);
    CHECK_INT((long long)pxr_record_of(&core).value[PXR_SET_LOOK_OUTPUTS], 4 << 10);
    core.family = 23;
    CHECK_INT((long long)pxr_record_of(&core).value[PXR_SET_LOOK_FROM], PXR_NEVER);
    CHECK_INT((long long)pxr_record_of(&core).value[PXR_SET_LOOK_OUTPUTS], PXR_NEVER);
}

/* Writes a value as text and reads it back; returns false if the text is refused. */
static bool take(unsigned index, size_t value, struct pxr_settings *settings)
{
    char name[32], text[96], line[160];
    pxr_setting_name(index, name, sizeof name);
    pxr_setting_value(index, value, text, sizeof text);
    const int length = snprintf(line, sizeof line, "%s = %s", name, text);
    return pxr_settings_take(settings, line, (size_t)length);
}

/* Every value of a family can be written as text and read back. */
static void test_families(void)
{
    for (const struct pxr_family *family = pxr_families;; family++) {
        const bool last = strcmp(family->name, "other") == 0;
        if (check_case("family %s", family->name)) {
            CHECK(family->own_most > 0 && family->shared_most >= family->own_most);
            CHECK(family->evidence[0] != '\0' && strlen(family->evidence) < 100);
            for (unsigned work = 0; work < PXR_WORKS; work++)
                for (unsigned place = 0; place < PXR_PLACES; place++) {
                    struct pxr_settings settings = {.wanted = {false}};
                    const unsigned index = PXR_SET_WAY(work, place);
                    CHECK(take(index, family->way[work][place], &settings));
                    CHECK_INT((long long)settings.value[index], family->way[work][place]);
                    CHECK(work != PXR_WORK_UPDATE || !(family->way[work][place] & PXR_STREAM));
                }
        }
        if (last)
            return;
    }
}

/* ------------------------------------------------------------- settings -- */

static const struct {
    const char *line;
    unsigned index; /* PXR_SETTINGS if the line is malformed */
    size_t value;
} lines[] = {
    {"own = 2097152", PXR_SET_OWN, MIB(2)},
    {"own=2M", PXR_SET_OWN, MIB(2)},
    {"  own   =   2048K  ", PXR_SET_OWN, MIB(2)},
    {"l1 = 1024", PXR_SET_L1, 1024},
    {"shared = 1024M", PXR_SET_SHARED, MIB(1024)},
    {"ahead-from = 0", PXR_SET_AHEAD_FROM, 0},
    {"wide-from = 1", PXR_SET_WIDE_FROM, 1},
    {"few-sources = 4", PXR_SET_FEW_SOURCES, 4},
    {"crowd-from = 2", PXR_SET_CROWD_FROM, 2},
    {"far-wide-from = 10", PXR_SET_FAR_WIDE_FROM, 10},
    {"way one unaligned = sources 4", PXR_SET_WAY(PXR_WORK_ONE, PXR_PLACE_UNALIGNED),
     PXR_AHEAD_SOURCES(4)},
    {"look-from = 64K", PXR_SET_LOOK_FROM, 64 << 10},
    {"look-outputs = 12K", PXR_SET_LOOK_OUTPUTS, 12 << 10},
    {"far = 300", PXR_SET_FAR, 300},
    {"piece = 1K", PXR_SET_PIECE, 1024},
    {"way dot l1 = none", PXR_SET_WAY(PXR_WORK_DOT, PXR_PLACE_L1), 0},
    {"way dot-wide own=sources 8", PXR_SET_WAY(PXR_WORK_DOT_WIDE, PXR_PLACE_OWN),
     PXR_AHEAD_SOURCES(8)},
    {"way one-wide own = outputs 4", PXR_SET_WAY(PXR_WORK_ONE_WIDE, PXR_PLACE_OWN),
     PXR_AHEAD_OUTPUTS(4)},
    {"way p-wide short = downwards", PXR_SET_WAY(PXR_WORK_P_WIDE, PXR_PLACE_SHORT),
     PXR_DOWNWARDS},
    {"way p own = none", PXR_SET_WAY(PXR_WORK_P, PXR_PLACE_OWN), 0},
    {"way p memory = into-l2 sources 12", PXR_SET_WAY(PXR_WORK_P, PXR_PLACE_MEMORY),
     PXR_AHEAD_L2 | PXR_AHEAD_SOURCES(12)},
    {"way pq shared = stream outputs 4 sources 64", PXR_SET_WAY(PXR_WORK_PQ, PXR_PLACE_SHARED),
     PXR_STREAM | PXR_AHEAD_SOURCES(64) | PXR_AHEAD_OUTPUTS(4)},
    {"way  pq-wide  memory = by-matrix small-blocks",
     PXR_SET_WAY(PXR_WORK_PQ_WIDE, PXR_PLACE_MEMORY), PXR_BY_MATRIX | PXR_SMALL_BLOCKS},
    {"way update memory = sources 0", PXR_SET_WAY(PXR_WORK_UPDATE, PXR_PLACE_MEMORY), 0},
    {"", PXR_SETTINGS, 0},
    {"=", PXR_SETTINGS, 0},
    {"own", PXR_SETTINGS, 0},
    {"own =", PXR_SETTINGS, 0},
    {"own = ", PXR_SETTINGS, 0},
    {"own 2M", PXR_SETTINGS, 0},
    {"own = = 2M", PXR_SETTINGS, 0},
    {"own = 2M 2M", PXR_SETTINGS, 0},
    {"own = K", PXR_SETTINGS, 0},
    {"own = -1", PXR_SETTINGS, 0},
    {"own = 2m", PXR_SETTINGS, 0},
    {"own = 0x100000", PXR_SETTINGS, 0},
    {"own = 1.5M", PXR_SETTINGS, 0},
    {"own = 1023", PXR_SETTINGS, 0},
    {"own = 1025M", PXR_SETTINGS, 0},
    {"own = 1073741825", PXR_SETTINGS, 0},
    {"own = 99999999999999999999999999", PXR_SETTINGS, 0},
    {"own = 18014398509481985K", PXR_SETTINGS, 0},
    {"Own = 2M", PXR_SETTINGS, 0},
    {"owns = 2M", PXR_SETTINGS, 0},
    {"wide-from = 0", PXR_SETTINGS, 0},
    {"crowd-from = 1", PXR_SETTINGS, 0},
    {"far-wide-from = 0", PXR_SETTINGS, 0},
    {"look-from = 1025M", PXR_SETTINGS, 0},
    {"look-outputs = 1025M", PXR_SETTINGS, 0},
    {"look-outputs = 0", PXR_SETTINGS, 0},
    {"far = 1025M", PXR_SETTINGS, 0},
    {"threads = 4", PXR_SETTINGS, 0},
    {"kernels = base", PXR_SETTINGS, 0},
    {"way", PXR_SETTINGS, 0},
    {"way dot", PXR_SETTINGS, 0},
    {"way dot own", PXR_SETTINGS, 0},
    {"way dot own =", PXR_SETTINGS, 0},
    {"way dot own = ", PXR_SETTINGS, 0},
    {"way dot l2 = none", PXR_SETTINGS, 0},
    {"way wide own = none", PXR_SETTINGS, 0},
    {"way dot own = none stream", PXR_SETTINGS, 0},
    {"way dot own = stream none", PXR_SETTINGS, 0},
    {"way dot own = stream stream", PXR_SETTINGS, 0},
    {"way dot own = sources", PXR_SETTINGS, 0},
    {"way dot own = sources 65", PXR_SETTINGS, 0},
    {"way dot own = sources x", PXR_SETTINGS, 0},
    {"way dot own = sources 4 sources 4", PXR_SETTINGS, 0},
    {"way dot own = 4", PXR_SETTINGS, 0},
    {"way dot own = fast", PXR_SETTINGS, 0},
    {"# comment", PXR_SETTINGS, 0},
};

/* The line ends at a guard page, so reading beyond it would crash. */
static void test_lines(void)
{
    struct check_guard guard = check_guard_new(256);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct pxr_settings settings = {.wanted = {false}};
        if (!check_case("setting '%s'", lines[i].line))
            continue;
        const size_t length = strlen(lines[i].line);
        char *line = (char *)check_to_end(&guard, length, 0);
        memcpy(line, lines[i].line, length);
        const bool good = lines[i].index < PXR_SETTINGS;
        CHECK_INT(pxr_settings_take(&settings, line, length), good);
        for (unsigned index = 0; index < PXR_SETTINGS; index++)
            CHECK_INT(settings.wanted[index], index == lines[i].index);
        if (good) {
            CHECK_INT((long long)settings.value[lines[i].index], (long long)lines[i].value);
            CHECK(!pxr_settings_take(&settings, line, length));
        }
    }
    check_guard_free(&guard);
}

/* A value is read as it was written, for all settings and ways. */
static void test_round_trip(void)
{
    enum {
        EVERY = PXR_STREAM | PXR_BY_MATRIX | PXR_SMALL_BLOCKS | PXR_DOWNWARDS | PXR_AHEAD_L2
    };
    _Static_assert(PXR_MOST_OF_GROUP == 16, "the numbers below reach it");
    static const size_t flags[] = {
        0, PXR_STREAM, PXR_BY_MATRIX, PXR_SMALL_BLOCKS, PXR_DOWNWARDS, PXR_AHEAD_L2, EVERY};
    if (!check_case("settings: written and read"))
        return;
    for (unsigned index = 0; index < PXR_SETTINGS; index++)
        for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
            for (unsigned ahead = 0; ahead <= 64; ahead += 4) {
                struct pxr_settings settings = {.wanted = {false}};
                const size_t value = index < PXR_SET_WAYS
                                         ? 1024 + ahead
                                         : flags[i] | PXR_AHEAD_SOURCES(ahead) |
                                               PXR_AHEAD_OUTPUTS(64 - ahead) |
                                               PXR_IN_GROUPS(ahead / 4);
                check_at("setting %ld, flags %ld, %ld lines", index, (long)flags[i], ahead, 0);
                CHECK(take(index, value, &settings));
                CHECK_INT((long long)settings.value[index], (long long)value);
            }
    struct pxr_tune_setting room;
    for (unsigned index = 0; index < PXR_SETTINGS; index++) {
        char name[64], value[128];
        pxr_setting_name(index, name, sizeof name);
        pxr_setting_value(index, index < PXR_SET_WAYS ? 1 << 30 : 0x30404000 | 0xe1, value,
                          sizeof value);
        CHECK(strlen(name) < sizeof room.name && strlen(value) < sizeof room.value);
    }
}

/* --------------------------------------------------------------- places -- */

/* Each place has its own prefetch distance.  Shards of less than 8 KiB are short. */
static void test_places(void)
{
    static const struct {
        size_t len;
        unsigned sources, outputs, lines; /* 0: the call has no way */
    } calls[] = {
        {1023, 200, 4, 0},   {1024, 2, 2, 1},     {4096, 2, 2, 1},   {4097, 2, 2, 2},
        {8191, 60, 4, 2},    {8192, 2, 2, 3},     {65536, 2, 2, 3},  {65537, 2, 2, 4},
        {262144, 2, 2, 4},   {262145, 2, 2, 5},   {8192, 99, 5, 9},  {4096, 99, 5, 2},
        {SIZE_MAX, 2, 2, 5}, {SIZE_MAX, 1, 0, 5}, {65536, 29, 3, 5}, {65536, 30, 2, 10},
    };
    if (!check_case("places of calls"))
        return;
    CHECK_INT(pxr_tune_apply("l1 = 16K\nown = 256K\nshared = 1M\nahead-from = 8192\n"
                             "look-from = 1024M\nwide-from = 99\nfar-wide-from = 30\n"
                             "way dot l1 = sources 1\nway dot-wide memory = sources 10\n"
                             "way dot short = sources 2\nway dot-wide short = sources 2\n"
                             "way dot own = sources 3\nway dot shared = sources 4\n"
                             "way dot memory = sources 5\nway dot-wide shared = sources 9\n"),
              PXR_OK);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        check_at("len %ld, %ld + %ld", (long)calls[i].len, calls[i].sources, calls[i].outputs,
                 0);
        const enum pxr_place place =
            pxr_place(calls[i].len, (size_t)calls[i].sources + calls[i].outputs, PXR_UNSEEN);
        CHECK_INT(PXR_SOURCE_LINES(pxr_way(PXR_WORK_DOT, place, calls[i].sources)),
                  calls[i].lines);
    }
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

/* Calls that touch little look if their outputs are large enough, whatever L1 holds.  No call
   looks if look-from says so. */
static void test_look_outputs(struct pxr_sources both)
{
    CHECK_INT(pxr_tune_apply("l1 = 16K\nown = 256K\nahead-from = 1K\nlook-from = 48K\n"
                             "look-outputs = 4K\nfar = 0\n"),
              PXR_OK);
    CHECK_INT(pxr_place(4095, 3, both), PXR_PLACE_L1);
    CHECK_INT(pxr_place(4096, 3, both), PXR_PLACE_MEMORY);
    both.written = 2;
    CHECK_INT(pxr_place(2048, 4, both), PXR_PLACE_MEMORY);
    both.written = 0;
    CHECK_INT(pxr_place(4096, 4, both), PXR_PLACE_L1);
    both.written = 1;
    CHECK_INT(pxr_place(4096, 3, PXR_UNSEEN), PXR_PLACE_L1);
    CHECK_INT(pxr_tune_apply("l1 = 16K\nown = 1024M\nshared = 1024M\nlook-from = 1024M\n"
                             "look-outputs = 4K\nfar = 0\n"),
              PXR_OK);
    CHECK_INT(pxr_place(4096, 3, both), PXR_PLACE_L1);
    CHECK_INT(pxr_place((size_t)1 << 30, 1, both), PXR_PLACE_OWN);
}

/* The longest of the calls that are brief with few shards look until they have found near
   shards often enough, and then now and then.  After far shards, each of them looks again. */
static void test_look_of_few(struct pxr_sources both)
{
    enum { CALLS = 256, LOOKS = PXR_PROVEN + (CALLS - PXR_PROVEN) / PXR_ONE_IN };
    const struct pxr_kernels set = {.form = PXR_MATRICES};
    unsigned looks = 0;
    both.written = 2;
#define RECORD "l1 = 48K\nown = 256K\nahead-from = 1K\nlook-from = 48K\nlook-outputs = 8K\n"
    CHECK_INT(pxr_tune_apply(RECORD "far = 1024M\n"), PXR_OK);
    CHECK(pxr_is_brief(&set, 4095, 4, 2));
    CHECK(pxr_is_brief(&set, 4096, 4, 1));
    for (unsigned call = 0; call < CALLS; call++)
        if (!pxr_is_brief(&set, 4096, 4, 2)) {
            CHECK_INT(pxr_place(4096, 6, both), PXR_PLACE_L1);
            looks++;
        }
    CHECK_INT(looks, LOOKS);
    CHECK_INT(pxr_tune_apply(RECORD "far = 0\n"), PXR_OK);
#undef RECORD
    CHECK(!pxr_is_brief(&set, 4096, 4, 2));
    CHECK_INT(pxr_place(4096, 6, both), PXR_PLACE_MEMORY);
    CHECK(!pxr_is_brief(&set, 4096, 4, 2));
    CHECK_INT(pxr_tune_apply("look-outputs = 12K\n"), PXR_OK);
    CHECK(pxr_is_brief(&set, 4096, 4, 2));
}

/* In the core's own cache, sources that do not begin at a line have a place of their own. */
static void test_unaligned(void)
{
    static _Alignas(64) uint8_t block[64];
    const uint8_t *src[2] = {block, block};
    const struct pxr_sources both = {src, 2, 1};
    if (!check_case("sources that do not begin at a line"))
        return;
    CHECK_INT(pxr_tune_apply("l1 = 16K\nown = 256K\nshared = 1M\nahead-from = 1K\n"
                             "look-from = 1024M\n"),
              PXR_OK);
    CHECK_INT(pxr_place(16 << 10, 3, both), PXR_PLACE_OWN);
    src[0] = block + 1;
    CHECK_INT(pxr_place(16 << 10, 3, both), PXR_PLACE_UNALIGNED);
    CHECK_INT(pxr_place(5 << 10, 3, both), PXR_PLACE_L1);
    CHECK_INT(pxr_place(128 << 10, 3, both), PXR_PLACE_SHARED);
    CHECK_INT(pxr_place(16 << 10, 3, PXR_UNSEEN), PXR_PLACE_OWN);
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

static void test_few_sources(void)
{
    if (!check_case("calls of few sources"))
        return;
    CHECK_INT(pxr_tune_apply("few-sources = 4\n"), PXR_OK);
    CHECK_INT(pxr_dot_work(4, 6), PXR_WORK_ONE);
    CHECK_INT(pxr_dot_work(5, 2), PXR_WORK_DOT);
    CHECK_INT(pxr_tune_apply("few-sources = 0\n"), PXR_OK);
    CHECK_INT(pxr_dot_work(1, 2), PXR_WORK_DOT);
    CHECK_INT(pxr_dot_work(200, 1), PXR_WORK_ONE);
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

/* Short shards that were looked at have their place only if they are far. */
static void test_short_shards(struct pxr_sources both)
{
#define RECORD "l1 = 16K\nown = 128K\nahead-from = 9K\nlook-from = 48K\nlook-outputs = 1024M\n"
    static const char *const records[2] = {RECORD "far = 1024M\n", RECORD "far = 0\n"};
#undef RECORD
    for (unsigned far = 0; far < 2; far++) {
        CHECK_INT(pxr_tune_apply(records[far]), PXR_OK);
        CHECK_INT(pxr_place(8192, 6, both), far ? PXR_PLACE_SHORT : PXR_PLACE_OWN);
        CHECK_INT(pxr_place(9216, 6, both), far ? PXR_PLACE_MEMORY : PXR_PLACE_OWN);
        CHECK_INT(pxr_place(8192, 5, both), PXR_PLACE_SHORT); /* too small to look */
        CHECK_INT(pxr_place(8192, 2, both), PXR_PLACE_L1);
    }
}

/* With far = 0 every shard counts as far, and with far = 1024M none does. */
static void test_look(void)
{
    enum { LEN = 64 << 10, BLOCKS = 3 };
    static _Alignas(64) uint8_t block[2][LEN];
    static const uint8_t *const src[2] = {block[0], block[1]};
    const struct pxr_sources both = {src, 2, 1};
    if (!check_case("calls that look where their shards are"))
        return;
    CHECK_INT(pxr_tune_apply("l1 = 16K\nown = 256K\nshared = 1M\nahead-from = 4K\n"
                             "look-from = 48K\nlook-outputs = 1024M\nfar = 0\n"),
              PXR_OK);
    CHECK_INT(pxr_place(1023, 99, both), PXR_NO_PLACE);
    CHECK_INT(pxr_place(4096, 4, both), PXR_PLACE_L1);
    CHECK_INT(pxr_place(4095, 99, both), PXR_PLACE_SHORT);
    CHECK_INT(pxr_place(15 << 10, BLOCKS, both), PXR_PLACE_OWN);
    CHECK_INT(pxr_place(LEN, BLOCKS, PXR_UNSEEN), PXR_PLACE_OWN);
    if (PXR_HAS_CLOCK) {
        CHECK_INT(pxr_place(LEN, BLOCKS, both), PXR_PLACE_MEMORY);
        CHECK_INT(pxr_tune_apply("l1 = 16K\nown = 128K\nlook-from = 48K\nfar = 1024M\n"),
                  PXR_OK);
        CHECK_INT(pxr_place(LEN / 2, BLOCKS, both), PXR_PLACE_OWN);
        CHECK_INT(pxr_place(LEN, BLOCKS, both), PXR_PLACE_SHARED);
        CHECK_INT(pxr_place(LEN, 1 << 10, both), PXR_PLACE_SHARED);
        test_short_shards(both);
        test_look_outputs(both);
        test_look_of_few(both);
    } else {
        check_skip("a look", "this machine has no clock");
    }
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

/* Sources that begin at the same place of their pages crowd L1, if there are enough of them. */
static void test_crowded(void)
{
    enum { PAGE = 4096, K = 12 };
    static uint8_t block[K * (PAGE + 64)] __attribute__((aligned(PAGE)));
    static const struct {
        size_t step; /* from one source to the next */
        unsigned k;
        bool crowded;
    } calls[] = {
        {PAGE, K, true},       {PAGE, K - 1, false}, {PAGE + 63, K, false},
        {PAGE + 64, K, false}, {0, K, true},         {PAGE, 0, false},
    };
    if (!check_case("sources that crowd L1"))
        return;
    CHECK_INT(pxr_tune_apply("crowd-from = 12\n"), PXR_OK);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const uint8_t *src[K];
        check_at("call %ld", (long)i, 0, 0, 0);
        for (unsigned j = 0; j < K; j++)
            src[j] = block + j * calls[i].step;
        CHECK(pxr_is_crowded((struct pxr_sources){src, calls[i].k, 1}) == calls[i].crowded);
    }
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

/* Applies a record in which shards of any age are near, or far. */
static void apply_far(bool far)
{
    static const char sizes[] = "l1 = 16K\nown = 256K\nlook-from = 48K\nlook-outputs = 1024M\n";
    char record[sizeof sizes + 16];
    snprintf(record, sizeof record, "%sfar = %s\n", sizes, far ? "0" : "1024M");
    CHECK_INT(pxr_tune_apply(record), PXR_OK);
}

/* Returns how many calls of this size in a row, at most `most`, take their shards to be near.
 */
static unsigned count_near(size_t len, unsigned most)
{
    static _Alignas(64) uint8_t block[128 << 10];
    static const uint8_t *const src[] = {block, block};
    unsigned n = 0;
    while (n < most && pxr_place(len, 3, (struct pxr_sources){src, 2, 0}) != PXR_PLACE_MEMORY)
        n++;
    return n;
}

/* After 64 calls with near shards, one call in 16 looks.  After a far one all calls do. */
static void test_trust(void)
{
    /* How many calls have near shards, and how many more take far ones to be near. */
    static const struct {
        unsigned near, then;
    } runs[] = {{0, 0}, {1, 0}, {63, 0}, {64, 0}, {65, 15}, {79, 1}, {80, 0}, {81, 15}};
    const size_t len = 40 << 10;
    if (!PXR_HAS_CLOCK) {
        check_skip("calls that trust earlier looks", "this machine has no clock");
        return;
    }
    if (!check_case("calls that trust earlier looks"))
        return;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        check_at("run %ld", (long)i, 0, 0, 0);
        apply_far(false);
        CHECK_INT(count_near(len, runs[i].near), runs[i].near);
        apply_far(true);
        CHECK_INT(count_near(len, 100), runs[i].then);
        CHECK_INT(count_near(len, 100), 0);
    }
    check_at("another size", 0, 0, 0, 0);
    apply_far(false);
    CHECK_INT(count_near(len, 65), 65);
    apply_far(true);
    CHECK_INT(count_near(len + 1, 100), 0);
    check_at("more than own", 0, 0, 0, 0);
    apply_far(false);
    CHECK_INT(count_near(128 << 10, 65), 65);
    apply_far(true);
    CHECK_INT(count_near(128 << 10, 100), 0);
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

/* --------------------------------------------------------------- public -- */

static void read_all(struct pxr_tune_setting rows[PXR_SETTINGS])
{
    for (unsigned i = 0; i < PXR_SETTINGS; i++)
        CHECK_INT(pxr_tune_setting(i, &rows[i], sizeof rows[i]), PXR_OK);
}

static const char *value_of(const char *name)
{
    static struct pxr_tune_setting row;
    for (unsigned i = 0; pxr_tune_setting(i, &row, sizeof row) == PXR_OK; i++)
        if (strcmp(row.name, name) == 0)
            return row.value;
    return "";
}

static void test_apply(void)
{
    struct pxr_tune_setting before[PXR_SETTINGS], after[PXR_SETTINGS];
    if (check_case("pxr_tune_setting: bounds")) {
        CHECK_INT(pxr_tune_setting(PXR_SETTINGS, &before[0], sizeof before[0]), PXR_EINVAL);
        CHECK_INT(pxr_tune_setting(~0u, &before[0], sizeof before[0]), PXR_EINVAL);
        CHECK_INT(pxr_tune_setting(0, NULL, 0), PXR_EINVAL);
    }
    if (check_case("pxr_tune_apply: settings are applied and taken back")) {
        read_all(before);
        CHECK_INT(
            pxr_tune_apply("# a comment\n\nown = 1M\n   \nway dot own = by-matrix sources 2"),
            PXR_OK);
        CHECK_STR(value_of("own"), "1048576");
        CHECK_STR(value_of("piece"), "524288");
        CHECK_STR(value_of("way dot own"), "sources 2 by-matrix");
        CHECK_INT((long long)PXR_MACHINE(own_bytes), (long long)MIB(1));
        CHECK_INT(PXR_MACHINE(way[PXR_WORK_DOT][PXR_PLACE_OWN]),
                  PXR_BY_MATRIX | PXR_AHEAD_SOURCES(2));
        CHECK_INT(pxr_tune_setting(PXR_SET_OWN, &after[0], sizeof after[0]), PXR_OK);
        CHECK_STR(after[0].reason, "pxr_tune_apply()");
        CHECK_INT(pxr_tune_apply("l1 = 16K\n"), PXR_OK); /* without the last settings */
        CHECK_STR(value_of("way dot own"), before[PXR_SET_WAY(0, PXR_PLACE_OWN)].value);
        CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
        read_all(after);
        for (unsigned i = 0; i < PXR_SETTINGS; i++) {
            CHECK_STR(after[i].value, before[i].value);
            CHECK_STR(after[i].reason, before[i].reason);
        }
    }
    if (check_case("pxr_tune_apply: a wrong line changes nothing")) {
        CHECK_INT(pxr_tune_apply("own = 256K\n"), PXR_OK);
        CHECK_INT(pxr_tune_apply("own = 512K\nnonsense\n"), PXR_EINVAL);
        CHECK_INT(pxr_tune_apply("own = 512K\nown = 512K\n"), PXR_EINVAL);
        CHECK_INT(pxr_tune_apply("own = 512K\tx\n"), PXR_EINVAL);
        CHECK_STR(value_of("own"), "262144");
        CHECK_INT(pxr_tune_apply(""), PXR_OK);
    }
    if (check_case("pxr_kernel_select(NULL) takes settings back")) {
        CHECK_INT(pxr_tune_apply("own = 256K\n"), PXR_OK);
        CHECK_INT(pxr_kernel_select("base"), PXR_OK);
        CHECK_STR(value_of("own"), "262144");
        CHECK_INT(pxr_kernel_select(NULL), PXR_OK);
        read_all(after);
        for (unsigned i = 0; i < PXR_SETTINGS; i++)
            CHECK_STR(after[i].value, before[i].value);
    }
}

/* -------------------------------------------------------------- threads -- */

#define THREADS 4
#define K 4
#define M 3
#define LEN 20000

static uint8_t data[K][LEN], expected[M][LEN];
static pxr_code *code;

static void *code_meanwhile(void *unused)
{
    intptr_t wrong = 0;
    uint8_t(*out)[LEN] = malloc(sizeof(uint8_t[M][LEN]));
    (void)unused;
    for (unsigned round = 0; out != NULL && round < check_effort(300); round++) {
        uint8_t *in[K];
        uint8_t *parity[M];
        const size_t len = round % 2 ? LEN : 1500;
        for (unsigned j = 0; j < K; j++)
            in[j] = data[j];
        for (unsigned r = 0; r < M; r++)
            parity[r] = out[r];
        wrong += pxr_encode(code, len, in, parity) != PXR_OK;
        for (unsigned r = 0; r < M; r++)
            wrong += memcmp(out[r], expected[r], len) != 0;
    }
    free(out);
    return (void *)wrong;
}

/* Applies ways that differ in all flags, and sizes that move a call from one place to
   another. */
static void *apply_meanwhile(void *unused)
{
    static const char *const texts[] = {
        NULL,
        "own = 1K\nl1 = 1K\nshared = 1K\nway dot memory = stream sources 3\n",
        "way dot l1 = sources 64 outputs 64 small-blocks\nway dot own = stream\n",
        "way structured l1 = by-matrix\nway structured own = sources 9 stream\n",
        "ahead-from = 0\nwide-from = 1\nway dot-wide own = sources 1 outputs 1\n",
    };
    intptr_t wrong = 0;
    struct pxr_tune_setting row;
    (void)unused;
    for (unsigned round = 0; round < check_effort(2000); round++) {
        wrong += pxr_tune_apply(texts[round % (sizeof texts / sizeof texts[0])]) != PXR_OK;
        wrong += pxr_tune_setting(round % PXR_SETTINGS, &row, sizeof row) != PXR_OK;
        if (round % 200 == 0)
            wrong += pxr_kernel_select(NULL) != PXR_OK;
    }
    return (void *)wrong;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    uint8_t *in[K];
    if (!check_case("the record changes while threads code"))
        return;
    check_fill(data, sizeof data);
    CHECK_INT(pxr_code_create(&code, K, M, PXR_ISAL_CAUCHY, NULL), PXR_OK);
    for (unsigned j = 0; j < K; j++)
        in[j] = data[j];
    for (unsigned r = 0; r < M; r++)
        judge_dot(LEN, K, pxr_code_coefficients(code) + K * r, pxr_read_only(in), expected[r]);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_INT(
            pthread_create(&threads[i], NULL, i % 2 ? apply_meanwhile : code_meanwhile, NULL),
            0);
    for (unsigned i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        CHECK_INT((intptr_t)wrong, 0);
    }
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_machine", argc, argv);
    judge_start();
    test_rules();
    test_clock();
    test_families();
    test_lines();
    test_round_trip();
    test_places();
    test_unaligned();
    test_few_sources();
    test_look();
    test_crowded();
    test_trust();
    test_apply();
    test_threads();
    return check_finish();
}
