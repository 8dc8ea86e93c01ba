/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests permxor-ceph-scrub without a cluster: objects in the configurations of isa and jerasure
 * are encoded, hashed shard by shard and checked from the hashes, with a wrong byte in each
 * shard in turn.  Exports of ceph-objectstore-tool are forged.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

#include "../scrub/collect.h"
#include "../scrub/export.h"
#include "../scrub/json.h"
#include "../scrub/osd.h"
#include "../scrub/pools.h"
#include "../scrub/shard_hash.h"
#include "../scrub/trouble.h"
#include "export_text.h"
#include "profile_text.h"

extern "C" {
#include "check.h"
}

using namespace permxor_ceph;

static const uint64_t pool_id = 5;

/* The message of the Trouble that the call throws; "" if it throws none. */
static std::string trouble_of(const std::function<void()> &call)
{
    try {
        call();
    } catch (const Trouble &trouble) {
        return trouble.what();
    }
    return "";
}

static bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

/* -------------------------------------------------------------- objects -- */

/* Makes a pool whose stripes are at least as long as k pages, which is Ceph's default. */
static Pool make_pool(const std::string &profile)
{
    Pool pool;
    pool.name = "tested";
    pool.pg_num = 32;
    make_code(profile_of(profile), pool);
    if (pool.code)
        pool.stripe_width =
            uint64_t{pool.code->chunk_size(pool.code->k() * 4096)} * pool.code->k();
    return pool;
}

/* The shards of an object of some stripes, each encoded for itself, as Ceph does it. */
static std::vector<std::string> make_shards(const Pool &pool, unsigned stripes)
{
    const unsigned k = pool.code->k(), n = pool.shards();
    const size_t chunk = pool.stripe_width / k;
    std::vector<std::string> shards(n, std::string(stripes * chunk, '\0'));
    for (unsigned stripe = 0; stripe < stripes; stripe++) {
        std::vector<uint8_t *> chunks;
        for (std::string &shard : shards)
            chunks.push_back(reinterpret_cast<uint8_t *>(&shard[stripe * chunk]));
        for (unsigned i = 0; i < k; i++)
            check_fill(chunks[i], chunk);
        CHECK_INT(pxr_encode(pool.code->coder(), chunk, chunks.data(), &chunks[k]), PXR_OK);
    }
    return shards;
}

/* Hashes a shard in pieces of random lengths. */
static Bytes hash_of(const HashKind &kind, const Pool &pool, const std::string &shard)
{
    ShardHash hash(kind, *pool.code);
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(shard.data());
    for (size_t at = 0, n; at < shard.size(); at += n) {
        n = std::min(shard.size() - at, 1 + check_below(shard.size()));
        hash.add(at, n, bytes + at);
    }
    return hash.sum();
}

/* A report of each OSD, in which OSD number i has shard i. */
class Reports
{
  public:
    Reports(const HashKind &kind, const Pool &pool) : kind_(kind), pool_(pool)
    {
        objects_.resize(pool.shards());
    }

    void add(const std::string &name, const std::vector<std::string> &shards)
    {
        const uint64_t stripe = pool_.stripe_width;
        const uint64_t stripes = shards[0].size() / (stripe / pool_.code->k());
        for (unsigned i = 0; i < shards.size(); i++)
            objects_[i].push_back({{"5.1a", i},
                                   name,
                                   {10, 3},
                                   stripes * stripe - 1,
                                   shards[i].size(),
                                   hash_of(kind_, pool_, shards[i])});
    }

    /* The object's line of one OSD. */
    ObjectLine &line(unsigned osd, size_t object)
    {
        return objects_[osd][object];
    }
    void remove(unsigned osd, size_t object)
    {
        objects_[osd].erase(objects_[osd].begin() + long(object));
    }

    std::vector<std::string> of(unsigned osd, const Version &last_update = {10, 9}) const
    {
        std::vector<std::string> lines = {line_of(OsdLine{osd, kind_.mark()})};
        for (const ObjectLine &line : objects_[osd])
            lines.push_back(line_of(line));
        lines.push_back(line_of(PgLine{{"5.1a", osd}, last_update, objects_[osd].size()}));
        lines.push_back(line_of(EndLine{1}));
        return lines;
    }

  private:
    const HashKind &kind_;
    const Pool &pool_;
    std::vector<std::vector<ObjectLine>> objects_;
};

