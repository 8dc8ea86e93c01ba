/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes calls that no careful host makes: with chunks of unequal lengths, too few chunks, none,
 * or numbers that the code does not have.  An OSD must survive them.  So the answer must be the
 * error of operations.h or the right bytes, and never a crash or a byte written elsewhere.
 * (The originals abort, or read beyond their data.)
 */
#include "pair.h"

#include <cerrno>
#include <climits>

using namespace host;

struct Case {
    Pool &pool;
    const Pair &pair;
    std::map<int, Bytes> chunks;
    ClassicInterface &ours;

    ChunkMap lists(const ChunkSet &ids) const
    {
        return lists_of(pool, chunks, ids, check_below(2) ? Form::aligned : Form::pieces);
    }
    size_t length() const
    {
        return chunks.at(0).size();
    }
    unsigned n() const
    {
        return pair.n;
    }
};

static const int strange_ids[] = {-1, -2, INT_MIN, INT_MAX, 64, 127, 128, 255, 256, 1000};

static int strange_id(const Case &at)
{
    size_t strange = sizeof(strange_ids) / sizeof(*strange_ids);
    size_t choice = check_below(strange + 1);
    int id = choice < strange ? strange_ids[choice] : int(at.n());
    return id >= 0 && id < int(at.n()) ? -1 : id;
}

/* A list whose length differs from the chunks' length. */
static ceph::bufferlist odd_list(const Case &at)
{
    size_t lengths[] = {0, 1, at.length() - 1, at.length() + 1, 2 * at.length()};
    return at.pool.list(random_bytes(lengths[check_below(5)]), Form::pieces);
}

static void check_right(const Case &at, const ChunkMap &got, const ChunkSet &ids)
{
    for (int id : ids)
        if (CHECK(got.count(id)))
            CHECK(bytes_of(got.at(id)) == at.chunks.at(id));
}

/* ------------------------------------------------------------------------ too little -- */

static void too_few_chunks(const Case &at)
{
    ChunkSet have = survivors_of(0, at.n(), at.pair.m + 1 + unsigned(check_below(at.pair.k)));
    ChunkMap chunks = at.lists(have), decoded;
    ceph::bufferlist whole;
    CHECK_INT(at.ours.decode(all_of(at.n()), chunks, &decoded, int(at.length())), -EIO);
    CHECK_INT(at.ours.decode_concat(chunks, &whole), -EIO);
    decoded = at.lists(all_of(at.n()));
    CHECK_INT(at.ours.decode_chunks(all_of(at.n()), chunks, &decoded), -EIO);
}

static void no_chunks(const Case &at)
{
    ChunkMap none, decoded, encoded;
    ceph::bufferlist whole, nothing;
    CHECK_INT(at.ours.decode(all_of(at.n()), none, &decoded, int(at.length())), -EIO);
    CHECK_INT(at.ours.decode_concat(none, &whole), -EIO);
    CHECK_INT(at.ours.decode_chunks(all_of(at.n()), none, &decoded), -EIO);
    CHECK_INT(at.ours.encode_chunks(all_of(at.n()), &encoded), -EINVAL);
    CHECK_INT(at.ours.encode({}, at.pool.list(random_bytes(100), Form::pieces), &encoded), 0);
    encoded.clear();
    CHECK_INT(at.ours.encode(all_of(at.n()), nothing, &encoded), 0);
    for (const auto &[id, list] : encoded)
        CHECK_INT(list.length(), 0);
}

/* With chunks of length 0 there is nothing to get wrong, so every call succeeds. */
static void empty_chunks(const Case &at)
{
    ChunkMap chunks, decoded;
    ceph::bufferlist whole;
    for (int id : survivors_of(0, at.n(), at.pair.m))
        chunks[id];
    CHECK_INT(at.ours.decode(all_of(at.n()), chunks, &decoded, 0), 0);
    CHECK_INT(at.ours.decode_concat(chunks, &whole), 0);
    CHECK_INT(whole.length(), 0);
    ChunkMap encoded;
    for (int id : all_of(at.n()))
        encoded[id];
    CHECK_INT(at.ours.encode_chunks(all_of(at.n()), &encoded), 0);
    CHECK_INT(at.ours.decode_chunks({}, chunks, &encoded), 0);
}

