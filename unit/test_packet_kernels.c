/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that xor packets, of every kernel set that this machine can run, compared with
 * plain loops over bytes.  The test also calls pxr_packets_run(), which chooses among them.  It
 * must find a kernel for any matrix, even for packets that count as far.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels.h"
#include "packets.h"
#include "permxor.h"

enum { MOST_COLUMNS = 150, MOST_ROWS = 40, MOST_BYTES = 3000, UNITS = 3 };

/* Buffers for all packets, each between guard pages. */
static struct {
    struct check_guard src[MOST_COLUMNS], old[MOST_COLUMNS], dst[MOST_ROWS];
    uint8_t before[MOST_ROWS][MOST_BYTES], expected[MOST_BYTES];
} room;

static void make_room(void)
{
    for (unsigned i = 0; i < MOST_COLUMNS; i++) {
        room.src[i] = check_guard_new(MOST_BYTES + 64);
        room.old[i] = check_guard_new(MOST_BYTES + 64);
    }
    for (unsigned i = 0; i < MOST_ROWS; i++)
        room.dst[i] = check_guard_new(MOST_BYTES + 64);
}

/* A call to try. */
struct trial {
    unsigned columns, rows;
    unsigned chance; /* a bit is 1 with probability 1/chance */
    size_t len, units, gap, run;
    bool old, add, some_missing;
    enum check_placement placement;
};

/* One call: its matrix, which is freed at the end, and its packets. */
struct call {
    struct trial trial;
    struct pxr_bits bits;
    uint64_t *forms;
    struct pxr_packet_rows rows;
    size_t bytes; /* from the first unit to the end of the last one */
    const uint8_t *src[MOST_COLUMNS], *old[MOST_COLUMNS];
    uint8_t *dst[MOST_ROWS];
};

static void make_matrix(struct call *c)
{
    const struct trial *t = &c->trial;
    c->bits = (struct pxr_bits){t->rows, t->columns,
                                calloc(PXR_BIT_WORDS(t->columns) * t->rows + 1, 8)};
    for (unsigned r = 0; r < t->rows; r++)
        for (unsigned i = 0; i < t->columns; i++)
            if (check_below(t->chance) == 0)
                pxr_set_bit(pxr_bits_row(&c->bits, r), i);
    c->forms = malloc(pxr_packet_rows_bytes(&c->bits));
    c->rows = pxr_packet_rows_make(&c->bits, c->forms);
}

static struct call prepare(struct trial trial)
{
    struct call c = {.trial = trial,
                     .bytes = trial.units * (trial.len + trial.gap) - trial.gap};
    make_matrix(&c);
    for (unsigned i = 0; i < trial.columns; i++) {
        uint8_t *const src = check_place(&room.src[i], c.bytes, trial.placement);
        uint8_t *const old = check_place(&room.old[i], c.bytes, trial.placement);
        check_fill(src, c.bytes);
        check_fill(old, c.bytes);
        c.src[i] = src;
        c.old[i] = trial.old && check_below(4) ? old : NULL;
    }
    for (unsigned r = 0; r < trial.rows; r++) {
        uint8_t *const dst = check_place(&room.dst[r], c.bytes, trial.placement);
        check_fill(dst, c.bytes);
        memcpy(room.before[r], dst, c.bytes);
        c.dst[r] = dst;
    }
    return c;
}

/* Writes to room.expected what row r must hold after the call.  A kernel writes only bytes of
   units. */
static void expect(const struct call *c, unsigned r, bool missing)
{
    const struct trial *t = &c->trial;
    memcpy(room.expected, room.before[r], c->bytes);
    for (size_t i = 0; !missing && i < c->bytes; i++) {
        if (i % (t->len + t->gap) >= t->len)
            continue;
        uint8_t sum = t->add ? room.before[r][i] : 0;
        for (unsigned j = 0; j < t->columns; j++)
            if (pxr_bit(pxr_bits_row(&c->bits, r), j))
                sum ^= c->src[j][i] ^ (c->old[j] ? c->old[j][i] : 0);
        room.expected[i] = sum;
    }
}

