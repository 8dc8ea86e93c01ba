/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of bits applied to packets: what encoding and decoding by bit matrices come to.
 *
 * A region is a sequence of units, each of which is w packets of packetsize bytes.
 */
#ifndef PXR_JERASURE_UNITS_H
#define PXR_JERASURE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"

/* Packets within a unit, and how many units there are. */
struct jer_units {
    int w, packetsize, count;
};

/* The units of `size` bytes; false after a complaint. */
bool jer_units_of(struct jer_units *units, const char *function, int w, int size,
                  int packetsize);

/*
 * In each unit, packet r of the outputs becomes the xor of those packets of the sources whose
 * bits are set in row r.  src has the address of a packet of unit 0 for each column, and dst
 * one for each row.  A row of zeros leaves its packets as they are.  No output may be a source
 * of any row.  False after a complaint: no memory.
 */
bool jer_units_run(const struct pxr_bits *bits, struct jer_units units, uint8_t *const *src,
                   uint8_t **dst);

/* Counts what the rows take, one by one, in all units. */
void jer_units_count(const struct pxr_bits *bits, struct jer_units units);

#endif
