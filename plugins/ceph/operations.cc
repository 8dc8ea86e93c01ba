/* SPDX-License-Identifier: BSD-3-Clause */
#include "operations.h"

namespace permxor_ceph
{

bufferptr new_chunk(unsigned length)
{
    return bufferptr(ceph::buffer::create_aligned(length, 64));
}

void cut_chunk(const bufferlist &in, unsigned index, unsigned length, bufferlist *chunk)
{
    uint64_t begin = std::min<uint64_t>(uint64_t(index) * length, in.length());
    unsigned there = unsigned(std::min<uint64_t>(length, in.length() - begin));
    if (there != 0)
        chunk->substr_of(in, unsigned(begin), there);
    if (there < length) {
        bufferptr zeros = new_chunk(length - there);
        zeros.zero();
        chunk->push_back(std::move(zeros));
    }
}

int encode_in_place(const Code &code, ChunkMap *encoded)
{
    size_t length = 0;
    if (survey(code, *encoded, &length) != int(code.k() + code.m()))
        return -EINVAL;
    Coding coding(code, length);
    for (unsigned shard = 0; shard < code.k() + code.m(); shard++) {
        const bufferlist &chunk = encoded->at(shard);
        if (shard < code.k())
            coding.read(shard, chunk);
        else
            coding.write(shard, chunk);
    }
    return coding.run();
}

int decode_in_place(const Code &code, const ChunkMap &chunks, ChunkMap *decoded)
{
    size_t length = 0;
    if (int error = need_k(code, chunks, &length))
        return error;
    Coding coding(code, length);
    for (unsigned shard = 0; shard < code.k() + code.m(); shard++) {
        const bufferlist *known = find(chunks, shard), *stored = find(*decoded, shard);
        const bufferlist *chunk = stored ? stored : known;
        if (!chunk)
            continue;
        if (chunk->length() != length)
            return -EINVAL;
        if (known)
            coding.read(shard, *chunk);
        else
            coding.write(shard, *chunk);
    }
    return coding.run();
}

int decode_concat(const Code &code, const ChunkSet &want, const ChunkMap &chunks,
                  bufferlist *decoded)
{
    ChunkMap parts;
    int error = decode(code, want, chunks, &parts);
    if (error != 0)
        return error;
    for (unsigned shard = 0; shard < code.k(); shard++) {
        if (const bufferlist *part = find(parts, shard))
            decoded->append(*part);
    }
    return 0;
}

} // namespace permxor_ceph
