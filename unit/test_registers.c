/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a kernel must not do to its caller's processor state, for every entry of every kernel
 * set, assembly and C alike.  By the x86-64 System V ABI a function preserves rbx, rbp, rsp and
 * r12..r15, and leaves the direction flag clear, the x87 stack empty (no MMX state) and MXCSR
 * unchanged.  It should also leave the upper parts of the vector registers zero (vzeroupper),
 * because the caller's SSE code otherwise pays for every mix of the two encodings.
 */
#include "check.h"
#include "kernels.h"
#include "packets.h"

#include <string.h>

#if defined(__x86_64__) && defined(__LP64__)

#include <cpuid.h>

#define GENERAL_REGISTERS 6
#define VECTOR_REGISTERS 16

/* The assembly below uses these offsets. */
struct probe {
    uint64_t function;                       /* 0 */
    uint64_t arguments[6];                   /* 8 */
    uint64_t given[GENERAL_REGISTERS];       /* 56: rbx rbp r12 r13 r14 r15 */
    uint64_t kept[GENERAL_REGISTERS];        /* 104 */
    uint64_t stack_given, stack_kept;        /* 152, 160 */
    uint64_t flags;                          /* 168 */
    uint32_t mxcsr_given, mxcsr_kept;        /* 176, 180 */
    uint32_t x87[7];                         /* 184: fnstenv */
    uint32_t level;                          /* 212: 0 SSE, 1 AVX, 2 AVX-512 registers exist */
    uint64_t in_use;                         /* 216: xgetbv(1), when has_in_use */
    uint64_t has_in_use;                     /* 224 */
    uint8_t ymm_upper[VECTOR_REGISTERS][16]; /* 232 */
    uint8_t zmm_upper[VECTOR_REGISTERS][32]; /* 488 */
    uint64_t result;                         /* 1000: rax */
};
_Static_assert(offsetof(struct probe, given) == 56, "known to the assembly");
_Static_assert(offsetof(struct probe, level) == 212, "known to the assembly");
_Static_assert(offsetof(struct probe, ymm_upper) == 232, "known to the assembly");
_Static_assert(offsetof(struct probe, zmm_upper) == 488, "known to the assembly");
_Static_assert(offsetof(struct probe, result) == 1000, "known to the assembly");

/*
 * Loads the registers, calls the function, and stores the registers.  The function may have
 * lost every register, so the address of the probe is then read from a variable.
 */
