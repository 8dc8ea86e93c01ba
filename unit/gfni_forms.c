/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each line of the two tables below makes one form: a row of gfni_forms[], which the test's
 * judge reads, and two functions in assembly.
 */
#include "gfni_forms.h"

#include <stddef.h>

/* ---------------------------------------------------------------- forms -- */

/*
 * X(level, operation, immediate, bytes, to, first, second, written, text): an instruction whose
 * operands are all registers.  `first` is transformed, and `second` holds the matrices.  The
 * text has them in the order of the assembler: second, first, to.
 */
#define REGISTER_FORMS(X)                                                                      \
    X(SSE, AFFINE, 0x63, 16, 2, 2, 1, ALL, "gf2p8affineqb $0x63, %xmm1, %xmm2")                \
    X(SSE, INVERSE, 5, 16, 3, 3, 9, ALL, "gf2p8affineinvqb $5, %xmm9, %xmm3")                  \
    X(SSE, PRODUCT, 0, 16, 13, 13, 4, ALL, "gf2p8mulb %xmm4, %xmm13")                          \
    X(SSE, PRODUCT, 0, 16, 15, 15, 15, ALL, "gf2p8mulb %xmm15, %xmm15")                        \
    X(AVX, AFFINE, 1, 16, 3, 2, 1, ALL, "vgf2p8affineqb $1, %xmm1, %xmm2, %xmm3")              \
    X(AVX, INVERSE, 0, 16, 4, 12, 9, ALL, "vgf2p8affineinvqb $0, %xmm9, %xmm12, %xmm4")        \
    X(AVX, PRODUCT, 0, 16, 11, 10, 0, ALL, "vgf2p8mulb %xmm0, %xmm10, %xmm11")                 \
    X(AVX, AFFINE, 0xa5, 32, 8, 15, 7, ALL, "vgf2p8affineqb $0xa5, %ymm7, %ymm15, %ymm8")      \
    X(AVX, INVERSE, 0x63, 32, 1, 0, 14, ALL, "vgf2p8affineinvqb $0x63, %ymm14, %ymm0, %ymm1")  \
    X(AVX, PRODUCT, 0, 32, 5, 5, 6, ALL, "vgf2p8mulb %ymm6, %ymm5, %ymm5")                     \
    X(AVX512, AFFINE, 0xf0, 64, 1, 2, 3, ALL, "vgf2p8affineqb $0xf0, %zmm3, %zmm2, %zmm1")     \
    X(AVX512, INVERSE, 0x0f, 64, 17, 9, 30, ALL,                                               \
      "vgf2p8affineinvqb $0x0f, %zmm30, %zmm9, %zmm17")                                        \
    X(AVX512, PRODUCT, 0, 64, 14, 31, 8, ALL, "vgf2p8mulb %zmm8, %zmm31, %zmm14")              \
    X(AVX512, AFFINE, 0, 64, 24, 16, 23, ALL, "vgf2p8affineqb $0, %zmm23, %zmm16, %zmm24")     \
    X(AVX512, AFFINE, 0x12, 64, 1, 2, 3, MERGE_BY(1),                                          \
      "vgf2p8affineqb $0x12, %zmm3, %zmm2, %zmm1{%k1}")                                        \
    X(AVX512, INVERSE, 0x34, 64, 19, 2, 26, ZERO_BY(5),                                        \
      "vgf2p8affineinvqb $0x34, %zmm26, %zmm2, %zmm19{%k5}{z}")                                \
    X(AVX512, PRODUCT, 0, 64, 4, 4, 4, MERGE_BY(6), "vgf2p8mulb %zmm4, %zmm4, %zmm4{%k6}")     \
    X(AVX512, PRODUCT, 0, 64, 4, 20, 5, ZERO_BY(2), "vgf2p8mulb %zmm5, %zmm20, %zmm4{%k2}{z}") \
    X(AVX512VL, AFFINE, 0x87, 16, 17, 2, 1, ALL, "vgf2p8affineqb $0x87, %xmm1, %xmm2, %xmm17") \
    X(AVX512VL, INVERSE, 0x18, 16, 3, 18, 31, ALL,                                             \
      "vgf2p8affineinvqb $0x18, %xmm31, %xmm18, %xmm3")                                        \
    X(AVX512VL, AFFINE, 0x29, 32, 20, 21, 22, ALL,                                             \
      "vgf2p8affineqb $0x29, %ymm22, %ymm21, %ymm20")                                          \
    X(AVX512VL, PRODUCT, 0, 32, 12, 28, 5, ALL, "vgf2p8mulb %ymm5, %ymm28, %ymm12")            \
    X(AVX512VL, PRODUCT, 0, 16, 6, 7, 8, MERGE_BY(3), "vgf2p8mulb %xmm8, %xmm7, %xmm6{%k3}")   \
    X(AVX512VL, AFFINE, 0x3a, 16, 6, 7, 8, ZERO_BY(4),                                         \
      "vgf2p8affineqb $0x3a, %xmm8, %xmm7, %xmm6{%k4}{z}")                                     \
    X(AVX512VL, AFFINE, 0x4b, 32, 26, 7, 8, MERGE_BY(2),                                       \
      "vgf2p8affineqb $0x4b, %ymm8, %ymm7, %ymm26{%k2}")                                       \
    X(AVX512VL, INVERSE, 0x5c, 32, 6, 27, 8, ZERO_BY(6),                                       \
      "vgf2p8affineinvqb $0x5c, %ymm8, %ymm27, %ymm6{%k6}{z}")

