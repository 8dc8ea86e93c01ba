/* SPDX-License-Identifier: BSD-3-Clause */
#include "packets.h"

#include <stdbool.h>
#include <string.h>

#include "call.h"
#include "registry.h"

/* ------------------------------------------------------------- the matrix -- */

static unsigned ones_of(const struct pxr_bits *bits)
{
    const size_t words = PXR_BIT_WORDS(bits->columns) * bits->rows;
    unsigned ones = 0;
    for (size_t i = 0; i < words; i++)
        ones += (unsigned)__builtin_popcountll(bits->word[i]);
    return ones;
}

static size_t mask_words(const struct pxr_bits *bits)
{
    return PXR_GROUPS_OF(bits->rows) * PXR_GROUPS_OF(bits->columns);
}

size_t pxr_packet_rows_bytes(const struct pxr_bits *bits)
{
    const size_t entries = (size_t)bits->rows + ones_of(bits);
    return 8 * mask_words(bits) + (2 * entries + 7) / 8 * 8;
}

/* Writes the ones of a row in ascending order, and returns the place behind the list. */
static uint16_t *write_list(const struct pxr_bits *bits, unsigned row, uint16_t *list)
{
    const uint64_t *const word = pxr_bits_row(bits, row);
    uint16_t *const count = list++;
    for (unsigned i = 0; i < PXR_BIT_WORDS(bits->columns); i++)
        for (uint64_t left = word[i]; left; left &= left - 1)
            *list++ = (uint16_t)(64 * i + (unsigned)__builtin_ctzll(left));
    *count = (uint16_t)(list - count - 1);
    return list;
}

struct pxr_packet_rows pxr_packet_rows_make(const struct pxr_bits *bits, uint64_t *room)
{
    const size_t groups = PXR_GROUPS_OF(bits->columns);
    uint16_t *const lists = (uint16_t *)(room + mask_words(bits));
    uint16_t *list = lists;
    memset(room, 0, 8 * mask_words(bits));
    for (unsigned r = 0; r < bits->rows; r++) {
        uint16_t *const end = write_list(bits, r, list);
        while (++list < end)
            room[r / 8 * groups + *list / 8] |= UINT64_C(1) << (8 * (r % 8) + 7 - *list % 8);
    }
    return (struct pxr_packet_rows){.columns = bits->columns,
                                    .rows = bits->rows,
                                    .ones = ones_of(bits),
                                    .lists = lists,
                                    .masks = room};
}

/* --------------------------------------------------------------- the choice -- */

/*
 * The cost of one vector of every packet, in halves of an operation.  Let there be C groups of
 * 8 columns and R groups of 8 rows.  The transposing kernel takes 24 interleavings and 8
 * products for each column group, 32 interleavings for each row group, and 8 products and 4
 * xors of three for each pair of a column group and a row group.
 */
static size_t cost_of_transposing(const struct pxr_packet_rows *rows)
{
    const size_t column_groups = PXR_GROUPS_OF(rows->columns);
    const size_t row_groups = PXR_GROUPS_OF(rows->rows);
    return 64 * column_groups + 64 * row_groups + 24 * column_groups * row_groups;
}

/* A list takes a load and half an xor of three for each one of the matrix.  Gathering takes a
   load and a store for each column, and measured as much as 3.5 operations. */
static size_t cost_of_gathering(const struct pxr_packet_rows *rows)
{
    return 7 * (size_t)rows->columns + 3 * (size_t)rows->ones;
}

/* Returns whether each packet is used about twice, as in all matrices for m = 2, or less. */
static bool is_sparse(const struct pxr_packet_rows *rows)
{
    return rows->ones <= 3 * rows->columns;
}

static bool fits_room(const struct pxr_kernels *kernels, const struct pxr_packets *p)
{
    return p->rows->columns * kernels->vector <= PXR_PACKET_ROOM;
}

/* Differences from old contents have to be gathered, and there is room for their packets.  A
   matrix without columns, which makes zeros, is sparse. */
static enum pxr_packet_way choose_way(const struct pxr_kernels *kernels,
                                      const struct pxr_packets *p)
{
    const bool fits = fits_room(kernels, p);
    if (kernels->packets[PXR_PACKETS_TRANSPOSED] &&
        cost_of_transposing(p->rows) < cost_of_gathering(p->rows))
        return PXR_PACKETS_TRANSPOSED;
    if (!p->old && (!fits || is_sparse(p->rows)))
        return PXR_PACKETS_DIRECT;
    return PXR_PACKETS_GATHERED;
}

