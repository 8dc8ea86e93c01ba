/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes the GFNI instructions on the registers that the kernel saved when SIGILL was raised.
 *
 * The general registers are in the context of the signal.  The vector registers are in the
 * XSAVE image behind it, in several state components:
 *
 *     component 1   the lowest 16 bytes of registers 0 to 15, at a fixed place
 *     component 2   the next 16 bytes of these registers
 *     component 5   the opmasks
 *     component 6   the upper 32 bytes of registers 0 to 15
 *     component 7   registers 16 to 31 as a whole
 *
 * CPUID leaf 13 says where the components are.  If the bit of a component in XSTATE_BV is
 * clear, the component has its initial value, zero, whatever its bytes say.
 */
#include "config.h"

#include "gfni_emulator.h"

#include <cpuid.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* ------------------------------------------------------------- the field -- */

#define POLYNOMIAL 0x11b /* of these instructions; the library's field has another one */

static uint8_t inverse[256]; /* of each byte; 0 for 0 */

static uint8_t product(uint8_t a, uint8_t b)
{
    unsigned result = 0;
    for (unsigned shifted = a; b != 0; b >>= 1) {
        if (b & 1)
            result ^= shifted;
        shifted <<= 1;
        if (shifted & 0x100)
            shifted ^= POLYNOMIAL;
    }
    return (uint8_t)result;
}

static void find_inverses(void)
{
    for (unsigned a = 1; a < 256; a++)
        for (unsigned b = 1; b < 256; b++)
            if (product((uint8_t)a, (uint8_t)b) == 1)
                inverse[a] = (uint8_t)b;
}

/*
 * Multiplies each of eight bytes by a matrix over GF(2).  Row i of the matrix is its byte 7-i.
 * Bit i of a result is the parity of the bits that are set both in the byte and in row i.  So a
 * result is the sum of the matrix's columns j for all bits j that are set in the byte.
 *
 * One multiplication gathers bit j of all rows into column j.  The bit of byte b is at place 8b
 * and has to go to place 56 + (7-b).  Bit 63-9b of the factor moves it there.  No two of the 64
 * partial products share a place, so nothing is carried.
 */
static uint64_t affine(uint64_t bytes, uint64_t matrix, uint8_t constant)
{
    const uint64_t lowest = 0x0101010101010101;
    uint64_t result = lowest * constant;
    for (unsigned j = 0; j < 8; j++) {
        const uint64_t column = (matrix >> j & lowest) * 0x8040201008040201 >> 56;
        result ^= (bytes >> j & lowest) * column;
    }
    return result;
}

/* --------------------------------------------------------- state behind -- */

enum { SSE = 1, YMM_UPPER = 2, OPMASKS = 5, ZMM_UPPER = 6, ZMM_16_31 = 7, COMPONENTS };

/* Offsets in the XSAVE image that do not depend on the CPU.  At AT_LINUX, Linux writes a mark
   and a size.  Behind them, 64 bits say which components are saved. */
enum { AT_XMM = 160, AT_LINUX = 464, AT_LINUX_COMPONENTS = 472, AT_XSTATE_BV = 512 };
#define LINUX_MARK 0x46505853 /* FP_XSTATE_MAGIC1: this is an XSAVE image */

static struct {
    unsigned at, size;
} component_place[COMPONENTS] = {[SSE] = {AT_XMM, 256}};

static void find_components(void)
{
    for (unsigned i = YMM_UPPER; i < COMPONENTS; i++) {
        unsigned a, b, c, d;
        if (!__get_cpuid_count(13, i, &a, &b, &c, &d))
            return;
        component_place[i].size = a;
        component_place[i].at = b;
    }
}

static uint64_t saved_components(const uint8_t *image)
{
    uint64_t components;
    memcpy(&components, image + AT_LINUX_COMPONENTS, sizeof components);
    return components;
}

/* Part of a register: bytes at an offset within a component. */
struct part {
    unsigned component, offset, bytes;
};

static bool in_use(const uint8_t *image, unsigned component)
{
    uint64_t components;
    memcpy(&components, image + AT_XSTATE_BV, sizeof components);
    return components >> component & 1;
}

