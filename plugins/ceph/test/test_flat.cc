/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the interface of 20.2, in a host that says that it is 20.2.  In the real Ceph
 * (in_host.cc), the originals must also give the same as ours, checked by the same arithmetic.
 */
#include "flat_stripe.h"

#include <cerrno>
#include <cstdlib>
#include <sstream>

extern "C" {
#include "../../../unit/judge.h"
}

using namespace host;
using ceph::bufferlist;
using ceph::bufferptr;

static const Kind kinds[] = {
    {"isa", "reed_sol_van", PXR_ISAL_VAND, false},
    {"isa", "cauchy", PXR_ISAL_CAUCHY, false},
    {"jerasure", "reed_sol_van", PXR_JERASURE_VAN, false},
    {"jerasure", "reed_sol_r6_op", PXR_JERASURE_R6, false},
    {"jerasure", "cauchy_good,w=4,packetsize=24", PXR_JERASURE_CAUCHY_GOOD, false, 4, 24, 12},
    {"jerasure", "liberation,w=11,packetsize=4", PXR_JERASURE_LIBERATION, false, 11, 4, 11},
    {"permxor", "reed_sol_van", PXR_ISAL_VAND, false},
    {"permxor", "cauchy", PXR_ISAL_CAUCHY, false},
    {"isa_original", "reed_sol_van", PXR_ISAL_VAND, true},
    {"isa_original", "cauchy", PXR_ISAL_CAUCHY, true},
    {"jerasure_original", "reed_sol_van", PXR_JERASURE_VAN, true},
    {"jerasure_original", "reed_sol_r6_op", PXR_JERASURE_R6, true},
    {"jerasure_original", "cauchy_good,w=4,packetsize=64", PXR_JERASURE_CAUCHY_GOOD, true, 4,
     64, 12},
    {"jerasure_original", "liberation,w=11,packetsize=64", PXR_JERASURE_LIBERATION, true, 11,
     64, 11},
};

/* --------------------------------------------------------------------------- encoding -- */

/* Data shards that are absent, or that have no length, count as zeros.  Parity shards that are
   not asked for are left out; the original jerasure cannot leave them out. */
static void test_encode_chunks(Stripe &stripe)
{
    Pool pool;
    ChunkSet given = survivors_of(0, stripe.k, unsigned(check_below(stripe.k)));
    unsigned left_out = stripe.original ? 0 : unsigned(check_below(stripe.m));
    ChunkSet asked = survivors_of(stripe.k, stripe.n, left_out);
    for (unsigned id = 0; id < stripe.k; id++)
        if (!given.count(int(id)))
            stripe.chunks[id] = Bytes(stripe.len, 0);
    compute_parity(stripe);
    auto in = pieces_of(pool, stripe, given), out = rooms_for(pool, stripe, asked);
    CHECK_INT(stripe.code->encode_chunks(in, out), 0);
    check_pieces(in, stripe, given);
    check_pieces(out, stripe, asked);
    pool.check();
}

static void test_encode(Stripe &stripe)
{
    Pool pool;
    unsigned length = unsigned(stripe.k * stripe.len);
    Bytes bytes = random_bytes(length);
    stripe.len = stripe.code->get_chunk_size(length);
    Bytes padded = bytes + Bytes(stripe.k * stripe.len - length, 0);
    for (unsigned id = 0; id < stripe.k; id++)
        stripe.chunks[id] = padded.substr(id * stripe.len, stripe.len);
    compute_parity(stripe);
    ChunkSet wanted = survivors_of(0, stripe.n, unsigned(check_below(stripe.n)));
    FlatSet want(wanted);
    FlatMap<bufferlist> encoded(stripe.n);
    bufferlist in = pool.list(bytes, Form::pieces);
    CHECK_INT(stripe.code->encode(want, in, encoded.pointer()), 0);
    CHECK(encoded.ids() == wanted && encoded.sound());
    for (int id : wanted) {
        if (!CHECK(encoded.has(id)))
            continue;
        CHECK(bytes_of(encoded.at(id)) == stripe.chunks[size_t(id)]);
        if (id < int(stripe.k) && !stripe.original)
            CHECK(within(encoded.at(id), in, size_t(id) * stripe.len));
    }
    pool.check();
}

/* ----------------------------------------------------------------------------- deltas -- */

