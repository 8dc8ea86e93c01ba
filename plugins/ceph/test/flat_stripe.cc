/* SPDX-License-Identifier: BSD-3-Clause */
#include "flat_stripe.h"

#include <algorithm>

extern "C" {
#include "../../../unit/judge.h"
}

namespace host
{

using ceph::bufferptr;

static const uint8_t *address(const Bytes &bytes)
{
    return reinterpret_cast<const uint8_t *>(bytes.data());
}

void add_product(uint8_t factor, const Bytes &data, Bytes &parity)
{
    const uint8_t *source = address(data);
    judge_dot(data.size(), 1, &factor, &source, reinterpret_cast<uint8_t *>(&parity[0]));
}

/* Computes a parity shard of bytes. */
static Bytes parity_of(const Stripe &stripe, unsigned row)
{
    Bytes parity(stripe.len, 0);
    for (unsigned i = 0; i < stripe.k; i++)
        add_product(uint8_t(stripe.rows[size_t(row) * stripe.k + i]), stripe.chunks[i], parity);
    return parity;
}

/* Computes packet x of parity shard `row` in all units.  It is the sum of the packets for which
   the matrix has a one. */
static void add_packets(const Stripe &stripe, unsigned row, unsigned x, Bytes &parity)
{
    const size_t columns = size_t(stripe.k) * stripe.w, unit = stripe.w * stripe.packetsize;
    for (size_t column = 0; column < columns; column++) {
        if (!stripe.rows[(size_t(row) * stripe.w + x) * columns + column])
            continue;
        const Bytes &data = stripe.chunks[column / stripe.w];
        for (size_t at = 0; at < stripe.len; at += unit)
            for (size_t t = 0; t < stripe.packetsize; t++)
                parity[at + x * stripe.packetsize + t] ^=
                    data[at + column % stripe.w * stripe.packetsize + t];
    }
}

void compute_parity(Stripe &stripe)
{
    stripe.chunks.resize(stripe.n);
    for (unsigned row = 0; row < stripe.m; row++) {
        Bytes &parity = stripe.chunks[stripe.k + row];
        parity = stripe.w ? Bytes(stripe.len, 0) : parity_of(stripe, row);
        for (unsigned x = 0; x < stripe.w; x++)
            add_packets(stripe, row, x, parity);
    }
}

static Bytes bits_of(const Kind &kind, unsigned k, unsigned m)
{
    pxr_code *code;
    Bytes rows(size_t(m) * kind.w * k * kind.w, 0);
    CHECK_INT(
        pxr_code_create_bits(&code, k, m, kind.matrix, kind.w, kind.packetsize, 0, nullptr),
        PXR_OK);
    CHECK_INT(pxr_code_bits(code, reinterpret_cast<uint8_t *>(&rows[0])), PXR_OK);
    pxr_code_free(code);
    return rows;
}

/* With m=1, isa's parity is a plain sum, whatever the technique. */
static Bytes rows_of(const Kind &kind, unsigned k, unsigned m)
{
    if (kind.w)
        return bits_of(kind, k, m);
    if (m == 1 && kind.matrix != PXR_JERASURE_VAN)
        return Bytes(k, 1);
    pxr_code *code;
    CHECK_INT(pxr_code_create(&code, k, m, kind.matrix, nullptr), PXR_OK);
    Bytes rows(reinterpret_cast<const char *>(pxr_code_coefficients(code)), size_t(k) * m);
    pxr_code_free(code);
    return rows;
}

/* A host of our own has originals of another interface, so it takes ours from a folder without
   them. */
std::shared_ptr<FlatInterface> code_of(const std::string &plugin, const char *technique,
                                       const std::string &profile)
{
    return code_of<FlatInterface>(
        plugin_of(is_real() ? taken() : alone(), plugin),
        profile_of(std::string("technique=") + technique + "," + profile));
}

std::shared_ptr<FlatInterface> code_of(const Kind &kind, const std::string &profile)
{
    return code_of(kind.plugin, kind.technique, profile);
}

std::string shape_of(const Stripe &stripe)
{
    return "k=" + std::to_string(stripe.k) + ",m=" + std::to_string(stripe.m);
}

Stripe random_stripe(const Kind &kind, size_t len)
{
    Stripe stripe{};
    stripe.k = std::min(kind.most_k, 2 + unsigned(check_below(check_below(8) ? 7 : 20)));
    stripe.original = kind.original;
    stripe.m = kind.two_parities() ? 2 : 1 + unsigned(check_below(4));
    stripe.n = stripe.k + stripe.m;
    stripe.w = kind.w;
    stripe.packetsize = kind.packetsize;
    size_t unit = (kind.original ? 4096 : 1) * (kind.w ? kind.w * kind.packetsize : 1);
    stripe.len = (len + unit - 1) / unit * unit;
    stripe.code = code_of(kind, shape_of(stripe));
    if (!stripe.code)
        return stripe;
    stripe.rows = rows_of(kind, stripe.k, stripe.m);
    for (unsigned i = 0; i < stripe.k; i++)
        stripe.chunks.push_back(random_bytes(stripe.len));
    compute_parity(stripe);
    return stripe;
}

FlatMap<bufferptr> pieces_of(Pool &pool, const Stripe &stripe, const ChunkSet &ids)
{
    FlatMap<bufferptr> map(stripe.n);
    for (int id : ids)
        map.set(id, pool.piece(stripe.chunks[size_t(id)]));
    return map;
}

FlatMap<bufferptr> rooms_for(Pool &pool, const Stripe &stripe, const ChunkSet &ids)
{
    FlatMap<bufferptr> map(stripe.n);
    for (int id : ids)
        map.set(id, pool.piece(random_bytes(stripe.len)));
    return map;
}

ChunkSet others(const Stripe &stripe, const ChunkSet &ids)
{
    ChunkSet rest;
    for (int id : all_of(stripe.n))
        if (!ids.count(id))
            rest.insert(id);
    return rest;
}

void check_pieces(const FlatMap<bufferptr> &got, const Stripe &stripe, const ChunkSet &ids)
{
    CHECK(got.ids() == ids && got.sound());
    for (int id : ids)
        CHECK(bytes_of(got.at(id)) == stripe.chunks[size_t(id)]);
}

} // namespace host
