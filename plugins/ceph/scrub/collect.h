/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect.h - brings the reports of all OSDs together.
 */
#ifndef PERMXOR_CEPH_COLLECT_H
#define PERMXOR_CEPH_COLLECT_H

#include <array>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "judge.h"
#include "pools.h"
#include "report.h"

namespace permxor_ceph
{

/* The number of objects with each verdict. */
using Tally = std::array<uint64_t, 4>;

class Collector : public ReportSink
{
  public:
    explicit Collector(const Pools &pools) : pools_(pools)
    {
    }

    /* Takes a line.  Throws a Trouble for a line that cannot be, and for a report that does not
       belong to the others. */
    void line(const std::string &line);

    /* Says that a file of lines has ended.  Throws a Trouble if a report was cut off. */
    void end_of_file() const;

    /* Judges all objects.  Writes a line for each one that is not fine, and the sums. */
    Tally judge_all(std::ostream &out) const;

    /* Writes a line for each pool whose placement groups are not all in the reports with all
       their shards.  Returns how many are not.  If `only` names pools, others do not count. */
    uint64_t name_gaps(const std::set<std::string> &only, std::ostream &out) const;

  private:
    struct Object {
        std::vector<Held> held;
        std::vector<uint64_t> osds; /* from which the shards are */
    };
    /* Another OSD's copy of a shard of a placement group, which has seen the same writes. */
    struct Copy {
        unsigned shard;
        Visit visit;
        std::map<std::string, Held> objects;
    };
    struct Group {
        std::vector<Visit> visits;
        std::vector<Copy> copies;
        std::map<std::string, Object> objects;
    };
    struct Osd {
        uint64_t shards = 0, hashed = 0, report = 0;
    };
    /* What the lines since the last line "osd" say. */
    struct Current {
        bool open = false;
        uint64_t osd = 0, pgs = 0;
        std::vector<ObjectLine> lines; /* of the placement group that has not ended yet */
    };
    using Groups = std::map<std::string, Group>;
    using Names = std::set<std::string_view>;

    const Pools &pools_;
    HashKind kind_;
    std::string key_;
    std::map<uint64_t, Groups> groups_; /* by pools */
    std::map<uint64_t, Osd> osds_;
    Current current_;

    void take(const OsdLine &line) override;
    void take(const ObjectLine &line) override;
    void take(const PgLine &line) override;
    void take(const EndLine &line) override;

    const Pool &pool_of(const PgShard &pg) const;
    Object &object_of(Group &group, const ObjectLine &line);
    void put(Group &group);
    void put_copy(Group &group, const PgLine &line);
    static std::vector<Held> counted(const Group &group, const Object &object);
    static std::string difference(const Group &group, const std::string &name,
                                  const std::vector<Held> &held);
    static Names moved(const Groups &groups);
    static bool is_there(const Group &group, const Object &object);
    Finding judge_object(const Pool &pool, const Group &group, const std::vector<Held> &held,
                         const std::string &differing) const;
    Tally judge_pool(const Pool &pool, const Groups &groups, std::ostream &out) const;
};

} // namespace permxor_ceph

#endif