/* The delta may be in memory of its own or in the memory of the old or the new data.  The
   original jerasure cannot do the latter. */
static void test_encode_delta(Stripe &stripe)
{
    Pool pool;
    Bytes before = random_bytes(stripe.len), after = random_bytes(stripe.len), delta = before;
    add_product(1, after, delta);
    bufferptr old_data = pool.piece(before), new_data = pool.piece(after);
    bufferptr own = pool.piece(random_bytes(stripe.len));
    unsigned where = stripe.original ? 0 : unsigned(check_below(3));
    bufferptr room = where == 0 ? own : where == 1 ? old_data : new_data;
    stripe.code->encode_delta(old_data, new_data, &room);
    CHECK(bytes_of(room) == delta);
    CHECK(where == 1 || bytes_of(old_data) == before);
    CHECK(where == 2 || bytes_of(new_data) == after);
    pool.check();
}

/* After a change of some data, the parity must be the parity of the new data. */
static void test_apply_delta(Stripe &stripe)
{
    Pool pool;
    ChunkSet changed = survivors_of(0, stripe.k, unsigned(check_below(stripe.k)));
    ChunkSet updated = survivors_of(stripe.k, stripe.n, unsigned(check_below(stripe.m)));
    auto out = pieces_of(pool, stripe, updated);
    FlatMap<bufferptr> in(stripe.n);
    std::map<int, Bytes> deltas;
    for (int id : changed) {
        deltas[id] = random_bytes(stripe.len);
        in.set(id, pool.piece(deltas[id]));
        add_product(1, deltas[id], stripe.chunks[size_t(id)]);
    }
    compute_parity(stripe);
    stripe.code->apply_delta(in, out);
    check_pieces(out, stripe, updated);
    CHECK(in.ids() == changed && in.sound());
    for (int id : changed)
        CHECK(bytes_of(in.at(id)) == deltas[id]);
    pool.check();
}

/* --------------------------------------------------------------------------- decoding -- */

static void decode_chunks(const Stripe &stripe, const ChunkSet &have)
{
    Pool pool;
    ChunkSet lost = others(stripe, have);
    FlatSet want(lost);
    auto in = pieces_of(pool, stripe, have), out = rooms_for(pool, stripe, lost);
    CHECK_INT(stripe.code->decode_chunks(want, in, out), 0);
    check_pieces(in, stripe, have);
    check_pieces(out, stripe, lost);
    pool.check();
}

static void test_decode_chunks(Stripe &stripe)
{
    decode_chunks(stripe, survivors_of(0, stripe.n, 1 + unsigned(check_below(stripe.m))));
}

static void test_every_loss(Stripe &stripe)
{
    for (unsigned mask = 1; stripe.n <= 8 && mask < (1u << stripe.n) - 1; mask++) {
        ChunkSet have;
        for (unsigned id = 0; id < stripe.n; id++)
            if (mask >> id & 1)
                have.insert(int(id));
        if (have.size() >= stripe.k)
            decode_chunks(stripe, have);
    }
}

static void test_decode(Stripe &stripe)
{
    Pool pool;
    ChunkSet have = survivors_of(0, stripe.n, unsigned(check_below(stripe.m + 1)));
    ChunkSet wanted = survivors_of(0, stripe.n, unsigned(check_below(stripe.n)));
    FlatSet want(wanted);
    FlatMap<bufferlist> chunks(stripe.n), decoded(stripe.n);
    for (int id : have)
        chunks.set(id, pool.list(stripe.chunks[size_t(id)], Form::pieces));
    CHECK_INT(stripe.code->decode(want, chunks, decoded.pointer(), int(stripe.len)), 0);
    CHECK(decoded.sound());
    for (int id : wanted) {
        if (!CHECK(decoded.has(id)))
            continue;
        CHECK(bytes_of(decoded.at(id)) == stripe.chunks[size_t(id)]);
        if (have.count(id) && !stripe.original)
            CHECK(addresses(decoded.at(id)) == addresses(chunks.at(id)));
    }
    pool.check();
}

