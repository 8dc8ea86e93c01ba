/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect.h"

#include <algorithm>
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
    need(pg.seed() < pool->second.pg_num,
         "a report has a placement group that the map does not have; wait until the number of"
         " groups no longer changes, save a new map, and visit all OSDs again");
    return pool->second;
}

Collector::Object &Collector::object_of(Group &group, const ObjectLine &line)
{
    Object &object = group.objects[line.name];
    object.held.resize(group.visits.size());
    object.osds.resize(group.visits.size());
    osds_[current_.osd].shards++;
    osds_[current_.osd].hashed += line.length;
    return object;
}

static Held held_of(const ObjectLine &line)
{
    return {true, line.version, line.size, line.length, line.hash};
}

void Collector::put(Group &group)
{
    for (const ObjectLine &line : current_.lines) {
        Object &object = object_of(group, line);
        object.held[line.pg.shard] = held_of(line);
        object.osds[line.pg.shard] = current_.osd;
    }
}

void Collector::put_copy(Group &group, const PgLine &line)
{
    Copy copy = {line.pg.shard, {true, current_.osd, line.last_update}, {}};
    for (const ObjectLine &object : current_.lines) {
        object_of(group, object);
        copy.objects[object.name] = held_of(object);
    }
    group.copies.push_back(copy);
}

/* Two OSDs may have the same shard, when it has moved and the former copy is not yet removed.
   The copy that has seen the later write counts.  Copies that have seen the same writes have to
   be equal. */
void Collector::take(const PgLine &line)
{
    need(current_.open, "a report does not begin with a line \"osd\"");
    const Pool &pool = pool_of(line.pg);
    need(line.objects == current_.lines.size(), "a report lacks lines of objects");
    for (const ObjectLine &object : current_.lines)
        need(object.pg.pg == line.pg.pg && object.pg.shard == line.pg.shard,
             "a report mixes placement groups");
    Group &group = groups_[line.pg.pool()][line.pg.pg];
    group.visits.resize(pool.shards());
    Visit &visit = group.visits[line.pg.shard];
    if (!visit.done || visit.last_update < line.last_update) {
        visit = {true, current_.osd, line.last_update};
        put(group);
    } else if (visit.last_update == line.last_update) {
        put_copy(group, line);
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

/* What this object's shards are.  A copy of a shard that another OSD has newer does not count.
 */
std::vector<Held> Collector::counted(const Group &group, const Object &object)
{
    std::vector<Held> held = object.held;
    for (size_t i = 0; i < held.size(); i++)
        if (object.osds[i] != group.visits[i].osd)
            held[i] = Held();
    return held;
}

/* Which copy of a shard of this object is another one than in `held`; "" if none is. */
std::string Collector::difference(const Group &group, const std::string &name,
                                  const std::vector<Held> &held)
{
    for (const Copy &copy : group.copies) {
        const Visit &visit = group.visits[copy.shard];
        if (!(copy.visit.last_update == visit.last_update))
            continue;
        const auto found = copy.objects.find(name);
        const Held other = found == copy.objects.end() ? Held() : found->second;
        if (!(other == held[copy.shard]))
            return "shard " + std::to_string(copy.shard) + " is on osd." +
                   std::to_string(visit.osd) + " and on osd." + std::to_string(copy.visit.osd) +
                   ", and they differ";
    }
    return "";
}

/* Whether some OSD that counts has a shard of the object. */
bool Collector::is_there(const Group &group, const Object &object)
{
    for (size_t i = 0; i < object.held.size(); i++)
        if (object.held[i].there && object.osds[i] == group.visits[i].osd)
            return true;
    return false;
}

/* The names of objects that are in more than one placement group. */
Collector::Names Collector::moved(const Groups &groups)
{
    Names seen, twice;
    for (const auto &[pg, group] : groups)
        for (const auto &[name, object] : group.objects)
            if (is_there(group, object) && !seen.insert(name).second)
                twice.insert(name);
    return twice;
}

Finding Collector::judge_object(const Pool &pool, const Group &group,
                                const std::vector<Held> &held,
                                const std::string &differing) const
{
    const Finding finding = judge(kind_, pool, held, group.visits);
    if (finding.verdict == Verdict::wrong || differing.empty())
        return finding;
    return {Verdict::wrong, differing};
}

Tally Collector::judge_pool(const Pool &pool, const Groups &groups, std::ostream &out) const
{
    Tally tally = {};
    const Names moved_names = moved(groups);
    for (const auto &[pg, group] : groups)
        for (const auto &[name, object] : group.objects) {
            const std::vector<Held> held = counted(group, object);
            const std::string differing = difference(group, name, held);
            if (!is_there(group, object) && differing.empty())
                continue;
            Finding finding = judge_object(pool, group, held, differing);
            if (moved_names.count(name))
                finding = {Verdict::again, "it is in two placement groups, so these were split"
                                           " or merged between the visits"};
            tally[size_t(finding.verdict)]++;
            if (finding.verdict != Verdict::fine)
                out << words[size_t(finding.verdict)] << ": " << pool.name << " " << pg << " "
                    << name << ": " << finding.text << "\n";
        }
    return tally;
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
        const Tally tally = judge_pool(pool, groups, out);
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

static bool whole(const std::vector<Visit> &visits)
{
    return std::all_of(visits.begin(), visits.end(),
                       [](const Visit &visit) { return visit.done; });
}

uint64_t Collector::name_gaps(const std::set<std::string> &only, std::ostream &out) const
{
    uint64_t all = 0;
    for (const auto &[id, pool] : pools_) {
        if (!pool.code || (!only.empty() && !only.count(pool.name)))
            continue;
        uint64_t covered = 0;
        const auto groups = groups_.find(id);
        if (groups != groups_.end())
            for (const auto &[pg, group] : groups->second)
                covered += whole(group.visits);
        if (covered < pool.pg_num)
            out << words[size_t(Verdict::unknown)] << ": pool " << pool.name
                << ": the reports have " << covered << " of " << pool.pg_num
                << " placement groups with all their shards\n";
        all += pool.pg_num - covered;
    }
    return all;
}

} // namespace permxor_ceph
