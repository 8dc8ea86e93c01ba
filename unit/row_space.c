/* SPDX-License-Identifier: BSD-3-Clause */
#include "row_space.h"

#include "reference.h"

#include <string.h>

/* Reduces the vector by the basis, and looks whether something is left. */
bool space_lacks(const struct space *space, uint8_t *v, unsigned k)
{
    for (unsigned i = 0; i < space->rank; i++) {
        const uint8_t factor = v[space->lead[i]];
        for (unsigned j = 0; factor != 0 && j < k; j++)
            v[j] ^= reference_mul(factor, space->basis[i][j]);
    }
    for (unsigned j = 0; j < k; j++)
        if (v[j] != 0)
            return true;
    return false;
}

void space_add(struct space *space, const uint8_t *vector, unsigned k)
{
    uint8_t v[SPACE_MOST];
    memcpy(v, vector, k);
    if (!space_lacks(space, v, k))
        return;
    unsigned lead = 0;
    while (v[lead] == 0)
        lead++;
    const uint8_t inverse = reference_inv(v[lead]);
    for (unsigned j = 0; j < k; j++)
        space->basis[space->rank][j] = reference_mul(inverse, v[j]);
    space->lead[space->rank++] = (uint8_t)lead;
}