/* Reads only some data chunks, in their order. */
static void test_decode_concat(Stripe &stripe)
{
    Pool pool;
    ChunkSet have = survivors_of(0, stripe.n, unsigned(check_below(stripe.m + 1)));
    ChunkSet want = survivors_of(0, stripe.k, unsigned(check_below(stripe.k)));
    ChunkMap chunks;
    for (int id : have)
        chunks[id] = pool.list(stripe.chunks[size_t(id)], Form::pieces);
    Bytes all, some;
    for (unsigned id = 0; id < stripe.k; id++) {
        all += stripe.chunks[id];
        if (want.count(int(id)))
            some += stripe.chunks[id];
    }
    bufferlist decoded, decoded_some;
    CHECK_INT(stripe.code->decode_concat(chunks, &decoded), 0);
    CHECK(bytes_of(decoded) == all);
    CHECK_INT(stripe.code->decode_concat(want, chunks, &decoded_some), 0);
    CHECK(bytes_of(decoded_some) == some);
    pool.check();
}

/* --------------------------------------------------------------- what is read, errors -- */

static void test_minimum(Stripe &stripe)
{
    ChunkSet have = survivors_of(0, stripe.n, unsigned(check_below(stripe.n)));
    ChunkSet wanted = survivors_of(0, stripe.n, unsigned(check_below(stripe.n)));
    bool all = true;
    for (int id : wanted)
        all = all && have.count(id);
    FlatSet want(wanted), available(have), minimum, cheapest;
    FlatMap<permxor_ceph::SubChunks> ranges(stripe.n);
    FlatMap<int> costs(stripe.n);
    for (int id : have)
        costs.set(id, int(check_below(9)));
    int expected = all || have.size() >= stripe.k ? 0 : -EIO;
    CHECK_INT(stripe.code->minimum_to_decode(want, available, minimum, ranges.pointer()),
              expected);
    CHECK_INT(stripe.code->minimum_to_decode_with_cost(want, costs, cheapest.pointer()),
              expected);
    if (expected != 0)
        return;
    for (const FlatSet *set : {&minimum, &cheapest}) {
        CHECK(all ? set->ids() == wanted : set->ids().size() == stripe.k);
        for (int id : set->ids())
            CHECK(have.count(id));
    }
    CHECK(ranges.ids() == minimum.ids() && ranges.sound());
    for (int id : ranges.ids())
        CHECK((ranges.at(id) == permxor_ceph::SubChunks{{0, 1}}));
}

static void test_too_few(Stripe &stripe)
{
    Pool pool;
    ChunkSet have = survivors_of(0, stripe.n, stripe.m + 1), lost = others(stripe, have);
    FlatSet want(lost);
    auto in = pieces_of(pool, stripe, have), out = rooms_for(pool, stripe, lost);
    CHECK_INT(stripe.code->decode_chunks(want, in, out), -EIO);
    check_pieces(in, stripe, have);
    pool.check();
}

static void test_unequal(Stripe &stripe)
{
    Pool pool;
    ChunkSet have = survivors_of(0, stripe.n, stripe.m), lost = others(stripe, have);
    FlatSet want(lost);
    auto in = pieces_of(pool, stripe, have), out = rooms_for(pool, stripe, lost);
    bool inside = check_below(2);
    const ChunkSet &ids = inside ? have : lost;
    int odd = *std::next(ids.begin(), long(check_below(ids.size())));
    (inside ? in : out).set(odd, pool.piece(random_bytes(stripe.len + 1 + check_below(9))));
    CHECK_INT(stripe.code->decode_chunks(want, in, out), -EINVAL);
    auto data = pieces_of(pool, stripe, all_of(stripe.k));
    auto parity = rooms_for(pool, stripe, survivors_of(stripe.k, stripe.n, 0));
    parity.set(int(stripe.k), pool.piece(random_bytes(stripe.len + 1)));
    CHECK_INT(stripe.code->encode_chunks(data, parity), -EINVAL);
    pool.check();
}

/* Lengths that are not whole units must be refused.  With m=1 the parity is a plain sum, which
   is right for such lengths as well. */
static void test_part_of_unit(Stripe &stripe)
{
    if (!stripe.w || stripe.m == 1)
        return;
    Pool pool;
    stripe.len += 1 + check_below(stripe.w * stripe.packetsize - 1);
    for (Bytes &chunk : stripe.chunks)
        chunk = random_bytes(stripe.len);
    auto data = pieces_of(pool, stripe, all_of(stripe.k));
    auto parity = pieces_of(pool, stripe, survivors_of(stripe.k, stripe.n, 0));
    CHECK_INT(stripe.code->encode_chunks(data, parity), -EINVAL);
    check_pieces(parity, stripe, survivors_of(stripe.k, stripe.n, 0));
    pool.check();
}