/*
 * Returns whether sources stay in an L1 cache, at their own addresses, from the first row that
 * uses them to the last.  Each way of the cache covers 4096 bytes, and in these there are 16
 * places for blocks of 256 bytes.  The 8 ways of 32 KiB hold 8 packets whose blocks have the
 * same place.  When each packet is used about twice, half as many more may share a place.
 * Measured with 16 at a place, long runs are 1.05 to 1.15 times as fast as short ones; with 8
 * they are slower (avx512_gfni on an EPYC of family 25, model 17).
 *
 * If packets are a multiple of g bytes apart, with g a power of two up to 4096, they have
 * 4096/g places at least.  So packets of few bytes need no count, which would take long for
 * these.
 */
#define PLACES 16
#define MOST_IN_PLACE 12

static bool stays_in_place(const struct pxr_packets *p)
{
    const size_t apart = p->len & -p->len;
    unsigned count[PLACES] = {0};
    if (p->rows->columns * apart <= MOST_IN_PLACE * 4096)
        return true;
    for (unsigned c = 0; c < p->rows->columns; c++)
        if (++count[(uintptr_t)p->src[c] / (4096 / PLACES) % PLACES] > MOST_IN_PLACE)
            return false;
    return true;
}

/*
 * Returns the run of direct lists in a cache.  In short runs, the rows share what L1 holds.  In
 * long runs, each row loads its packets from L2 again, but in an order that prefetchers follow:
 * in a short run they fetch more of each packet, which is gone again when the next run needs
 * it.  Long runs are the better ones for packets that are used once, and for those that do not
 * stay in L1.
 *
 * The longest runs are for packets that come from memory, and for all updates, which read each
 * sum once.  Updates in short runs took 1.04 to 1.18 times as long, and 2.6 times if all
 * packets begin at pages.  Of packets of 32 KiB and more from memory, runs of 8 and 16 KiB code
 * 0.65 to 1.0 of what the longest ones do, and runs of 32 KiB 0.91 to 1.03.  Longer runs were
 * not measured.  Prefetch instructions add nothing to them (the same processor).
 */
#define SHORT_RUN 256
#define LONG_RUN 4096
#define LONGEST_RUN 65536

static size_t choose_run(const struct pxr_packets *p)
{
    if (p->add)
        return LONGEST_RUN;
    const bool once = p->rows->ones <= p->rows->columns;
    return once || (is_sparse(p->rows) && !stays_in_place(p)) ? LONG_RUN : SHORT_RUN;
}

/* -------------------------------------------------------------- from memory -- */

/*
 * Copies and transpositions read a few lines of one packet after the other.  These are too few
 * for the prefetchers of a processor, which follow longer runs of ascending addresses.  So the
 * kernels prefetch packets while they code those before them, and the first lines of all
 * packets are loaded before they begin.  The loads take turns among several places of the
 * shards, as many as there are streams that prefetchers follow at once, but not among packets
 * that lie one behind the other, as those of a shard do.  Measured on an EPYC of family 25,
 * model 17: 640 KiB take 34 us this way, 43 us one packet after the other, and 64 us in the
 * order of coding.
 */
#define STREAMS 10

/* Returns how many packets lie one behind the other, from the first one on. */
static unsigned neighbours(const uint8_t *const *packet, unsigned count, size_t len)
{
    unsigned n = 1;
    while (n < count && packet[n - 1] && packet[n] == packet[n - 1] + len)
        n++;
    return n;
}

static void load_lines(const uint8_t *const *packet, unsigned count, size_t len)
{
    const unsigned most = (count + STREAMS - 1) / STREAMS;
    const unsigned together = neighbours(packet, count, len);
    const unsigned apart = together > most ? together : most;
    for (unsigned first = 0; first < apart; first++)
        for (size_t at = 0; at < len; at += 64)
            for (unsigned i = first; i < count; i += apart)
                if (packet[i])
                    (void)*(const volatile uint8_t *)(packet[i] + at);
}

/* Loads the first bytes of all packets that the kernel reads. */
static void load_chunk(const struct pxr_packets *p, size_t len)
{
    load_lines(p->src, p->rows->columns, len);
    if (p->old)
        load_lines(p->old, p->rows->columns, len);
    if (p->add)
        load_lines(pxr_read_only(p->dst), p->rows->rows, len);
}

/* Returns the number of packets of a unit that are read or written. */
static uint64_t packets_of(const struct pxr_packets *p)
{
    return (uint64_t)p->rows->columns * (p->old ? 2 : 1) + p->rows->rows;
}

/* Returns as how many buffers of `spread` bytes so many packets of each unit count. */
static unsigned buffers_of(const struct pxr_packets *p, uint64_t packets, size_t spread)
{
    return (unsigned)(((uint64_t)p->units * p->len * packets + spread - 1) / spread);
}