static void data_missing_in_encode_chunks(const Case &at)
{
    ChunkMap lists = at.lists(all_of(at.n()));
    lists.erase(int(check_below(at.n())));
    CHECK_INT(at.ours.encode_chunks(all_of(at.n()), &lists), -EINVAL);
}

/* A lost chunk has no buffer, while other chunks have one. */
static void no_room_in_decode_chunks(const Case &at)
{
    ChunkSet have = survivors_of(0, at.n(), at.pair.m);
    ChunkMap chunks = at.lists(have), decoded = chunks;
    CHECK_INT(at.ours.decode_chunks(all_of(at.n()), chunks, &decoded), 0);
    check_right(at, decoded, have);
}

static void nothing_lost_in_decode_chunks(const Case &at)
{
    ChunkMap chunks = at.lists(all_of(at.n())), decoded = chunks;
    CHECK_INT(at.ours.decode_chunks({}, chunks, &decoded), 0);
    check_right(at, decoded, all_of(at.n()));
}

/* ------------------------------------------------------------------- unequal lengths -- */

static void unequal_in_encode_chunks(const Case &at)
{
    ChunkMap lists = at.lists(all_of(at.n()));
    int odd = int(check_below(at.n()));
    lists[odd] = odd_list(at);
    CHECK_INT(at.ours.encode_chunks(all_of(at.n()), &lists), -EINVAL);
}

static void unequal_in_decode(const Case &at)
{
    ChunkSet have = survivors_of(0, at.n(), 1 + unsigned(check_below(at.pair.m)));
    ChunkMap chunks = at.lists(have), decoded;
    int odd = *std::next(have.begin(), long(check_below(have.size())));
    chunks[odd] = odd_list(at);
    CHECK_INT(at.ours.decode(all_of(at.n()), chunks, &decoded, int(at.length())), -EINVAL);
    decoded = at.lists(all_of(at.n()));
    for (int id : have)
        decoded[id] = chunks[id];
    CHECK_INT(at.ours.decode_chunks(all_of(at.n()), chunks, &decoded), -EINVAL);
}

/* The buffer for a lost chunk is shorter or longer than the others. */
static void unequal_room_in_decode_chunks(const Case &at)
{
    ChunkSet have = survivors_of(0, at.n(), at.pair.m);
    ChunkMap chunks = at.lists(have), decoded = at.lists(all_of(at.n()));
    ChunkSet lost;
    for (int id : all_of(at.n()))
        if (!have.count(id))
            lost.insert(id);
    decoded[*std::next(lost.begin(), long(check_below(lost.size())))] = odd_list(at);
    CHECK_INT(at.ours.decode_chunks(lost, chunks, &decoded), -EINVAL);
}

/* -------------------------------------------------------------------- strange numbers -- */

static void strange_wanted(const Case &at)
{
    int id = strange_id(at);
    ChunkSet want{0, id}, all = all_of(at.n());
    ChunkMap chunks = at.lists(all), decoded, encoded;
    check_at("id=%ld", id, 0, 0, 0);
    CHECK_INT(at.ours.decode(want, chunks, &decoded, int(at.length())), -EINVAL);
    Bytes bytes = random_bytes(at.length());
    CHECK_INT(at.ours.encode(want, at.pool.list(bytes, Form::pieces), &encoded), 0);
    CHECK(encoded.size() == 1 && encoded.count(0));
    std::map<int, permxor_ceph::SubChunks> minimum;
    CHECK_INT(at.ours.minimum_to_decode({id}, {}, &minimum), -EIO);
}

/* Chunks that the code does not have must not replace chunks that it has. */
static void strange_chunks(const Case &at)
{
    ChunkSet have = survivors_of(0, at.n(), 1 + unsigned(check_below(at.pair.m)));
    ChunkMap chunks = at.lists(have), decoded;
    int id = strange_id(at);
    check_at("id=%ld", id, 0, 0, 0);
    chunks[id] = check_below(2) ? odd_list(at) : at.pool.zeros(at.length(), Form::pieces);
    CHECK_INT(at.ours.decode(all_of(at.n()), chunks, &decoded, int(at.length())), 0);
    check_right(at, decoded, all_of(at.n()));
    ChunkMap rooms = at.lists(all_of(at.n()));
    rooms[id] = chunks[id];
    CHECK_INT(at.ours.decode_chunks(all_of(at.n()), chunks, &rooms), 0);
    check_right(at, rooms, all_of(at.n()));
    ChunkMap lists = at.lists(all_of(at.n()));
    lists[id] = chunks[id];
    CHECK_INT(at.ours.encode_chunks(all_of(at.n()), &lists), 0);
    check_right(at, lists, all_of(at.n()));
}