/* Runs a kernel, or for NULL the function that chooses one. */
static void attempt(const struct pxr_kernels *set, pxr_packets_fn *kernel, struct trial trial)
{
    struct call c = prepare(trial);
    uint8_t *dst[MOST_ROWS];
    for (unsigned r = 0; r < trial.rows; r++)
        dst[r] = trial.some_missing && check_below(3) == 0 ? NULL : c.dst[r];
    const struct pxr_packets packets = {.rows = &c.rows,
                                        .len = trial.len,
                                        .units = trial.units,
                                        .stride = trial.len + trial.gap,
                                        .run = trial.run,
                                        .src = c.src,
                                        .old = trial.old ? c.old : NULL,
                                        .dst = dst,
                                        .add = trial.add,
                                        .ahead = kernel ? 64 * check_below(9) : 0};
    check_at("%ld rows, %ld columns, len=%ld, units=%ld", trial.rows, trial.columns,
             (long)trial.len, (long)trial.units);
    if (kernel)
        kernel(&packets);
    else
        pxr_packets_run(set, &packets);
    for (unsigned r = 0; r < trial.rows; r++) {
        expect(&c, r, !dst[r]);
        CHECK_BYTES(c.dst[r], room.expected, c.bytes);
        CHECK_UNTOUCHED(&room.dst[r], c.dst[r], c.bytes);
    }
    free(c.bits.word);
    free(c.forms);
}

static bool yes(void)
{
    return check_below(2);
}

/* Makes all packets begin and end at multiples of 64 bytes, so that they can be written around
   the caches. */
static void align(struct trial *trial)
{
    trial->len = (trial->len + 63) / 64 * 64;
    trial->gap = (trial->gap + 63) / 64 * 64;
    trial->placement = CHECK_AT_END;
}

static struct trial random_trial(bool with_old)
{
    /* Aligned packets and gaps are up to 63 bytes longer. */
    const size_t units = 1 + check_below(UNITS), longest = MOST_BYTES / UNITS - 2 * 64;
    return (struct trial){.columns = 1 + (unsigned)check_below(check_below(4) ? 40 : 96),
                          .rows = 1 + (unsigned)check_below(MOST_ROWS),
                          .chance = 1 + (unsigned)check_below(6),
                          .len = 1 + check_below(check_below(2) ? longest : 300),
                          .units = units,
                          .gap = check_below(64),
                          .run = check_below(longest),
                          .old = with_old && yes(),
                          .add = yes(),
                          .some_missing = check_below(3) == 0,
                          .placement = (enum check_placement)check_below(CHECK_PLACEMENTS)};
}

/* Lengths up to two blocks, at both guard pages. */
static void sweep_lengths(const struct pxr_kernels *set, pxr_packets_fn *kernel)
{
    for (size_t len = 1; len <= 2 * set->step + 1 && len <= 600; len++)
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++)
            if (check_border(len, set->step) || check_sampled())
                attempt(set, kernel,
                        (struct trial){.columns = 1 + (unsigned)(len % 19),
                                       .rows = 1 + (unsigned)(len % 17),
                                       .chance = 2,
                                       .len = len,
                                       .units = 1,
                                       .placement = placement});
}

static void test_kernel(const struct pxr_kernels *set, enum pxr_packet_way way,
                        const char *name)
{
    pxr_packets_fn *const kernel = set->packets[way];
    if (!check_case("%s packets %s", set->name, name))
        return;
    sweep_lengths(set, kernel);
    for (unsigned round = 0; round < check_effort(300); round++) {
        struct trial trial = random_trial(way != PXR_PACKETS_DIRECT);
        /* in sets of long vectors, the room for copies has fewer vectors than some trials have
           columns */
        if (way == PXR_PACKETS_GATHERED && trial.columns * set->vector > PXR_PACKET_ROOM)
            trial.columns = (unsigned)(PXR_PACKET_ROOM / set->vector);
        attempt(set, kernel, trial);
    }
}

/* A matrix with more columns than the room for copies has vectors in any set.  Its packets are
   added in turns, or read in place. */
