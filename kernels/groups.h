/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coding of many sources that are not in the core's own cache, in groups of sources.  The
 * prefetchers of a processor follow some ten streams of addresses.  A pass over more sources
 * waits for most of them.  So the outputs are cut into columns that stay in the core's own
 * cache, and the sum of one group of sources after the other is added to a column.
 */
#ifndef PXR_GROUPS_H
#define PXR_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "call.h"
#include "kernels.h"
#include "rows.h"

/* Returns how many sources a group has at most when a call of this kind goes in groups, or 0.
 */
unsigned pxr_sources_of_group(enum pxr_work work, enum pxr_place place, size_t len, unsigned k,
                              unsigned outputs);

/* How a call uses memory: in groups of at most so many sources, or if that is 0, in one pass;
   and with these flags.  Groups only prefetch by them, and only into L2. */
struct pxr_group_way {
    unsigned most;
    uint32_t flags;
};

/* Computes the rows, of which there are at most PXR_MAX_ROWS, in groups.  `form` is one of
   their forms: that of the kernel set, or that of tables.  No output may be the same buffer as
   a source. */
void pxr_encode_in_groups(const struct pxr_kernels *kernels, size_t len,
                          const struct pxr_rows *rows, enum pxr_form form,
                          struct pxr_group_way way, const uint8_t *const *src,
                          uint8_t *const *dst);

/* Computes P, or P and Q, in one pass or in groups.  Any len is allowed.  A parity may be the
   same buffer as a source.  No pointer is NULL. */
void pxr_parity(const struct pxr_kernels *kernels, size_t len, unsigned k,
                enum pxr_special parity, const uint8_t *const *src, uint8_t *const *dst);

/* Checks stored P, or P and Q, in the same ways.  Returns what pxr_check_fn returns. */
size_t pxr_parity_check(const struct pxr_kernels *kernels, size_t len, unsigned k,
                        enum pxr_special parity, const uint8_t *const *src,
                        uint8_t *const *stored);

#endif
