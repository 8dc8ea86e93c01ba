/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Identification of a machine: how the answers of CPUID, of sysfs and of the C library become
 * the caches and the family of the machine record.  Some of the answers are absurd.
 */
#include "config.h"

#include "check.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

/* ---------------------------------------------------------------- CPUID -- */

#ifdef __x86_64__
#include "../arch/x86_64/identify.h"

/* What a CPU answers to CPUID.  It answers zeros for a leaf that is not listed. */
struct answer {
    uint32_t leaf, subleaf;
    struct pxr_cpuid value;
};

#define MOST_ANSWERS 16
#define INTEL 0x756e6547, 0x6c65746e, 0x49656e69
#define AMD 0x68747541, 0x444d4163, 0x69746e65
#define HYGON 0x6f677948, 0x656e6975, 0x6e65476e
#define GUEST 0x80000000u
/* Registers EAX to EDX of a cache.  EAX has type, level and threads, EBX ways and the line of
   64 bytes, and ECX sets. */
#define CACHE(type, level, threads, ways, sets)                                            \
    {                                                                                      \
        (type) | (level) << 5 | ((threads)-1u) << 14, ((ways)-1u) << 22 | 63, (sets)-1u, 0 \
    }

static const struct processor {
    const char *title;
    struct answer answers[MOST_ANSWERS];
    const char *family;
    size_t l1, own, shared;
} processors[] = {
    {"Emerald Rapids, two threads a core, 64 cores",
     {{0, 0, {0x20, INTEL}},
      {1, 0, {0x000c06f2, 0, 0, 0}},
      {4, 0, CACHE(1, 1, 2, 12, 64)},
      {4, 1, CACHE(2, 1, 2, 8, 64)},
      {4, 2, CACHE(3, 2, 2, 16, 2048)},
      {4, 3, CACHE(3, 3, 128, 20, 262144)},
      {0xb, 0, {1, 2, 0x100, 0}}},
     "intel_server",
     KIB(48),
     MIB(2),
     MIB(5)},
    {"AMX with the model number of a client, 480 MiB for two virtual cores",
     {{0, 0, {0x24, INTEL}},
      {1, 0, {0x000a0671, 0, GUEST, 0}},
      {4, 0, CACHE(1, 1, 1, 12, 64)},
      {4, 1, CACHE(3, 2, 1, 16, 2048)},
      {4, 2, CACHE(3, 3, 2, 16, 491520)},
      {7, 0, {0, 1 << 16, 0, 1 << 24}}},
     "intel_server",
     KIB(48),
     MIB(2),
     MIB(5)},
    {"the same with an instruction of Granite Rapids",
     {{0, 0, {0x24, INTEL}},
      {1, 0, {0x000a0671, 0, GUEST, 0}},
      {4, 0, CACHE(1, 1, 1, 12, 64)},
      {4, 1, CACHE(3, 2, 1, 16, 2048)},
      {4, 2, CACHE(3, 3, 2, 16, 491520)},
      {7, 0, {1, 1 << 16, 0, 1 << 24}},
      {7, 1, {0, 0, 0, 1 << 14}}},
     "intel_granite",
     KIB(48),
     KIB(1280),
     MIB(5)},
    {"the caches that QEMU claims for a Skylake server: 4 MiB and 16 MiB",
     {{0, 0, {0xd, INTEL}},
      {1, 0, {0x00050654, 0, GUEST, 0}},
      {4, 0, CACHE(1, 1, 1, 8, 64)},
      {4, 1, CACHE(3, 2, 1, 16, 4096)},
      {4, 2, CACHE(3, 3, 1, 16, 16384)},
      {7, 0, {0, 1 << 16, 0, 0}}},
     "intel_server_older",
     KIB(32),
     KIB(1280),
     MIB(2)},
    {"QEMU's Icelake-Server, which has the model number of a Tremont",
     {{0, 0, {0xd, INTEL}}, {1, 0, {0x00080660, 0, GUEST, 0}}, {7, 0, {0, 1 << 16, 0, 0}}},
     "intel_server_older",
     KIB(32),
     MIB(1),
     MIB(2)},
    {"Tremont: a cluster of four cores shares the second level",
     {{0, 0, {0x1b, INTEL}},
      {1, 0, {0x00080665, 0, 0, 0}},
      {4, 0, CACHE(1, 1, 1, 8, 64)},
      {4, 1, CACHE(3, 2, 4, 18, 4096)},
      {4, 2, CACHE(3, 3, 32, 15, 16384)},
      {0xb, 0, {0, 1, 0x100, 0}}},
     "intel_atom",
     KIB(32),
     MIB(1),
     MIB(1)},
    {"a client with a second level of 3 MiB",
     {{0, 0, {0x20, INTEL}},
      {1, 0, {0x000c0662, 0, 0, 0}},
      {4, 0, CACHE(1, 1, 1, 12, 64)},
      {4, 1, CACHE(3, 2, 1, 12, 4096)},
      {4, 2, CACHE(3, 3, 16, 12, 49152)}},
     "intel_client",
     KIB(48),
     MIB(3),
     MIB(3)},
    {"an Intel CPU that has no leaf 4",
     {{0, 0, {2, INTEL}}, {1, 0, {0x00000695, 0, 0, 0}}},
     "intel_client",
     KIB(32),
     MIB(1),
     MIB(2)},
    {"Zen 4, two threads a core, eight cores",
     {{0, 0, {0x10, AMD}},
      {1, 0, {0x00a10f11, 0, 0, 0}},
      {0x80000000, 0, {0x80000028, 0, 0, 0}},
      {0x80000001, 0, {0, 0, 1 << 22, 0}},
      {0x8000001d, 0, CACHE(1, 1, 2, 8, 64)},
      {0x8000001d, 1, CACHE(2, 1, 2, 8, 64)},
      {0x8000001d, 2, CACHE(3, 2, 2, 8, 2048)},
      {0x8000001d, 3, CACHE(3, 3, 16, 16, 32768)},
      {0x8000001e, 0, {0, 1 << 8, 0, 0}}},
     "amd_zen4",
     KIB(32),
     MIB(1),
     MIB(4)},
    {"Zen 4 with a stacked cache",
     {{0, 0, {0x10, AMD}},
      {1, 0, {0x00a60f12, 0, 0, 0}},
      {0x80000000, 0, {0x80000028, 0, 0, 0}},
      {0x80000001, 0, {0, 0, 1 << 22, 0}},
      {0x8000001d, 0, CACHE(1, 1, 2, 8, 64)},
      {0x8000001d, 1, CACHE(3, 2, 2, 8, 2048)},
      {0x8000001d, 2, CACHE(3, 3, 16, 16, 98304)},
      {0x8000001e, 0, {0, 1 << 8, 0, 0}}},
     "amd_zen4",
     KIB(32),
     MIB(1),
     MIB(12)},
    {"Zen 5, a guest with one core: the last level still counts as shared",
     {{0, 0, {0x10, AMD}},
      {1, 0, {0x00b00f21, 0, GUEST, 0}},
      {0x80000000, 0, {0x80000028, 0, 0, 0}},
      {0x80000001, 0, {0, 0, 1 << 22, 0}},
      {0x8000001d, 0, CACHE(1, 1, 1, 12, 64)},
      {0x8000001d, 1, CACHE(3, 2, 1, 16, 1024)},
      {0x8000001d, 2, CACHE(3, 3, 1, 16, 32768)}},
     "amd_zen5",
     KIB(48),
     MIB(1),
     MIB(4)},
    {"Zen 3",
     {{0, 0, {0x10, AMD}},
      {1, 0, {0x00a00f11, 0, 0, 0}},
      {0x80000000, 0, {0x80000028, 0, 0, 0}},
      {0x80000001, 0, {0, 0, 1 << 22, 0}},
      {0x8000001d, 0, CACHE(1, 1, 1, 8, 64)},
      {0x8000001d, 1, CACHE(3, 2, 1, 8, 1024)},
      {0x8000001d, 2, CACHE(3, 3, 8, 16, 32768)}},
     "amd_zen3",
     KIB(32),
     KIB(512),
     MIB(4)},
    {"an AMD CPU without the leaf that lists caches",
     {{0, 0, {0xd, AMD}},
      {1, 0, {0x00600f12, 0, 0, 0}},
      {0x80000000, 0, {0x80000028, 0, 0, 0}},
      {0x8000001d, 0, CACHE(1, 1, 1, 8, 64)}},
     "amd_older",
     KIB(32),
     KIB(512),
     MIB(2)},
    {"Hygon",
     {{0, 0, {0xd, HYGON}}, {1, 0, {0x00900f12, 0, 0, 0}}},
     "amd_older",
     KIB(32),
     KIB(512),
     MIB(2)},
    {"an unknown maker", {{0, 0, {0, 0, 0, 0}}}, "other", KIB(32), MIB(1), MIB(2)},
    {"caches of no size, and of one byte",
     {{0, 0, {4, INTEL}},
      {1, 0, {0x000c06f2, 0, 0, 0}},
      {4, 0, {1 | 1 << 5, 0, 0, 0}},
      {4, 1, {3 | 2 << 5, 0, 0, 0}},
      {4, 2, {3 | 3 << 5, 0, 0, 0}}},
     "intel_server",
     KIB(32),
     MIB(1),
     MIB(2)},
    {"the largest numbers",
     {{0, 0, {0xffffffff, INTEL}},
      {1, 0, {0xffffffff, ~0u, ~0u, ~0u}},
      {4, 0, {0xffffc021, ~0u, 0xfff, ~0u}},
      {4, 1, {0xffffc043, ~0u, ~0u, ~0u}},
      {4, 2, {0xffffc063, ~0u, ~0u, ~0u}},
      {4, 3, {0xffffc0e3, ~0u, 0xfffff, ~0u}},
      {7, 0, {~0u, ~0u, ~0u, ~0u}},
      {0xb, 0, {~0u, ~0u, 0x1ff, ~0u}}},
     "intel_server",
     KIB(256),
     MIB(1),
     MIB(2)},
};