static void read_part(const uint8_t *image, struct part part, uint8_t *to)
{
    if (in_use(image, part.component))
        memcpy(to, image + component_place[part.component].at + part.offset, part.bytes);
    else
        memset(to, 0, part.bytes);
}

/* Marks a component as in use, and writes its initial value, zero, into its bytes. */
static void take_into_use(uint8_t *image, unsigned component)
{
    uint64_t components;
    memset(image + component_place[component].at, 0, component_place[component].size);
    memcpy(&components, image + AT_XSTATE_BV, sizeof components);
    components |= UINT64_C(1) << component;
    memcpy(image + AT_XSTATE_BV, &components, sizeof components);
}

static bool all_zero(const uint8_t *bytes, unsigned len)
{
    while (len > 0 && bytes[len - 1] == 0)
        len--;
    return len == 0;
}

/* Writing zeros to a component that is in its initial state leaves it in this state. */
static void write_part(uint8_t *image, struct part part, const uint8_t *from)
{
    if (!in_use(image, part.component)) {
        if (all_zero(from, part.bytes))
            return;
        take_into_use(image, part.component);
    }
    memcpy(image + component_place[part.component].at + part.offset, from, part.bytes);
}

bool gfni_frame_has(const void *context, unsigned component)
{
    const uint8_t *image = (const uint8_t *)((const ucontext_t *)context)->uc_mcontext.fpregs;
    uint32_t mark;
    if (image == NULL)
        return false;
    memcpy(&mark, image + AT_LINUX, sizeof mark);
    return mark == LINUX_MARK && (saved_components(image) >> component & 1);
}

/* The parts of a vector register that this CPU has, lowest first. */
static unsigned parts_of(const uint8_t *image, unsigned vector, struct part part[3])
{
    const uint64_t saved = saved_components(image);
    unsigned parts = 0;
    if (vector >= 16) {
        part[parts++] = (struct part){ZMM_16_31, 64 * (vector - 16), 64};
        return parts;
    }
    part[parts++] = (struct part){SSE, 16 * vector, 16};
    if (saved >> YMM_UPPER & 1)
        part[parts++] = (struct part){YMM_UPPER, 16 * vector, 16};
    if (saved >> ZMM_UPPER & 1)
        part[parts++] = (struct part){ZMM_UPPER, 32 * vector, 32};
    return parts;
}

static void read_vector(const uint8_t *image, unsigned vector, uint8_t to[64])
{
    struct part part[3];
    const unsigned parts = parts_of(image, vector, part);
    for (unsigned i = 0; i < parts; to += part[i++].bytes)
        read_part(image, part[i], to);
}

static void write_vector(uint8_t *image, unsigned vector, const uint8_t from[64])
{
    struct part part[3];
    const unsigned parts = parts_of(image, vector, part);
    for (unsigned i = 0; i < parts; from += part[i++].bytes)
        write_part(image, part[i], from);
}

static uint64_t read_mask(const uint8_t *image, unsigned mask)
{
    uint64_t bits = ~UINT64_C(0);
    if (mask != 0)
        read_part(image, (struct part){OPMASKS, 8 * mask, 8}, (uint8_t *)&bits);
    return bits;
}

/* ------------------------------------------------------------ execution -- */

static const uint8_t *address_of(const struct gfni_address *address, const greg_t *general,
                                 const uint8_t *next)
{
    static const int place[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                  REG_R12, REG_R13, REG_R14, REG_R15};
    uint64_t sum = (uint64_t)(int64_t)address->displacement;
    if (address->from_next)
        sum += (uintptr_t)next;
    if (address->base != GFNI_NO_REGISTER)
        sum += (uint64_t)general[place[address->base]];
    if (address->index != GFNI_NO_REGISTER)
        sum += (uint64_t)general[place[address->index]] * address->scale;
    return (const uint8_t *)(uintptr_t)sum;
}

