/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic of packets.  A unit of a shard is w packets, and each packet of an output is
 * the xor of some packets of the sources.
 */
#include <string.h>

#include "arithmetic.h"

/* Lists the packets of some shards in the unit at `offset`.  The packets of a shard that is
   NULL are NULL. */
static void list_packets(const struct pxr_map *map, const uint8_t *const *shard, unsigned count,
                         size_t offset, const uint8_t **packet)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned x = 0; x < map->w; x++)
            *packet++ = shard[i] ? shard[i] + offset + x * map->packetsize : NULL;
}

/* The packets of outputs, which the kernels write. */
static uint8_t *const *outputs(const uint8_t *const *packet)
{
    return (uint8_t *const *)packet;
}

/* ------------------------------------------------------------- encoding -- */

static void encode(const struct pxr_map *map, size_t len, const uint8_t *const *src,
                   uint8_t *const *dst)
{
    const uint8_t *packet[PXR_MAX_PACKETS];
    const uint8_t **const to = packet + map->packets.columns;
    list_packets(map, src, map->k, 0, packet);
    list_packets(map, pxr_read_only(dst), map->count, 0, to);
    pxr_packets_run(pxr_kernels(), &(struct pxr_packets){.rows = &map->packets,
                                                         .len = map->packetsize,
                                                         .units = len / map->unit,
                                                         .stride = map->unit,
                                                         .src = packet,
                                                         .dst = outputs(to)});
}

/* Finds byte t of each packet of a shard, in the unit at the cursor.  Returns for how many
   bytes, at most `most`, each packet is in one piece from there on. */
static size_t find_packets(const struct pxr_map *map, struct pxr_cursor cursor, size_t t,
                           size_t most, const uint8_t **packet)
{
    pxr_cursor_skip(&cursor, t);
    for (unsigned x = 0; x < map->w; x++) {
        pxr_cursor_settle(&cursor);
        *packet++ = cursor.at;
        most = cursor.left < most ? cursor.left : most;
        if (x + 1 < map->w)
            pxr_cursor_skip(&cursor, map->packetsize);
    }
    return most;
}

/* Encodes a unit that is in several pieces of some shard.  At a time it codes as many bytes of
   all packets as are in one piece of each.  It is a function of its own, so that its room is
   not on the stack while whole units are coded. */
static __attribute__((noinline)) void encode_pieces_of_unit(const struct pxr_map *map,
                                                            const struct pxr_cursor *cursors)
{
    const uint8_t *packet[PXR_MAX_PACKETS];
    for (size_t t = 0, n; t < map->packetsize; t += n) {
        n = map->packetsize - t;
        for (unsigned i = 0; i < map->k + map->count; i++)
            n = find_packets(map, cursors[i], t, n, packet + (size_t)i * map->w);
        pxr_packets_run(pxr_kernels(),
                        &(struct pxr_packets){.rows = &map->packets,
                                              .len = n,
                                              .units = 1,
                                              .src = packet,
                                              .dst = outputs(packet + map->k * map->w)});
    }
}

static void encode_pieces(const struct pxr_map *map, size_t len, struct pxr_cursor *cursors)
{
    const unsigned count = map->k + map->count;
    uint8_t *address[PXR_MAX_SHARDS];
    while (len > 0) {
        size_t span = pxr_next_span(cursors, count, len, address) / map->unit * map->unit;
        if (span > 0) {
            encode(map, span, pxr_read_only(address), address + map->k);
        } else {
            span = map->unit;
            encode_pieces_of_unit(map, cursors);
        }
        for (unsigned i = 0; i < count; i++)
            pxr_cursor_skip(&cursors[i], span);
        len -= span;
    }
}

/* ------------------------------------------------------------- updating -- */

/* Adds the effect of a change of data shard `index` to the parity, in the units from `offset`
   on. */