/* The packets of each shard lie within `spread` bytes.  The new contents of an update stand for
   the old contents, and for the parity. */
static enum pxr_place place_of(const struct pxr_packets *p)
{
    const size_t spread = (p->units - 1) * p->stride + p->len;
    const unsigned written = p->old ? 0 : buffers_of(p, p->rows->rows, spread);
    return pxr_place(spread, buffers_of(p, packets_of(p), spread),
                     (struct pxr_sources){p->src, p->rows->columns, written});
}

static bool is_aligned(const struct pxr_packets *p, size_t to)
{
    uintptr_t any = p->len | p->stride;
    for (unsigned r = 0; r < p->rows->rows; r++)
        any |= (uintptr_t)p->dst[r];
    return any % to == 0;
}

/* Returns whether outputs go around the caches.  They do not when they are read again, as
   happens to sums that the transposing kernel makes in several parts. */
static bool may_stream(const struct pxr_kernels *kernels, enum pxr_packet_way way,
                       const struct pxr_packets *p)
{
    const bool in_turns =
        way == PXR_PACKETS_TRANSPOSED && p->rows->columns * kernels->vector > PXR_PACKET_ROOM;
    return pxr_way(PXR_WORK_DOT, PXR_PLACE_MEMORY, 0) & PXR_STREAM && !p->add && !p->reread &&
           !in_turns && is_aligned(p, kernels->vector);
}

/*
 * Kernels prefetch chunks of 512 bytes of all packets into L2.  Chunks of 1 and 4 KiB were a
 * little slower, and prefetching into L1 took the call to 0.7 of its speed.  Prefetchers follow
 * by themselves where the packets of a shard have fewer bytes in a unit than AHEAD_FROM, or
 * twice as many in an update.  With fewer, prefetching took calls to 0.6 to 1.0 of their speed.
 * With more, coding without it takes 1.3 to 2 times as long (the same processor).
 */
#define AHEAD_FROM 1024
#define AHEAD_CHUNK 512

/* Returns whether a core's own cache holds the chunk that is coded and the next one.  Otherwise
   what is prefetched would be gone before it is used. */
static bool chunks_fit(const struct pxr_packets *p)
{
    const size_t bytes = p->len < 2 * AHEAD_CHUNK ? p->len : 2 * AHEAD_CHUNK;
    return bytes * packets_of(p) <= PXR_MACHINE(own_bytes);
}

static bool may_run_ahead(const struct pxr_packets *p)
{
    const size_t from = p->add ? 2 * AHEAD_FROM : AHEAD_FROM;
    return p->rows->rows > 0 && chunks_fit(p) && (p->units == 1 || p->stride >= from);
}

static void run_from_memory(const struct pxr_kernels *kernels, enum pxr_packet_way way,
                            struct pxr_packets p)
{
    p.stream = may_stream(kernels, way, &p);
    if (way == PXR_PACKETS_DIRECT) {
        p.run = LONGEST_RUN;
    } else if (may_run_ahead(&p)) {
        p.ahead = AHEAD_CHUNK;
        load_chunk(&p, p.len < p.ahead ? p.len : p.ahead);
    }
    kernels->packets[way](&p);
}

/* Returns whether packets are coded in another way when they come from memory.  Direct lists of
   updates are not, and to find out where they are would take a twentieth of an update of 64 KiB
   (the same processor). */
static bool place_matters(enum pxr_packet_way way, const struct pxr_packets *p)
{
    return p->units > 0 && p->rows->columns > 0 && !(way == PXR_PACKETS_DIRECT && p->add);
}

/* The differences of a shard of many packets do not fit the room where vectors are very long
   (SVE of 2048 bits and 83 packets).  Short vectors do. */
static const struct pxr_kernels *with_room(const struct pxr_kernels *kernels,
                                           const struct pxr_packets *p)
{
    return p->old && !fits_room(kernels, p) ? &pxr_kernels_base : kernels;
}

void pxr_packets_run(const struct pxr_kernels *given, const struct pxr_packets *packets)
{
    const struct pxr_kernels *const kernels = with_room(given, packets);
    const enum pxr_packet_way way = choose_way(kernels, packets);
    struct pxr_packets p = *packets;
    p.run = way == PXR_PACKETS_DIRECT ? choose_run(packets) : 0;
    if (place_matters(way, &p) && place_of(&p) == PXR_PLACE_MEMORY)
        run_from_memory(kernels, way, p);
    else
        kernels->packets[way](&p);
}
