/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_host.cc - a plugin that tests another one inside the real Ceph.
 *
 *     ceph-erasure-code-tool --erasure_code_dir D test-plugin-exists in_host
 *
 * loads this file, D/libec_in_host.so, and it loads D/libec_isa.so and D/libec_jerasure.so,
 * ours, which load the originals beside them.  Then every function of the interface is called
 * on both with the same random arguments, and must answer the same.  What the tool itself
 * never calls is covered too: fragmented buffers, 20.2's maps of shards, deltas.
 *
 * PXR_SEED=N repeats a run, PXR_EFFORT=N does N % of the cases.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <sstream>
#include <string>

#include "ceph_abi.h"

namespace permxor_ceph
{

using Profile = std::map<std::string, std::string>;
using Random = std::mt19937;

static unsigned passed, failed;

static bool check(bool good, const std::string &what)
{
    if (good)
        passed++;
    else if (++failed <= 20)
        std::printf("FAILED: %s\n", what.c_str());
    return good;
}

static unsigned below(Random &random, unsigned limit)
{
    return unsigned(random() % limit);
}

/* ------------------------------------------------- 20.2's sets and maps, to be passed -- */

struct TestSet {
    uint64_t words[2] = {};
    const void *set = this;
    int8_t end = -128;

    TestSet() = default;
    TestSet(const TestSet &) = delete;
    void insert(int id)
    {
        words[id / 64] |= uint64_t(1) << (id % 64);
    }
    shard_id_set &host()
    {
        return *reinterpret_cast<shard_id_set *>(this);
    }
    bool operator==(const TestSet &other) const
    {
        return !std::memcmp(words, other.words, sizeof words);
    }
};

template <class T> struct TestMap {
    std::vector<std::optional<T>> slots;
    /* An iterator: map, optional of a pair of references, key. */
    struct {
        const void *map;
        const void *value[3];
        int8_t key;
    } ends[2] = {};
    size_t size = 0;

    explicit TestMap(int capacity) : slots(size_t(capacity))
    {
        for (auto &end : ends)
            end = {this, {}, int8_t(capacity)};
    }
    TestMap(const TestMap &) = delete;
    shard_id_map<T> &host()
    {
        return *reinterpret_cast<shard_id_map<T> *>(this);
    }
};
static_assert(sizeof(TestMap<bufferptr>) == sizeof(shard_id_map<bufferptr>), "");

/* ---------------------------------------------------------------- buffers -- */

static bufferptr random_ptr(Random &random, unsigned length)
{
    bufferptr ptr(ceph::buffer::create_aligned(length ? length : 1, 4096));
    for (unsigned i = 0; i < length; i++)
        ptr.c_str()[i] = char(random());
    ptr.set_length(length);
    return ptr;
}

static bufferptr copy_of(const bufferptr &ptr)
{
    bufferptr copy(ceph::buffer::create_aligned(ptr.length(), 4096));
    std::memcpy(copy.c_str(), ptr.c_str(), ptr.length());
    return copy;
}

/* The bytes of a list, in pieces of their own. */
static bufferlist pieces_of(Random &random, const bufferlist &whole, unsigned pieces)
{
    bufferlist list;
    unsigned at = 0, length = whole.length();
    std::vector<unsigned> cuts = {length};
    while (pieces-- > 1)
        cuts.push_back(below(random, length + 1));
    std::sort(cuts.begin(), cuts.end());
    for (unsigned cut : cuts) {
        if (cut == at)
            continue;
        unsigned skew = below(random, 70);
        bufferptr piece(ceph::buffer::create_aligned(cut - at + skew, 64));
        bufferlist part;
        part.substr_of(whole, at, cut - at);
        std::string bytes = part.to_str();
        std::memcpy(piece.c_str() + skew, bytes.data(), bytes.size());
        list.append(bufferptr(piece, skew, cut - at));
        at = cut;
    }
    return list;
}

static bool same(const ChunkMap &a, const ChunkMap &b)
{
    if (a.size() != b.size())
        return false;
    for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
        if (i->first != j->first || !i->second.contents_equal(j->second))
            return false;
    return true;
}

/* Copies that share no memory with the map, aligned as the original jerasure asks for. */
static ChunkMap deep(const ChunkMap &map)
{
    ChunkMap copy;
    for (auto &chunk : map) {
        std::string bytes = chunk.second.to_str();
        bufferptr whole(ceph::buffer::create_aligned(unsigned(bytes.size()), 4096));
        std::memcpy(whole.c_str(), bytes.data(), bytes.size());
        copy[chunk.first].append(whole);
    }
    return copy;
}

/* ------------------------------------------------------------------ cases -- */

struct Case {
    const char *plugin;
    const char *technique;
    int k, m;
};

static const Case cases[] = {
    {"isa", "reed_sol_van", 2, 1},
    {"isa", "reed_sol_van", 4, 2},
    {"isa", "reed_sol_van", 7, 3},
    {"isa", "reed_sol_van", 21, 4},
    {"isa", "cauchy", 3, 1},
    {"isa", "cauchy", 8, 3},
    {"isa", "cauchy", 10, 4},
    {"isa", "cauchy", 16, 8},
    {"jerasure", "reed_sol_van", 2, 1},
    {"jerasure", "reed_sol_van", 4, 2},
    {"jerasure", "reed_sol_van", 10, 4},
    {"jerasure", "reed_sol_van", 20, 6},
    {"jerasure", "reed_sol_r6_op", 2, 2},
    {"jerasure", "reed_sol_r6_op", 6, 2},
    {"jerasure", "reed_sol_r6_op", 13, 2},
};

/* The original's instance and ours, of the same profile. */
template <class Interface> struct Pair {
    std::shared_ptr<ceph::ErasureCodeInterface> owner[2];
    Interface *original, *ours;
    int k, m;
    std::string name;
};

template <class Interface>
static bool make_pair(const Case &c, const std::string &folder, Pair<Interface> *pair)
{
    auto &registry = ceph::ErasureCodePluginRegistry::singleton;
    ceph::ErasureCodePlugin *plugins[2] = {registry.get(std::string(c.plugin) + "_original"),
                                           registry.get(c.plugin)};
    Profile profile[2];
    pair->k = c.k;
    pair->m = c.m;
    pair->name = std::string(c.plugin) + " " + c.technique + " " + std::to_string(c.k) + "+" +
                 std::to_string(c.m);
    for (int i = 0; i < 2; i++) {
        profile[i] = {{"plugin", c.plugin},
                      {"technique", c.technique},
                      {"k", std::to_string(c.k)},
                      {"m", std::to_string(c.m)}};
        std::ostringstream ss;
        if (!check(plugins[i] &&
                       plugins[i]->factory(folder, profile[i], &pair->owner[i], &ss) == 0,
                   pair->name + ": factory: " + ss.str()))
            return false;
    }
    pair->original = reinterpret_cast<Interface *>(pair->owner[0].get());
    pair->ours = reinterpret_cast<Interface *>(pair->owner[1].get());
    return check(profile[0] == profile[1] &&
                     pair->original->get_profile() == pair->ours->get_profile(),
                 pair->name + ": profile");
}

template <class Interface> static void compare_sizes(Random &random, Pair<Interface> &pair)
{
    Interface &a = *pair.original, &b = *pair.ours;
    check(a.get_chunk_count() == b.get_chunk_count() &&
              a.get_data_chunk_count() == b.get_data_chunk_count() &&
              a.get_coding_chunk_count() == b.get_coding_chunk_count() &&
              a.get_sub_chunk_count() == b.get_sub_chunk_count(),
          pair.name + ": counts");
    for (int i = 0; i < 100; i++) {
        unsigned width = 1 + below(random, 1u << below(random, 24));
        check(a.get_chunk_size(width) == b.get_chunk_size(width),
              pair.name + ": chunk size of " + std::to_string(width));
    }
}

static ChunkSet random_set(Random &random, int limit, int count)
{
    std::vector<int> ids;
    for (int i = 0; i < limit; i++)
        ids.push_back(i);
    std::shuffle(ids.begin(), ids.end(), random);
    return ChunkSet(ids.begin(), ids.begin() + count);
}

template <class Interface> static void compare_minimum(Random &random, Pair<Interface> &pair)
{
    int n = pair.k + pair.m;
    ChunkSet want = random_set(random, n, int(below(random, unsigned(n + 1))));
    ChunkSet available = random_set(random, n, int(below(random, unsigned(n + 1))));
    std::map<int, SubChunks> minimum[2];
    int error = pair.original->minimum_to_decode(want, available, &minimum[0]);
    check(error == pair.ours->minimum_to_decode(want, available, &minimum[1]) &&
              minimum[0] == minimum[1],
          pair.name + ": minimum_to_decode");
    std::map<int, int> costs;
    for (int id : available)
        costs[id] = 7;
    ChunkSet cheapest[2];
    error = pair.original->minimum_to_decode_with_cost(want, costs, &cheapest[0]);
    check(error == pair.ours->minimum_to_decode_with_cost(want, costs, &cheapest[1]) &&
              cheapest[0] == cheapest[1],
          pair.name + ": minimum_to_decode_with_cost");
}

static bufferlist random_object(Random &random)
{
    bufferlist whole;
    whole.append(random_ptr(random, 1 + below(random, 1u << below(random, 19))));
    return pieces_of(random, whole, 1 + below(random, 1u << below(random, 8)));
}

/* Encode; lose chunks; decode, in the four ways that there are. */
template <class Interface> static void compare_coding(Random &random, Pair<Interface> &pair)
{
    Interface &a = *pair.original, &b = *pair.ours;
    int n = pair.k + pair.m;
    bufferlist object = random_object(random);
    std::string what = pair.name + ", " + std::to_string(object.length()) + " bytes in " +
                       std::to_string(object.get_num_buffers()) + " pieces: ";
    ChunkSet all = random_set(random, n, n), some = random_set(random, n, n / 2);

    ChunkMap encoded[2], partly[2];
    int error = a.encode(all, object, &encoded[0]);
    check(error == b.encode(all, object, &encoded[1]) && same(encoded[0], encoded[1]),
          what + "encode");
    error = a.encode(some, object, &partly[0]);
    check(error == b.encode(some, object, &partly[1]) && same(partly[0], partly[1]),
          what + "encode, some wanted");

    unsigned length = encoded[0].begin()->second.length();
    ChunkMap again[2] = {deep(encoded[0]), deep(encoded[0])};
    for (int i = 0; i < 2; i++)
        for (int id = pair.k; id < n; id++)
            again[i][id].zero();
    for (auto &chunk : again[1])
        chunk.second = pieces_of(random, chunk.second, 1 + below(random, 5));
    error = a.encode_chunks(all, &again[0]);
    check(error == b.encode_chunks(all, &again[1]) && same(again[0], again[1]) &&
              same(again[0], encoded[0]),
          what + "encode_chunks");

    int losses = 1 + int(below(random, unsigned(pair.m)));
    ChunkSet lost = random_set(random, n, losses), want = random_set(random, n, n / 2);
    ChunkMap chunks = encoded[0];
    for (int id : lost)
        chunks.erase(id);
    ChunkMap mine = chunks;
    for (auto &chunk : mine)
        chunk.second = pieces_of(random, chunk.second, 1 + below(random, 5));
    ChunkMap decoded[2];
    error = a.decode(want, chunks, &decoded[0], int(length));
    check(error == b.decode(want, mine, &decoded[1], int(length)), what + "decode");
    for (int id : want)
        check(decoded[1].count(id) && decoded[1][id].contents_equal(encoded[0][id]),
              what + "decode: chunk " + std::to_string(id));

    ChunkMap in_place = deep(mine);
    for (int id : lost)
        in_place[id].append(random_ptr(random, length));
    check(b.decode_chunks(want, mine, &in_place) == 0 && same(in_place, encoded[0]),
          what + "decode_chunks");

    bufferlist object_again[2];
    error = a.decode_concat(chunks, &object_again[0]);
    check(error == b.decode_concat(mine, &object_again[1]) &&
              object_again[0].contents_equal(object_again[1]),
          what + "decode_concat");
}

/* What cannot be decoded is refused with an errno. */
template <class Interface> static void refuse(Random &random, Pair<Interface> &pair)
{
    Interface &ours = *pair.ours;
    int n = pair.k + pair.m;
    ChunkSet all = random_set(random, n, n);
    bufferlist object, empty;
    object.append(random_ptr(random, 5000));
    ChunkMap encoded, decoded, none, nothing;
    check(ours.encode(all, empty, &nothing) == 0 && nothing.size() == size_t(n),
          pair.name + ": encode nothing");
    ours.encode(all, object, &encoded);
    check(ours.decode(all, none, &decoded, 0) == -EIO, pair.name + ": decode without chunks");
    ChunkMap few = encoded, unequal = encoded;
    while (int(few.size()) >= pair.k)
        few.erase(few.begin());
    check(ours.decode(all, few, &decoded, 0) == -EIO, pair.name + ": too few chunks");
    unequal.erase(0);
    unequal.begin()->second.append("x", 1);
    check(ours.decode(all, unequal, &decoded, 0) == -EINVAL, pair.name + ": unequal chunks");
    check(ours.decode_chunks(all, few, &encoded) == -EIO, pair.name + ": too few in place");
    check(ours.decode_chunks(all, unequal, &decoded) == -EINVAL, pair.name + ": unequal");
    check(ours.encode_chunks(all, &none) == -EINVAL, pair.name + ": encode_chunks of none");
    encoded.erase(0);
    check(ours.decode({0, n + 7}, encoded, &decoded, 0) == -EINVAL, pair.name + ": no chunk");
    check(ours.decode({-1}, encoded, &decoded, 0) == -EINVAL, pair.name + ": chunk -1");
}

/* -------------------------------------------------------------- 20.2 alone -- */

static void compare_flat_sets(Random &random, Pair<FlatInterface> &pair)
{
    int n = pair.k + pair.m;
    TestSet want, available, minimum[2], cheapest[2];
    TestMap<int> costs(n);
    for (int id : random_set(random, n, int(below(random, unsigned(n)))))
        want.insert(id);
    for (int id : random_set(random, n, int(below(random, unsigned(n)) + 1))) {
        available.insert(id);
        *costs.host().insert(id) = 3;
    }
    TestMap<SubChunks> sub_chunks[2] = {TestMap<SubChunks>(n), TestMap<SubChunks>(n)};
    int error[2];
    FlatInterface *both[2] = {pair.original, pair.ours};
    for (int i = 0; i < 2; i++)
        error[i] = both[i]->minimum_to_decode(want.host(), available.host(), minimum[i].host(),
                                              &sub_chunks[i].host());
    check(error[0] == error[1] && minimum[0] == minimum[1] &&
              sub_chunks[0].slots == sub_chunks[1].slots &&
              sub_chunks[0].size == sub_chunks[1].size,
          pair.name + ": minimum_to_decode of shards");
    for (int i = 0; i < 2; i++)
        error[i] = both[i]->minimum_to_decode_with_cost(want.host(), costs.host(),
                                                        &cheapest[i].host());
    check(error[0] == error[1] && cheapest[0] == cheapest[1],
          pair.name + ": minimum_to_decode_with_cost of shards");
}

static bool same(const TestMap<bufferptr> &a, const TestMap<bufferptr> &b)
{
    for (size_t i = 0; i < a.slots.size(); i++) {
        if (bool(a.slots[i]) != bool(b.slots[i]))
            return false;
        if (a.slots[i] &&
            (a.slots[i]->length() != b.slots[i]->length() ||
             std::memcmp(a.slots[i]->c_str(), b.slots[i]->c_str(), a.slots[i]->length())))
            return false;
    }
    return true;
}

/* Parity from data of which some is absent; then a change of one shard; then losses. */
static void compare_flat_coding(Random &random, Pair<FlatInterface> &pair)
{
    int n = pair.k + pair.m;
    unsigned length = 4096 * (1 + below(random, 1u << below(random, 10)));
    std::string what = pair.name + ", " + std::to_string(length) + " bytes of a shard: ";
    FlatInterface *both[2] = {pair.original, pair.ours};
    TestMap<bufferptr> in(n), out[2] = {TestMap<bufferptr>(n), TestMap<bufferptr>(n)};
    bool absent = below(random, 2);
    for (int id = 0; id < pair.k; id++)
        if (!absent || below(random, 3))
            *in.host().insert(id) = random_ptr(random, length);
    for (int id = pair.k; id < n; id++)
        for (auto &map : out)
            *map.host().insert(id) = random_ptr(random, length);
    int error[2];
    for (int i = 0; i < 2; i++)
        error[i] = both[i]->encode_chunks(in.host(), out[i].host());
    check(error[0] == error[1] && same(out[0], out[1]),
          what + "encode_chunks" + (absent ? ", shards absent" : ""));

    TestMap<bufferptr> some(n);
    int only = pair.k + int(below(random, unsigned(pair.m)));
    *some.host().insert(only) = random_ptr(random, length);
    check(pair.ours->encode_chunks(in.host(), some.host()) == 0 &&
              !std::memcmp(some.slots[only]->c_str(), out[0].slots[only]->c_str(), length),
          what + "encode_chunks, one parity wanted");

    for (int id = 0; id < pair.k; id++)
        if (!in.slots[id]) {
            *in.host().insert(id) = random_ptr(random, length);
            in.slots[id]->zero();
        }
    int changed = int(below(random, unsigned(pair.k)));
    bufferptr after = random_ptr(random, length);
    bufferptr deltas[3] = {random_ptr(random, length), random_ptr(random, length),
                           copy_of(*in.slots[changed])};
    pair.original->encode_delta(*in.slots[changed], after, &deltas[0]);
    pair.ours->encode_delta(*in.slots[changed], after, &deltas[1]);
    pair.ours->encode_delta(deltas[2], after, &deltas[2]);
    check(!std::memcmp(deltas[0].c_str(), deltas[1].c_str(), length), what + "encode_delta");
    check(!std::memcmp(deltas[0].c_str(), deltas[2].c_str(), length),
          what + "encode_delta in place");
    for (int i = 0; i < 2; i++) {
        TestMap<bufferptr> change(n);
        *change.host().insert(changed) = deltas[i];
        both[i]->apply_delta(change.host(), out[i].host());
    }
    check(same(out[0], out[1]), what + "apply_delta");
    *in.slots[changed] = after;
    TestMap<bufferptr> fresh(n);
    for (int id = pair.k; id < n; id++)
        *fresh.host().insert(id) = random_ptr(random, length);
    pair.ours->encode_chunks(in.host(), fresh.host());
    check(same(fresh, out[1]), what + "apply_delta against encode_chunks");

    TestMap<bufferptr> there(n);
    TestSet want;
    ChunkSet lost = random_set(random, n, 1 + int(below(random, unsigned(pair.m))));
    TestMap<bufferptr> found[2] = {TestMap<bufferptr>(n), TestMap<bufferptr>(n)};
    for (int id = 0; id < n; id++) {
        bufferptr &shard = id < pair.k ? *in.slots[id] : *out[1].slots[id];
        if (lost.count(id)) {
            want.insert(id);
            for (auto &map : found)
                *map.host().insert(id) = random_ptr(random, length);
        } else {
            *there.host().insert(id) = shard;
        }
    }
    for (int i = 0; i < 2; i++)
        error[i] = both[i]->decode_chunks(want.host(), there.host(), found[i].host());
    check(error[0] == error[1] && same(found[0], found[1]), what + "decode_chunks");
    for (int id : lost)
        check(!std::memcmp(found[1].slots[id]->c_str(),
                           (id < pair.k ? in : out[1]).slots[id]->c_str(), length),
              what + "decode_chunks: shard " + std::to_string(id));
}

static void compare_flat_lists(Random &random, Pair<FlatInterface> &pair)
{
    int n = pair.k + pair.m;
    bufferlist object = random_object(random);
    TestSet all;
    for (int id = 0; id < n; id++)
        all.insert(id);
    FlatInterface *both[2] = {pair.original, pair.ours};
    TestMap<bufferlist> encoded[2] = {TestMap<bufferlist>(n), TestMap<bufferlist>(n)};
    ChunkMap expected;
    pair.ours->encode(random_set(random, n, n), object, &expected);
    for (int i = 0; i < 2; i++)
        check(both[i]->encode(all.host(), object, &encoded[i].host()) == 0,
              pair.name + ": encode of shards");
    for (int id = 0; id < n; id++)
        check(encoded[1].slots[id] && encoded[1].slots[id]->contents_equal(expected[id]),
              pair.name + ": encode of shards: shard " + std::to_string(id));
    check(encoded[1].size == size_t(n), pair.name + ": size of the map");

    TestMap<bufferlist> decoded(n);
    ChunkSet lost = random_set(random, n, pair.m);
    for (int id : lost)
        encoded[1].host().erase(id);
    check(encoded[1].size == size_t(pair.k) &&
              pair.ours->decode(all.host(), encoded[1].host(), &decoded.host(), 0) == 0,
          pair.name + ": decode of shards");
    for (int id = 0; id < n; id++)
        check(decoded.slots[id] && decoded.slots[id]->contents_equal(expected[id]),
              pair.name + ": decode of shards: shard " + std::to_string(id));

    ChunkMap chunks = expected;
    for (int id : lost)
        chunks.erase(id);
    ChunkSet want = random_set(random, n, n / 2);
    bufferlist joined[2];
    int error = pair.original->decode_concat(want, chunks, &joined[0]);
    check(error == pair.ours->decode_concat(want, chunks, &joined[1]) &&
              joined[0].contents_equal(joined[1]),
          pair.name + ": decode_concat of some");
}

static void compare_release(Random &random, Pair<FlatInterface> &pair, unsigned rounds)
{
    FlatInterface &a = *pair.original, &b = *pair.ours;
    check(a.get_supported_optimizations() == b.get_supported_optimizations() &&
              a.get_optimizations_flags_string() == b.get_optimizations_flags_string(),
          pair.name + ": optimizations " + b.get_optimizations_flags_string() + " instead of " +
              a.get_optimizations_flags_string());
    check(a.get_minimum_granularity() == b.get_minimum_granularity(),
          pair.name + ": granularity");
    check(a.get_chunk_mapping().size() == b.get_chunk_mapping().size(),
          pair.name + ": mapping");
    for (unsigned i = 0; i < rounds; i++) {
        compare_flat_sets(random, pair);
        compare_flat_coding(random, pair);
        compare_flat_lists(random, pair);
    }
}

static void compare_release(Random &, Pair<ClassicInterface> &pair, unsigned)
{
    check(pair.original->get_chunk_mapping() == pair.ours->get_chunk_mapping(),
          pair.name + ": mapping");
}

/* ---------------------------------------------------------------------- all -- */

template <class Interface>
static void compare(Random &random, const std::string &folder, unsigned rounds)
{
    for (const Case &c : cases) {
        Pair<Interface> pair;
        if (!make_pair(c, folder, &pair))
            continue;
        compare_sizes(random, pair);
        for (unsigned i = 0; i < rounds; i++) {
            compare_minimum(random, pair);
            compare_coding(random, pair);
        }
        compare_release(random, pair, rounds);
        refuse(random, pair);
    }
}

static int load(const std::string &folder, const std::string &name)
{
    void *library = dlopen((folder + "/libec_" + name + ".so").c_str(), RTLD_NOW);
    void *init = library ? dlsym(library, "__erasure_code_init") : nullptr;
    if (!check(init, "loading " + name + ": " + (library ? "" : dlerror())))
        return -ENOENT;
    std::string given = name, at = folder;
    int error = reinterpret_cast<int (*)(char *, char *)>(init)(&given[0], &at[0]);
    check(error == 0, "init of " + name + ": " + std::to_string(error));
    if (auto *plugin = ceph::ErasureCodePluginRegistry::singleton.get(name))
        plugin->library = library;
    return error;
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *value = std::getenv(name);
    return value ? unsigned(std::strtoul(value, nullptr, 0)) : otherwise;
}

static int run(const std::string &folder)
{
    unsigned seed = setting("PXR_SEED", std::random_device()());
    unsigned rounds = std::max(1u, 20 * setting("PXR_EFFORT", 100) / 100);
    Random random(seed);
    if (load(folder, "isa") == 0 && load(folder, "jerasure") == 0) {
        if (std::atoi(ceph_version_to_str()) >= 20)
            compare<FlatInterface>(random, folder, rounds);
        else
            compare<ClassicInterface>(random, folder, rounds);
    }
    std::printf("seed %u, Ceph %s\n%u passed, %u failed\n", seed, ceph_version_to_str(), passed,
                failed);
    std::fflush(stdout);
    return failed ? -EINVAL : 0;
}

/* The host asks for nothing more of it. */
class Nothing final : public ceph::ErasureCodePlugin
{
    int factory(const std::string &, Profile &, std::shared_ptr<ceph::ErasureCodeInterface> *,
                std::ostream *) override
    {
        return -EINVAL;
    }
};

} // namespace permxor_ceph

extern "C" __attribute__((visibility("default"))) const char *__erasure_code_version()
{
    return ceph_version_to_str();
}

extern "C" __attribute__((visibility("default"))) int __erasure_code_init(char *name,
                                                                          char *folder)
{
    int error = permxor_ceph::run(folder);
    if (error == 0)
        error = ceph::ErasureCodePluginRegistry::singleton.add(name, new permxor_ceph::Nothing);
    return error;
}