static void test_properties(Stripe &stripe)
{
    CHECK_INT(stripe.code->get_chunk_count(), stripe.n);
    CHECK_INT(stripe.code->get_data_chunk_count(), stripe.k);
    CHECK_INT(stripe.code->get_coding_chunk_count(), stripe.m);
    CHECK_INT(stripe.code->get_sub_chunk_count(), 1);
    CHECK_INT((long long)stripe.code->get_minimum_granularity(),
              stripe.w ? (long long)(stripe.w * stripe.packetsize) : 1);
    CHECK(stripe.code->get_chunk_mapping().empty());
    for (unsigned round = 0; round < 20; round++) {
        unsigned width = 1 + unsigned(check_below(size_t(1) << (1 + round)));
        unsigned size = stripe.code->get_chunk_size(width);
        CHECK(size * stripe.k >= width && size % (stripe.w ? 16 : 32) == 0);
        CHECK_INT(size % stripe.code->get_minimum_granularity(), 0);
    }
}

/* --------------------------------------------------------------- what 20.2 alone asks -- */

/* Measured. */
static void test_flags(const Kind &kind)
{
    auto code = code_of(kind, "k=4,m=2");
    if (!CHECK(bool(code)))
        return;
    bool slow = kind.two_parities() || kind.w;
    CHECK_INT((long long)code->get_supported_optimizations(), slow ? 23 : 87);
    CHECK_STR(code->get_optimizations_flags_string().c_str(),
              slow ? "partialread,partialwrite,zeroinout,paritydelta"
                   : "partialread,partialwrite,zeroinout,paritydelta,optimizedsupport");
}

/* The rule that the plugin asks of CRUSH, and what it says. */
static std::string rule_of(const Kind &kind, const std::string &more)
{
    CrushWrapper crush;
    std::ostringstream words;
    auto code = code_of(kind, "k=4,m=2" + more);
    if (!code)
        return "";
    forget_rule();
    int status = code->create_rule("a rule", crush, &words);
    return std::to_string(status) + " " + last_rule() + words.str();
}

static void test_rules(const Kind &kind)
{
    const std::string asked = std::to_string(-EEXIST) + " ";
    const std::string refused = std::to_string(-EINVAL) +
                                " crush-num-failure-domains 0 must be >= 1 if"
                                " crush-osds-per-failure-domain specified";
    CHECK_STR(rule_of(kind, "").c_str(), (asked + "a rule;default;host;0;;indep;3;").c_str());
    CHECK_STR(rule_of(kind, ",crush-root=r,crush-failure-domain=osd,crush-device-class=ssd"
                            ",crush-num-failure-domains=5,crush-osds-per-failure-domain=1")
                  .c_str(),
              (asked + "a rule;r;osd;5;ssd;indep;3;").c_str());
    CHECK_STR(rule_of(kind, ",crush-root=r,crush-failure-domain=rack,crush-device-class=ssd"
                            ",crush-num-failure-domains=3,crush-osds-per-failure-domain=2")
                  .c_str(),
              (asked + "a rule;r;rack;3;2;ssd;").c_str());
    CHECK_STR(rule_of(kind, ",crush-osds-per-failure-domain=2").c_str(), refused.c_str());
}

static std::vector<int> mapping_of(const FlatInterface &code)
{
    std::vector<int> places;
    for (permxor_ceph::shard_id_t place : code.get_chunk_mapping())
        places.push_back(place.id);
    return places;
}

/* The monitor calls init() again.  A profile that is refused must leave the code as it was. */
static void test_init_again(const Kind &kind)
{
    auto code = code_of(kind, "k=4,m=2,mapping=DDDD__");
    if (!CHECK(bool(code)))
        return;
    std::ostringstream words;
    Profile same = code->get_profile(), other = same, wrong = same;
    other["k"] = "5";
    other.erase("mapping");
    wrong["k"] = "1";
    CHECK_INT(code->init(same, &words), 0);
    CHECK((mapping_of(*code) == std::vector<int>{0, 1, 2, 3, 4, 5}));
    CHECK_INT(code->init(wrong, &words), -EINVAL);
    CHECK((mapping_of(*code) == std::vector<int>{0, 1, 2, 3, 4, 5}));
    CHECK(code->get_profile() == same);
    CHECK_INT(code->init(other, &words), 0);
    CHECK(code->get_chunk_mapping().empty());
    CHECK_INT(code->get_chunk_count(), 7);
    CHECK(code->get_profile() == other);
}

