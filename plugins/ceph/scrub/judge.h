/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judge.h - decides from the hashes of its shards whether an object is right.
 */
#ifndef PERMXOR_CEPH_JUDGE_H
#define PERMXOR_CEPH_JUDGE_H

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "pools.h"
#include "shard_hash.h"
#include "text.h"
#include "version_number.h"

namespace permxor_ceph
{

/* A shard of an object, as an OSD holds it. */
struct Held {
    bool there = false;
    Version version;
    uint64_t size = 0, length = 0; /* of the object, and of the shard */
    Bytes hash;

    bool operator==(const Held &other) const
    {
        return std::tie(there, version, size, length, hash) ==
               std::tie(other.there, other.version, other.size, other.length, other.hash);
    }
};

/* The visit to the OSD that has shard number i of a placement group. */
struct Visit {
    bool done = false;
    uint64_t osd = 0;
    Version last_update;
};

enum class Verdict {
    fine,
    wrong,   /* something has to be repaired */
    again,   /* the object was written between two visits */
    unknown, /* a shard is on an OSD that was not visited */
};

struct Finding {
    Verdict verdict = Verdict::fine;
    std::string text; /* for people; "" if it is fine */
};

/*
 * Judges one object.  Both lists have an entry for each shard.
 *
 * OSDs are visited one after the other, while the cluster goes on.  What a visit must have seen
 * follows from the last write that the OSD's shard of the placement group had seen.  If that
 * write is as new as the newest version of the object, an older version, or none, is an error.
 * If it is older, the object was written after the visit.  If no visit that saw the object saw
 * a write so late, the object may have been removed before the visit.
 */
Finding judge(const HashKind &kind, const Pool &pool, const std::vector<Held> &held,
              const std::vector<Visit> &visits);

} // namespace permxor_ceph

#endif
