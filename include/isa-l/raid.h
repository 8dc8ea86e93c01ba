/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file raid.h RAID-5 and RAID-6 parity.  The names, arguments and results are those of ISA-L's
 * header with this name.
 *
 * array holds `vects` pointers to buffers of len bytes: the sources, followed by the parity.
 * The xor functions have one parity buffer.  The pq functions have two, P and Q:
 *
 *     P = sum of array[i],  Q = sum of 2^i * array[i]    in GF(2^8), polynomial 0x11d
 *
 * These rules hold for every function here:
 *
 * - Lengths: they are in bytes.  With 0 a function does nothing, and returns 0 when the other
 *   arguments are valid.  With a negative length it returns 1.
 * - Alignment: every buffer may have any alignment.
 * - Aliasing: a parity may be the same buffer as a source, but must not overlap it partly.
 * - Errors: a function returns 1, and reads and writes nothing, when a pointer is NULL (also
 *   one in the array), when vects is too small, or when len is not the multiple that the
 *   function needs.
 * - Threads: every function is thread-safe and takes no lock.  No call makes a system call,
 *   opens a file or looks at the environment, not even the first one: that is done when the
 *   library is loaded.  So every function may be called in a signal handler, and in a child
 *   that was forked while other threads were in calls.  None is a cancellation point.  On
 *   x86-64, long calls may read the time stamp counter (permxor.h: Clock).
 */
#ifndef PXR_ISAL_RAID_H
#define PXR_ISAL_RAID_H

#include "isal_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Computes array[vects-1] = the sum of the others. vects is at least 3, and any len is allowed.
 * Returns 0.
 */
int xor_gen(int vects, int len, void **array);

/**
 * Returns 0 when the sum of all buffers is zero in every byte, and otherwise 1.  It ends at the
 * first difference. vects is at least 2, and any len is allowed.
 */
int xor_check(int vects, int len, void **array);

/**
 * Computes array[vects-2] = P and array[vects-1] = Q of the others. vects is at least 4, and
 * len is a multiple of 32.  Returns 0.
 */
int pq_gen(int vects, int len, void **array);

/**
 * Returns 0 when the last two buffers are P and Q of the others, and otherwise 1.  It ends at
 * the first difference. vects is at least 4, and len is a multiple of 16.
 */
int pq_check(int vects, int len, void **array);

/** xor_gen() in portable C. vects is at least 3, and any len is allowed. */
int xor_gen_base(int vects, int len, void **array);

/** xor_check() in portable C. vects is at least 2, and any len is allowed. */
int xor_check_base(int vects, int len, void **array);

/** pq_gen() in portable C. vects is at least 4, and any len is allowed. */
int pq_gen_base(int vects, int len, void **array);

/** pq_check() in portable C. vects is at least 4, and any len is allowed. */
int pq_check_base(int vects, int len, void **array);

#if defined(__x86_64__) || defined(__i386__)
/* The same functions with at most the instruction set in the name; _sse and _avx mean SSSE3.
   In a 32-bit library they are the portable code. pq_gen_sse() and pq_gen_avx() take a len that
   is a multiple of 16. */
ISAL_LIB_DEPRECATED("call xor_gen()") int xor_gen_sse(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("call xor_gen()") int xor_gen_avx(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("call xor_check()") int xor_check_sse(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("call pq_gen()") int pq_gen_sse(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("call pq_gen()") int pq_gen_avx(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("call pq_gen()") int pq_gen_avx2(int vects, int len, void **array);
ISAL_LIB_DEPRECATED("call pq_check()") int pq_check_sse(int vects, int len, void **array);
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