/* Where no arithmetic gives the answer, ours must answer as the original does. */
static void compare_answers(const Kind &kind, const Stripe &stripe)
{
    std::string name = kind.plugin;
    auto ours = code_of(name.substr(0, name.find('_')), kind.technique, shape_of(stripe));
    if (!CHECK(bool(ours)))
        return;
    FlatInterface &original = *stripe.code;
    CHECK_INT((long long)ours->get_supported_optimizations(),
              (long long)original.get_supported_optimizations());
    CHECK_STR(ours->get_optimizations_flags_string().c_str(),
              original.get_optimizations_flags_string().c_str());
    CHECK_INT((long long)ours->get_minimum_granularity(),
              (long long)original.get_minimum_granularity());
    FlatSet want(survivors_of(0, stripe.n, unsigned(check_below(stripe.n))));
    FlatSet have(survivors_of(0, stripe.n, unsigned(check_below(stripe.n))));
    FlatSet minimum, our_minimum;
    FlatMap<permxor_ceph::SubChunks> ranges(stripe.n), our_ranges(stripe.n);
    int status = original.minimum_to_decode(want, have, minimum, ranges.pointer());
    CHECK_INT(ours->minimum_to_decode(want, have, our_minimum, our_ranges.pointer()), status);
    if (status == 0)
        CHECK(our_minimum.ids() == minimum.ids() && our_ranges.ids() == ranges.ids());
}

/* ------------------------------------------------------------------------------- main -- */

static const struct {
    const char *title;
    void (*test)(const Kind &);
} once[] = {
    {"flags", test_flags},
    {"rules", test_rules},
    {"init again", test_init_again},
};

static const struct {
    const char *title;
    void (*test)(Stripe &);
    unsigned rounds;
    bool long_shards;
    bool refusal; /* the originals abort here */
} calls[] = {
    {"properties", test_properties, 20, false, false},
    {"encode", test_encode, 200, false, false},
    {"encode_chunks", test_encode_chunks, 200, false, false},
    {"encode_chunks of megabytes", test_encode_chunks, 3, true, false},
    {"encode_delta", test_encode_delta, 100, false, false},
    {"apply_delta", test_apply_delta, 200, false, false},
    {"decode_chunks", test_decode_chunks, 200, false, false},
    {"every loss", test_every_loss, 10, false, false},
    {"decode", test_decode, 200, false, false},
    {"decode_concat", test_decode_concat, 100, false, false},
    {"minimum_to_decode", test_minimum, 200, false, false},
    {"too few shards", test_too_few, 40, false, true},
    {"unequal lengths", test_unequal, 40, false, true},
    {"part of a unit", test_part_of_unit, 40, false, true},
};

static bool has_call(const Kind &kind, bool refusal)
{
    return kind.original ? is_real() && !refusal : true;
}

int main(int argc, char **argv)
{
    setenv("PXR_CEPH_VERSION", "20.2.4", 1);
    check_start("test_flat", argc, argv);
    judge_start();
    for (const Kind &kind : kinds) {
        for (auto [title, test] : once)
            if (!is_real() && !kind.original &&
                check_case("%s %s: %s", kind.plugin, kind.technique, title))
                test(kind);
        for (auto [title, test, rounds, long_shards, refusal] : calls) {
            if (!has_call(kind, refusal) ||
                !check_case("%s %s: %s", kind.plugin, kind.technique, title))
                continue;
            for (unsigned round = 0; round < check_effort(rounds); round++) {
                Pool::set_aligned(kind.original);
                size_t least = long_shards ? 2 << 20 : 1;
                size_t more = long_shards ? 1 << 20 : check_below(4) ? 500 : 9000;
                Stripe stripe = random_stripe(kind, least + check_below(more));
                check_at("round %ld k=%ld m=%ld len=%ld", round, stripe.k, stripe.m,
                         long(stripe.len));
                if (!CHECK(bool(stripe.code)))
                    break;
                test(stripe);
                if (kind.original)
                    compare_answers(kind, stripe);
            }
        }
    }
    return check_finish();
}