void unit_probe(struct probe *probe);
__asm__("    .text\n"
        "    .globl unit_probe\n"
        "    .type unit_probe, @function\n"
        "unit_probe:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    push %rbx\n"
        "    push %rbp\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    sub $8, %rsp\n"
        "    .cfi_def_cfa_offset 64\n"
        "    mov %rdi, unit_probe_now(%rip)\n"
        "    mov %rsp, 152(%rdi)\n"
        "    stmxcsr 176(%rdi)\n"
        "    cmpl $0, 212(%rdi)\n"
        "    je 1f\n"
        "    vzeroall\n"
        "1:  mov 56(%rdi), %rbx\n"
        "    mov 64(%rdi), %rbp\n"
        "    mov 72(%rdi), %r12\n"
        "    mov 80(%rdi), %r13\n"
        "    mov 88(%rdi), %r14\n"
        "    mov 96(%rdi), %r15\n"
        "    mov %rdi, %rax\n"
        "    mov 8(%rax), %rdi\n"
        "    mov 16(%rax), %rsi\n"
        "    mov 24(%rax), %rdx\n"
        "    mov 32(%rax), %rcx\n"
        "    mov 40(%rax), %r8\n"
        "    mov 48(%rax), %r9\n"
        "    mov (%rax), %r11\n"
        "    mov $-1, %rax\n"
        "    mov $-1, %r10\n"
        "    call *%r11\n"
        "    mov %rax, %r11\n"
        "    mov unit_probe_now(%rip), %rax\n"
        "    mov %r11, 1000(%rax)\n"
        "    mov %rbx, 104(%rax)\n"
        "    mov %rbp, 112(%rax)\n"
        "    mov %r12, 120(%rax)\n"
        "    mov %r13, 128(%rax)\n"
        "    mov %r14, 136(%rax)\n"
        "    mov %r15, 144(%rax)\n"
        "    mov %rsp, 160(%rax)\n"
        "    mov 152(%rax), %rsp\n"
        "    pushfq\n"
        "    popq 168(%rax)\n"
        "    cld\n"
        "    stmxcsr 180(%rax)\n"
        "    ldmxcsr 176(%rax)\n"
        "    fnstenv 184(%rax)\n"
        "    fninit\n"
        "    mov %rax, %rdi\n"
        "    cmpq $0, 224(%rdi)\n"
        "    je 2f\n"
        "    mov $1, %ecx\n"
        "    xgetbv\n"
        "    shl $32, %rdx\n"
        "    or %rdx, %rax\n"
        "    mov %rax, 216(%rdi)\n"
        "2:  cmpl $1, 212(%rdi)\n"
        "    jb 4f\n"
        "    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "    vextractf128 $1, %ymm\\n, 232+16*\\n(%rdi)\n"
        "    .endr\n"
        "    cmpl $2, 212(%rdi)\n"
        "    jb 3f\n"
        "    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "    vextracti64x4 $1, %zmm\\n, 488+32*\\n(%rdi)\n"
        "    .endr\n"
        "3:  vzeroupper\n"
        "4:  add $8, %rsp\n"
        "    .cfi_def_cfa_offset 56\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbp\n"
        "    pop %rbx\n"
        "    .cfi_def_cfa_offset 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        "    .size unit_probe, . - unit_probe\n"
        "    .local unit_probe_now\n"
        "    .comm unit_probe_now, 8, 8\n");

/* Bits of xgetbv(1).  One is set if this part of some register is not in its initial state. */
#define IN_USE_YMM_UPPER (1u << 2)
#define IN_USE_ZMM_UPPER (1u << 6)

/* Functions with known effects, to test the probe.  They leave upper parts of vector registers
   in use, do nothing, or change everything that a function has to preserve. */
void unit_dirty_ymm(void);
void unit_dirty_zmm(void);
void unit_clean(void);
void unit_lose_registers(void);
__asm__("    .text\n"
        "unit_dirty_ymm:\n"
        "    vcmpps $15, %ymm3, %ymm3, %ymm3\n"
        "    ret\n"
        "unit_dirty_zmm:\n"
        "    vpternlogd $255, %zmm15, %zmm15, %zmm15\n"
        "    ret\n"
        "unit_clean:\n"
        "    ret\n"
        "unit_lose_registers:\n"
        "    mov %rbx, %rax\n"
        "    not %rbx\n"
        "    not %rbp\n"
        "    not %r12\n"
        "    not %r13\n"
        "    not %r14\n"
        "    not %r15\n"
        "    std\n"
        "    movq %rbx, %mm0\n"
        "    movl $0x9fc0, -4(%rsp)\n"
        "    ldmxcsr -4(%rsp)\n"
        "    ret\n");

/* A function with 256-bit vectors, as the compiler makes it.  Compilers add vzeroupper by
   themselves, and some do so only from -O2 on. */
typedef uint64_t four_words __attribute__((vector_size(32)));
static four_words words = {1, 2, 3, 4};
__attribute__((target("avx2"), noinline)) static void compiled_with_ymm(void)
{
    __asm__ volatile("" : "+m"(words));
    words += words << 1;
}

static struct {
    uint32_t level;
    bool in_use_tells;    /* xgetbv(1) exists, and vzeroupper clears its bits */
    bool adds_vzeroupper; /* the compiler adds it, with the options of this build */
} machine;

/* Whether XGETBV takes ECX = 1: CPUID leaf 13, subleaf 1, EAX bit 2. */
static bool has_in_use(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(13, 1, &a, &b, &c, &d) && (a & 4) != 0;
}

typedef void any_fn(void);

