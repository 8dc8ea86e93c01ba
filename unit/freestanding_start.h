/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program without a C library needs on Linux: an entry point, two system calls, and the
 * two functions that permxor-kernels.o asks for.
 */
#ifndef PXR_FREESTANDING_START_H
#define PXR_FREESTANDING_START_H

#include <stddef.h>
#include <stdint.h>

/* The entry point calls this with an aligned stack, and exits with what it returns. */
int run(void);

#if defined(__x86_64__)
enum { CALL_WRITE = 1, CALL_EXIT = 60 };

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

__asm__(".globl _start\n"
        "_start:\n"
        "    xor %ebp, %ebp\n"
        "    and $-16, %rsp\n"
        "    call start\n");
#elif defined(__aarch64__)
enum { CALL_WRITE = 64, CALL_EXIT = 93 };

static long call(long number, long a, long b, long c)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}

__asm__(".globl _start\n"
        "_start:\n"
        "    mov x29, #0\n"
        "    bl start\n");
#else
#error no entry point for this architecture
#endif

__attribute__((noreturn)) void start(void)
{
    call(CALL_EXIT, run(), 0, 0);
    for (;;)
        ;
}

/* Keeps a compiler from making a call of memcpy() or memset() out of the loop that it is in. */
#define IS_A_LOOP __asm__ volatile("" : : : "memory")

void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
        IS_A_LOOP;
    }
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ((char *)to)[i] = (char)byte;
        IS_A_LOOP;
    }
    return to;
}

static void print(const char *text)
{
    long length = 0;
    while (text[length])
        length++;
    call(CALL_WRITE, 1, (long)text, length);
}

static void print_number(unsigned n)
{
    char digits[12], *p = digits + sizeof digits - 1;
    *p = 0;
    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    print(p);
}

#endif
