/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hashes as shards of a code.  Hashes are linear, so those of the shards of a stripe are
 * themselves a stripe of the same code, whose shards are as long as a hash.
 *
 * In a code of packets the hash of a shard is w hashes.  Hash p is that of the packets with the
 * number p in all units, one behind the other.  Together they are one unit of a code with the
 * same bits and packets of the size of a hash.  These functions look at the caller's code as if
 * its packets had that size.
 */
#include <stdbool.h>
#include <string.h>

#include "code.h"
#include "permxor_hash.h"

static bool has_packets(const pxr_code *code)
{
    return pxr_code_packetsize(code) > 0;
}

size_t pxr_hash_bytes(const pxr_hash *hash, const pxr_code *code)
{
    if (!hash || !code)
        return 0;
    if (has_packets(code))
        return (size_t)pxr_hash_size(hash) * pxr_code_w(code);
    return pxr_code_coefficients(code) ? pxr_hash_size(hash) : 0;
}

/* -------------------------------------------------------------- packets -- */

/* Packets that are shorter are put one behind the other in a room of this size, because hashing
   each of them by itself would mostly be folding. */
#define ROOM ((size_t)32768)

struct packets {
    const uint8_t *first; /* of the packets with the same number */
    size_t packetsize, unit;
};

/* Copies n bytes of the packets, from byte `at` of them on. */
static void gather(const struct packets *packets, size_t at, size_t n, uint8_t *room)
{
    while (n > 0) {
        const size_t within = at % packets->packetsize, left = packets->packetsize - within;
        const size_t span = left < n ? left : n;
        memcpy(room, packets->first + at / packets->packetsize * packets->unit + within, span);
        room += span;
        at += span;
        n -= span;
    }
}

/* Adds the packets of `units` units.  The first one is at `offset` of all packets with its
   number. */
static int add_packets(const pxr_hash *hash, uint64_t offset, size_t units,
                       const struct packets *packets, uint8_t *sum)
{
    uint8_t room[ROOM] __attribute__((aligned(64)));
    const size_t total = units * packets->packetsize;
    int status = PXR_OK;
    for (size_t at = 0, n; at < total && status == PXR_OK; at += n) {
        n = total - at < ROOM ? total - at : ROOM;
        gather(packets, at, n, room);
        status = pxr_hash_add(hash, offset + at, n, room, sum);
    }
    return status;
}

int pxr_hash_shard(const pxr_hash *hash, const pxr_code *code, uint64_t offset, size_t len,
                   const uint8_t *piece, uint8_t *sum)
{
    if (pxr_hash_bytes(hash, code) == 0 || !sum || (!piece && len > 0))
        return PXR_EINVAL;
    if (!has_packets(code))
        return pxr_hash_add(hash, offset, len, piece, sum);
    const size_t unit = pxr_code_unit(code), packetsize = pxr_code_packetsize(code);
    if (offset % unit != 0 || len % unit != 0)
        return PXR_EINVAL;
    int status = PXR_OK;
    for (unsigned p = 0; len > 0 && p < pxr_code_w(code) && status == PXR_OK; p++) {
        const struct packets packets = {piece + packetsize * p, packetsize, unit};
        status = add_packets(hash, offset / unit * packetsize, len / unit, &packets,
                             sum + (size_t)pxr_hash_size(hash) * p);
    }
    return status;
}

/* ---------------------------------------------------- the code of hashes -- */

/* The code whose shards are the hashes. */
struct small_code {
    const pxr_code *code; /* the caller's, or the view */
    pxr_code view;        /* of a code of packets */
    size_t len;           /* of a shard of it */
};

static int begin(const pxr_hash *hash, const pxr_code *code, struct small_code *small)
{
    small->code = code;
    small->len = pxr_hash_bytes(hash, code);
    if (small->len == 0)
        return PXR_EINVAL;
    if (has_packets(code)) {
        pxr_code_begin_view(&small->view, code, pxr_hash_size(hash));
        small->code = &small->view;
    }
    return PXR_OK;
}

static void end(struct small_code *small)
{
    if (small->code == &small->view)
        pxr_code_end_view(&small->view);
}

int pxr_hash_encode(const pxr_hash *hash, const pxr_code *code, pxr_inputs data,
                    uint8_t *const *parity)
{
    struct small_code small;
    int status = begin(hash, code, &small);
    if (status == PXR_OK)
        status = pxr_encode(small.code, small.len, data, parity);
    end(&small);
    return status;
}

int pxr_hash_check(const pxr_hash *hash, const pxr_code *code, pxr_inputs sums)
{
    struct small_code small;
    int status = begin(hash, code, &small);
    if (status == PXR_OK)
        status = pxr_verify(small.code, small.len, sums, NULL);
    end(&small);
    return status;
}

int pxr_hash_locate(const pxr_hash *hash, const pxr_code *code, pxr_inputs sums,
                    unsigned *index)
{
    struct small_code small;
    int status = begin(hash, code, &small);
    if (status == PXR_OK)
        status = pxr_locate(small.code, small.len, sums, index);
    end(&small);
    return status;
}