/* The product does not read bytes that are masked out.  The transforms read all bytes. */
static void read_memory(const struct gfni_instruction *instruction, const uint8_t *from,
                        uint64_t mask, uint8_t to[64])
{
    if (instruction->broadcast)
        for (unsigned i = 0; i < instruction->bytes; i += 8)
            memcpy(to + i, from, 8);
    else if (instruction->operation == GFNI_PRODUCT && instruction->mask != 0)
        for (unsigned i = 0; i < instruction->bytes; i++)
            to[i] = mask >> i & 1 ? from[i] : 0;
    else
        memcpy(to, from, instruction->bytes);
}

static void compute(const struct gfni_instruction *instruction, uint8_t *first,
                    const uint8_t *second)
{
    if (instruction->operation == GFNI_PRODUCT) {
        for (unsigned i = 0; i < instruction->bytes; i++)
            first[i] = product(first[i], second[i]);
        return;
    }
    if (instruction->operation == GFNI_AFFINE_INVERSE)
        for (unsigned i = 0; i < instruction->bytes; i++)
            first[i] = inverse[first[i]];
    for (unsigned i = 0; i < instruction->bytes; i += 8) {
        uint64_t bytes, matrix;
        memcpy(&bytes, first + i, 8);
        memcpy(&matrix, second + i, 8);
        bytes = affine(bytes, matrix, instruction->immediate);
        memcpy(first + i, &bytes, 8);
    }
}

/* Writes the result.  The bytes above it become zero, or do not change if the encoding is
   legacy. */
static void write_result(const struct gfni_instruction *instruction, uint8_t *image,
                         const uint8_t *result, uint64_t mask)
{
    uint8_t old[64], all[64] = {0};
    read_vector(image, instruction->to, old);
    if (instruction->legacy)
        memcpy(all, old, sizeof all);
    for (unsigned i = 0; i < instruction->bytes; i++)
        if (mask >> i & 1)
            all[i] = result[i];
        else if (!instruction->zeroing)
            all[i] = old[i];
    write_vector(image, instruction->to, all);
}

static void execute(const struct gfni_instruction *instruction, const mcontext_t *context,
                    const uint8_t *next)
{
    uint8_t *image = (uint8_t *)context->fpregs;
    uint8_t first[64] = {0}, second[64] = {0};
    const uint64_t mask = read_mask(image, instruction->mask);
    read_vector(image, instruction->first, first);
    if (instruction->in_memory)
        read_memory(instruction, address_of(&instruction->address, context->gregs, next), mask,
                    second);
    else
        read_vector(image, instruction->second, second);
    compute(instruction, first, second);
    write_result(instruction, image, first, mask);
}

/* --------------------------------------------------------------- signal -- */

static atomic_ulong emulated;

static void refuse(const char *why, const uint8_t *code)
{
    dprintf(STDERR_FILENO, "gfni_emulator: %s at %p: %02x %02x %02x %02x %02x %02x\n", why,
            (const void *)code, code[0], code[1], code[2], code[3], code[4], code[5]);
    abort();
}

static const uint8_t *behind_ud2(const uint8_t *code)
{
    return code[0] == 0x0f && code[1] == 0x0b ? code + 2 : code;
}

/* A signal costs more than the emulation, so GFNI instructions that follow directly are
   executed as well. */
static void on_illegal(int signal_number, siginfo_t *info, void *context)
{
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    const uint8_t *code = (const uint8_t *)machine->gregs[REG_RIP];
    struct gfni_instruction instruction;
    (void)signal_number;
    (void)info;
    if (!gfni_decode(behind_ud2(code), &instruction))
        refuse("SIGILL, but no GFNI instruction", code);
    if (!gfni_frame_has(context, SSE))
        refuse("no XSAVE image in the signal's frame", code);
    do {
        code = behind_ud2(code) + instruction.length;
        execute(&instruction, machine, code);
        atomic_fetch_add_explicit(&emulated, 1, memory_order_relaxed);
    } while (gfni_decode(behind_ud2(code), &instruction));
    machine->gregs[REG_RIP] = (greg_t)code;
}

void gfni_emulate(void)
{
    struct sigaction action = {.sa_sigaction = on_illegal, .sa_flags = SA_SIGINFO};
    find_inverses();
    find_components();
    sigaction(SIGILL, &action, NULL);
}

unsigned long gfni_emulated(void)
{
    return atomic_load(&emulated);
}