static void take(Collector &collector, const std::vector<std::string> &lines)
{
    for (const std::string &line : lines)
        collector.line(line);
    collector.end_of_file();
}

/* Checks the reports of all OSDs.  Returns what is said about them. */
static std::string judged(const Pool &pool, const Reports &reports, Tally *tally = nullptr)
{
    const Pools pools = {{pool_id, pool}};
    Collector collector(pools);
    for (unsigned i = 0; i < pool.shards(); i++)
        take(collector, reports.of(i));
    std::ostringstream out;
    Tally found = collector.judge_all(out);
    if (tally)
        *tally = found;
    return out.str();
}

/* ------------------------------------------------------- configurations -- */

static unsigned verified, located;

/* Whether the text blames the right shard, or says that the code does not tell. */
static bool blames(const std::string &text, const Pool &pool, unsigned shard)
{
    const std::string name = std::to_string(shard);
    const std::string head = "WRONG: tested 5.1a bad" + name + ": ";
    if (pool.code->m() < 2)
        return contains(text, head + "some shard is wrong; with m=1");
    if (contains(text, head + "shard " + name + " on osd." + name + " is wrong\n")) {
        located++;
        return true;
    }
    return !pool.code->any_k_suffice() && contains(text, head + "one or more shards are wrong");
}

static void test_configuration(const std::string &profile)
{
    if (!check_case("%s", profile.c_str()))
        return;
    const Pool pool = make_pool(profile);
    if (!CHECK_STR(pool.refusal.c_str(), ""))
        return;
    const HashKind kind;
    const unsigned n = pool.shards();
    std::vector<std::string> shards = make_shards(pool, 2);
    Reports reports(kind, pool);
    reports.add("fine", shards);
    for (unsigned i = 0; i < n; i++) {
        char &byte = shards[i][check_below(shards[i].size())];
        const char before = byte;
        byte = static_cast<char>(byte ^ (1 + check_below(255)));
        reports.add("bad" + std::to_string(i), shards);
        byte = before;
    }
    Tally tally;
    const std::string text = judged(pool, reports, &tally);
    CHECK_INT(tally[size_t(Verdict::fine)], 1);
    CHECK_INT(tally[size_t(Verdict::wrong)], n);
    for (unsigned i = 0; i < n; i++) {
        check_at("shard=%ld", i, 0, 0, 0);
        CHECK(blames(text, pool, i));
    }
    verified++;
}

/* Adds k and m to a profile. */
static std::string sized(const std::string &profile, unsigned k, unsigned m)
{
    return profile + ",k=" + std::to_string(k) + ",m=" + std::to_string(m);
}

/* The configurations of isa and jerasure in the test of Ceph's pull request 71721, without
   those of words. */
static void test_pull_request()
{
    static const struct {
        const char *profile;
        unsigned least, most; /* m */
    } rows[] = {
        {"plugin=isa,technique=reed_sol_van", 1, 3},
        {"plugin=isa,technique=cauchy", 1, 3},
        {"plugin=jerasure,technique=reed_sol_van", 1, 3},
        {"plugin=jerasure,technique=reed_sol_r6_op", 2, 2},
        {"plugin=jerasure,technique=cauchy_orig,packetsize=32", 1, 3},
        {"plugin=jerasure,technique=cauchy_good,packetsize=32", 1, 3},
        {"plugin=jerasure,technique=liberation,packetsize=32", 1, 2},
        {"plugin=jerasure,technique=blaum_roth,packetsize=32", 1, 2},
        {"plugin=jerasure,technique=liber8tion,packetsize=32", 2, 2},
    };
    for (const auto &row : rows)
        for (unsigned m = row.least; m <= row.most; m++)
            for (unsigned k = 2; k <= 6; k++)
                test_configuration(sized(row.profile, k, m));
    for (const char *profile :
         {"plugin=jerasure,technique=liberation,k=6,m=2,packetsize=32,w=11",
          "plugin=jerasure,technique=liberation,k=6,m=2,packetsize=36,w=13",
          "plugin=jerasure,technique=blaum_roth,k=6,m=2,packetsize=44,w=7",
          "plugin=jerasure,technique=blaum_roth,k=6,m=2,packetsize=60,w=10",
          "plugin=jerasure,technique=liber8tion,k=2,m=2,packetsize=92"})
        test_configuration(profile);
}