/* `arguments` is six words, or NULL if the function takes none. */
static void call(struct probe *probe, any_fn *function, const uint64_t *arguments)
{
    memset(probe, 0x5A, sizeof *probe);
    probe->function = (uint64_t)(uintptr_t)function;
    if (arguments != NULL)
        memcpy(probe->arguments, arguments, sizeof probe->arguments);
    probe->level = machine.level;
    probe->has_in_use = machine.in_use_tells;
    for (unsigned i = 0; i < GENERAL_REGISTERS; i++)
        probe->given[i] = check_random();
    unit_probe(probe);
}

static bool all_zero(const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    while (len > 0 && *at == 0)
        at++, len--;
    return len == 0;
}

static bool upper_zero(const struct probe *probe)
{
    return (machine.level < 1 || all_zero(probe->ymm_upper, sizeof probe->ymm_upper)) &&
           (machine.level < 2 || all_zero(probe->zmm_upper, sizeof probe->zmm_upper));
}

static bool upper_in_use(const struct probe *probe)
{
    return machine.in_use_tells && (probe->in_use & (IN_USE_YMM_UPPER | IN_USE_ZMM_UPPER)) != 0;
}

/* fnstenv's third word is the tag word; two set bits mark an empty register. */
static bool x87_empty(const struct probe *probe)
{
    return (probe->x87[2] & 0xffff) == 0xffff;
}

static bool direction_clear(const struct probe *probe)
{
    return (probe->flags & 0x400) == 0;
}

static void look_at_machine(void)
{
    struct probe probe;
    __builtin_cpu_init();
    machine.level = __builtin_cpu_supports("avx512f") ? 2
                    : __builtin_cpu_supports("avx")   ? 1
                                                      : 0;
    machine.in_use_tells = machine.level > 0 && has_in_use();
    call(&probe, unit_clean, NULL);
    if (upper_in_use(&probe)) {
        machine.in_use_tells = false;
        check_skip("xgetbv in-use bits", "vzeroupper does not clear them here");
    }
    machine.adds_vzeroupper = true;
    if (__builtin_cpu_supports("avx2")) {
        call(&probe, compiled_with_ymm, NULL);
        machine.adds_vzeroupper = upper_zero(&probe);
    }
    if (!machine.adds_vzeroupper)
        check_skip("vzeroupper", "needs a compiler that adds it, as gcc does from -O2 on");
}

/* The probe must detect every violation that it looks for. */
static void test_probe(void)
{
    struct probe probe;
    if (!check_case("the probe itself"))
        return;
    call(&probe, unit_clean, NULL);
    CHECK(memcmp(probe.given, probe.kept, sizeof probe.given) == 0);
    CHECK(probe.stack_given == probe.stack_kept);
    CHECK(direction_clear(&probe) && x87_empty(&probe) && upper_zero(&probe));
    call(&probe, unit_lose_registers, NULL);
    for (unsigned i = 0; i < GENERAL_REGISTERS; i++)
        CHECK(probe.kept[i] == ~probe.given[i]);
    CHECK(probe.result == probe.given[0]);
    CHECK(!direction_clear(&probe) && !x87_empty(&probe));
    CHECK(probe.mxcsr_given != probe.mxcsr_kept);
    if (machine.level >= 1) {
        call(&probe, unit_dirty_ymm, NULL);
        CHECK(!upper_zero(&probe));
        CHECK(upper_in_use(&probe) || !machine.in_use_tells);
    }
    if (machine.level >= 2) {
        call(&probe, unit_dirty_zmm, NULL);
        CHECK(!upper_zero(&probe));
        CHECK(upper_in_use(&probe) || !machine.in_use_tells);
    }
}

/* ---------------------------------------------------------------- calls -- */

#define SOURCES 17
#define BYTES 8192
#define OUTPUTS (2 + PXR_MAX_ROWS)