static const struct processor *asked;
static bool endless; /* leaf 4 answers with a cache for every subleaf */

static struct pxr_cpuid answer(uint32_t leaf, uint32_t subleaf)
{
    for (unsigned i = 0; i < MOST_ANSWERS; i++)
        if (asked->answers[i].leaf == leaf && asked->answers[i].subleaf == subleaf)
            return asked->answers[i].value;
    if (endless && leaf == 4)
        return (struct pxr_cpuid)CACHE(2, 1, 1, 8, 64);
    return (struct pxr_cpuid){0, 0, 0, 0};
}

static void check_record(const struct pxr_record *record, const char *family, size_t l1,
                         size_t own, size_t shared)
{
    CHECK_STR(record->family->name, family);
    CHECK_INT((long long)record->value[PXR_SET_L1], (long long)l1);
    CHECK_INT((long long)record->value[PXR_SET_OWN], (long long)own);
    CHECK_INT((long long)record->value[PXR_SET_SHARED], (long long)shared);
    CHECK_INT((long long)record->value[PXR_SET_PIECE], (long long)own / 2);
}

static void test_processors(void)
{
    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++) {
        struct pxr_core core;
        asked = &processors[i];
        if (!check_case("cpuid: %s", asked->title))
            continue;
        pxr_x86_identify(&core, answer);
        const struct pxr_record record = pxr_record_of(&core);
        check_record(&record, asked->family, asked->l1, asked->own, asked->shared);
    }
    if (check_case("cpuid: a list of caches without an end")) {
        struct pxr_core core;
        asked = &processors[0];
        endless = true;
        pxr_x86_identify(&core, answer);
        CHECK_INT((long long)core.cache[PXR_L2].bytes, (long long)MIB(2));
        endless = false;
    }
    if (check_case("cpuid: the origins of the values, and the sizes that CPUID reports")) {
        struct pxr_core core;
        asked = &processors[1];
        pxr_x86_identify(&core, answer);
        const struct pxr_record record = pxr_record_of(&core);
        CHECK_INT(record.origin[PXR_SET_L1], PXR_ORIGIN_CPUID_4);
        CHECK_INT(record.origin[PXR_SET_SHARED], PXR_ORIGIN_CPUID_4);
        CHECK_INT((long long)record.told[PXR_L3], (long long)MIB(240));
        CHECK_INT((long long)record.told[PXR_L2], 0);
        CHECK_INT(record.origin[PXR_SET_WAYS], PXR_ORIGIN_FAMILY);
    }
}
#else
static void test_processors(void)
{
    check_skip("cpuid", "this machine is not x86-64");
}
#endif

