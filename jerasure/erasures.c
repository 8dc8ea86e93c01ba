/* SPDX-License-Identifier: BSD-3-Clause */
#include "erasures.h"

#include <stdlib.h>

#include "field.h"
#include "jerasure.h"

int jer_survivors(int k, int m, const int *erased, int *ids)
{
    int n = 0;
    for (int id = 0; id < k + m && n < k; id++)
        if (!erased[id])
            ids[n++] = id;
    return n == k ? 0 : -1;
}

int jer_count_erased(const int *erased, int first, int end)
{
    int n = 0;
    for (int id = first; id < end; id++)
        n += erased[id] != 0;
    return n;
}

int *jerasure_erasures_to_erased(int k, int m, int *erasures)
{
    if (k < 1 || m < 0)
        return NULL;
    int *const erased = calloc((size_t)k + (size_t)m, sizeof *erased);
    if (!erased)
        return NULL;
    int left = k + m;
    for (; *erasures != -1 && left >= k; erasures++) {
        if (*erasures < 0 || *erasures >= k + m) {
            jer_complain(__func__, "device %d does not exist: there are %d devices", *erasures,
                         k + m);
            left = 0;
        } else if (!erased[*erasures]) {
            erased[*erasures] = 1;
            left--;
        }
    }
    if (left >= k)
        return erased;
    free(erased);
    return NULL;
}
