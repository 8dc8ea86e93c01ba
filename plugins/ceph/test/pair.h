/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.h - the same code in an original plugin and in ours. */
#ifndef PERMXOR_CEPH_TEST_PAIR_H
#define PERMXOR_CEPH_TEST_PAIR_H

#include "host.h"
#include "pieces.h"

namespace host
{

/* What there is to compare: what the original calls it, and what ours does. */
struct Technique {
    const char *title;
    const char *original; /* a plugin, and its profile but k and m */
    const char *original_profile;
    const char *ours;
    const char *our_profile;
    unsigned most_k, most_m;
    bool two_parities;
    unsigned shortest_chunk; /* below which the original aborts */

    /* Whether it has a code of this size. */
    bool has(unsigned k, unsigned m) const
    {
        return k <= most_k && (two_parities ? m == 2 : m <= most_m);
    }
};

extern const Technique techniques[];
extern const size_t technique_count;

/* A code of k data chunks of n; null pointers where one was refused, which is a failure. */
struct Pair {
    std::shared_ptr<ClassicInterface> original, ours;
    unsigned k, m, n;
    unsigned shortest; /* stripe that the original can cut */

    explicit operator bool() const
    {
        return original && ours;
    }
};

/* The plugins of a technique; they are loaded once, and stay. */
Plugin &original_of(const Technique &technique);
Plugin &ours_of(const Technique &technique);

Pair pair_of(const Technique &technique, unsigned k, unsigned m);

/* Small ones mostly. */
Pair random_pair(const Technique &technique);

/* The chunks of random data, by the original. */
std::map<int, Bytes> random_chunks(const Pair &pair, size_t stripe);

/* Lists of the chunks in `ids`. */
ChunkMap lists_of(Pool &pool, const std::map<int, Bytes> &chunks, const ChunkSet &ids,
                  Form form);

} // namespace host

#endif
