/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pools.h - the erasure-coded pools of a cluster, with their codes.
 */
#ifndef PERMXOR_CEPH_POOLS_H
#define PERMXOR_CEPH_POOLS_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "../code.h"
#include "permxor_hash.h"

namespace permxor_ceph
{

struct Pool {
    std::string name;
    std::shared_ptr<const Code> code; /* null: the pool cannot be scrubbed */
    std::string refusal;              /* why, in one sentence */
    uint64_t stripe_width = 0;        /* bytes of an object in one stripe */
    uint64_t pg_num = 0;              /* placement groups; they are numbered from 0 */

    unsigned shards() const
    {
        return code->k() + code->m();
    }

    /* Bytes of each shard of an object of this size. */
    uint64_t shard_length(uint64_t size) const
    {
        uint64_t stripes = size / stripe_width + (size % stripe_width != 0);
        return stripes * (stripe_width / code->k());
    }
};

using Pools = std::map<uint64_t, Pool>; /* by their ids */

/*
 * Reads the output of `ceph osd dump --format json`.  Replicated pools are left out.  Throws a
 * Trouble if it is something else.
 */
Pools read_pools(const std::string &osd_dump);

/* Makes the code of a profile, or leaves in `pool` the reason why shards of it cannot be
   checked from hashes. */
void make_code(Profile profile, Pool &pool);

} // namespace permxor_ceph

#endif
