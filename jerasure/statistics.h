/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts that jerasure_get_stats() returns. */
#ifndef PXR_JERASURE_STATISTICS_H
#define PXR_JERASURE_STATISTICS_H

#include <stdint.h>

/* In the order in which they are returned. */
enum jer_work { JER_XORED, JER_MULTIPLIED, JER_COPIED, JER_WORKS };

/* Any thread may count. */
void jer_count(enum jer_work work, uint64_t bytes);

#endif
