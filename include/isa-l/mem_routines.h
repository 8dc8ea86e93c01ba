/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looking for zeros: name, arguments and result of ISA-L's header of this name.
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

/*
 * 0 where all len bytes at mem are zero, else 1; it ends at the first that is not.
 * Any len and alignment; mem may be NULL where len is 0, else that returns 1.
 * Thread-safe.
 */
int isal_zero_detect(void *mem, size_t len);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
