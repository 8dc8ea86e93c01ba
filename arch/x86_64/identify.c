/* SPDX-License-Identifier: BSD-3-Clause */
#include "identify.h"

#include <cpuid.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define EXTENDED 0x80000000u
#define AMD_TOPOLOGY (1u << 22)  /* leaf 0x80000001, ecx: leaves 0x8000001d and 0x8000001e */
#define GUEST (1u << 31)         /* leaf 1, ecx: there is a hypervisor, which sets it */
#define HAS_AVX512F (1u << 16)   /* leaf 7, ebx */
#define HAS_AMX (1u << 24)       /* leaf 7, edx */
#define HAS_AMX_FP16 (1u << 21)  /* leaf 7, subleaf 1, eax */
#define HAS_PREFETCHI (1u << 14) /* the same, edx */

static enum pxr_maker maker(struct pxr_cpuid zero)
{
    static const struct {
        char text[13];
        enum pxr_maker maker;
    } makers[] = {{"GenuineIntel", PXR_MAKER_INTEL},
                  {"AuthenticAMD", PXR_MAKER_AMD},
                  {"HygonGenuine", PXR_MAKER_HYGON}};
    const uint32_t words[3] = {zero.ebx, zero.edx, zero.ecx};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (memcmp(words, makers[i].text, sizeof words) == 0)
            return makers[i].maker;
    return PXR_MAKER_UNKNOWN;
}

static void take_model(struct pxr_core *core, uint32_t signature)
{
    core->family = signature >> 8 & 0xf;
    core->model = signature >> 4 & 0xf;
    if (core->family == 0xf)
        core->family += signature >> 20 & 0xff;
    if (core->family == 6 || core->family >= 0xf)
        core->model += (signature >> 16 & 0xf) << 4;
}

/* Both makers' leaves of caches have one form.  The threads that share a cache are counted
   in numbers that there is room for, which may be more than there are. */
static void take_caches(struct pxr_core *core, pxr_cpuid_fn *cpuid, uint32_t leaf,
                        unsigned threads_per_core, enum pxr_origin origin)
{
    enum { NONE, DATA, INSTRUCTIONS, UNIFIED };
    for (uint32_t index = 0; index < 8; index++) {
        const struct pxr_cpuid c = cpuid(leaf, index);
        const unsigned type = c.eax & 0x1f, level = c.eax >> 5 & 7;
        const size_t lines = ((c.ebx >> 22) + 1) * (size_t)((c.ebx >> 12 & 0x3ff) + 1);
        size_t bytes;
        if (type == NONE)
            return;
        if (type == INSTRUCTIONS || level == 0 ||
            __builtin_mul_overflow(lines * ((c.ebx & 0xfff) + 1), (size_t)c.ecx + 1, &bytes))
            continue;
        pxr_core_add(core, level - 1, bytes, (c.eax >> 14 & 0xfff) + 1, threads_per_core,
                     origin);
    }
}

/* Threads of a core: the level of x2APIC numbers of that kind, which is the first one. */
static unsigned threads_per_core(pxr_cpuid_fn *cpuid, uint32_t leaves)
{
    if (leaves < 0xb)
        return 1;
    const struct pxr_cpuid c = cpuid(0xb, 0);
    return (c.ecx >> 8 & 0xff) == 1 && (c.ebx & 0xffff) ? c.ebx & 0xffff : 1;
}

static void identify_intel(struct pxr_core *core, pxr_cpuid_fn *cpuid, uint32_t leaves)
{
    if (leaves >= 4)
        take_caches(core, cpuid, 4, threads_per_core(cpuid, leaves), PXR_ORIGIN_CPUID_4);
}

static void identify_amd(struct pxr_core *core, pxr_cpuid_fn *cpuid)
{
    if (cpuid(EXTENDED, 0).eax >= EXTENDED + 0x1e && cpuid(EXTENDED + 1, 0).ecx & AMD_TOPOLOGY)
        take_caches(core, cpuid, EXTENDED + 0x1d,
                    (cpuid(EXTENDED + 0x1e, 0).ebx >> 8 & 0xff) + 1, PXR_ORIGIN_CPUID_8000001D);
}

void pxr_x86_identify(struct pxr_core *core, pxr_cpuid_fn *cpuid)
{
    const struct pxr_cpuid zero = cpuid(0, 0);
    const uint32_t leaves = zero.eax;
    *core = (struct pxr_core){.maker = maker(zero)};
    if (leaves < 1)
        return;
    const struct pxr_cpuid one = cpuid(1, 0);
    take_model(core, one.eax);
    core->guest = one.ecx & GUEST;
    if (leaves >= 7) {
        const struct pxr_cpuid seven = cpuid(7, 0);
        core->avx512 = seven.ebx & HAS_AVX512F;
        core->amx = seven.edx & HAS_AMX;
        if (seven.eax >= 1) {
            const struct pxr_cpuid more = cpuid(7, 1);
            core->amx_fp16 = more.eax & HAS_AMX_FP16;
            core->prefetchi = more.edx & HAS_PREFETCHI;
        }
    }
    if (core->maker == PXR_MAKER_INTEL)
        identify_intel(core, cpuid, leaves);
    else if (core->maker == PXR_MAKER_AMD || core->maker == PXR_MAKER_HYGON)
        identify_amd(core, cpuid);
}

static struct pxr_cpuid ask(uint32_t leaf, uint32_t subleaf)
{
    struct pxr_cpuid c;
    __cpuid_count(leaf, subleaf, c.eax, c.ebx, c.ecx, c.edx);
    return c;
}

/* The system may have forbidden programs to read it; one that knows no such ban writes
   nothing. */
static bool may_read_clock(void)
{
#ifdef PR_GET_TSC
    int how = PR_TSC_ENABLE;
    (void)prctl(PR_GET_TSC, &how);
    return how == PR_TSC_ENABLE;
#else
    return true;
#endif
}

/* Reading it takes 20 to 40 ticks, and thousands where a hypervisor does it instead. */
static bool clock_is_quick(void)
{
    enum { TRIES = 8, QUICK = 250 };
    for (int i = 0; i < TRIES; i++) {
        const uint64_t began = __builtin_ia32_rdtsc();
        if (__builtin_ia32_rdtsc() - began < QUICK)
            return true;
    }
    return false;
}

void pxr_cpu_identify(struct pxr_core *core)
{
    pxr_x86_identify(core, ask);
    core->clock = may_read_clock() && clock_is_quick();
}