static struct {
    uint8_t bytes[SOURCES][BYTES], tables[PXR_MAX_ROWS * SOURCES * PXR_TABLE];
    uint8_t out[OUTPUTS][BYTES], plain[OUTPUTS][BYTES];
    uint8_t old[BYTES], added[BYTES];
    const uint8_t *src[SOURCES];
    uint8_t *dst[2 * OUTPUTS], *plain_dst[2 * OUTPUTS];
} room;

static void make_room(void)
{
    check_fill(room.bytes, sizeof room.bytes);
    check_fill(room.tables, sizeof room.tables);
    check_fill(room.old, sizeof room.old);
    check_fill(room.added, sizeof room.added);
    for (unsigned j = 0; j < SOURCES; j++)
        room.src[j] = room.bytes[j];
}

/* One entry of a set.  One kind of function is set, and the others are NULL. */
struct entry {
    unsigned outputs;
    pxr_dot_fn *dot;
    pxr_plain_fn *plain;
    pxr_mad_fn *mad;
    pxr_plain_one_fn *plain_one;
    pxr_add_one_fn *add_one;
    pxr_check_fn *check;
    pxr_dot_fn *parity; /* computes what the check compares with */
    pxr_packets_fn *packets;
    pxr_adler_fn *adler;
    unsigned flags; /* that the entry takes */
};

static uint64_t address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* Sets up the outputs, and after them the buffers that are added to them. */
static void prepare_outputs(const struct entry *entry)
{
    memset(room.out, 0, sizeof room.out);
    memset(room.plain, 0, sizeof room.plain);
    for (unsigned r = 0; r < 2 * entry->outputs; r++) {
        room.dst[r] = r < entry->outputs ? room.out[r] : room.added;
        room.plain_dst[r] = r < entry->outputs ? room.plain[r] : room.added;
    }
}

/* A check reads its outputs.  Both calls find the right P and Q there, but with the last byte
   changed by `off`. */
static void prepare_parity(const struct entry *entry, size_t len, unsigned k, uint8_t off)
{
    entry->parity(len, k, NULL, room.src, room.dst, 0);
    if (len > 0)
        room.out[entry->outputs - 1][len - 1] ^= off;
    memcpy(room.plain, room.out, sizeof room.plain);
}

/* Each output is the xor of all k packets. */
static struct pxr_packet_rows matrix_of_ones(unsigned outputs, unsigned k)
{
    static uint64_t row[PXR_MAX_ROWS], forms[1024];
    const struct pxr_bits bits = {outputs, k, row};
    for (unsigned r = 0; r < outputs; r++)
        row[r] = (UINT64_C(1) << k) - 1;
    CHECK(pxr_packet_rows_bytes(&bits) <= sizeof forms);
    return pxr_packet_rows_make(&bits, forms);
}

/* Makes the same call directly and through the probe.  Returns the result of the direct call,
   or 0 if the function has none.  The upper halves of arguments of 32 bits are junk, because
   the ABI allows anything in that half of a register. */