/* minimum_to_decode() must not count chunks that the code does not have. */
static void strange_available(const Case &at)
{
    ChunkSet have = survivors_of(0, at.n(), at.pair.m + 1), minimum;
    std::map<int, permxor_ceph::SubChunks> ranges;
    std::map<int, int> costs;
    have.insert(strange_id(at));
    for (int id : have)
        costs[id] = 1;
    ChunkSet want = all_of(at.n());
    check_at("id=%ld", *have.begin(), *have.rbegin(), 0, 0);
    CHECK_INT(at.ours.minimum_to_decode(want, have, &ranges), -EIO);
    CHECK_INT(at.ours.minimum_to_decode_with_cost(want, costs, &minimum), -EIO);
}

/* --------------------------------------------------------------------------- profiles -- */

/* Profiles that somebody could give to the monitor.  Whatever the answer is, the monitor must
   survive. */
static void hostile_profiles(const Technique &technique)
{
    static const char *const hostile[] = {
        "k=200,m=100",
        "k=255,m=1",
        "k=254,m=2",
        "k=255,m=255",
        "k=2147483647,m=2",
        "k=4,m=2147483647",
        "k=-2147483648,m=2",
        "k=65536,m=65536",
        "k=2,m=254",
        "k=4,m=2,w=2147483647",
        "k=4,m=2,w=-1",
        "k=4,m=2,mapping=",
        "k=4,m=2,mapping=DDDDDD",
        "k=4,m=2,mapping=______",
        "k=4,m=2,mapping=D",
    };
    if (!check_case("%s: hostile profiles", technique.title))
        return;
    for (const char *text : hostile) {
        Profile profile = profile_of(std::string(technique.our_profile) + "," + text);
        std::string words;
        int status = 1;
        auto code = ours_of(technique).code<ClassicInterface>(profile, &status, &words);
        CHECK(status == 0 || (status == -EINVAL && !words.empty()));
        if (!code)
            continue;
        unsigned n = code->get_chunk_count();
        ceph::bufferlist in;
        ChunkMap encoded, decoded;
        ceph::bufferlist whole;
        Bytes bytes = random_bytes(10000);
        in.append(bytes);
        if (!CHECK_INT(code->encode(all_of(n), in, &encoded), 0))
            continue;
        while (encoded.size() > code->get_data_chunk_count())
            encoded.erase(encoded.begin());
        CHECK_INT(code->decode_concat(encoded, &whole), 0);
        CHECK(bytes_of(whole).substr(0, bytes.size()) == bytes);
    }
}

/* ------------------------------------------------------------------------------- main -- */

static const struct {
    const char *title;
    void (*test)(const Case &);
} calls[] = {
    {"too few chunks", too_few_chunks},
    {"no chunks", no_chunks},
    {"empty chunks", empty_chunks},
    {"a chunk missing in encode_chunks", data_missing_in_encode_chunks},
    {"no room in decode_chunks", no_room_in_decode_chunks},
    {"nothing lost in decode_chunks", nothing_lost_in_decode_chunks},
    {"unequal lengths in encode_chunks", unequal_in_encode_chunks},
    {"unequal lengths in decode", unequal_in_decode},
    {"unequal room in decode_chunks", unequal_room_in_decode_chunks},
    {"strange numbers wanted", strange_wanted},
    {"strange numbers of chunks", strange_chunks},
    {"strange numbers available", strange_available},
};

int main(int argc, char **argv)
{
    check_start("test_hostile", argc, argv);
    for (size_t i = 0; i < technique_count; i++) {
        const Technique &technique = techniques[i];
        for (auto [title, test] : calls) {
            if (!check_case("%s: %s", technique.title, title))
                continue;
            for (unsigned round = 0; round < check_effort(40); round++) {
                Pair pair = random_pair(technique);
                check_at("round %ld k=%ld m=%ld", round, pair.k, pair.m, 0);
                if (!CHECK(bool(pair)))
                    break;
                Pool pool;
                size_t stripe = pair.shortest + check_below(2000);
                Case at{pool, pair, random_chunks(pair, stripe), *pair.ours};
                test(at);
                pool.check();
            }
        }
        hostile_profiles(technique);
    }
    return check_finish();
}