/* ---------------------------------------------------------------- sysfs -- */

static char folder[200];

static void make_folder(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_INT(mkdir(path, 0755), 0);
}

static void write_file(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void write_cache(unsigned index, const char *level, const char *type, const char *size,
                        const char *shared)
{
    char name[64];
    snprintf(name, sizeof name, "cache/index%u", index);
    make_folder(name);
    snprintf(name, sizeof name, "cache/index%u/level", index);
    write_file(name, level);
    snprintf(name, sizeof name, "cache/index%u/type", index);
    write_file(name, type);
    snprintf(name, sizeof name, "cache/index%u/size", index);
    write_file(name, size);
    snprintf(name, sizeof name, "cache/index%u/shared_cpu_list", index);
    write_file(name, shared);
}

static void begin_folder(void)
{
    const char *below = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/permxor-machine.XXXXXX",
             below != NULL && *below != '\0' ? below : "/tmp");
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        exit(2);
    }
    make_folder("cache");
    make_folder("topology");
}

static void end_folder(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_INT(system(command), 0);
}

static void check_cache(const struct pxr_core *core, unsigned level, size_t bytes,
                        unsigned cores)
{
    check_at("level %ld", level, 0, 0, 0);
    CHECK_INT((long long)core->cache[level].bytes, (long long)bytes);
    CHECK_INT(core->cache[level].cores, cores);
    CHECK_INT(core->cache[level].origin, PXR_ORIGIN_SYSFS);
}