static uint64_t call_both(struct probe *probe, const struct entry *entry, size_t len,
                          unsigned k, unsigned flags)
{
    const uint64_t junk = 0xA5A5A5A500000000u;
    const uint8_t *const old = flags & PXR_ACCUMULATE ? room.old : NULL;
    if (entry->dot != NULL) {
        entry->dot(len, k, room.tables, room.src, room.plain_dst, flags);
        call(probe, (any_fn *)entry->dot,
             (const uint64_t[6]){len, junk | k, address(room.tables), address(room.src),
                                 address(room.dst), junk | flags});
    } else if (entry->plain != NULL) {
        entry->plain(len, k, room.tables, room.src, room.plain_dst, 0);
        call(probe, (any_fn *)entry->plain,
             (const uint64_t[6]){len, junk | k, address(room.tables), address(room.src),
                                 address(room.dst), 0});
    } else if (entry->plain_one != NULL) {
        entry->plain_one(len, k, room.tables, room.src, room.plain_dst[0]);
        call(probe, (any_fn *)entry->plain_one,
             (const uint64_t[6]){len, junk | k, address(room.tables), address(room.src),
                                 address(room.dst[0])});
    } else if (entry->add_one != NULL) {
        entry->add_one(len, 1, 0, room.tables, room.src[0], room.plain_dst[0]);
        call(probe, (any_fn *)entry->add_one,
             (const uint64_t[6]){len, junk | 1, junk, address(room.tables),
                                 address(room.src[0]), address(room.dst[0])});
    } else if (entry->mad != NULL) {
        entry->mad(len, (struct pxr_mad_mode){2, flags}, room.tables, room.src[0], old,
                   room.plain_dst);
        call(probe, (any_fn *)entry->mad,
             (const uint64_t[6]){len, (uint64_t)flags << 32 | 2, address(room.tables),
                                 address(room.src[0]), address(old), address(room.dst)});
    } else if (entry->check != NULL) {
        call(probe, (any_fn *)entry->check,
             (const uint64_t[6]){len, junk | k, address(room.src), address(room.dst),
                                 junk | flags, junk});
        return entry->check(len, k, room.src, room.plain_dst, flags);
    } else if (entry->packets != NULL) {
        const struct pxr_packet_rows rows = matrix_of_ones(entry->outputs, k);
        struct pxr_packets packets = {.rows = &rows,
                                      .len = len,
                                      .units = 1,
                                      .src = room.src,
                                      .dst = room.plain_dst,
                                      .add = flags & PXR_ACCUMULATE};
        entry->packets(&packets);
        packets.dst = room.dst;
        call(probe, (any_fn *)entry->packets, (const uint64_t[6]){address(&packets)});
    } else {
        call(probe, (any_fn *)entry->adler,
             (const uint64_t[6]){junk | 1, address(room.bytes), len, junk, junk, junk});
        probe->result = (uint32_t)probe->result;
        return entry->adler(1, room.bytes[0], len);
    }
    return probe->result = 0;
}

static void try_call(const struct entry *entry, size_t len, unsigned k, unsigned flags,
                     uint8_t off)
{
    static const char *const names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
    struct probe probe;
    check_at("len=%ld k=%ld flags=%ld off=%ld", (long)len, k, flags, off);
    prepare_outputs(entry);
    if (entry->check != NULL)
        prepare_parity(entry, len, k, off);
    const uint64_t result = call_both(&probe, entry, len, k, flags);
    CHECK_INT((long long)probe.result, (long long)result);
    if (entry->check != NULL)
        CHECK((result == len) == (off == 0 || len == 0));
    for (unsigned i = 0; i < GENERAL_REGISTERS; i++)
        check_int((long long)probe.kept[i], (long long)probe.given[i], names[i], __FILE__,
                  __LINE__);
    CHECK(probe.stack_given == probe.stack_kept);
    CHECK(probe.mxcsr_given == probe.mxcsr_kept);
    CHECK(direction_clear(&probe));
    CHECK(x87_empty(&probe));
    CHECK(upper_zero(&probe) || !machine.adds_vzeroupper);
    CHECK(!upper_in_use(&probe) || !machine.adds_vzeroupper);
    for (unsigned r = 0; r < entry->outputs; r++)
        CHECK_BYTES(room.out[r], room.plain[r], len);
}

/* Tries every way through the kernel: no block, one, several, and bytes left over.  A check
   also runs up to its last byte, which is right or wrong. */
static void test_entry(const struct entry *entry, size_t step)
{
    static const unsigned some_k[] = {0, 1, 2, 5, SOURCES};
    const bool several = entry->dot != NULL || entry->plain != NULL ||
                         entry->plain_one != NULL || entry->check != NULL ||
                         entry->packets != NULL;
    const size_t lengths[] = {
        0, 1, step - 1, step, step + 1, 2 * step + step / 2, 5 * step, 5 * step + 3, BYTES - 1};
    /* these take no empty calls */
    const unsigned first = entry->plain_one != NULL || entry->packets != NULL;
    for (size_t l = first; l < sizeof lengths / sizeof *lengths; l++)
        for (unsigned i = first; i < (several ? 5 : 1); i++)
            for (unsigned flags = 0; flags <= entry->flags; flags++)
                if ((flags & entry->flags) == flags && CHECK(lengths[l] <= BYTES)) {
                    try_call(entry, lengths[l], some_k[i], flags, 0);
                    if (entry->check != NULL)
                        try_call(entry, lengths[l], some_k[i], flags, 0x10);
                }
}

