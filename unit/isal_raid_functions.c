/* SPDX-License-Identifier: BSD-3-Clause */
#define ISAL_DEPRECATED_INTERNAL
#include "isal_raid_functions.h"

#include <stddef.h>

#include "isa-l/raid.h"

#define ENTRY(function, parities, checks, least, multiple)     \
    {                                                          \
#function, parities, checks, least, multiple, function \
    }

const struct isal_raid_function isal_raid_functions[] = {
    ENTRY(xor_gen, 1, false, 3, 1),      ENTRY(xor_check, 1, true, 2, 1),
    ENTRY(pq_gen, 2, false, 4, 32),      ENTRY(pq_check, 2, true, 4, 16),
    ENTRY(xor_gen_base, 1, false, 3, 1), ENTRY(xor_check_base, 1, true, 2, 1),
    ENTRY(pq_gen_base, 2, false, 4, 1),  ENTRY(pq_check_base, 2, true, 4, 1),
#if defined(__x86_64__) || defined(__i386__)
    ENTRY(xor_gen_sse, 1, false, 3, 1),  ENTRY(xor_gen_avx, 1, false, 3, 1),
    ENTRY(xor_check_sse, 1, true, 2, 1), ENTRY(pq_gen_sse, 2, false, 4, 16),
    ENTRY(pq_gen_avx, 2, false, 4, 16),  ENTRY(pq_gen_avx2, 2, false, 4, 32),
    ENTRY(pq_check_sse, 2, true, 4, 16),
#endif
    {NULL, 0, false, 0, 0, NULL},
};
