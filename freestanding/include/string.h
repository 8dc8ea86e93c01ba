/* SPDX-License-Identifier: BSD-3-Clause */
/* The two functions that a freestanding build needs.  With -ffreestanding a compiler does not
   know them by their names, and would call them for eight bytes. */
#ifndef PXR_FREESTANDING_STRING_H
#define PXR_FREESTANDING_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)

#endif