static void test_dots(const struct pxr_kernels *set)
{
    static const char *const operation[PXR_SPECIALS] = {"general ", "P+", "PQ+"};
    for (unsigned special = 0; special < PXR_SPECIALS; special++)
        for (unsigned generals = 0; generals <= PXR_MAX_ROWS; generals++) {
            const struct entry entry = {.outputs = special + generals,
                                        .dot = set->dot[special][generals],
                                        .flags = PXR_STREAM | PXR_ACCUMULATE | PXR_DOWNWARDS |
                                                 (special == PXR_SPECIAL_PQ && generals == 0
                                                      ? PXR_SHIFT | PXR_MIX | PXR_FOLD
                                                      : 0u)};
            if (entry.dot != NULL &&
                check_case("%s %s%u", set->name, operation[special], generals))
                test_entry(&entry, set->step);
        }
}

static void test_plain(const struct pxr_kernels *set)
{
    for (enum pxr_form form = 0; form < PXR_FORMS; form++)
        for (unsigned generals = 1; generals <= PXR_MAX_ROWS; generals++) {
            const struct entry entry = {.outputs = generals,
                                        .plain = set->plain[form][generals]};
            if (entry.plain != NULL &&
                check_case("%s plain %s%u", set->name, form == PXR_MATRICES ? "matrices " : "",
                           generals))
                test_entry(&entry, set->step);
        }
}

static void test_set(const struct pxr_kernels *set)
{
    test_dots(set);
    test_plain(set);
    for (unsigned special = 0; special <= PXR_SPECIAL_P; special++)
        for (unsigned generals = 0; generals <= PXR_MAX_ROWS; generals++) {
            const struct entry entry = {.outputs = special + generals,
                                        .mad = set->mad[special][generals],
                                        .flags = PXR_ACCUMULATE};
            if (entry.mad != NULL &&
                check_case("%s mad %s%u", set->name, special ? "P+" : "", generals))
                test_entry(&entry, set->step);
        }
    const struct entry plain_one = {.outputs = 1, .plain_one = set->plain_one};
    if (check_case("%s plain one", set->name))
        test_entry(&plain_one, set->step);
    const struct entry add_one = {.outputs = 1, .add_one = set->add_one};
    if (check_case("%s add one", set->name))
        test_entry(&add_one, set->step);
    for (unsigned special = PXR_SPECIAL_P; special < PXR_SPECIALS; special++) {
        const struct entry entry = {.outputs = special,
                                    .check = set->check[special],
                                    .parity = set->dot[special][0],
                                    .flags = PXR_STREAM};
        if (check_case("%s check %s", set->name, special == PXR_SPECIAL_P ? "P" : "PQ"))
            test_entry(&entry, set->step);
    }
    for (enum pxr_packet_way way = 0; way < PXR_PACKET_WAYS; way++) {
        const struct entry entry = {
            .outputs = 3, .packets = set->packets[way], .flags = PXR_ACCUMULATE};
        if (entry.packets != NULL && check_case("%s packets %d", set->name, (int)way))
            test_entry(&entry, set->step);
    }
    const struct entry adler = {.adler = set->adler32};
    if (check_case("%s adler32", set->name))
        test_entry(&adler, set->step);
}

int main(int argc, char **argv)
{
    check_start("test_registers", argc, argv);
    look_at_machine();
    test_probe();
    make_room();
    check_each_kernel_set(test_set);
    return check_finish();
}

#else

int main(int argc, char **argv)
{
    check_start("test_registers", argc, argv);
    check_skip("registers", "needs x86-64 with the System V ABI");
    return check_finish();
}

#endif
