/* SPDX-License-Identifier: BSD-3-Clause */
#include "flat.h"

#include "permxor_raid.h"

#include <cstdlib>
#include <iostream>

namespace permxor_ceph
{

/* A shard's buffer, or null for a shard that is absent.  An empty buffer means that, too. */
static const bufferptr *buffer_of(const shard_id_map<bufferptr> &shards, unsigned shard)
{
    const bufferptr *buffer = shards.find(int(shard));
    return buffer && buffer->length() != 0 ? buffer : nullptr;
}

/* Returns whether all buffers have the length *length.  If *length is 0, any common length will
   do, and *length becomes that length. */
static bool have_one_length(const shard_id_map<bufferptr> &shards, size_t *length)
{
    for (int shard = 0; shard < shards.capacity(); shard++) {
        const bufferptr *buffer = buffer_of(shards, unsigned(shard));
        if (buffer && *length == 0)
            *length = buffer->length();
        if (buffer && *length != buffer->length())
            return false;
    }
    return true;
}

/* Stops the host.  A function without a result cannot refuse a call, and parity that does not
   agree with its data must not be written.  The original plugin would stop the host, too. */
[[noreturn]] static void stop(const char *function)
{
    std::cerr << "permxor: " << function
              << ": the buffers have lengths that are not valid for this code" << std::endl;
    std::abort();
}

int Flat::init(Profile &profile, std::ostream *ss)
{
    return guarded([&] {
        int error = Adapter::init(profile, ss);
        if (error != 0)
            return error;
        mapping_.clear();
        for (int place : code().mapping())
            mapping_.push_back({int8_t(place)});
        return 0;
    });
}

int Flat::minimum_to_decode(const shard_id_set &want, const shard_id_set &available,
                            shard_id_set &minimum, shard_id_map<SubChunks> *sub_chunks)
{
    return guarded([&] {
        int error = permxor_ceph::minimum_to_decode(code(), want, available, &minimum);
        if (error != 0 || !sub_chunks)
            return error;
        for (int id : minimum)
            if (SubChunks *all = sub_chunks->insert(id))
                *all = whole_chunk();
        return 0;
    });
}

int Flat::minimum_to_decode_with_cost(const shard_id_set &want,
                                      const shard_id_map<int> &available, shard_id_set *minimum)
{
    return guarded([&] {
        return permxor_ceph::minimum_to_decode_with_cost(code(), want, available, minimum);
    });
}

size_t Flat::get_minimum_granularity()
{
    return code().granularity();
}

int Flat::encode(const shard_id_set &want, const bufferlist &in,
                 shard_id_map<bufferlist> *encoded)
{
    return guarded([&] { return permxor_ceph::encode(code(), want, in, encoded); });
}

int Flat::encode_chunks(const shard_id_map<bufferptr> &in, shard_id_map<bufferptr> &out)
{
    return guarded([&] {
        size_t length = 0;
        if (!have_one_length(in, &length) || !have_one_length(out, &length))
            return -EINVAL;
        Coding coding(code(), length);
        for (unsigned shard = 0; shard < code().k(); shard++) {
            if (const bufferptr *data = buffer_of(in, shard))
                coding.read(shard, *data);
            else
                coding.read_zeros(shard);
        }
        for (unsigned shard = code().k(); shard < code().k() + code().m(); shard++) {
            if (const bufferptr *parity = buffer_of(out, shard))
                coding.write(shard, *parity);
        }
        return coding.run();
    });
}

void Flat::encode_delta(const bufferptr &old_data, const bufferptr &new_data, bufferptr *delta)
{
    size_t length = delta->length();
    if (old_data.length() != length || new_data.length() != length)
        stop(__func__);
    if (length == 0)
        return;
    const uint8_t *data[2] = {(const uint8_t *)old_data.c_str(),
                              (const uint8_t *)new_data.c_str()};
    uint8_t *sum = (uint8_t *)delta->c_str();
    int status = sum == data[0]   ? pxr_raid_accumulate(0, 1, length, &data[1], sum, nullptr)
                 : sum == data[1] ? pxr_raid_accumulate(0, 1, length, &data[0], sum, nullptr)
                                  : pxr_raid_generate(2, length, data, sum, nullptr);
    if (status != PXR_OK)
        stop(__func__);
}

void Flat::apply_delta(const shard_id_map<bufferptr> &in, shard_id_map<bufferptr> &out)
{
    size_t length = 0;
    if (!have_one_length(in, &length) || !have_one_length(out, &length))
        stop(__func__);
    uint8_t *parity[PXR_MAX_SHARDS];
    for (unsigned row = 0; row < code().m(); row++) {
        const bufferptr *buffer = buffer_of(out, code().k() + row);
        parity[row] = buffer ? (uint8_t *)buffer->c_str() : nullptr;
    }
    for (unsigned shard = 0; shard < code().k(); shard++) {
        const bufferptr *delta = buffer_of(in, shard);
        if (delta && pxr_update(code().coder(), length, shard, nullptr,
                                (const uint8_t *)delta->c_str(), parity) != PXR_OK)
            stop(__func__);
    }
}

int Flat::decode(const shard_id_set &want, const shard_id_map<bufferlist> &chunks,
                 shard_id_map<bufferlist> *decoded, int)
{
    return guarded([&] { return permxor_ceph::decode(code(), want, chunks, decoded); });
}

int Flat::decode_chunks(const shard_id_set &, shard_id_map<bufferptr> &in,
                        shard_id_map<bufferptr> &out)
{
    return guarded([&] {
        size_t length = 0;
        if (!have_one_length(in, &length) || !have_one_length(out, &length))
            return -EINVAL;
        Coding coding(code(), length);
        for (unsigned shard = 0; shard < code().k() + code().m(); shard++) {
            if (const bufferptr *lost = buffer_of(out, shard))
                coding.write(shard, *lost);
            else if (const bufferptr *there = buffer_of(in, shard))
                coding.read(shard, *there);
        }
        return coding.run();
    });
}

const std::vector<shard_id_t> &Flat::get_chunk_mapping() const
{
    return mapping_;
}

int Flat::decode_concat(const ChunkSet &want, const ChunkMap &chunks, bufferlist *decoded)
{
    return guarded([&] { return permxor_ceph::decode_concat(code(), want, chunks, decoded); });
}

uint64_t Flat::get_supported_optimizations() const
{
    return code().optimizations();
}

std::string Flat::get_optimizations_flags_string() const
{
    static const char *const names[] = {"partialread",     "partialwrite", "zeroinout",
                                        "zeropadding",     "paritydelta",  "requiresubchunks",
                                        "optimizedsupport"};
    std::string text;
    for (unsigned bit = 0; bit < sizeof names / sizeof names[0]; bit++) {
        if (!(code().optimizations() >> bit & 1))
            continue;
        if (!text.empty())
            text += ",";
        text += names[bit];
    }
    return text;
}

} // namespace permxor_ceph
