/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flat_stripe.h - a code of a 20.2 host, and chunks of it.  The expected chunks come from the
 * arithmetic of unit/reference.h and the rows of permxor.h's matrices.  permxor.h's own tests
 * check these rows.
 */
#ifndef PERMXOR_CEPH_TEST_FLAT_STRIPE_H
#define PERMXOR_CEPH_TEST_FLAT_STRIPE_H

#include "flat_values.h"
#include "pieces.h"
#include "permxor.h"

namespace host
{

struct Kind {
    const char *plugin;
    const char *technique;
    pxr_matrix matrix;
    bool original; /* Ceph's own code, which needs whole, aligned pieces */

    /* For codes of packets: the parameters, and the most data shards. */
    unsigned w = 0;
    size_t packetsize = 0;
    unsigned most_k = 27;

    bool two_parities() const
    {
        return matrix == PXR_JERASURE_R6 || matrix == PXR_JERASURE_LIBERATION;
    }
};

/* A code and random chunks of it. */
struct Stripe {
    std::shared_ptr<FlatInterface> code;
    bool original;
    unsigned k, m, n;
    size_t len;
    unsigned w; /* 0: no packets */
    size_t packetsize;
    Bytes rows; /* m*k coefficients, or the m*w rows of k*w bits */
    std::vector<Bytes> chunks;
};

/* Makes a code.  Returns null, after a failed check, if the plugin refuses the profile. */
std::shared_ptr<FlatInterface> code_of(const Kind &kind, const std::string &profile);
std::shared_ptr<FlatInterface> code_of(const std::string &plugin, const char *technique,
                                       const std::string &profile);

/* "k=4,m=2" */
std::string shape_of(const Stripe &stripe);

/* Makes a code and random chunks.  If the plugin refuses the profile, `code` is null. */
Stripe random_stripe(const Kind &kind, size_t len);

/* parity ^= factor * data */
void add_product(uint8_t factor, const Bytes &data, Bytes &parity);

/* Computes the parity chunks from the data chunks. */
void compute_parity(Stripe &stripe);

/* The numbers of all chunks except `ids`. */
ChunkSet others(const Stripe &stripe, const ChunkSet &ids);

/* pieces_of() returns the chunks `ids`.  rooms_for() returns buffers for them, with other
   contents. */
FlatMap<ceph::bufferptr> pieces_of(Pool &pool, const Stripe &stripe, const ChunkSet &ids);
FlatMap<ceph::bufferptr> rooms_for(Pool &pool, const Stripe &stripe, const ChunkSet &ids);

/* Checks that exactly these chunks are there and have the right contents. */
void check_pieces(const FlatMap<ceph::bufferptr> &got, const Stripe &stripe,
                  const ChunkSet &ids);

} // namespace host

#endif
