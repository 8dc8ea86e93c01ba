/* SPDX-License-Identifier: BSD-3-Clause */
#include "packets.h"

#include <stdbool.h>
#include <string.h>

#include "call.h"

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

/* The ones of a row, ascending; returns what is behind its list. */
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
 * What a vector of every packet takes, in halves of an operation.  With C groups of 8 columns
 * and R groups of 8 rows, the transposing kernel takes for each column group 24 interleavings
 * and 8 products, for each row group 32 interleavings, and for each pair of both 8 products and
 * 4 xors of three.
 */
static size_t cost_of_transposing(const struct pxr_packet_rows *rows)
{
    const size_t column_groups = PXR_GROUPS_OF(rows->columns);
    const size_t row_groups = PXR_GROUPS_OF(rows->rows);
    return 64 * column_groups + 64 * row_groups + 24 * column_groups * row_groups;
}

/* Lists take a load and half an xor of three for each one.  Gathering takes a load and a store
   for each column, and measured as much as 3.5 operations. */
static size_t cost_of_gathering(const struct pxr_packet_rows *rows)
{
    return 7 * (size_t)rows->columns + 3 * (size_t)rows->ones;
}

/*
 * Whether sources stay in an L1 cache where they are, from the first row that takes them to the
 * last.  Packets that are a multiple of g bytes apart, g a power of two from 256 to 4096, have
 * 4096/g places for their blocks of 256 bytes in the 4096 bytes that each way of the cache
 * covers, so the 8 ways of 32 KiB hold 32768/g packets.  Where a packet is taken about twice,
 * half of it may be loaded again before direct lists are slower than gathered ones: measured
 * for 64 packets of 512 to 4096 bytes with 2.1 ones each, direct lists take 0.75, 0.89, 1.03
 * and 1.8 times as long (avx512_gfni on an EPYC of family 25, model 17).
 */
static bool stays_in_place(const struct pxr_packets *p)
{
    const size_t apart = p->len & -p->len;
    return p->rows->ones <= 3 * p->rows->columns &&
           p->rows->columns * (apart < 4096 ? apart : 4096) <= 65536;
}

/* Differences from old contents are of one shard, whose packets there is always room for; and a
   matrix without columns, which makes zeros, stays in place. */
static enum pxr_packet_way choose_way(const struct pxr_kernels *kernels,
                                      const struct pxr_packets *p)
{
    const bool fits = p->rows->columns * kernels->vector <= PXR_PACKET_ROOM;
    if (kernels->packets[PXR_PACKETS_TRANSPOSED] &&
        cost_of_transposing(p->rows) < cost_of_gathering(p->rows))
        return PXR_PACKETS_TRANSPOSED;
    if (!p->old && (!fits || stays_in_place(p)))
        return PXR_PACKETS_DIRECT;
    return PXR_PACKETS_GATHERED;
}

/* -------------------------------------------------------------- from memory -- */

/*
 * Blocks of 256 bytes of one packet after the other are too short for the prefetchers of a
 * processor, which follow addresses that ascend for longer.  So the lines of a unit whose
 * packets come from memory are loaded before it is coded, from some places of the shards by
 * turns, as many as there are streams that prefetchers follow at once.  Measured on an EPYC of
 * family 25, model 17: 640 KiB take 34 us so, 43 one packet behind the other, and 64 in the
 * order of coding; prefetch instructions in any of these orders take longer than loads.
 */
#define STREAMS 10

static void load_lines(const uint8_t *const *packet, unsigned count, size_t from, size_t len)
{
    const unsigned apart = (count + STREAMS - 1) / STREAMS;
    for (unsigned first = 0; first < apart; first++)
        for (size_t at = from; at < from + len; at += 64)
            for (unsigned i = first; i < count; i += apart)
                if (packet[i])
                    (void)*(const volatile uint8_t *)(packet[i] + at);
}

static void load_unit(const struct pxr_packets *p)
{
    const size_t from = p->first * p->stride;
    load_lines(p->src, p->rows->columns, from, p->len);
    if (p->old)
        load_lines(p->old, p->rows->columns, from, p->len);
    if (p->add)
        load_lines(pxr_read_only(p->dst), p->rows->rows, from, p->len);
}

/* Packets of a unit that are read or written. */
static uint64_t packets_of(const struct pxr_packets *p)
{
    return (uint64_t)p->rows->columns * (p->old ? 2 : 1) + p->rows->rows;
}

/* All packets together have so many bytes, and those of each shard lie within `spread` bytes.
   The new contents of an update stand for the old ones, and for the parity. */
static enum pxr_place place_of(const struct pxr_packets *p)
{
    const size_t spread = (p->units - 1) * p->stride + p->len;
    const uint64_t bytes = (uint64_t)p->units * p->len * packets_of(p);
    return pxr_place(spread, (size_t)((bytes + spread - 1) / spread),
                     (struct pxr_sources){p->src, p->rows->columns});
}

static bool is_aligned(const struct pxr_packets *p, size_t to)
{
    uintptr_t any = p->len | p->stride;
    for (unsigned r = 0; r < p->rows->rows; r++)
        any |= (uintptr_t)p->dst[r];
    return any % to == 0;
}

/* Whether outputs go around the caches: not where they are read again, as sums are of which the
   transposing kernel makes a part at a time. */
static bool may_stream(const struct pxr_kernels *kernels, enum pxr_packet_way way,
                       const struct pxr_packets *p)
{
    const bool in_turns =
        way == PXR_PACKETS_TRANSPOSED && p->rows->columns * kernels->vector > PXR_PACKET_ROOM;
    return pxr_way(PXR_WORK_DOT, PXR_PLACE_MEMORY, 0) & PXR_STREAM && !p->add && !p->reread &&
           !in_turns && is_aligned(p, kernels->vector);
}

static void run_from_memory(const struct pxr_kernels *kernels, const struct pxr_packets *all)
{
    const enum pxr_packet_way way = choose_way(kernels, all);
    struct pxr_packets p = *all;
    p.stream = may_stream(kernels, way, all);
    p.units = 1;
    for (; p.first < all->first + all->units; p.first++) {
        load_unit(&p);
        kernels->packets[way](&p);
    }
}

/* Where a core's own cache does not hold a unit, its lines would be gone before they are used.
 */
static bool unit_fits(const struct pxr_packets *p)
{
    return p->len * packets_of(p) <= PXR_MACHINE(own_bytes);
}

void pxr_packets_run(const struct pxr_kernels *kernels, const struct pxr_packets *packets)
{
    if (packets->units > 0 && packets->rows->columns > 0 && unit_fits(packets) &&
        place_of(packets) == PXR_PLACE_MEMORY)
        run_from_memory(kernels, packets);
    else
        kernels->packets[choose_way(kernels, packets)](packets);
}
