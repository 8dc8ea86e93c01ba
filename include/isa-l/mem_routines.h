/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file mem_routines.h Looking for zeros.  The name, arguments and result are those of ISA-L's
 * header with this name.
 */
#ifndef PXR_ISAL_MEM_ROUTINES_H
#define PXR_ISAL_MEM_ROUTINES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Returns 0 when all len bytes at mem are zero, and otherwise 1.  The search ends at the first
 * byte that is not zero.  Any length and alignment is allowed.  With mem = NULL it returns 0
 * when len is 0, and otherwise 1.  The call is thread-safe.
 */
int isal_zero_detect(void *mem, size_t len);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
