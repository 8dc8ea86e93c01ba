/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector spaces over GF(2^8), by the reference's arithmetic. */
#ifndef PXR_UNIT_ROW_SPACE_H
#define PXR_UNIT_ROW_SPACE_H

#include <stdbool.h>
#include <stdint.h>

enum { SPACE_MOST = 8 };

struct space {
    unsigned rank;
    uint8_t basis[SPACE_MOST][SPACE_MOST], lead[SPACE_MOST];
};

/* Whether a vector of k elements is outside the space.  Changes the vector. */
bool space_lacks(const struct space *space, uint8_t *vector, unsigned k);

/* Adds a vector to the space. */
void space_add(struct space *space, const uint8_t *vector, unsigned k);

#endif