static void test_bytes()
{
    static const struct {
        const char *profile;
        unsigned least, most; /* m */
    } rows[] = {
        {"plugin=isa,technique=reed_sol_van", 1, 4},
        {"plugin=isa,technique=cauchy", 1, 6},
        {"plugin=jerasure,technique=reed_sol_van", 1, 6},
        {"plugin=jerasure,technique=reed_sol_van,jerasure-per-chunk-alignment=true", 2, 2},
        {"plugin=jerasure,technique=reed_sol_r6_op", 2, 2},
        {"plugin=permxor,technique=reed_sol_van", 1, 4},
        {"plugin=permxor,technique=cauchy", 1, 4},
        {"plugin=permxor,technique=jerasure_reed_sol_van", 1, 4},
        {"plugin=permxor,technique=jerasure_reed_sol_r6_op", 2, 2},
    };
    for (const auto &row : rows)
        for (unsigned m = row.least; m <= row.most; m++)
            for (unsigned k : {7, 8, 10, 12, 17, 21})
                test_configuration(sized(row.profile, k, m));
}

static void test_packets()
{
    for (const char *technique : {"cauchy_orig", "cauchy_good"})
        for (unsigned w : {4, 5, 8, 11, 16, 32})
            for (const char *packetsize : {"8", "1024", "2048"})
                for (unsigned m = 1; m <= 4; m++)
                    test_configuration(sized(std::string("plugin=jerasure,technique=") +
                                                 technique + ",w=" + std::to_string(w) +
                                                 ",packetsize=" + packetsize,
                                             8, m));
    static const struct {
        const char *profile;
        unsigned most; /* k */
    } rows[] = {
        {"technique=liberation,w=5", 5},   {"technique=liberation", 7},
        {"technique=liberation,w=13", 10}, {"technique=blaum_roth,w=4", 4},
        {"technique=blaum_roth,w=6", 6},   {"technique=blaum_roth,w=12", 10},
        {"technique=liber8tion", 8},       {"technique=blaum_roth", 7},
    };
    for (const auto &row : rows)
        for (unsigned k = 2; k <= row.most; k++)
            test_configuration(sized(std::string("plugin=jerasure,") + row.profile, k, 2));
}

/* ------------------------------------------------------------- refusals -- */

static void test_refusals()
{
    static const struct {
        const char *profile, *words;
    } rows[] = {
        {"plugin=jerasure,technique=reed_sol_van,k=6,m=3,w=16",
         "w=16: words of 16 and 32 bits"},
        {"plugin=jerasure,technique=reed_sol_van,k=6,m=3,w=32",
         "w=32: words of 16 and 32 bits"},
        {"plugin=jerasure,technique=reed_sol_r6_op,k=6,m=2,w=16", "w=16: words of"},
        {"plugin=shec,technique=multiple,k=4,m=3,c=2", "plugin shec: only isa, jerasure"},
        {"plugin=lrc,k=4,m=2,l=3", "plugin lrc: only isa, jerasure and permxor"},
        {"plugin=clay,k=4,m=2", "plugin clay: only isa, jerasure and permxor"},
        {"k=4,m=2", "plugin : only isa, jerasure and permxor"},
        {"plugin=jerasure,technique=reed_sol_van,k=4,m=2,mapping=_DDDD_", "mapping=_DDDD_"},
        {"plugin=isa,technique=new,k=4,m=2", "technique=new"},
        {"plugin=isa,technique=reed_sol_van,k=4,m=9", "m=9 should be less than 5"},
    };
    for (const auto &row : rows) {
        if (!check_case("refused: %s", row.profile))
            continue;
        const Pool pool = make_pool(row.profile);
        CHECK(!pool.code);
        CHECK(contains(pool.refusal, row.words));
    }
}

/* The form that ceph osd dump has, with less in it. */
static const char map_text[] = R"({"epoch": 9, "pools": [
    {"pool": 1, "pool_name": "plain", "type": 1, "flags_names": "hashpspool"},
    {"pool": 5, "pool_name": "tested", "type": 3, "flags_names": "hashpspool,ec_overwrites",
     "erasure_code_profile": "good", "stripe_width": 16384, "pg_num": 8},
    {"pool": 6, "pool_name": "fast", "type": 3, "flags_names": "hashpspool,ec_optimizations",
     "erasure_code_profile": "good", "stripe_width": 16384, "pg_num": 8},
    {"pool": 7, "pool_name": "lrc", "type": 3, "flags_names": "", "stripe_width": 16384,
     "pg_num": 8, "erasure_code_profile": "lrc"}],
    "erasure_code_profiles": {"lrc": {"plugin": "lrc", "k": "4"},
     "good": {"k": "4", "m": "2", "plugin": "isa", "technique": "reed_sol_van"}}})";

