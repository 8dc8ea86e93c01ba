/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.h - the same code in an original plugin and in ours. */
#ifndef PERMXOR_CEPH_TEST_PAIR_H
#define PERMXOR_CEPH_TEST_PAIR_H

#include "host.h"
#include "pieces.h"

namespace host
{

/* A technique to compare: its names in the original and in ours. */
struct Technique {
    const char *title;
    const char *original; /* a plugin, and its profile without k and m */
    const char *original_profile;
    const char *ours;
    const char *our_profile;
    unsigned most_k, most_m;
    bool two_parities;
    unsigned shortest_chunk; /* the original aborts with shorter chunks */

    /* Whether the technique has a code of this size. */
    bool has(unsigned k, unsigned m) const
    {
        return k <= most_k && (two_parities ? m == 2 : m <= most_m);
    }
};

extern const Technique techniques[];
extern const size_t technique_count;

/* A code of n chunks, of which k are data.  A pointer is null if its plugin refused the
   profile, which is a failure. */
struct Pair {
    std::shared_ptr<ClassicInterface> original, ours;
    unsigned k, m, n;
    unsigned shortest; /* the shortest stripe that the original can cut */

    explicit operator bool() const
    {
        return original && ours;
    }
};

/* The plugins of a technique.  They are loaded once and stay. */
Plugin &original_of(const Technique &technique);
Plugin &ours_of(const Technique &technique);

Pair pair_of(const Technique &technique, unsigned k, unsigned m);

/* A pair of random size, mostly small. */
Pair random_pair(const Technique &technique);

/* The chunks that the original makes of random data. */
std::map<int, Bytes> random_chunks(const Pair &pair, size_t stripe);

/* Lists that hold the chunks `ids`. */
ChunkMap lists_of(Pool &pool, const std::map<int, Bytes> &chunks, const ChunkSet &ids,
                  Form form);

} // namespace host

#endif
