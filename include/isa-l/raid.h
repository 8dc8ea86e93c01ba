/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RAID-5 and RAID-6 parity: the names, arguments and results of ISA-L's header of this
 * name.
 *
 * array holds `vects` pointers to buffers of len bytes: the sources, then the parity,
 * which is one buffer for xor and two, P and Q, for pq:
 *     P = sum of array[i],  Q = sum of 2^i * array[i]    in GF(2^8), polynomial 0x11d
 *
 * Of every function here:
 *   lengths    bytes; 0 does nothing, and returns 0 where the rest is valid; negative
 *              ones return 1
 *   alignment  any, of every buffer
 *   aliasing   a parity may be the same buffer as a source (not overlap one partly)
 *   errors     1 is returned, and nothing read or written, with a NULL pointer (in the
 *              array, too), too few vects or a len that is not the multiple which the
 *              function documents
 *   threads    thread-safe, without locks; the first call, too, makes no system call,
 *              opens no file and does not look at the environment: that is done when
 *              the library is loaded.  So every function may be called in a signal
 *              handler, and in a child that was forked while other threads were in
 *              calls, and none is a cancellation point.  On x86-64 long calls may read
 *              the time stamp counter (permxor.h: clock)
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

/* array[vects-1] = sum of the others.  vects >= 3, any len.  Returns 0. */
int xor_gen(int vects, int len, void **array);

/* 0 where the sum of all buffers is zero in every byte, else 1: it ends at the first
   difference.  vects >= 2, any len. */
int xor_check(int vects, int len, void **array);

/* array[vects-2] = P and array[vects-1] = Q of the others.  vects >= 4, len a multiple
   of 32.  Returns 0. */
int pq_gen(int vects, int len, void **array);

/* 0 where the last two buffers are P and Q of the others, else 1: it ends at the first
   difference.  vects >= 4, len a multiple of 16. */
int pq_check(int vects, int len, void **array);

/* The same in portable C; vects >= 3, any len. */
int xor_gen_base(int vects, int len, void **array);
int xor_check_base(int vects, int len, void **array);
int pq_gen_base(int vects, int len, void **array);
int pq_check_base(int vects, int len, void **array);

#if defined(__x86_64__) || defined(__i386__)
/* The same with at most the instruction set in the name, or the portable code in a 32-bit
   library; _sse and _avx mean SSSE3.  Of pq_gen these two take len in multiples of 16. */
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