static void test_wide(const struct pxr_kernels *set)
{
    enum { COLUMNS = 700, ROWS = 3, LEN = 1024 };
    static _Alignas(64) uint8_t bytes[COLUMNS][LEN], got[ROWS][LEN];
    const uint8_t *src[COLUMNS];
    uint8_t *dst[ROWS], expected[ROWS][LEN] = {{0}};
    if (!check_case("%s packets of a wide matrix", set->name))
        return;
    struct pxr_bits bits = {ROWS, COLUMNS, calloc(PXR_BIT_WORDS(COLUMNS) * ROWS, 8)};
    check_fill(bytes, sizeof bytes);
    for (unsigned c = 0; c < COLUMNS; c++)
        src[c] = bytes[c];
    for (unsigned r = 0; r < ROWS; r++) {
        dst[r] = got[r];
        for (unsigned c = 0; c < COLUMNS; c++) {
            if (check_below(2))
                continue;
            pxr_set_bit(pxr_bits_row(&bits, r), c);
            for (unsigned i = 0; i < LEN; i++)
                expected[r][i] ^= bytes[c][i];
        }
    }
    uint64_t *const forms = malloc(pxr_packet_rows_bytes(&bits));
    const struct pxr_packet_rows rows = pxr_packet_rows_make(&bits, forms);
    const struct pxr_packets packets = {
        .rows = &rows, .len = LEN, .units = 1, .src = src, .dst = dst};
    for (enum pxr_packet_way way = 0; way <= PXR_PACKET_WAYS; way++) {
        memset(got, 0x5a, sizeof got);
        if (way == PXR_PACKET_WAYS)
            pxr_packets_run(set, &packets);
        else if (way == PXR_PACKETS_GATHERED || !set->packets[way])
            continue;
        else
            set->packets[way](&packets);
        check_at("way %ld", way, 0, 0, 0);
        CHECK_BYTES(got, expected, sizeof got);
    }
    free(forms);
    free(bits.word);
}

/* What pxr_packets_run() told the kernels of a set: how often to write around the caches, how
   often to prefetch, and the run of direct lists. */
static struct {
    const struct pxr_kernels *set;
    unsigned streamed, ahead;
    size_t run; /* of the last call */
} told;

static void note(const struct pxr_packets *packets, enum pxr_packet_way way)
{
    told.streamed += packets->stream;
    told.ahead += packets->ahead > 0;
    told.run = packets->run;
    told.set->packets[way](packets);
}

static void note_direct(const struct pxr_packets *packets)
{
    note(packets, PXR_PACKETS_DIRECT);
}

static void note_gathered(const struct pxr_packets *packets)
{
    note(packets, PXR_PACKETS_GATHERED);
}

static void note_transposed(const struct pxr_packets *packets)
{
    note(packets, PXR_PACKETS_TRANSPOSED);
}

/* Returns the set with kernels that count this before they do their work. */
static struct pxr_kernels noting(const struct pxr_kernels *set)
{
    struct pxr_kernels copy = *set;
    told.set = set;
    told.streamed = told.ahead = 0;
    copy.packets[PXR_PACKETS_DIRECT] = note_direct;
    copy.packets[PXR_PACKETS_GATHERED] = note_gathered;
    if (set->packets[PXR_PACKETS_TRANSPOSED])
        copy.packets[PXR_PACKETS_TRANSPOSED] = note_transposed;
    return copy;
}

/* With these settings, packets of more than 48 KiB in total count as being in memory: with
   `far` by their size, and with `looked_at` by a look, which always finds them there. */
static const char far[] = "l1 = 4096\nown = 48K\nshared = 48K\nahead-from = 1024\n"
                          "look-from = 1024M\nway dot memory = stream\n";
static const char looked_at[] = "l1 = 4096\nown = 48K\nshared = 48K\nahead-from = 1024\n"
                                "look-from = 32K\nlook-outputs = 1024M\nfar = 0\n"
                                "way dot memory = stream\n";

/* With these, no packets of the tests count as being in memory, wherever they are. */
static const char never_far[] = "own = 4M\nshared = 4M\nlook-from = 1024M\n";

static void tune(const char *settings)
{
    if (pxr_tune_apply(settings) != PXR_OK)
        exit(2);
}

static void test_choice(const struct pxr_kernels *set, const char *where)
{
    if (!check_case("%s packets by choice, %s", set->name, where))
        return;
    for (unsigned round = 0; round < check_effort(200); round++) {
        struct trial trial = random_trial(true);
        if (trial.old)
            trial.columns = 1 + trial.columns % 32; /* packets of one shard, as in updates */
        if (yes())
            align(&trial);
        attempt(set, NULL, trial);
    }
}

/* Far and aligned packets with a dense matrix.  If a packet is a whole number of vectors, the
   kernels must write around the caches.  Returns whether they prefetched. */