static void test_maps()
{
    if (check_case("the map of a cluster")) {
        const Pools pools = read_pools(map_text);
        CHECK_INT(pools.size(), 3);
        CHECK(pools.at(5).code && pools.at(5).name == "tested" && pools.at(5).shards() == 6);
        CHECK_INT(pools.at(5).shard_length(0), 0);
        CHECK_INT(pools.at(5).shard_length(1), 4096);
        CHECK_INT(pools.at(5).shard_length(16384), 4096);
        CHECK_INT(pools.at(5).shard_length(16385), 8192);
        CHECK_INT(pools.at(5).pg_num, 8);
        CHECK(contains(pools.at(6).refusal, "allow_ec_optimizations"));
        CHECK(contains(pools.at(7).refusal, "plugin lrc"));
    }
    if (check_case("maps that are cut off")) {
        const std::string whole = map_text;
        for (size_t n = 0; n < whole.size(); n++)
            CHECK(!trouble_of([&] { read_pools(whole.substr(0, n)); }).empty());
    }
    if (check_case("other JSON")) {
        CHECK(read_json("\"a\\u0041\\n\\\"\"").text == "aA\n\"");
        CHECK(read_json(" [1, true, []] ").list.size() == 3);
        for (const char *text : {"", "{", "{\"a\"}", "[1 2]", "\"\\x\"", "\"\\u00g0\"", "{} {}",
                                 "[,]", "{\"a\":}", "\"\\u00e9\""})
            CHECK(contains(trouble_of([&] { read_json(text); }), "not JSON"));
        CHECK(!trouble_of([&] { read_json(std::string(100, '[')); }).empty());
        CHECK(contains(trouble_of([&] { read_pools("{}"); }), "erasure_code_profiles"));
    }
}

/* ------------------------------------------------------------- verdicts -- */

/* One object of a pool, with what makes it wrong. */
struct Case {
    const char *name, *words;
    void (*change)(Reports &reports);
};

static void test_verdicts()
{
    static const Case cases[] = {
        {"a shard is missing", "WRONG: tested 5.1a one: shard 2 on osd.2 is missing\n",
         [](Reports &reports) { reports.remove(2, 0); }},
        {"a shard is older", "WRONG: tested 5.1a one: shard 4 on osd.4 has version 9'2 instead",
         [](Reports &reports) {
             reports.line(4, 0).version = {9, 2};
         }},
        {"all but one are older", "WRONG: tested 5.1a one: shard 1 on osd.1 has version 10'3",
         [](Reports &reports) {
             reports.line(0, 0).version = {10, 4};
         }},
        {"a shard is shorter", "shard 3 on osd.3 has 4096 bytes instead of 8192\n",
         [](Reports &reports) { reports.line(3, 0).length = 4096; }},
        {"other sizes", "the shards disagree on the size of the object: 5 and 32767 bytes",
         [](Reports &reports) { reports.line(3, 0).size = 5; }},
        {"two are wrong", "WRONG: tested 5.1a one: more than one shard is wrong\n",
         [](Reports &reports) {
             reports.line(3, 0).hash[0] ^= 1;
             reports.line(1, 0).hash[1] ^= 1;
         }},
        {"parity is wrong", "WRONG: tested 5.1a one: shard 6 on osd.6 is wrong\n",
         [](Reports &reports) { reports.line(6, 0).hash[7] ^= 0x80; }},
    };
    const Pool pool = make_pool("plugin=isa,technique=cauchy,k=4,m=3");
    const HashKind kind;
    for (const Case &row : cases) {
        if (!check_case("%s", row.name))
            continue;
        Reports reports(kind, pool);
        reports.add("one", make_shards(pool, 2));
        row.change(reports);
        Tally tally;
        const std::string text = judged(pool, reports, &tally);
        CHECK(contains(text, row.words));
        CHECK_INT(tally[size_t(Verdict::wrong)], 1);
    }
}

