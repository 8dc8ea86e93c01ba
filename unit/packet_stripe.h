/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stripes of codes of packets for tests.  Their parity is xored together byte by byte, by the
 * bits of the code.
 */
#ifndef PXR_UNIT_PACKET_STRIPE_H
#define PXR_UNIT_PACKET_STRIPE_H

#include "stripe.h"

/* What a code of packets is made of. */
struct packet_shape {
    enum pxr_matrix matrix;
    unsigned k, m, w, flags;
};

/* All techniques, with few shards and packets and with many. */
#define PACKET_SHAPES 15
extern const struct packet_shape packet_shapes[PACKET_SHAPES];

/* A code that must exist; dies otherwise. */
pxr_code *packet_code(const struct packet_shape *shape, size_t packetsize);

/* The code's bits, to be freed. */
uint8_t *packet_bits(const pxr_code *code);

/* Computes the parity of a stripe. */
void packet_parity(const pxr_code *code, const struct stripe *s);

/* Random data and its parity. */
struct stripe packet_stripe(const pxr_code *code, size_t len);

/* Whether n by n bits, which are destroyed, are nonsingular. */
bool packet_nonsingular(uint8_t *bits, unsigned n);

#endif
