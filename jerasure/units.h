/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of bits applied to packets.  Encoding and decoding by bit matrices both consist of this.
 *
 * A region is a sequence of units, and each unit is w packets of packetsize bytes.
 */
#ifndef PXR_JERASURE_UNITS_H
#define PXR_JERASURE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"

/* The packets in a unit, the bytes of a packet, and the number of units. */
struct jer_units {
    int w, packetsize, count;
};

/* Finds the units of `size` bytes.  Returns false after a message. */
bool jer_units_of(struct jer_units *units, const char *function, int w, int size,
                  int packetsize);

/*
 * In each unit, packet r of the outputs becomes the xor of the source packets whose bits are
 * set in row r. src has the address of a packet of unit 0 for each column, and dst has one for
 * each row.  A row of zeros leaves its packets as they are.  No output may be a source of any
 * row.  Returns false, after a message, when there is no memory.
 */
bool jer_units_run(const struct pxr_bits *bits, struct jer_units units, uint8_t *const *src,
                   uint8_t **dst);

/* Counts the work of the rows, as if done one by one, in all units. */
void jer_units_count(const struct pxr_bits *bits, struct jer_units units);

#endif
