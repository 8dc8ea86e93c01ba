/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the interface of 16.2 and 18.2, call by call.  Our plugin must give what the original
 * gives, for buffers in any pieces at any address.  It must not copy a buffer, and must not
 * write anywhere else.
 */
#include "pair.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

using namespace host;

static size_t random_stripe(const Pair &pair)
{
    size_t most = check_below(4) == 0 ? 40000 : 1000;
    return pair.shortest + check_below(most);
}

static Form random_form()
{
    return check_below(3) == 0 ? Form::aligned : Form::pieces;
}

/* Checks that a list holds these bytes. */
static bool check_list(const ceph::bufferlist &list, const Bytes &want)
{
    Bytes got = bytes_of(list);
    return CHECK_INT((long long)got.size(), (long long)want.size()) &&
           CHECK_BYTES(got.data(), want.data(), want.size());
}

/* Checks the contents of the chunks in `ids`. */
static void check_chunks(const ChunkMap &got, const std::map<int, Bytes> &want,
                         const ChunkSet &ids)
{
    for (int id : ids)
        if (CHECK(got.count(id) == 1))
            check_list(got.at(id), want.at(id));
}

/* ------------------------------------------------------------------------ properties -- */

static void test_properties(const Pair &pair)
{
    CHECK_INT(pair.ours->get_chunk_count(), pair.n);
    CHECK_INT(pair.ours->get_data_chunk_count(), pair.k);
    CHECK_INT(pair.ours->get_coding_chunk_count(), pair.m);
    CHECK_INT(pair.ours->get_sub_chunk_count(), pair.original->get_sub_chunk_count());
    CHECK(pair.ours->get_chunk_mapping() == pair.original->get_chunk_mapping());
    for (unsigned round = 0; round < 20; round++) {
        unsigned stripe = pair.shortest + unsigned(check_below(size_t(1) << (1 + round)));
        check_at("stripe=%ld", stripe, 0, 0, 0);
        CHECK_INT(pair.ours->get_chunk_size(stripe), pair.original->get_chunk_size(stripe));
    }
}

/* --------------------------------------------------------------------------- encoding -- */

static void test_encode(const Pair &pair)
{
    Pool pool;
    Bytes bytes = random_bytes(random_stripe(pair));
    ChunkSet want = check_below(2) ? all_of(pair.n) : some_of(pair.n);
    ceph::bufferlist in = pool.list(bytes, random_form());
    auto in_before = addresses(in);
    ChunkMap by_original, by_ours;
    CHECK_INT(pair.original->encode(want, pool.list(bytes, Form::aligned), &by_original), 0);
    CHECK_INT(pair.ours->encode(want, in, &by_ours), 0);
    CHECK_INT((long long)by_ours.size(), (long long)by_original.size());
    for (const auto &[id, list] : by_original)
        if (CHECK(by_ours.count(id) == 1))
            check_list(by_ours.at(id), bytes_of(list));
    for (const auto &[id, list] : by_ours)
        if (id < int(pair.k))
            CHECK(within(list, in, size_t(id) * list.length()));
    check_list(in, bytes);
    CHECK(addresses(in) == in_before);
    pool.check();
}

static void test_encode_chunks(const Pair &pair)
{
    Pool pool;
    auto chunks = random_chunks(pair, random_stripe(pair));
    ChunkSet all = all_of(pair.n);
    Form form = random_form();
    ChunkMap lists = lists_of(pool, chunks, all_of(pair.k), form);
    for (unsigned id = pair.k; id < pair.n; id++)
        lists[int(id)] = pool.list(random_bytes(chunks.at(0).size()), form);
    auto parity_before = addresses(lists.at(int(pair.k)));
    CHECK_INT(pair.ours->encode_chunks(all, &lists), 0);
    CHECK_INT((long long)lists.size(), pair.n);
    check_chunks(lists, chunks, all);
    if (form == Form::aligned)
        CHECK(addresses(lists.at(int(pair.k))) == parity_before);
    pool.check();
}

/* --------------------------------------------------------------------------- decoding -- */

static void decode(const Pair &pair, const std::map<int, Bytes> &chunks, const ChunkSet &have,
                   const ChunkSet &want)
{
    Pool pool;
    ChunkMap lists = lists_of(pool, chunks, have, random_form()), decoded;
    CHECK_INT(pair.ours->decode(want, lists, &decoded, int(chunks.at(0).size())), 0);
    check_chunks(decoded, chunks, want);
    check_chunks(lists, chunks, have);
    for (int id : want)
        if (have.count(id))
            CHECK(addresses(decoded.at(id)) == addresses(lists.at(id)));
    pool.check();
}