/*
 * X(level, operation, immediate, bytes, to, first, written, text before the address, address,
 * text behind it): an instruction whose second operand is in memory.
 *
 * rax, rbp, r12 and r13 hold the address of this memory, which is a multiple of 64.  rcx = 3,
 * r9 = 5 and r15 = -2.  In the encoding, bases 4 and 12 need a SIB byte, and bases 5 and 13
 * need a displacement.
 *
 * LLVM before 20 does not scale the short displacement of a broadcast in these instructions
 * (llvm-project pull request 120340).  The table therefore gives such instructions in bytes.
 */
#define MEMORY_FORMS(X)                                                                        \
    X(SSE, AFFINE, 0x80, 16, 7, 7, ALL, "gf2p8affineqb $0x80, ", "32(%rax)", ", %xmm7")        \
    X(SSE, PRODUCT, 0, 16, 8, 8, ALL, "gf2p8mulb ", "24(%r12,%r9,8)", ", %xmm8")               \
    X(SSE, INVERSE, 0xff, 16, 6, 6, ALL, "gf2p8affineinvqb $0xff, ",                           \
      "unit_gfni_constant+16(%rip)", ", %xmm6")                                                \
    X(AVX, AFFINE, 0x11, 16, 9, 3, ALL, "vgf2p8affineqb $0x11, ", "7(%rbp)", ", %xmm3, %xmm9") \
    X(AVX, AFFINE, 0x22, 32, 9, 3, ALL, "vgf2p8affineqb $0x22, ", "(%rax)", ", %ymm3, %ymm9")  \
    X(AVX, PRODUCT, 0, 32, 2, 13, ALL, "vgf2p8mulb ", "33(%r13)", ", %ymm13, %ymm2")           \
    X(AVX, AFFINE, 0x33, 32, 2, 13, ALL, "vgf2p8affineqb $0x33, ", "333(%r12)",                \
      ", %ymm13, %ymm2")                                                                       \
    X(AVX, INVERSE, 0x44, 32, 0, 1, ALL, "vgf2p8affineinvqb $0x44, ", "9(%rax,%rcx,8)",        \
      ", %ymm1, %ymm0")                                                                        \
    X(AVX, AFFINE, 0x55, 32, 0, 1, ALL, "vgf2p8affineqb $0x55, ", "21(%r13,%r15,4)",           \
      ", %ymm1, %ymm0")                                                                        \
    X(AVX, AFFINE, 0x66, 32, 10, 11, ALL, "vgf2p8affineqb $0x66, ", "11(,%rax,1)",             \
      ", %ymm11, %ymm10")                                                                      \
    X(AVX, AFFINE, 0x77, 32, 10, 11, ALL, "vgf2p8affineqb $0x77, ",                            \
      "unit_gfni_constant+3(%rip)", ", %ymm11, %ymm10")                                        \
    X(AVX, PRODUCT, 0, 32, 10, 11, ALL, "vgf2p8mulb ", "unit_gfni_constant+5(%rip)",           \
      ", %ymm11, %ymm10")                                                                      \
    X(AVX512, AFFINE, 0x56, 64, 6, 7, ALL, "vgf2p8affineqb $0x56, ", "(%rax)",                 \
      ", %zmm7, %zmm6")                                                                        \
    X(AVX512, AFFINE, 0x78, 64, 6, 27, ALL, "vgf2p8affineqb $0x78, ", "128(%r13)",             \
      ", %zmm27, %zmm6")                                                                       \
    X(AVX512, AFFINE, 0x79, 64, 6, 27, ALL, "vgf2p8affineqb $0x79, ", "64(%r12,%r9,2)",        \
      ", %zmm27, %zmm6")                                                                       \
    X(AVX512, INVERSE, 0x9a, 64, 29, 7, ALL, "vgf2p8affineinvqb $0x9a, ", "129(%rbp,%rcx,4)",  \
      ", %zmm7, %zmm29")                                                                       \
    X(AVX512, PRODUCT, 0, 64, 29, 7, ALL, "vgf2p8mulb ", "-64(%rax,%r9,8)", ", %zmm7, %zmm29") \
    X(AVX512, AFFINE, 0xbc, 64, 22, 21, ALL, "vgf2p8affineqb $0xbc, ",                         \
      "unit_gfni_constant+1(%rip)", ", %zmm21, %zmm22")                                        \
    X(AVX512, AFFINE, 0x65, 64, 3, 3, MERGE_BY(1), "vgf2p8affineqb $0x65, ", "64(%rax)",       \
      ", %zmm3, %zmm3{%k1}")                                                                   \
    X(AVX512, PRODUCT, 0, 64, 3, 2, ZERO_BY(7), "vgf2p8mulb ", "512-32(%rax)",                 \
      ", %zmm2, %zmm3{%k7}{z}")                                                                \
    X(AVX512, AFFINE, 0xde, 64, 3, 18, BROADCAST, "vgf2p8affineqb $0xde, ", "(%rax)",          \
      "{1to8}, %zmm18, %zmm3")                                                                 \
    X(AVX512, INVERSE, 0xef, 64, 25, 3, BROADCAST,                                             \
      ".byte 0x62,0x63,0xe5,0x58,0xcf,0x4c,0x08,0x0b,0xef # vgf2p8affineinvqb $0xef, ",        \
      "88(%rax,%rcx,1)", "{1to8}, %zmm3, %zmm25")                                              \
    X(AVX512, AFFINE, 0x21, 64, 3, 18, BROADCAST | MERGE_BY(3),                                \
      ".byte 0x62,0xd3,0xed,0x53,0xce,0x5d,0x02,0x21 # vgf2p8affineqb $0x21, ", "16(%r13)",    \
      "{1to8}, %zmm18, %zmm3{%k3}")                                                            \
    X(AVX512, AFFINE, 0x43, 64, 28, 3, BROADCAST | ZERO_BY(4), "vgf2p8affineqb $0x43, ",       \
      "512-8(%rax)", "{1to8}, %zmm3, %zmm28{%k4}{z}")                                          \
    X(AVX512VL, AFFINE, 0x6d, 16, 16, 9, ALL, "vgf2p8affineqb $0x6d, ", "48(%rax)",            \
      ", %xmm9, %xmm16")                                                                       \
    X(AVX512VL, PRODUCT, 0, 32, 16, 9, ALL, "vgf2p8mulb ", "96(%r12)", ", %ymm9, %ymm16")      \
    X(AVX512VL, AFFINE, 0x7e, 16, 30, 10, BROADCAST,                                           \
      ".byte 0x62,0x63,0xad,0x18,0xce,0x75,0x01,0x7e # vgf2p8affineqb $0x7e, ", "8(%rbp)",     \
      "{1to2}, %xmm10, %xmm30")                                                                \
    X(AVX512VL, INVERSE, 0x8f, 32, 11, 10, BROADCAST,                                          \
      ".byte 0x62,0x53,0xad,0x38,0xcf,0x5d,0x03,0x8f # vgf2p8affineinvqb $0x8f, ", "24(%r13)", \
      "{1to4}, %ymm10, %ymm11")