/* Judges two objects after visits that saw these writes last.  The objects are of write 3. */
static std::string after_visits(const std::vector<Version> &last, Tally &tally,
                                const std::function<void(Reports &)> &change)
{
    const Pool pool = make_pool("plugin=isa,technique=cauchy,k=2,m=2");
    const Pools pools = {{pool_id, pool}};
    const HashKind kind;
    Reports reports(kind, pool);
    reports.add("one", make_shards(pool, 1));
    reports.add("two", make_shards(pool, 1));
    change(reports);
    Collector collector(pools);
    for (unsigned i = 0; i < last.size(); i++)
        take(collector, reports.of(i, last[i]));
    std::ostringstream out;
    tally = collector.judge_all(out);
    return out.str();
}

static void test_visits()
{
    Tally tally;
    if (check_case("an OSD was not visited")) {
        const std::string text =
            after_visits({{10, 3}, {10, 3}, {10, 3}}, tally, [](Reports &) {});
        CHECK(contains(text, "not judged: tested 5.1a one: shard 3 is on no OSD"));
        CHECK_INT(tally[size_t(Verdict::unknown)], 2);
    }
    if (check_case("written after a visit")) {
        const std::string text =
            after_visits({{10, 2}, {10, 3}, {10, 3}, {10, 3}}, tally, [](Reports &reports) {
                reports.remove(0, 0);
                reports.line(0, 0).version = {9, 9};
            });
        CHECK(
            contains(text, "written meanwhile: tested 5.1a one: shard 0 on osd.0 was visited"));
        CHECK(
            contains(text, "written meanwhile: tested 5.1a two: shard 0 on osd.0 has version"));
        CHECK_INT(tally[size_t(Verdict::again)], 2);
    }
    if (check_case("removed before a visit")) {
        const std::string text = after_visits({{10, 3}, {10, 3}, {10, 3}, {10, 4}}, tally,
                                              [](Reports &reports) { reports.remove(3, 1); });
        CHECK(contains(text, "may have been removed before the visit"));
        CHECK_INT(tally[size_t(Verdict::again)], 1);
        CHECK_INT(tally[size_t(Verdict::fine)], 1);
    }
}

/* What is said when OSD 9 has a copy of shard 1, too.  The lines are those of OSD 1. */
static std::string with_copy(const Reports &reports, std::vector<std::string> copy, bool first)
{
    const Pools pools = {{pool_id, make_pool("plugin=isa,technique=cauchy,k=2,m=2")}};
    copy[0] = line_of(OsdLine{9, HashKind().mark()});
    Collector collector(pools);
    if (first)
        take(collector, copy);
    for (unsigned i = 0; i < 4; i++)
        take(collector, reports.of(i));
    if (!first)
        take(collector, copy);
    std::ostringstream out;
    collector.judge_all(out);
    return out.str();
}

/* Shard 1 is on OSD 1, and an older copy of it is on OSD 9. */
static void test_copies()
{
    const Pool pool = make_pool("plugin=isa,technique=cauchy,k=2,m=2");
    const HashKind kind;
    for (bool first : {false, true}) {
        if (!check_case("an older copy is visited %s", first ? "first" : "last"))
            continue;
        Reports reports(kind, pool), older(kind, pool);
        reports.add("one", make_shards(pool, 1));
        older.add("one", make_shards(pool, 1));
        older.add("gone", make_shards(pool, 1));
        const std::string text = with_copy(reports, older.of(1, {10, 4}), first);
        CHECK(contains(text, "all pools: 1 objects, 1 fine, 0 WRONG"));
    }
    static const struct {
        const char *name, *words;
        void (*change)(Reports &reports);
    } rows[] = {
        {"the same", "all pools: 2 objects, 2 fine, 0 WRONG", [](Reports &) {}},
        {"with another hash",
         "WRONG: tested 5.1a one: ", [](Reports &reports) { reports.line(1, 0).hash[0] ^= 1; }},
        {"older", "WRONG: tested 5.1a two: ",
         [](Reports &reports) { reports.line(1, 1).version.number--; }},
        {"missing", "WRONG: tested 5.1a two: ", [](Reports &reports) { reports.remove(1, 1); }},
        {"spare", "WRONG: tested 5.1a more: ",
         [](Reports &reports) {
             reports.add("more", {std::string(4096, 'x'), std::string(4096, 'x')});
         }},
    };
    for (const auto &row : rows)
        for (bool first : {false, true}) {
            if (!check_case("a copy after the same writes, %s, visited %s", row.name,
                            first ? "first" : "last"))
                continue;
            Reports reports(kind, pool);
            reports.add("one", make_shards(pool, 1));
            reports.add("two", make_shards(pool, 1));
            Reports copy = reports;
            row.change(copy);
            const std::string text = with_copy(reports, copy.of(1), first);
            CHECK(contains(text, row.words));
            CHECK(first || !contains(row.words, "WRONG: ") ||
                  contains(text, "shard 1 is on osd.1 and on osd.9, and they differ\n"));
        }
}