static void test_decode(const Pair &pair)
{
    auto chunks = random_chunks(pair, random_stripe(pair));
    ChunkSet have = survivors_of(0, pair.n, unsigned(check_below(pair.m + 1)));
    decode(pair, chunks, have, check_below(2) ? all_of(pair.n) : some_of(pair.n));
}

/* Rebuilds the lost chunks in the buffers that the caller gives for them.  If nothing is lost,
   the original aborts. */
static void decode_chunks(const Pair &pair, const std::map<int, Bytes> &chunks,
                          const ChunkSet &have)
{
    Pool pool;
    Form form = random_form();
    ChunkMap lists = lists_of(pool, chunks, have, form), decoded = lists;
    ChunkSet want;
    for (int id : all_of(pair.n))
        if (!have.count(id)) {
            decoded[id] = pool.list(random_bytes(chunks.at(0).size()), form);
            want.insert(id);
        }
    ChunkMap before = decoded;
    CHECK_INT(pair.ours->decode_chunks(want, lists, &decoded), 0);
    check_chunks(decoded, chunks, all_of(pair.n));
    if (form == Form::aligned)
        for (int id : want)
            CHECK(addresses(decoded.at(id)) == addresses(before.at(id)));
    pool.check();
}

static void test_decode_chunks(const Pair &pair)
{
    auto chunks = random_chunks(pair, random_stripe(pair));
    decode_chunks(pair, chunks, survivors_of(0, pair.n, 1 + unsigned(check_below(pair.m))));
}

static void test_decode_concat(const Pair &pair)
{
    Pool pool;
    auto chunks = random_chunks(pair, random_stripe(pair));
    ChunkSet have = survivors_of(0, pair.n, unsigned(check_below(pair.m + 1)));
    ChunkMap lists = lists_of(pool, chunks, have, random_form());
    ceph::bufferlist decoded;
    Bytes want;
    for (unsigned id = 0; id < pair.k; id++)
        want += chunks.at(int(id));
    CHECK_INT(pair.ours->decode_concat(lists, &decoded), 0);
    check_list(decoded, want);
    pool.check();
}

/* Tests every loss of up to m chunks. */
static void test_every_loss(const Pair &pair)
{
    auto chunks = random_chunks(pair, random_stripe(pair));
    for (unsigned mask = 1; mask < 1u << pair.n; mask++) {
        ChunkSet have;
        for (unsigned id = 0; id < pair.n; id++)
            if (mask >> id & 1)
                have.insert(int(id));
        if (have.size() < pair.k)
            continue;
        check_at("k=%ld m=%ld have=0x%lx", pair.k, pair.m, mask, 0);
        decode(pair, chunks, have, all_of(pair.n));
        if (have.size() < pair.n)
            decode_chunks(pair, chunks, have);
    }
}

/* blaum_roth with its default w encodes as the original does.  A loss that it cannot repair is
   an error.  (The original returns other bytes.) */
static void not_mds(unsigned k, unsigned singular)
{
    if (!check_case("jerasure blaum_roth, the default w, k=%u", k))
        return;
    const char *profile = "technique=blaum_roth,packetsize=16";
    Pair pair = pair_of({"", "jerasure", profile, "jerasure", profile, 7, 2, true, 1}, k, 2);
    if (!CHECK(bool(pair)))
        return;
    for (unsigned round = 0; round < 20; round++) {
        test_properties(pair);
        test_encode(pair);
        test_encode_chunks(pair);
    }
    auto chunks = random_chunks(pair, 1000);
    unsigned failed = 0;
    for (unsigned a = 0; a < pair.n; a++)
        for (unsigned b = 0; b < a; b++) {
            Pool pool;
            ChunkSet have = all_of(pair.n);
            have.erase(int(a));
            have.erase(int(b));
            ChunkMap lists = lists_of(pool, chunks, have, Form::aligned), decoded;
            int status = pair.ours->decode(all_of(pair.n), lists, &decoded, 0);
            failed += status == -EIO;
            if (status == 0)
                check_chunks(decoded, chunks, all_of(pair.n));
            else
                CHECK_INT(status, -EIO);
        }
    CHECK_INT(failed, singular);
}

/* ---------------------------------------------------------------------- what is read -- */

static void test_minimum(const Pair &pair)
{
    ChunkSet want = some_of(pair.n), have = some_of(pair.n);
    std::map<int, permxor_ceph::SubChunks> by_original, by_ours;
    int status = pair.original->minimum_to_decode(want, have, &by_original);
    CHECK_INT(pair.ours->minimum_to_decode(want, have, &by_ours), status);
    if (status == 0)
        CHECK(by_ours == by_original);
}

/* The least cost of reading: the wanted chunks if all of them are there, and otherwise the
   cheapest k chunks. */
