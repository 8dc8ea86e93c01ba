/* SPDX-License-Identifier: BSD-3-Clause */
/* parity.h - P and Q by the arithmetic of their definition, to compare subjects with. */
#ifndef PERF_PARITY_H
#define PERF_PARITY_H

#include <stddef.h>

#include "walk.h"

/*
 * Add the parity of n data blocks to P and Q, each of which may be NULL:
 *     P ^= sum of data[i],  Q ^= sum of 2^i * data[i]    in GF(2^8), polynomial 0x11d
 * A block that is NULL stands for zeros.
 */
void parity_add(size_t n, u8 *const *data, size_t len, u8 *p, u8 *q);

#endif