/* The placement group 5.1a was split after the visits to OSDs 0 and 1. */
static void test_split()
{
    if (!check_case("a split between visits"))
        return;
    const Pool pool = make_pool("plugin=isa,technique=cauchy,k=2,m=2");
    const Pools pools = {{pool_id, pool}};
    const HashKind kind;
    Reports before(kind, pool), after(kind, pool), child(kind, pool);
    const std::vector<std::string> stays = make_shards(pool, 1), goes = make_shards(pool, 1);
    before.add("stays", stays);
    before.add("goes", goes);
    after.add("stays", stays);
    child.add("goes", goes);
    Collector collector(pools);
    for (unsigned i = 0; i < pool.shards(); i++) {
        std::vector<std::string> lines = i < 2 ? before.of(i) : after.of(i);
        if (i >= 2) {
            lines.pop_back();
            for (std::string line : child.of(i))
                if (line.compare(0, 3, "osd") != 0 && line.compare(0, 3, "end") != 0)
                    lines.push_back(line.replace(line.find("5.1a"), 4, "5.a"));
            lines.push_back(line_of(EndLine{2}));
        }
        take(collector, lines);
    }
    std::ostringstream out;
    const Tally tally = collector.judge_all(out);
    CHECK(contains(out.str(), "written meanwhile: tested 5.1a goes: it is in two placement"));
    CHECK_INT(tally[size_t(Verdict::fine)], 1);
    CHECK_INT(tally[size_t(Verdict::again)], 2);
}

static void test_gaps()
{
    if (!check_case("placement groups without reports"))
        return;
    Pool pool = make_pool("plugin=isa,technique=cauchy,k=2,m=2"), other = pool, refused;
    other.name = "other";
    refused.name = "refused";
    refused.refusal = "it cannot be scrubbed";
    refused.pg_num = 4;
    const Pools pools = {{pool_id, pool}, {6, other}, {7, refused}};
    const HashKind kind;
    Collector collector(pools);
    std::ostringstream nothing, out, named;
    CHECK_INT(collector.name_gaps({}, nothing), 64);
    CHECK(
        contains(nothing.str(), "not judged: pool other: the reports have 0 of 32 placement"));
    CHECK(!contains(nothing.str(), "refused"));
    Reports reports(kind, pool);
    for (unsigned i = 0; i < pool.shards(); i++) {
        CHECK_INT(collector.name_gaps({"tested"}, named), 32);
        take(collector, reports.of(i));
    }
    CHECK_INT(collector.name_gaps({"tested"}, out), 31);
    CHECK_STR(out.str().c_str(), "not judged: pool tested: the reports have 1 of 32 placement "
                                 "groups with all their shards\n");
}

/* -------------------------------------------------------------- reports -- */

static std::string trouble_of_lines(const std::vector<std::string> &lines)
{
    const Pools pools = {{pool_id, make_pool("plugin=isa,technique=cauchy,k=2,m=2")}};
    return trouble_of([&] {
        Collector collector(pools);
        take(collector, lines);
    });
}

