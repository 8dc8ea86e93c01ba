/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the simulator, which cannot go on without it. */
#ifndef PXR_UNIT_SIM_MEMORY_H
#define PXR_UNIT_SIM_MEMORY_H

#include <stdio.h>
#include <stdlib.h>

/* Returns zeroed memory for free(). */
static inline void *sim_allocate(size_t len)
{
    void *memory = calloc(1, len > 0 ? len : 1);
    if (memory == NULL) {
        fputs("the simulator has not enough memory\n", stderr);
        exit(1);
    }
    return memory;
}

#endif
