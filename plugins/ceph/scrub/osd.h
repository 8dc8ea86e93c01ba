/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * osd.h - hashes the shards that a stopped OSD holds.
 */
#ifndef PERMXOR_CEPH_OSD_H
#define PERMXOR_CEPH_OSD_H

#include <cstdint>
#include <iosfwd>
#include <set>
#include <string>

#include "pools.h"
#include "shard_hash.h"

namespace permxor_ceph
{

struct Visited {
    uint64_t osd, pgs, shards, bytes;
};

/*
 * Writes the report of an OSD to `out`.  `folder` is its data path, and `tool` the program
 * ceph-objectstore-tool.  If `only` is not empty, pools with other names are left out, and so
 * are pools that cannot be scrubbed.  Throws a Trouble if something cannot be read; the report
 * then lacks its end.
 */
Visited visit_osd(const std::string &folder, const std::string &tool, const Pools &pools,
                  const std::set<std::string> &only, const HashKind &kind, std::ostream &out);

} // namespace permxor_ceph

#endif
