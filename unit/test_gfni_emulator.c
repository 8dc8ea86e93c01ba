/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The emulator of GFNI (gfni_emulator.h), on which other tests rely.  Each form of its
 * instructions is compared with its definition, with all registers of the CPU loaded before and
 * stored afterwards.  A form runs twice.  Behind ud2, the emulator executes it on every CPU.
 * Without ud2, a CPU that has GFNI executes it itself, and is compared with the same
 * definition.
 */
#include "check.h"
#include "gfni_emulator.h"
#include "gfni_forms.h"
#include "reference.h"

#include <signal.h>
#include <string.h>

#define ROUNDS 30

/* ---------------------------------------------------------------- judge -- */

/* The functions below compute the definitions bit by bit.  The field of the instructions is
   modulo x^8+x^4+x^3+x+1, so it is not the library's field. */
#define MODULUS 0x11b

/* Bit i of the result is bit i of the constant plus the sum over j of bit j of row i times bit
   j of a.  Row i is byte 7-i of the matrix. */
static uint8_t judge_affine(uint8_t a, const uint8_t matrix[8], uint8_t constant)
{
    unsigned result = constant;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 8; j++)
            result ^= (matrix[7 - i] >> j & a >> j & 1u) << i;
    return (uint8_t)result;
}

static uint8_t judge_byte(const struct form *form, uint8_t first, const uint8_t *second,
                          unsigned i)
{
    switch (form->operation) {
    case GFNI_PRODUCT:
        return reference_product(first, second[i], MODULUS);
    case GFNI_AFFINE_INVERSE:
        first = reference_inverse(first, MODULUS);
        break;
    case GFNI_AFFINE:
        break;
    }
    return judge_affine(first, second + i / 8 * 8, form->immediate);
}

/* Fills in the bytes of the second operand that the form may read. */
static void judge_second(const struct form *form, const struct machine *machine, uint64_t mask,
                         uint8_t second[64])
{
    const uint8_t *memory = (const uint8_t *)(uintptr_t)machine->address;
    for (unsigned i = 0; i < form->bytes; i++)
        if (form->second != IN_MEMORY)
            second[i] = machine->vector[form->second][i];
        else if (form->written & BROADCAST)
            second[i] = memory[i % 8];
        else if (form->operation != GFNI_PRODUCT || mask >> i & 1)
            second[i] = memory[i];
}

/* Changes the machine as the form must.  Only legacy (SSE) forms keep the bytes above their
   vectors; all others set them to 0. */
static void judge(const struct form *form, struct machine *machine)
{
    uint8_t *to = machine->vector[form->to];
    uint8_t first[64], second[64] = {0};
    const unsigned k = form->written & 7;
    const uint64_t mask = k != 0 ? machine->mask[k] : ~UINT64_C(0);
    judge_second(form, machine, mask, second);
    memcpy(first, machine->vector[form->first], sizeof first);
    for (unsigned i = 0; i < form->bytes; i++)
        if (mask >> i & 1)
            to[i] = judge_byte(form, first[i], second, i);
        else if (form->written & ZERO)
            to[i] = 0;
    if (form->level != SSE)
        memset(to + form->bytes, 0, 64 - form->bytes);
}

/* ---------------------------------------------------------------- cases -- */

static struct {
    enum level level;
    bool gfni;
    transfer_fn *load, *clear, *store; /* clear is NULL if there is none for the level */
    unsigned vectors, bytes;           /* registers that they transfer, and bytes of each */
} cpu;

/* Which registers a signal's frame holds.  The emulator cannot change other registers. */
static volatile sig_atomic_t frame_has_xmm, frame_has_ymm, frame_has_zmm;
static void look_at_frame(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number;
    (void)info;
    frame_has_xmm = gfni_frame_has(context, 1);
    frame_has_ymm = frame_has_xmm && gfni_frame_has(context, 2);
    frame_has_zmm = frame_has_ymm && gfni_frame_has(context, 5) && gfni_frame_has(context, 6) &&
                    gfni_frame_has(context, 7);
}

