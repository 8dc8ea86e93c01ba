/* SPDX-License-Identifier: BSD-3-Clause */
#include "limits.h"

#include <stdlib.h>
#include <string.h>

#include "operations.h"

bool limits_measure(struct limits *limits)
{
    *limits = (struct limits){.clock = port_clock()};
    if (limits->clock < 0)
        return false;
    for (size_t i = 0; i < port_set_count && i < LIMITS_MAX_SETS; i++) {
        if (!port_sets[i].usable())
            continue;
        if (!port_set_measure(&port_sets[i], &limits->rates[i]))
            return false;
        limits->known[i] = true;
    }
    return true;
}

/* The set that a run is confined to, or NULL.  ISA-L's _sse and _avx functions
 * both work on 16-byte vectors. */
static const char *confined_to(const struct shape *shape, const char *named)
{
    if (strcmp(shape->suffix, "sse") == 0 || strcmp(shape->suffix, "avx") == 0)
        return "ssse3";
    if (*shape->suffix != '\0')
        return shape->suffix;
    if (*named != '\0')
        return named;
    return getenv("PERMXOR_KERNELS");
}

bool limits_of(const struct limits *limits, const struct shape *shape, const char *named,
               const struct port_set **set, double *limit)
{
    const struct operation *op = shape->operation;
    if (!op->sized || op->reads != READS_K)
        return false;
    int rows = op->writes == WRITES_M ? shape->m : 1;
    int ones = operation_has_ones_row(shape);
    const char *only = confined_to(shape, named);
    *set = NULL;
    for (size_t i = 0; i < port_set_count && i < LIMITS_MAX_SETS; i++) {
        if (!limits->known[i] || (only != NULL && strcmp(only, port_sets[i].name) != 0))
            continue;
        double own = port_set_limit(&port_sets[i], &limits->rates[i], rows - ones, ones);
        if (*set == NULL || own > *limit) {
            *set = &port_sets[i];
            *limit = own;
        }
    }
    return *set != NULL;
}
