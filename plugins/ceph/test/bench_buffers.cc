/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of buffers.  This program times whole calls of the original and of ours, by turns,
 * on memory as hosts may have it.  It also times two threads on one code, and parity deltas.
 *
 *     bench_buffers [PART OF A ROW'S NAME]...
 *
 * For each row, it first checks that both plugins give the same bytes.  It times by
 * perf/engine.h: batches by turns, a ratio within each round of batches, and the median of the
 * ratios with its interval.  Each call uses the memory of the call before, so the caches keep
 * what they have room for.  Results are allocated by the C library's malloc, which is told to
 * keep memory that is freed, as the daemons' tcmalloc does.
 */
#include "flat_values.h"
#include "pair.h"
#include "permxor.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <malloc.h>
#include <thread>

extern "C" {
#include "../../../perf/engine.h"
#include "../../../perf/environment.h"
#include "../../../perf/machine.h"
}

using namespace host;
using ceph::bufferlist;
using ceph::bufferptr;

static const size_t chunk_sizes[] = {4 << 10, 64 << 10, 1 << 20};
static const struct {
    unsigned k, m;
} sizes[] = {{4, 2}, {10, 4}};

/* The cores of the two threads. */
static int first_core = -1, second_core = -1;

static noise_summary noise;

/* ---------------------------------------------------------------------- memory -- */

struct Layout {
    const char *title;
    size_t piece;  /* the most bytes that are contiguous */
    size_t offset; /* of a piece, from an aligned address */
};

/* Staggered pieces end at different places in each chunk, which makes k times as many spans.
   Pieces of 512 bytes end at the same places in all chunks. */
static const Layout whole = {"aligned, whole", SIZE_MAX, 0};
static const Layout staggered = {"pieces of 4097", 4097, 0};
static const Layout layouts[] = {
    whole,
    {"1 byte off, whole", SIZE_MAX, 1},
    staggered,
    {"pieces of 512", 512, 0},
};

static bufferlist lay_out(const Bytes &bytes, const Layout &layout)
{
    bufferlist list;
    for (size_t at = 0; at < bytes.size();) {
        size_t length = std::min(bytes.size() - at, layout.piece);
        bufferptr memory(ceph::buffer::create_aligned(unsigned(layout.offset + length), 64));
        bufferptr piece(memory, unsigned(layout.offset), unsigned(length));
        piece.copy_in(0, unsigned(length), bytes.data() + at);
        list.push_back(std::move(piece));
        at += length;
    }
    return list;
}

/* ------------------------------------------------------------------- the calls -- */

/* A call that can be repeated.  It encodes if there are no chunks, and decodes otherwise. */
struct Call {
    ClassicInterface *code;
    ChunkSet want;
    bufferlist object;
    ChunkMap chunks;

    ChunkMap result() const
    {
        ChunkMap map;
        int status = chunks.empty() ? code->encode(want, object, &map)
                                    : code->decode(want, chunks, &map,
                                                   int(chunks.begin()->second.length()));
        if (status != 0)
            abort();
        return map;
    }
};

/* The chunks that the original makes, one after another. */
struct Stripe {
    const Pair &pair;
    size_t chunk;
    Bytes bytes;

    Stripe(const Pair &of, size_t length) : pair(of), chunk(length)
    {
        for (const auto &[id, some] : random_chunks(pair, pair.k * chunk))
            bytes += some;
    }
    Bytes chunk_bytes(int id) const
    {
        return bytes.substr(size_t(id) * chunk, chunk);
    }
};

/* Encodes an object into all chunks. */
static Call encoding(ClassicInterface *code, const Stripe &stripe, const Layout &layout)
{
    Bytes data = stripe.bytes.substr(0, stripe.pair.k * stripe.chunk);
    return {code, all_of(stripe.pair.n), lay_out(data, layout), {}};
}

/* Decodes without the m chunks from `lost` on.  The other chunks are parts of one list, so that
   decoding meets the same pieces as encoding. */
static Call decoding(ClassicInterface *code, const Stripe &stripe, const Layout &layout,
                     const ChunkSet &want, int lost)
{
    Call call = {code, want, {}, {}};
    bufferlist all = lay_out(stripe.bytes, layout);
    for (int id : all_of(stripe.pair.n))
        if (id < lost || id >= lost + int(stripe.pair.m))
            call.chunks[id].substr_of(all, unsigned(size_t(id) * stripe.chunk),
                                      unsigned(stripe.chunk));
    return call;
}

static void check_call(const Call &call, const Stripe &stripe)
{
    auto before = addresses(call.object);
    ChunkMap result = call.result();
    for (int id : call.want)
        CHECK(bytes_of(result[id]) == stripe.chunk_bytes(id));
    CHECK(addresses(call.object) == before);
}

/* ---------------------------------------------------------------------- timing -- */

using Batch = std::function<void(size_t calls)>;

template <class Function> static Batch repeat(Function function)
{
    return [function](size_t calls) mutable {
        while (calls-- != 0)
            function();
    };
}

static engine_result measure(std::vector<Batch> batches, double seconds)
{
    std::vector<engine_subject> subjects;
    for (Batch &batch : batches)
        subjects.push_back(
            {[](void *context, size_t calls) { (*(Batch *)context)(calls); }, &batch});
    engine_options options = ENGINE_DEFAULTS;
    options.total_seconds = seconds;
    options.bounded = true;
    engine_result result;
    if (!engine_measure(subjects.data(), subjects.size(), &options, &result))
        abort();
    return result;
}

/* Prints the throughput of both subjects, the ratio of the second one to the first, and what
   disturbed the measurement. */
static void print_duel(const engine_result &result, size_t bytes)
{
    char text[NOISE_TEXT];
    noise_add(&noise, &result.noise);
    noise_judge(&noise, result.causes[1]);
    printf("%8.2f %8.2f %6.2f  %5.2f to %.2f%s%s\n",
           1e-9 * double(bytes) / result.seconds[0].median,
           1e-9 * double(bytes) / result.seconds[1].median, 1 / result.relative[1].median,
           1 / result.relative[1].high, 1 / result.relative[1].low,
           result.causes[1] ? "  noisy: " : "",
           result.causes[1] ? noise_text(result.causes[1], text) : "");
    fflush(stdout);
}

/* -------------------------------------------------------------------- layouts -- */

static void duel(const char *name, const Call &original, const Call &ours, const Stripe &stripe)
{
    check_call(original, stripe);
    check_call(ours, stripe);
    printf("%-62s", name);
    print_duel(
        measure({repeat([&] { original.result(); }), repeat([&] { ours.result(); })}, 0.15),
        stripe.pair.k * stripe.chunk);
}

/* The name of a row, and whether the arguments ask for it. */
struct Row {
    char name[80];
    bool wanted;

    template <class... Values> Row(const char *format, Values... values)
    {
        snprintf(name, sizeof name, format, values...);
        wanted = check_case("%s", name);
    }
};

static void layouts_of(const char *title, const Pair &pair, size_t chunk)
{
    Stripe stripe(pair, chunk);
    ClassicInterface *original = pair.original.get(), *ours = pair.ours.get();
    for (const char *verb : {"encode", "decode"})
        for (const Layout &layout : layouts) {
            Row row("%s %u+%u %4zu KiB %s, %s", title, pair.k, pair.m, chunk >> 10, verb,
                    layout.title);
            if (!row.wanted)
                continue;
            if (*verb == 'e')
                duel(row.name, encoding(original, stripe, layout),
                     encoding(ours, stripe, layout), stripe);
            else
                duel(row.name, decoding(original, stripe, layout, all_of(pair.k), 0),
                     decoding(ours, stripe, layout, all_of(pair.k), 0), stripe);
        }
}

/* -------------------------------------------------------------------- threads -- */

/* Decodes with one pattern of losses after another.  Each thread has memory of its own, so
   the threads share only the code.  All chunks are wanted, so that every pattern is the same
   work. */
static Batch patterns(ClassicInterface *code, const Stripe &stripe, const Layout &layout,
                      unsigned thread)
{
    std::vector<Call> calls;
    for (unsigned lost = thread; lost < stripe.pair.k; lost += 2)
        calls.push_back(decoding(code, stripe, layout, all_of(stripe.pair.n), int(lost)));
    for (const Call &call : calls)
        check_call(call, stripe);
    return repeat([calls, at = size_t(0)]() mutable { calls[at++ % calls.size()].result(); });
}

/* Runs each batch `share` times.  Starting a thread takes about 50 us, which must be small
   compared with the batches. */
static Batch together(const Batch &first, const Batch &second, size_t share)
{
    return repeat([=] {
        std::thread other([&] {
            environment_pin(second_core);
            second(share);
        });
        first(share);
        other.join();
    });
}

static void threads_of(const char *title, const Pair &pair, size_t chunk, const Layout &layout)
{
    Row row("%s %u+%u %4zu KiB threads, %s", title, pair.k, pair.m, chunk >> 10, layout.title);
    if (!row.wanted)
        return;
    Stripe stripe(pair, chunk);
    const size_t share = (256 << 20) / (pair.k * chunk);
    std::vector<Batch> batches;
    for (ClassicInterface *code : {pair.original.get(), pair.ours.get()}) {
        Batch first = patterns(code, stripe, layout, 0),
              second = patterns(code, stripe, layout, 1);
        batches.push_back(repeat([=] { first(share); }));
        batches.push_back(together(first, second, share));
    }
    engine_result result = measure(batches, 0.3);
    double speed[4];
    for (unsigned i = 0; i < 4; i++)
        speed[i] =
            (1 + i % 2) * 1e-9 * double(share * pair.k * chunk) / result.seconds[i].median;
    printf("%-62s%8.2f %8.2f %6.2f  %8.2f %8.2f %6.2f  %6.2f\n", row.name, speed[0], speed[1],
           speed[1] / speed[0], speed[2], speed[3], speed[3] / speed[2], speed[3] / speed[1]);
    fflush(stdout);
}

/* --------------------------------------------------------------------- deltas -- */

/* A buffer with these bytes for each chunk of `ids`. */
static FlatMap<bufferptr> buffers_of(const ChunkSet &ids, unsigned n, const Bytes &bytes)
{
    FlatMap<bufferptr> map(n);
    for (int id : ids)
        map.set(id, lay_out(bytes, whole).front());
    return map;
}

/* Applies the change of one data chunk to all parity chunks: one by one, as Ceph's isa does it,
   and in one call. */
static void delta_of(FlatInterface &code, size_t length)
{
    unsigned k = code.get_data_chunk_count(), n = code.get_chunk_count();
    Row row("permxor reed_sol_van %u+%u %4zu KiB apply_delta", k, n - k, length >> 10);
    if (!row.wanted)
        return;
    Bytes bytes = random_bytes(length);
    ChunkSet parity;
    std::vector<FlatMap<bufferptr>> single;
    for (unsigned id = k; id < n; id++) {
        parity.insert(int(id));
        single.push_back(buffers_of({int(id)}, n, bytes));
    }
    auto delta = buffers_of({0}, n, random_bytes(length)), all = buffers_of(parity, n, bytes);
    auto one_by_one = [&] {
        for (FlatMap<bufferptr> &one : single)
            code.apply_delta(delta, one);
    };
    auto at_once = [&] { code.apply_delta(delta, all); };
    one_by_one();
    at_once();
    for (int id : parity)
        CHECK(bytes_of(all.at(id)) == bytes_of(single[size_t(id) - k].at(id)) &&
              bytes_of(all.at(id)) != bytes);
    printf("%-62s", row.name);
    print_duel(measure({repeat(one_by_one), repeat(at_once)}, 0.15), length);
}

/* ----------------------------------------------------------------------- main -- */

struct Subject {
    const Technique &technique;
    Pair pair;
};

static std::vector<Subject> load_pairs()
{
    std::vector<Subject> subjects;
    for (size_t i : {0, 2})
        for (auto [k, m] : sizes)
            subjects.push_back({techniques[i], pair_of(techniques[i], k, m)});
    return subjects;
}

static std::vector<std::shared_ptr<FlatInterface>> load_flat(Plugin &plugin)
{
    std::vector<std::shared_ptr<FlatInterface>> codes;
    for (const char *m : {"2", "3", "4"}) {
        Profile profile{{"k", "8"}, {"m", m}, {"technique", "reed_sol_van"}};
        codes.push_back(plugin.code<FlatInterface>(profile));
    }
    return codes;
}

/* Call this after all libraries are loaded, because they start threads. */
static void choose_cores()
{
    std::thread([] { second_core = environment_pin(ENVIRONMENT_FIRST); }).join();
    first_core = environment_pin(ENVIRONMENT_LAST);
}

static void print_header(const Plugin &original)
{
    machine_describe(first_core < 0 ? 0 : first_core);
    printf("core: %d, the second thread's: %d\n", first_core, second_core);
    struct pxr_kernel_info set;
    for (unsigned i = 0; pxr_kernel_info(i, &set, sizeof set) == PXR_OK; i++)
        if (set.selected)
            printf("our kernel set: %s (%s)\n", set.name, pxr_kernel_reason());
    printf("originals: of Ceph %s\n", original.version().c_str());
    printf(
        "measured: whole calls of the plugins' interface, on the same input again and again,\n"
        "  which the caches keep as far as they have room; results in memory of malloc, which\n"
        "  keeps what is freed; batches of 0.2 ms (threads: 256 MiB each) in alternating\n"
        "  order; medians, ratios of the same round, and the interval of their median with\n"
        "  at least 95 %%\n"
        "GB/s: 1e9 bytes of data chunks (k * chunk; deltas: changed bytes) per second\n"
        "decode: the first m chunks are lost\n");
}

/* Makes malloc keep large buffers, as tcmalloc, the allocator of Ceph's daemons, does.  By
   default libc gives them back to the system after each call, and then new pages would be
   measured. */
static void keep_memory()
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int main(int argc, char **argv)
{
    environment_fix_addresses(argv);
    keep_memory();
    check_start("bench_buffers", argc, argv);
    std::vector<Subject> subjects = load_pairs();
    setenv("PXR_CEPH_VERSION", "20.2.4", 1);
    Plugin flat(alone(), "permxor");
    std::vector<std::shared_ptr<FlatInterface>> codes = load_flat(flat);
    choose_cores();
    print_header(original_of(techniques[0]));

    printf("\n%-62s%8s %8s %6s  %s\n", "", "original", "ours", "ratio", "95 %");
    for (auto &[technique, pair] : subjects)
        for (size_t chunk : chunk_sizes)
            layouts_of(technique.title, pair, chunk);

    printf(
        "\nTwo threads decode with one code, each patterns of its own: GB/s of one thread, of\n"
        "both together, and the ratio; the last: ours to the original, both together.\n"
        "%-62s%8s %8s %6s  %8s %8s %6s  %6s\n",
        "", "original", "two", "ratio", "ours", "two", "ratio", "ours/o");
    if (first_core == second_core)
        check_skip("threads", "one core");
    else
        for (auto &[technique, pair] : subjects)
            for (size_t chunk : chunk_sizes)
                for (const Layout &layout : {whole, staggered})
                    threads_of(technique.title, pair, chunk, layout);

    printf(
        "\nOurs alone, the interface of 20.2: a change of one data chunk in m parity chunks.\n"
        "%-62s%8s %8s %6s  %s\n",
        "", "m calls", "one call", "ratio", "95 %");
    for (auto &code : codes)
        for (size_t length : {4 << 10, 16 << 10, 64 << 10})
            delta_of(*code, length);

    char verdict[NOISE_VERDICT];
    printf("\n%s\n", noise_verdict(&noise, verdict));
    return check_finish();
}