static void test_reports()
{
    const Pool pool = make_pool("plugin=isa,technique=cauchy,k=2,m=2");
    const HashKind kind;
    Reports reports(kind, pool);
    reports.add("one", make_shards(pool, 1));
    reports.add("two", make_shards(pool, 1));
    const std::vector<std::string> whole = reports.of(0);
    if (check_case("a line of a report is missing")) {
        CHECK_STR(trouble_of_lines(whole).c_str(), "");
        for (size_t i = 0; i < whole.size(); i++) {
            std::vector<std::string> lines = whole;
            lines.erase(lines.begin() + long(i));
            CHECK(!trouble_of_lines(lines).empty());
        }
    }
    if (check_case("reports that do not belong together")) {
        std::vector<std::string> twice = whole, other = whole;
        twice.insert(twice.end(), whole.begin(), whole.end());
        CHECK(contains(trouble_of_lines(twice), "osd.0 is in the reports twice"));
        other[0] = line_of(OsdLine{1, HashKind({1, 2, 3, 4, 5, 6, 7, 8}).mark()});
        other.insert(other.begin(), whole.begin(), whole.end());
        CHECK(contains(trouble_of_lines(other), "osd.1 was hashed with another key"));
    }
    if (check_case("lines of another form")) {
        static const char *const lines[] = {
            "",
            "obj",
            "osd 1 2 00",
            "osd x 1 00",
            "osd 1 1",
            "pg 5.1a 0 1'1",
            "pg 6.1a 0 1'1 0",
            "pg 5.1a 4 1'1 0",
            "pg 5.1g 0 1'1 0",
            "pg 5.20 0 1'1 0",
            "pg 5.fffffffffffffffffffffffff 0 1'1 0",
            "pg 5 0 1'1 0",
            "pg 5.1a 0 11 0",
            "end -1",
            "obj 5.1a 0 //a@head 1'1 5 5 0",
            "obj 5.1a 0 //a@head 1'1 5 5 0g",
            "obj 5.1a 0 //a@head 1'1 5 99999999999999999999 00",
        };
        for (const char *line : lines)
            CHECK(!trouble_of_lines({whole[0], line}).empty());
    }
    if (check_case("a hash of another length")) {
        Reports bad(kind, pool);
        bad.add("one", make_shards(pool, 1));
        bad.line(2, 0).hash.pop_back();
        CHECK(contains(trouble_of([&] { judged(pool, bad); }), "7 bytes instead of 8"));
    }
    if (check_case("keys")) {
        CHECK(contains(trouble_of([] { HashKind({1, 2}); }), "2 bytes instead of 8"));
        CHECK(!trouble_of([] { HashKind(Bytes(8)); }).empty());
    }
}

/* --------------------------------------------------------------- pieces -- */

static void test_pieces()
{
    for (const char *profile : {"plugin=isa,technique=cauchy,k=2,m=2",
                                "plugin=jerasure,technique=liberation,k=3,m=2,packetsize=20"}) {
        if (!check_case("pieces in any order: %s", profile))
            continue;
        const Pool pool = make_pool(profile);
        const HashKind kind({9, 8, 7, 6, 5, 4, 3, 2});
        const std::string shard = make_shards(pool, 3)[0];
        const uint8_t *bytes = reinterpret_cast<const uint8_t *>(shard.data());
        ShardHash whole(kind, *pool.code);
        whole.add(0, shard.size(), bytes);
        CHECK(whole.sum() == hash_of(kind, pool, shard));
        ShardHash backwards(kind, *pool.code);
        for (size_t end = shard.size(), n; end > 0; end -= n) {
            n = std::min(end, 1 + check_below(300));
            backwards.add(end - n, n, bytes + end - n);
        }
        CHECK(whole.sum() == backwards.sum());
    }
}

/* -------------------------------------------------------------- exports -- */

struct Nothing : ExportSink {
    void last_update(const Version &) override
    {
    }
    void begin(const ExportedObject &) override
    {
    }
    void data(uint64_t, size_t, const uint8_t *) override
    {
    }
    void end() override
    {
    }
};

static std::string trouble_of_export(const std::string &stream)
{
    size_t at = 0;
    Nothing nothing;
    return trouble_of([&] {
        read_export(
            [&](uint8_t *buffer, size_t n) {
                if (stream.size() - at < n)
                    return false;
                std::memcpy(buffer, stream.data() + at, n);
                at += n;
                return true;
            },
            nothing);
    });
}

/* A folder that looks like an OSD to a script that stands in for ceph-objectstore-tool. */
class StandIn
{
  public:
    StandIn()
    {
        char name[] = "/tmp/permxor-test-XXXXXX";
        if (!mkdtemp(name))
            std::abort();
        folder = name;
        put("whoami", "3\n");
        put("tool", "#!/bin/sh\n"
                    "while [ $# -gt 0 ]; do\n"
                    "    case $1 in\n"
                    "    --data-path) cd \"$2\" ;;\n"
                    "    --op) op=$2 ;;\n"
                    "    --pgid) pg=$2 ;;\n"
                    "    esac\n"
                    "    shift\n"
                    "done\n"
                    "cat \"$op$pg\"\n"
                    "echo last words >&2\n"
                    "exit \"$(cat status 2> /dev/null || echo 0)\"\n");
        chmod((folder + "/tool").c_str(), 0700);
    }
    ~StandIn()
    {
        for (const std::string &name : files_)
            unlink((folder + "/" + name).c_str());
        rmdir(folder.c_str());
    }