#define AFFINE GFNI_AFFINE
#define INVERSE GFNI_AFFINE_INVERSE
#define PRODUCT GFNI_PRODUCT
#define REGISTER_ROW(level, operation, immediate, bytes, to, first, second, written, text) \
    {level, operation, immediate, bytes, to, first, second, written, text},
#define MEMORY_ROW(level, operation, immediate, bytes, to, first, written, before, address, \
                   behind)                                                                  \
    {level, operation, immediate, bytes, to, first, IN_MEMORY, written, before address behind},
const struct form gfni_forms[] = {REGISTER_FORMS(REGISTER_ROW) MEMORY_FORMS(MEMORY_ROW)};
const unsigned gfni_form_count = sizeof gfni_forms / sizeof gfni_forms[0];

/* ------------------------------------------------------------- assembly -- */

/* The assembly below knows these offsets. */
_Static_assert(offsetof(struct machine, mask) == 2048, "known to the assembly");
_Static_assert(offsetof(struct machine, address) == 2112, "known to the assembly");
_Static_assert(offsetof(struct machine, memory) == 2120, "known to the assembly");

#define TO_15 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
#define FROM_16 "16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
#define TO_31 TO_15 "," FROM_16
#define FOR(numbers, text) "    .irp n, " numbers "\n    " text "\n    .endr\n"
#define TRANSFER(name, body) \
    __asm__("    .text\n"    \
            "    .globl " #name "\n" #name ":\n" body "    ret\n");
TRANSFER(unit_gfni_load_sse, FOR(TO_15, "movups 64*\\n(%rdi), %xmm\\n"))
TRANSFER(unit_gfni_store_sse, FOR(TO_15, "movups %xmm\\n, 64*\\n(%rdi)"))
TRANSFER(unit_gfni_load_avx, FOR(TO_15, "vmovups 64*\\n(%rdi), %ymm\\n"))
TRANSFER(unit_gfni_store_avx, FOR(TO_15, "vmovups %ymm\\n, 64*\\n(%rdi)") "    vzeroupper\n")
TRANSFER(unit_gfni_load_avx512, FOR(TO_31, "vmovups 64*\\n(%rdi), %zmm\\n")
                                    FOR("1,2,3,4,5,6,7", "kmovq 2048+8*\\n(%rdi), %k\\n"))
TRANSFER(unit_gfni_clear_avx, "    vzeroall\n")
TRANSFER(unit_gfni_clear_avx512, "    vzeroall\n" FOR(FROM_16, "vmovups 64*\\n(%rdi), %zmm\\n")
                                     FOR("1,2,3,4,5,6,7", "kmovq 2048+8*\\n(%rdi), %k\\n"))
TRANSFER(unit_gfni_store_avx512,
         FOR(TO_31, "vmovups %zmm\\n, 64*\\n(%rdi)")
             FOR("1,2,3,4,5,6,7", "kmovq %k\\n, 2048+8*\\n(%rdi)") "    vzeroupper\n")

/* Operands that are addressed relative to the instruction. */
__asm__("    .section .rodata\n"
        "    .balign 64\n"
        "unit_gfni_constant:\n"
        "    .byte 0x1f, 0x3e, 0x7c, 0xf8, 0xf1, 0xe3, 0xc7, 0x8f\n"
        "    .fill 120, 1, 0x6b\n"
        "    .text\n");

/* The arguments are in rdi (machine), rsi (load) and rdx (store). */
#define ONE_FUNCTION(ud2, before, address, behind) \
    "    push %rbx\n"                              \
    "    push %rbp\n"                              \
    "    push %r12\n"                              \
    "    push %r13\n"                              \
    "    push %r15\n"                              \
    "    mov %rdx, %rbx\n"                         \
    "    lea 2120(%rdi), %rax\n"                   \
    "    mov %rax, %rbp\n"                         \
    "    mov %rax, %r12\n"                         \
    "    mov %rax, %r13\n"                         \
    "    mov $3, %ecx\n"                           \
    "    mov $5, %r9d\n"                           \
    "    mov $-2, %r15\n"                          \
    "    lea " address ", %rdx\n"                  \
    "    mov %rdx, 2112(%rdi)\n"                   \
    "    call *%rsi\n"                             \
    "    " ud2 "\n"                                \
    "    " before address behind "\n"              \
    "    call *%rbx\n"                             \
    "    pop %r15\n"                               \
    "    pop %r13\n"                               \
    "    pop %r12\n"                               \
    "    pop %rbp\n"                               \
    "    pop %rbx\n"                               \
    "    ret\n"
#define ENTRY "    .pushsection .data.rel.ro, \"aw\"\n    .quad 88b, 99b\n    .popsection\n"
#define MEMORY_FUNCTIONS(level, operation, immediate, bytes, to, first, written, before, \
                         address, behind)                                                \
    "88:\n" ONE_FUNCTION("ud2", before, address,                                         \
                         behind) "99:\n" ONE_FUNCTION("", before, address, behind) ENTRY
/* These instructions have no address.  The one that MEMORY_FUNCTIONS asks for is put behind the
   comment sign of the assembler. */
#define REGISTER_FUNCTIONS(level, operation, immediate, bytes, to, first, second, written, \
                           text)                                                           \
    MEMORY_FUNCTIONS(level, operation, immediate, bytes, to, first, written, text " #",    \
                     "(%rax)", "")
__asm__("    .pushsection .data.rel.ro, \"aw\"\n"
        "    .balign 8\n"
        "    .globl unit_gfni_forms\n"
        "unit_gfni_forms:\n"
        "    .popsection\n"
        "    .text\n" REGISTER_FORMS(REGISTER_FUNCTIONS) MEMORY_FORMS(MEMORY_FUNCTIONS));
