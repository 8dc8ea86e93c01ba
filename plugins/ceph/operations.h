/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations.h - the operations of the interfaces, over any kind of set and map of chunks.
 *
 * 16.2 and 18.2 have std::set and std::map. 20.2 has these and its own types.  So each
 * operation is a template over them.  The chunks of the interface are the code's shards, with
 * the same numbers.
 *
 * The results are 0 or a negative errno.  It is -EIO where too few chunks are there, as in the
 * originals.  It is -EINVAL for chunks of unequal lengths or with a part of a unit, where a
 * chunk that the code does not have is to be decoded, and where encode_in_place() lacks a
 * chunk; in these cases the originals read past the end of something or abort.  Other chunks
 * that the code does not have are ignored.
 */
#ifndef PERMXOR_CEPH_OPERATIONS_H
#define PERMXOR_CEPH_OPERATIONS_H

#include <algorithm>
#include <cerrno>
#include <list>
#include <utility>
#include <vector>

#include "ceph_abi.h"
#include "code.h"
#include "spans.h"

namespace permxor_ceph
{

/* ------------------------------------------------- std::map like shard_id_map -- */

template <class T> const T *find(const std::map<int, T> &map, int id)
{
    auto found = map.find(id);
    return found == map.end() ? nullptr : &found->second;
}

template <class T> T *insert(std::map<int, T> &map, int id)
{
    return &map[id];
}

template <class T> const T *find(const shard_id_map<T> &map, int id)
{
    return map.find(id);
}

template <class T> T *insert(shard_id_map<T> &map, int id)
{
    return map.insert(id);
}

using Costs = std::vector<std::pair<int, int>>; /* cost, chunk */

inline Costs costs_of(const std::map<int, int> &available)
{
    Costs costs;
    for (auto &chunk : available)
        costs.emplace_back(chunk.second, chunk.first);
    return costs;
}

inline Costs costs_of(const shard_id_map<int> &available)
{
    Costs costs;
    for (int id = 0; id < available.capacity(); id++)
        if (const int *cost = available.find(id))
            costs.emplace_back(*cost, id);
    return costs;
}

/* ------------------------------------------------------------ what to read -- */

template <class Set> bool all_there(const Set &want, const std::set<int> &available)
{
    for (int id : want)
        if (!available.count(id))
            return false;
    return true;
}

/* Returns whether the code has a chunk of this number.  Hosts may name others. */
inline bool exists(const Code &code, int id)
{
    return id >= 0 && unsigned(id) < code.k() + code.m();
}

/* Chooses among chunks that are in the order of preference: the wanted ones if all are there,
   and otherwise the first k. */
template <class Set>
int choose(const Code &code, const Set &want, const std::vector<int> &chunks, Set *minimum)
{
    const std::set<int> there(chunks.begin(), chunks.end());
    if (all_there(want, there)) {
        for (int id : want)
            minimum->insert(id);
        return 0;
    }
    if (chunks.size() < code.k())
        return -EIO;
    for (unsigned i = 0; i < code.k(); i++)
        minimum->insert(chunks[i]);
    return 0;
}

template <class Set>
int minimum_to_decode(const Code &code, const Set &want, const Set &available, Set *minimum)
{
    std::vector<int> chunks;
    for (int id : available)
        if (exists(code, id))
            chunks.push_back(id);
    return choose(code, want, chunks, minimum);
}

/* The cheapest chunks come first, and among equally cheap ones the lower number.  Where some k
   chunks do not suffice, the lower number comes first, because the data and then the plain sum
   replace any one chunk. */
template <class Set, class Map>
int minimum_to_decode_with_cost(const Code &code, const Set &want, const Map &available,
                                Set *minimum)
{
    Costs costs = costs_of(available);
    if (code.any_k_suffice())
        std::sort(costs.begin(), costs.end());
    std::vector<int> chunks;
    for (auto &chunk : costs)
        if (exists(code, chunk.second))
            chunks.push_back(chunk.second);
    return choose(code, want, chunks, minimum);
}

/* ------------------------------------------------------------------ encode -- */

/* Memory for a chunk that is computed, aligned to a cache line.  A whole page would spare the
   storage a copy, but only for the one chunk that stays on this machine.  It would cost each
   chunk an allocation of its own: encoding 16 KiB by 4+2 then takes 1.1 times as long. */
bufferptr new_chunk(unsigned length);

/* Chunk `index` of the object: a reference to the data, followed by zeros from the end of the
   data on. */
void cut_chunk(const bufferlist &in, unsigned index, unsigned length, bufferlist *chunk);

/*
 * Cut an object into k chunks and compute the others.  Nothing is copied.  As in the originals,
 * `encoded` holds what is wanted afterwards.
 */
template <class Set, class Map>
int encode(const Code &code, const Set &want, const bufferlist &in, Map *encoded)
{
    unsigned length = code.chunk_size(in.length());
    Coding coding(code, length);
    std::list<bufferlist> unwanted;
    for (unsigned shard = 0; shard < code.k() + code.m(); shard++) {
        bool wanted = want.count(shard);
        bufferlist chunk;
        if (shard < code.k()) {
            cut_chunk(in, shard, length, &chunk);
            coding.read(shard, chunk);
        } else if (wanted) {
            chunk.push_back(new_chunk(length));
            coding.write(shard, chunk);
        }
        if (!wanted) {
            unwanted.emplace_back();
            unwanted.back().swap(chunk);
            encoded->erase(shard);
        } else if (bufferlist *stored = insert(*encoded, shard)) {
            stored->swap(chunk);
        } else {
            return -EINVAL;
        }
    }
    return coding.run();
}

/* Compute the parity chunks, where they lie, from the data chunks there. */
int encode_in_place(const Code &code, ChunkMap *encoded);

/* ------------------------------------------------------------------ decode -- */

/* Returns how many of the code's chunks are there, and sets their length.  Returns -EINVAL
   where the lengths differ. */
template <class Map> int survey(const Code &code, const Map &chunks, size_t *length)
{
    int there = 0;
    for (unsigned shard = 0; shard < code.k() + code.m(); shard++) {
        auto *chunk = find(chunks, shard);
        if (!chunk)
            continue;
        if (there++ != 0 && chunk->length() != *length)
            return -EINVAL;
        *length = chunk->length();
    }
    return there;
}

/* The same, as a status: 0 where k chunks are there, which determine the others. */
template <class Map> int need_k(const Code &code, const Map &chunks, size_t *length)
{
    int there = survey(code, chunks, length);
    return there < 0 ? there : there < int(code.k()) ? -EIO : 0;
}

/* Read the chunks that are there, and compute the wanted ones that are missing. */
template <class Set, class Map>
int decode_missing(const Code &code, const Set &want, const Map &chunks, Map *decoded)
{
    size_t length = 0;
    if (int error = need_k(code, chunks, &length))
        return error;
    Coding coding(code, length);
    for (unsigned shard = 0; shard < code.k() + code.m(); shard++) {
        if (const bufferlist *chunk = find(chunks, shard)) {
            coding.read(shard, *chunk);
        } else if (want.count(shard)) {
            bufferlist computed;
            computed.push_back(new_chunk(length));
            coding.write(shard, computed);
            insert(*decoded, shard)->swap(computed);
        }
    }
    return coding.run();
}

/* Refer to the wanted chunks that are there, and compute the missing ones and no others. */
template <class Set, class Map>
int decode(const Code &code, const Set &want, const Map &chunks, Map *decoded)
{
    bool missing = false;
    for (int id : want) {
        const bufferlist *chunk = find(chunks, id);
        missing |= !chunk;
        if (!chunk && !exists(code, id))
            return -EINVAL;
        if (bufferlist *stored = insert(*decoded, id); stored && chunk)
            *stored = *chunk;
        else if (!stored)
            return -EINVAL;
    }
    return missing ? decode_missing(code, want, chunks, decoded) : 0;
}

/* Compute, where it lies, every chunk that is in `decoded` but not in `chunks`. */
int decode_in_place(const Code &code, const ChunkMap &chunks, ChunkMap *decoded);

/* Append the wanted data chunks in their order. */
int decode_concat(const Code &code, const ChunkSet &want, const ChunkMap &chunks,
                  bufferlist *decoded);

} // namespace permxor_ceph

#endif