    void put(const std::string &name, const std::string &text)
    {
        std::ofstream(folder + "/" + name, std::ios::binary) << text;
        files_.insert(name);
    }

    std::string visit(const Pools &pools, std::string &report)
    {
        std::ostringstream out;
        std::string words = trouble_of(
            [&] { visit_osd(folder, folder + "/tool", pools, {}, HashKind(), out); });
        report = out.str();
        return words;
    }

    std::string folder;

  private:
    std::set<std::string> files_;
};

static Forged forged(const std::string &shard, uint64_t size)
{
    return {"my space", "", "a b/c", ~uint64_t{1}, {10, 3}, size, shard};
}

static void test_exports()
{
    const Pool pool = make_pool("plugin=jerasure,technique=liberation,k=2,m=2,packetsize=36");
    const Pools pools = {{pool_id, pool}};
    const std::string shard = make_shards(pool, 2)[0];
    const std::string stream = export_head({10, 9}) +
                               export_object(forged(shard, 2 * pool.stripe_width), 1000) +
                               export_tail();
    if (check_case("an OSD is visited")) {
        StandIn osd;
        osd.put("list-pgs", "5.1as1\n1.7\n8.0s0\nmeta\n");
        osd.put("export5.1as1", stream);
        std::string report;
        CHECK_STR(osd.visit(pools, report).c_str(), "");
        ObjectLine line = {{"5.1a", 1},  "my%20space//a%20b%2fc@head",
                           {10, 3},      2 * pool.stripe_width,
                           shard.size(), hash_of(HashKind(), pool, shard)};
        const std::string expected = line_of(OsdLine{3, HashKind().mark()}) + "\n" +
                                     line_of(line) + "\npg 5.1a 1 10'9 1\nend 1\n";
        CHECK_STR(report.c_str(), expected.c_str());
    }
    if (check_case("an OSD that cannot be read")) {
        StandIn osd;
        std::string report;
        osd.put("list-pgs", "5.1as1\n");
        osd.put("export5.1as1", stream.substr(0, stream.size() - 5));
        CHECK(contains(osd.visit(pools, report), "pg 5.1as1, after object 'my%20space//a%20b"));
        CHECK(!contains(report, "pg 5.1a"));
        osd.put("export5.1as1", stream);
        osd.put("status", "1");
        CHECK(contains(osd.visit(pools, report), "tool failed: last words"));
        osd.put("whoami", "");
        CHECK(contains(osd.visit(pools, report), "whoami: cannot be read"));
    }
    if (check_case("an export that is cut off")) {
        CHECK_STR(trouble_of_export(stream).c_str(), "");
        for (size_t n = 0; n < stream.size(); n++)
            CHECK(contains(trouble_of_export(stream.substr(0, n)), "export ends before"));
    }
    if (check_case("an export with wrong bytes")) {
        for (unsigned i = 0; i < check_effort(20000); i++) {
            std::string bad = stream;
            bad[check_below(bad.size())] = static_cast<char>(check_random());
            trouble_of_export(bad);
        }
        std::string magic = stream;
        magic[0] = 'x';
        CHECK(contains(trouble_of_export(magic), "not an export"));
        CHECK(
            contains(trouble_of_export(export_head({1, 1}) + section(4, "")), "another order"));
        CHECK(contains(trouble_of_export(export_head({1, 1}) + section(99, "")), "type 99"));
        CHECK(contains(trouble_of_export(export_head({1, 1}) + section(3, structure("short"))),
                       "ends too early"));
    }
}

int main(int argc, char **argv)
{
    check_start("test_scrub", argc, argv);
    test_pull_request();
    const unsigned of_the_pull_request = verified;
    test_bytes();
    test_packets();
    printf("test_scrub: %u configurations, %u of them of pull request 71721; "
           "%u wrong shards named\n",
           verified, of_the_pull_request, located);
    test_refusals();
    test_maps();
    test_verdicts();
    test_visits();
    test_copies();
    test_split();
    test_gaps();
    test_reports();
    test_pieces();
    test_exports();
    return check_finish();
}
