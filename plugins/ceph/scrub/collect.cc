/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect.h"

#include <ostream>

#include "trouble.h"

namespace permxor_ceph
{

/* -------------------------------------------------------------- reading -- */

void Collector::line(const std::string &line)
{
    read_line(line, *this);
    osds_[current_.osd].report += line.size() + 1;
}

void Collector::end_of_file() const
{
    if (current_.open)
        throw Trouble("the report of osd." + std::to_string(current_.osd) + " is cut off");
}

void Collector::take(const OsdLine &line)
{
    end_of_file();
    if (osds_.count(line.osd))
        throw Trouble("osd." + std::to_string(line.osd) + " is in the reports twice");
    if (!key_.empty() && key_ != line.key)
        throw Trouble("osd." + std::to_string(line.osd) + " was hashed with another key");
    key_ = line.key;
    current_ = Current();
    current_.open = true;
    current_.osd = line.osd;
}

static void need(bool held, const char *what)
{
    if (!held)
        throw Trouble(what);
}

void Collector::take(const ObjectLine &line)
{
    need(current_.open, "a report does not begin with a line \"osd\"");
    pool_of(line.pg);
    current_.lines.push_back(line);
}

const Pool &Collector::pool_of(const PgShard &pg) const
{
    auto pool = pools_.find(pg.pool());
    need(pool != pools_.end() && pool->second.code,
         "a report has a pool that the map does not have, or that cannot be scrubbed");
    need(pg.shard < pool->second.shards(), "a report has a shard that its pool does not have");
    return pool->second;
}

void Collector::put(Group &group, const ObjectLine &line)
{
    Object &object = group.objects[line.name];
    object.held.resize(group.visits.size());
    object.osds.resize(group.visits.size());
    object.held[line.pg.shard] = {true, line.version, line.size, line.length, line.hash};
    object.osds[line.pg.shard] = current_.osd;
    osds_[current_.osd].shards++;
    osds_[current_.osd].hashed += line.length;
}

/* Two OSDs may have the same shard, when it has moved and the former copy is not yet removed.
   The copy that has seen the later write counts. */
void Collector::take(const PgLine &line)
{
    need(current_.open, "a report does not begin with a line \"osd\"");
    const Pool &pool = pool_of(line.pg);
    need(line.objects == current_.lines.size(), "a report lacks lines of objects");
    Group &group = groups_[line.pg.pool()][line.pg.pg];
    group.visits.resize(pool.shards());
    Visit &visit = group.visits[line.pg.shard];
    if (!visit.done || !(line.last_update < visit.last_update)) {
        visit = {true, current_.osd, line.last_update};
        for (const ObjectLine &object : current_.lines) {
            need(object.pg.pg == line.pg.pg && object.pg.shard == line.pg.shard,
                 "a report mixes placement groups");
            put(group, object);
        }
    }
    current_.lines.clear();
    current_.pgs++;
}

void Collector::take(const EndLine &line)
{
    need(current_.open, "a report does not begin with a line \"osd\"");
    need(line.pgs == current_.pgs && current_.lines.empty(),
         "a report lacks lines of placement groups");
    current_.open = false;
}

/* -------------------------------------------------------------- judging -- */

static const char *const words[] = {"fine", "WRONG", "written meanwhile", "not judged"};

void Collector::judge_group(const Pool &pool, const std::string &pg, const Group &group,
                            Tally &tally, std::ostream &out) const
{
    for (const auto &[name, object] : group.objects) {
        std::vector<Held> held = object.held;
        bool left = false;
        /* A copy of a shard that another OSD has newer does not count. */
        for (size_t i = 0; i < held.size(); i++) {
            held[i].there = held[i].there && object.osds[i] == group.visits[i].osd;
            left = left || held[i].there;
        }
        if (!left)
            continue;
        const Finding finding = judge(kind_, pool, held, group.visits);
        tally[size_t(finding.verdict)]++;
        if (finding.verdict != Verdict::fine)
            out << words[size_t(finding.verdict)] << ": " << pool.name << " " << pg << " "
                << name << ": " << finding.text << "\n";
    }
}

static void print_tally(const std::string &name, const Tally &tally, std::ostream &out)
{
    uint64_t all = 0;
    for (uint64_t count : tally)
        all += count;
    out << name << ": " << all << " objects";
    for (size_t i = 0; i < tally.size(); i++)
        out << ", " << tally[i] << " " << words[i];
    out << "\n";
}

Tally Collector::judge_all(std::ostream &out) const
{
    Tally sum = {};
    std::vector<std::pair<std::string, Tally>> tallies;
    for (const auto &[id, groups] : groups_) {
        const Pool &pool = pools_.at(id);
        Tally tally = {};
        for (const auto &[pg, group] : groups)
            judge_group(pool, pg, group, tally, out);
        for (size_t i = 0; i < sum.size(); i++)
            sum[i] += tally[i];
        tallies.emplace_back("pool " + pool.name, tally);
    }
    for (const auto &[osd, counts] : osds_)
        out << "osd." << osd << ": " << counts.shards << " shards, " << counts.hashed
            << " bytes hashed there, " << counts.report << " bytes of report\n";
    for (const auto &[name, tally] : tallies)
        print_tally(name, tally, out);
    print_tally("all pools", sum, out);
    return sum;
}

} // namespace permxor_ceph
