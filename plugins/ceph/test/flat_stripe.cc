/* SPDX-License-Identifier: BSD-3-Clause */
#include "flat_stripe.h"

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

void compute_parity(Stripe &stripe)
{
    stripe.chunks.resize(stripe.n);
    for (unsigned row = 0; row < stripe.m; row++) {
        Bytes parity(stripe.len, 0),
            row_of = stripe.rows.substr(size_t(row) * stripe.k, stripe.k);
        for (unsigned i = 0; i < stripe.k; i++)
            add_product(uint8_t(row_of[i]), stripe.chunks[i], parity);
        stripe.chunks[stripe.k + row] = parity;
    }
}

/* isa's m=1 is a plain sum, whatever the technique. */
static Bytes rows_of(const Kind &kind, unsigned k, unsigned m)
{
    if (m == 1 && kind.matrix != PXR_JERASURE_VAN)
        return Bytes(k, 1);
    pxr_code *code;
    CHECK_INT(pxr_code_create(&code, k, m, kind.matrix, nullptr), PXR_OK);
    Bytes rows(reinterpret_cast<const char *>(pxr_code_coefficients(code)), size_t(k) * m);
    pxr_code_free(code);
    return rows;
}

/* The originals that a host of our own has are of another interface. */
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
    stripe.k = 2 + unsigned(check_below(check_below(8) ? 7 : 20));
    stripe.original = kind.original;
    stripe.m = kind.matrix == PXR_JERASURE_R6 ? 2 : 1 + unsigned(check_below(4));
    stripe.n = stripe.k + stripe.m;
    stripe.len = kind.original ? (len + 4095) / 4096 * 4096 : len;
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
