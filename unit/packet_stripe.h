/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stripes of codes of packets for tests.  Their parity is computed byte by byte from the bit
 * matrix of the code.
 */
#ifndef PXR_UNIT_PACKET_STRIPE_H
#define PXR_UNIT_PACKET_STRIPE_H

#include "stripe.h"

/* The parameters of a code of packets. */
struct packet_shape {
    enum pxr_matrix matrix;
    unsigned k, m, w, flags;
};

/* All techniques, with few shards and packets and with many. */
#define PACKET_SHAPES 15
extern const struct packet_shape packet_shapes[PACKET_SHAPES];

/* Creates a code.  Exits if this fails. */
pxr_code *packet_code(const struct packet_shape *shape, size_t packetsize);

/* The bit matrix of the code, which the caller frees. */
uint8_t *packet_bits(const pxr_code *code);

/* Computes the parity of a stripe. */
void packet_parity(const pxr_code *code, const struct stripe *s);

/* Random data and its parity. */
struct stripe packet_stripe(const pxr_code *code, size_t len);

/* Whether a matrix of n by n bits is nonsingular.  Destroys the matrix. */
bool packet_nonsingular(uint8_t *bits, unsigned n);

#endif