static long least_cost(const Pair &pair, const ChunkSet &want, const std::map<int, int> &costs)
{
    std::vector<long> all, wanted;
    for (auto [id, cost] : costs) {
        all.push_back(cost);
        if (want.count(id))
            wanted.push_back(cost);
    }
    if (wanted.size() == want.size())
        return std::accumulate(wanted.begin(), wanted.end(), 0L);
    std::sort(all.begin(), all.end());
    return std::accumulate(all.begin(), all.begin() + pair.k, 0L);
}

/* The original does not look at the costs, so the test computes the least cost itself. */
static void test_minimum_with_cost(const Pair &pair)
{
    ChunkSet want = some_of(pair.n), by_original, by_ours;
    std::map<int, int> costs;
    for (int id : some_of(pair.n))
        costs[id] = int(check_below(10));
    int status = pair.original->minimum_to_decode_with_cost(want, costs, &by_original);
    CHECK_INT(pair.ours->minimum_to_decode_with_cost(want, costs, &by_ours), status);
    if (status != 0)
        return;
    long cost = 0;
    for (int id : by_ours)
        if (CHECK(costs.count(id) == 1))
            cost += costs.at(id);
    CHECK_INT(cost, least_cost(pair, want, costs));
    std::map<int, permxor_ceph::SubChunks> enough;
    CHECK_INT(pair.original->minimum_to_decode(want, by_ours, &enough), 0);
}

/* -------------------------------------------------------------------------- mappings -- */

/* A mapping that is in order changes no byte, also if its length differs from isa's number of
   chunks. */
static void test_mapping(const Technique &technique, const char *mapping)
{
    std::string original = technique.original_profile, ours = technique.our_profile;
    Technique mapped = technique;
    original += std::string(",mapping=") + mapping;
    ours += std::string(",mapping=") + mapping;
    mapped.original_profile = original.c_str();
    mapped.our_profile = ours.c_str();
    Pair pair = pair_of(mapped, 4, 2);
    if (!CHECK(bool(pair)))
        return;
    CHECK_INT((long long)pair.ours->get_chunk_mapping().size(), (long long)strlen(mapping));
    for (unsigned round = 0; round < 20; round++) {
        test_properties(pair);
        test_encode(pair);
        test_decode(pair);
        test_decode_chunks(pair);
        test_decode_concat(pair);
        test_minimum(pair);
    }
}

static void mappings(const Technique &technique)
{
    if (!technique.has(4, 2) || !check_case("%s: mappings", technique.title))
        return;
    for (const char *mapping : {"DDDD__", "DDDDDD", "______"})
        test_mapping(technique, mapping);
    if (technique.ours == std::string("isa"))
        for (const char *mapping : {"DD", "_", "DDDD______"})
            test_mapping(technique, mapping);
}

/* ------------------------------------------------------------------------------- main -- */

static void rounds(const Technique &technique, const char *title, void (*test)(const Pair &),
                   unsigned count)
{
    if (!check_case("%s: %s", technique.title, title))
        return;
    for (unsigned round = 0; round < check_effort(count); round++) {
        check_at("round %ld", round, 0, 0, 0);
        Pair pair = random_pair(technique);
        check_at("round %ld k=%ld m=%ld", round, pair.k, pair.m, 0);
        if (!CHECK(bool(pair)))
            return;
        test(pair);
    }
}

static void every_loss(const Technique &technique)
{
    static const unsigned codes[][2] = {{2, 1}, {2, 2}, {3, 2}, {4, 2}, {4, 3}, {5, 4}, {8, 3}};
    if (!check_case("%s: every loss", technique.title))
        return;
    for (auto [k, m] : codes) {
        if (!technique.has(k, m))
            continue;
        Pair pair = pair_of(technique, k, m);
        if (CHECK(bool(pair)))
            test_every_loss(pair);
    }
}

int main(int argc, char **argv)
{
    check_start("test_classic", argc, argv);
    for (size_t i = 0; i < technique_count; i++) {
        const Technique &technique = techniques[i];
        rounds(technique, "properties", test_properties, 40);
        rounds(technique, "encode", test_encode, 200);
        rounds(technique, "encode_chunks", test_encode_chunks, 200);
        rounds(technique, "decode", test_decode, 200);
        rounds(technique, "decode_chunks", test_decode_chunks, 200);
        rounds(technique, "decode_concat", test_decode_concat, 100);
        rounds(technique, "minimum_to_decode", test_minimum, 200);
        rounds(technique, "minimum_to_decode_with_cost", test_minimum_with_cost, 200);
        every_loss(technique);
        mappings(technique);
    }
    not_mds(3, 1);
    not_mds(7, 9);
    return check_finish();
}