static void add_change(const struct pxr_code *code, unsigned index, const uint8_t *old_data,
                       const uint8_t *new_data, uint8_t *const *parity, size_t offset,
                       size_t units)
{
    const struct pxr_map *const map = &code->map;
    const uint8_t *from[PXR_MAX_W], *old[PXR_MAX_W], *packet[PXR_MAX_PACKETS];
    list_packets(map, &new_data, 1, offset, from);
    list_packets(map, &old_data, 1, offset, old);
    list_packets(map, pxr_read_only(parity), code->m, offset, packet);
    pxr_packets_run(pxr_kernels(), &(struct pxr_packets){.rows = &code->columns[index],
                                                         .len = map->packetsize,
                                                         .units = units,
                                                         .stride = map->unit,
                                                         .src = from,
                                                         .old = old_data ? old : NULL,
                                                         .dst = outputs(packet),
                                                         .add = true});
}

/* Several changes are done unit by unit, so that the parity of a unit is in a cache for all
   changes but the first. */
static void update(const struct pxr_code *code, size_t len, const struct pxr_changes *changes,
                   uint8_t *const *parity)
{
    const size_t unit = code->map.unit, step = changes->count == 1 ? len : unit;
    for (size_t offset = 0; offset < len; offset += step)
        for (unsigned i = 0; i < changes->count; i++)
            add_change(code, changes->index[i], changes->old_data ? changes->old_data[i] : NULL,
                       changes->new_data[i], parity, offset, step / unit);
}

/* ------------------------------------------------------------ comparing -- */

/* The number of bytes of all parity packets that are recomputed at a time. */
#define COMPARED_BYTES ((size_t)8192)

/* Compares n bytes from byte t on of each packet in the unit at offset.  `computed` has these
   bytes for one packet after the other. */
static bool packets_agree(const struct pxr_comparison *c, const uint8_t *computed,
                          size_t offset, size_t t, size_t n)
{
    const unsigned w = c->map->w;
    bool same = true;
    for (unsigned r = 0; r < c->map->count; r++)
        for (unsigned x = 0; x < w && pxr_is_compared(c, r); x++)
            same &= pxr_shard_agrees(c, r, computed + (r * w + x) * n,
                                     offset + x * c->map->packetsize + t, n);
    return same;
}

/* Compares a unit, by as many bytes of every packet at a time as there is room for. */
static bool unit_agrees(const struct pxr_comparison *c, size_t offset)
{
    const struct pxr_map *const map = c->map;
    const uint8_t *packet[PXR_MAX_PACKETS];
    uint8_t computed[COMPARED_BYTES] __attribute__((aligned(64)));
    const unsigned sources = map->k * map->w, rows = map->count * map->w;
    const size_t most = COMPARED_BYTES / rows;
    bool same = true;
    for (size_t t = 0, n; t < map->packetsize; t += n) {
        n = map->packetsize - t < most ? map->packetsize - t : most;
        list_packets(map, c->source, map->k, offset + t, packet);
        for (unsigned r = 0; r < rows; r++)
            packet[sources + r] = computed + r * n;
        pxr_packets_run(pxr_kernels(), &(struct pxr_packets){.rows = &map->packets,
                                                             .len = n,
                                                             .units = 1,
                                                             .src = packet,
                                                             .dst = outputs(packet + sources),
                                                             .reread = true});
        same &= packets_agree(c, computed, offset, t, n);
    }
    return same;
}

static bool agrees(const struct pxr_comparison *c, size_t offset, size_t n)
{
    bool same = true;
    for (const size_t end = offset + n; offset < end; offset += c->map->unit)
        same &= unit_agrees(c, offset);
    return same;
}

/* To tell whether a shard can explain a difference, equations would have to be solved.
   Comparing the other shards, which is done next, finds this out within a unit.  So all shards
   are suspects. */
static void find_suspects(const struct pxr_code *code, uint8_t *const *shards, size_t at,
                          struct pxr_shard_set *suspects)
{
    (void)shards, (void)at;
    for (unsigned i = 0; i < code->k + code->m; i++)
        pxr_set_add(suspects, i);
}

const struct pxr_arithmetic pxr_packet_arithmetic = {
    .encode = encode,
    .encode_pieces = encode_pieces,
    .update = update,
    .agrees = agrees,
    .find_suspects = find_suspects,
    .solve = pxr_packets_solve,
};