static void test_sysfs(void)
{
    if (check_case("sysfs")) {
        struct pxr_core core = {.maker = PXR_MAKER_ARM64};
        begin_folder();
        write_file("topology/thread_siblings_list", "0,64\n");
        write_cache(0, "1\n", "Data\n", "64K\n", "0,64\n");
        write_cache(1, "1\n", "Instruction\n", "128K\n", "0,64\n");
        write_cache(2, "2\n", "Unified\n", "1024K\n", "0,64\n");
        write_cache(3, "3\n", "Unified\n", "32M\n", "0-15,64-79\n");
        pxr_core_ask_sysfs(&core, folder);
        check_cache(&core, PXR_L1, KIB(64), 1);
        check_cache(&core, PXR_L2, MIB(1), 1);
        check_cache(&core, PXR_L3, MIB(32), 16);
        const struct pxr_record record = pxr_record_of(&core);
        CHECK_INT((long long)record.value[PXR_SET_SHARED], (long long)MIB(2));
        end_folder();
    }
    if (check_case("sysfs does not replace what is already known")) {
        struct pxr_core core = {.cache[PXR_L1] = {KIB(48), 1, PXR_ORIGIN_CPUID_4}};
        begin_folder();
        write_cache(0, "1\n", "Data\n", "64K\n", "0\n");
        pxr_core_ask_sysfs(&core, folder);
        CHECK_INT((long long)core.cache[PXR_L1].bytes, (long long)KIB(48));
        CHECK_INT((long long)core.cache[PXR_L2].bytes, 0);
        end_folder();
    }
    if (check_case("sysfs: nonsense")) {
        struct pxr_core core = {.maker = PXR_MAKER_UNKNOWN};
        begin_folder();
        write_file("topology/thread_siblings_list", "3-1\n");
        write_cache(0, "1\n", "Data\n", "K\n", "0\n");
        write_cache(1, "2x\n", "Unified\n", "1024K\n", "0\n");
        write_cache(2, "2\n", "Unified\n", "99999999999999999999M\n", "0\n");
        write_cache(3, "0\n", "Unified\n", "1M\n", "0\n");
        write_cache(4, "3\n", "Unified\n", "8M\n", "0-99999999999,x\n");
        write_cache(5, "4\n", "Unified\n", "64M\n", "0\n");
        write_cache(6, "", "", "", "");
        pxr_core_ask_sysfs(&core, folder);
        CHECK_INT((long long)core.cache[PXR_L1].bytes, 0);
        CHECK_INT((long long)core.cache[PXR_L2].bytes, 0);
        check_cache(&core, PXR_L3, MIB(8), 1);
        end_folder();
    }
    if (check_case("sysfs: no such folder")) {
        struct pxr_core core = {.maker = PXR_MAKER_UNKNOWN};
        char path[512];
        memset(path, 'x', sizeof path - 1);
        path[sizeof path - 1] = '\0';
        pxr_core_ask_sysfs(&core, "/nonexistent");
        pxr_core_ask_sysfs(&core, path);
        for (unsigned level = 0; level < PXR_LEVELS; level++)
            CHECK_INT((long long)core.cache[level].bytes, 0);
    }
    if (check_case("the C library")) {
        struct pxr_core core = {.maker = PXR_MAKER_UNKNOWN};
        pxr_core_ask_sysconf(&core);
        const struct pxr_record record = pxr_record_of(&core);
        CHECK(record.value[PXR_SET_L1] >= KIB(4) && record.value[PXR_SET_L1] <= KIB(256));
        CHECK(record.value[PXR_SET_OWN] >= KIB(64) && record.value[PXR_SET_OWN] <= MIB(2));
        CHECK_INT((long long)core.cache[PXR_L3].bytes, 0);
    }
    if (check_case("this machine")) {
        const struct pxr_record record = pxr_record_of_this_machine();
        CHECK(record.value[PXR_SET_OWN] >= record.value[PXR_SET_L1]);
        CHECK(record.value[PXR_SET_SHARED] >= record.value[PXR_SET_OWN]);
    }
}

int main(int argc, char **argv)
{
    check_start("test_identify", argc, argv);
    test_processors();
    test_sysfs();
    return check_finish();
}