static bool runs_ahead(const struct pxr_kernels *set, unsigned columns, size_t len)
{
    struct trial trial = {
        .columns = columns, .rows = 8, .chance = 2, .len = len, .gap = 256, .units = 2};
    trial.placement = CHECK_AT_END;
    const struct pxr_kernels notes = noting(set);
    attempt(&notes, NULL, trial);
    CHECK(told.streamed > 0 || trial.len % set->vector != 0);
    return told.ahead > 0;
}

/* The core's own cache has 48 KiB here.  It holds 1024 bytes of 48 packets, however long these
   are, and not of 49. */
static void test_far(const struct pxr_kernels *set)
{
    if (!check_case("%s packets that are far", set->name))
        return;
    CHECK(runs_ahead(set, 40, 768));
    CHECK(runs_ahead(set, 40, 1280));
    CHECK(!runs_ahead(set, 41, 1280));
    /* An update, of which any packet of the old contents and of the parity may be NULL. */
    const struct trial update = {.columns = 12,
                                 .rows = 8,
                                 .chance = 2,
                                 .len = 2800,
                                 .units = 1,
                                 .old = true,
                                 .add = true,
                                 .some_missing = true};
    for (unsigned round = 0; round < 16; round++)
        attempt(set, NULL, update);
}

/* Returns the run for eight shards of eight packets with these many bytes, which begin `shift`
   bytes behind multiples of 4096, with one parity shard or two.  With `add`, the sums are added
   to these. */
static size_t run_for(const struct pxr_kernels *set, size_t len, size_t shift,
                      unsigned parities, bool add)
{
    enum { SHARDS = 8, W = 8, MOST = 4096, APART = W * MOST + 4096 };
    static _Alignas(4096) uint8_t bytes[SHARDS * (APART + 256)], sums[2 * W][MOST];
    const uint8_t *src[SHARDS * W];
    uint8_t *dst[2 * W];
    const unsigned rows = parities * W;
    struct pxr_bits bits = {rows, SHARDS * W, calloc(rows, 8)};
    for (unsigned c = 0; c < SHARDS * W; c++) {
        const unsigned shard = c / W, x = c % W;
        src[c] = bytes + (size_t)shard * (APART + shift) + x * len;
        pxr_set_bit(pxr_bits_row(&bits, x), c);
        if (parities == 2)
            pxr_set_bit(pxr_bits_row(&bits, W + (x + shard) % W), c);
    }
    for (unsigned r = 0; r < rows; r++)
        dst[r] = sums[r];
    uint64_t *const forms = malloc(pxr_packet_rows_bytes(&bits));
    const struct pxr_packet_rows matrix = pxr_packet_rows_make(&bits, forms);
    const struct pxr_kernels notes = noting(set);
    pxr_packets_run(
        &notes,
        &(struct pxr_packets){
            .rows = &matrix, .len = len, .units = 1, .src = src, .dst = dst, .add = add});
    free(forms);
    free(bits.word);
    return told.run;
}

/* Runs are long where L1 does not keep the packets for the second parity, and where there is no
   second parity.  They are longest in updates. */
static void test_runs(const struct pxr_kernels *set)
{
    if (!check_case("%s runs of direct lists", set->name))
        return;
    CHECK_INT(run_for(set, 512, 0, 2, false), 256);
    CHECK_INT(run_for(set, 4096, 0, 2, false), 4096);
    CHECK_INT(run_for(set, 4096, 256, 2, false), 256);
    CHECK_INT(run_for(set, 4096, 256, 1, false), 4096);
    CHECK_INT(run_for(set, 512, 0, 1, false), 4096);
    CHECK_INT(run_for(set, 512, 0, 2, true), 65536);
}

static void test_set(const struct pxr_kernels *set)
{
    test_kernel(set, PXR_PACKETS_DIRECT, "direct");
    test_kernel(set, PXR_PACKETS_GATHERED, "gathered");
    if (set->form == PXR_MATRICES)
        test_kernel(set, PXR_PACKETS_TRANSPOSED, "transposed");
    test_choice(set, "near");
    tune(never_far);
    test_runs(set);
    tune(far);
    test_far(set);
    test_choice(set, "far");
    tune(looked_at);
    test_choice(set, "looked at");
    test_wide(set);
    tune(NULL);
}

int main(int argc, char **argv)
{
    check_start("test_packet_kernels", argc, argv);
    make_room();
    check_each_kernel_set(test_set);
    return check_finish();
}