static void look_at_cpu(void)
{
    struct sigaction action = {.sa_sigaction = look_at_frame, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    __builtin_cpu_init();
    const bool avx = frame_has_ymm && __builtin_cpu_supports("avx");
    const bool avx512 = avx && frame_has_zmm && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw");
    cpu.level = SSE;
    cpu.gfni = __builtin_cpu_supports("gfni");
    cpu.load = unit_gfni_load_sse;
    cpu.store = unit_gfni_store_sse;
    cpu.vectors = cpu.bytes = 16;
    if (avx) {
        cpu.level = AVX;
        cpu.load = unit_gfni_load_avx;
        cpu.clear = unit_gfni_clear_avx;
        cpu.store = unit_gfni_store_avx;
        cpu.bytes = 32;
    }
    if (avx512) {
        cpu.level = __builtin_cpu_supports("avx512vl") ? AVX512VL : AVX512;
        cpu.load = unit_gfni_load_avx512;
        cpu.clear = unit_gfni_clear_avx512;
        cpu.store = unit_gfni_store_avx512;
        cpu.vectors = 32;
        cpu.bytes = 64;
    }
}

/* Fills the machine with random bytes.  Opmask 7 leaves out the bytes of an operand that would
   lie on the guard page behind the memory. */
static void randomize(struct machine *machine)
{
    check_fill(machine, sizeof *machine);
    machine->mask[7] &= 0xffffffff;
}

static void compare(const struct machine *got, const struct machine *want)
{
    for (unsigned n = 0; n < cpu.vectors; n++) {
        check_at("register %ld", (long)n, 0, 0, 0);
        CHECK_BYTES(got->vector[n], want->vector[n], cpu.bytes);
    }
    CHECK_BYTES(got->mask, want->mask, sizeof got->mask);
    CHECK_BYTES(got->memory, want->memory, sizeof got->memory);
}

/* Runs a form's function once.  `emulated` says whether the emulator must have executed the
   instruction; the emulator counts those that it executes. */
static void try_form(const struct form *form, form_fn *function, transfer_fn *load,
                     bool emulated, struct machine *machine)
{
    struct machine want;
    const unsigned long before = gfni_emulated();
    want = *machine;
    function(machine, load, cpu.store);
    want.address = machine->address;
    judge(form, &want);
    compare(machine, &want);
    CHECK_INT((long long)(gfni_emulated() - before), emulated);
}

static void try_often(const struct form *form, form_fn *function, bool emulated,
                      struct machine *machine)
{
    for (unsigned round = check_effort(ROUNDS); round > 0; round--) {
        randomize(machine);
        try_form(form, function, cpu.load, emulated, machine);
        if (cpu.clear == NULL)
            continue;
        randomize(machine);
        memset(machine->vector, 0, 16 * sizeof machine->vector[0]);
        try_form(form, function, cpu.clear, emulated, machine);
    }
}

static void test_form(unsigned i, struct machine *machine)
{
    if (gfni_forms[i].level > cpu.level) {
        static const char *const needs[] = {"SSE", "AVX", "AVX-512BW", "AVX-512VL"};
        check_skip(gfni_forms[i].text, "needs %s, also in signal frames",
                   needs[gfni_forms[i].level]);
        return;
    }
    if (check_case("behind ud2: %s", gfni_forms[i].text))
        try_often(&gfni_forms[i], unit_gfni_forms[i][0], true, machine);
    if (check_case("%s: %s", cpu.gfni ? "native" : "trapping", gfni_forms[i].text))
        try_often(&gfni_forms[i], unit_gfni_forms[i][1], !cpu.gfni, machine);
}

static void test_judge(void)
{
    static const uint8_t reversal[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    if (!check_case("the test's own definitions"))
        return;
    CHECK_INT(reference_product(0x57, 0x83, MODULUS), 0xc1); /* the example of FIPS 197 */
    CHECK_INT(reference_inverse(0, MODULUS), 0);
    for (unsigned a = 1; a < 256; a++)
        CHECK_INT(
            reference_product((uint8_t)a, reference_inverse((uint8_t)a, MODULUS), MODULUS), 1);
    CHECK_INT(judge_affine(0x35, reversal, 0), 0xac);
}

static void test_decoder(void)
{
    static const struct {
        const char *why;
        uint8_t code[12];
    } wrong[] = {
        {"ud2", {0x0f, 0x0b}},
        {"another opcode of the legacy map", {0x66, 0x0f, 0x38, 0xdc, 0xc1}},
        {"another map", {0x66, 0x0f, 0x6f, 0xce, 0xc1}},
        {"VEX, no prefix 66", {0xc4, 0xe3, 0xe8, 0xce, 0xd9, 0x01}},
        {"VEX, affine with W = 0", {0xc4, 0xe3, 0x69, 0xce, 0xd9, 0x01}},
        {"VEX, product with W = 1", {0xc4, 0xe2, 0xe9, 0xcf, 0xd9}},
        {"EVEX, another opcode", {0x62, 0xf2, 0x6d, 0x48, 0xdc, 0xcb}},
        {"EVEX, vector length 3", {0x62, 0xf3, 0xed, 0x68, 0xce, 0xcb, 0x01}},
        {"EVEX, zeroing without mask", {0x62, 0xf3, 0xed, 0xc8, 0xce, 0xcb, 0x01}},
        {"EVEX, broadcast from a register", {0x62, 0xf3, 0xed, 0x58, 0xce, 0xcb, 0x01}},
        {"EVEX, product with broadcast", {0x62, 0xf2, 0x6d, 0x58, 0xcf, 0x08}},
    };
    static const uint8_t right[] = {0x62, 0xf3, 0xed, 0x48, 0xce, 0xcb, 0x01};
    struct gfni_instruction instruction;
    if (!check_case("instructions that are not GFNI"))
        return;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_true(!gfni_decode(wrong[i].code, &instruction), wrong[i].why, __FILE__, __LINE__);
    CHECK(gfni_decode(right, &instruction));
    CHECK_INT(instruction.length, sizeof right);
}

int main(int argc, char **argv)
{
    check_start("test_gfni_emulator", argc, argv);
    look_at_cpu();
    test_judge();
    test_decoder();
    if (frame_has_xmm) {
        struct check_guard guard = check_guard_new(sizeof(struct machine));
        struct machine *machine =
            (struct machine *)check_to_end(&guard, sizeof(struct machine), 0);
        gfni_emulate();
        for (unsigned i = 0; i < gfni_form_count; i++)
            test_form(i, machine);
        check_guard_free(&guard);
    } else {
        check_skip("emulation", "needs signal frames with an XSAVE image");
    }
    return check_finish();
}
