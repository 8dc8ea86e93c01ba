/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flat_values.h - sets and maps of shards as a 20.2 host lays them out.  They are made here,
 * because no public header has them.
 */
#ifndef PERMXOR_CEPH_TEST_FLAT_VALUES_H
#define PERMXOR_CEPH_TEST_FLAT_VALUES_H

#include <cstdint>
#include <utility>

#include "host.h"

namespace host
{

class FlatSet
{
  public:
    FlatSet() = default;
    FlatSet(const FlatSet &) = delete;
    explicit FlatSet(const ChunkSet &ids)
    {
        for (int id : ids)
            words_[id / 64] |= uint64_t(1) << (id % 64);
    }
    operator permxor_ceph::shard_id_set &()
    {
        return *pointer();
    }
    permxor_ceph::shard_id_set *pointer()
    {
        return reinterpret_cast<permxor_ceph::shard_id_set *>(this);
    }
    ChunkSet ids() const
    {
        ChunkSet ids;
        for (int id = 0; id < 128; id++)
            if (words_[id / 64] >> (id % 64) & 1)
                ids.insert(id);
        return ids;
    }

  private:
    uint64_t words_[2] = {0, 0};
    const void *end_set_ [[maybe_unused]] = this;
    int8_t end_position_ [[maybe_unused]] = INT8_MIN; /* the originals read this as 128 */
};

template <class T> class FlatMap
{
  public:
    explicit FlatMap(unsigned capacity) : FlatMap(std::vector<std::optional<T>>(capacity))
    {
    }
    FlatMap(const FlatMap &other) : FlatMap(other.slots_)
    {
        size_ = other.size_;
    }
    operator permxor_ceph::shard_id_map<T> &()
    {
        return *pointer();
    }
    permxor_ceph::shard_id_map<T> *pointer()
    {
        return reinterpret_cast<permxor_ceph::shard_id_map<T> *>(this);
    }
    void set(int id, const T &value)
    {
        size_ += slots_.at(size_t(id)) ? 0 : 1;
        slots_.at(size_t(id)) = value;
    }
    bool has(int id) const
    {
        return bool(slots_.at(size_t(id)));
    }
    const T &at(int id) const
    {
        return *slots_.at(size_t(id));
    }
    ChunkSet ids() const
    {
        ChunkSet ids;
        for (size_t id = 0; id < slots_.size(); id++)
            if (slots_[id])
                ids.insert(int(id));
        return ids;
    }
    /* Whether the number of values that the map keeps is right. */
    bool sound() const
    {
        return size_ == ids().size();
    }

  private:
    /* The end iterators, which the originals compare with. */
    struct End {
        const void *map;
        const void *value[3]; /* an optional pair of references */
        int8_t key;
    };

    explicit FlatMap(std::vector<std::optional<T>> slots)
        : slots_(std::move(slots)), end_{this, {}, int8_t(slots_.size())}, const_end_(end_)
    {
    }

    std::vector<std::optional<T>> slots_;
    const End end_, const_end_;
    size_t size_ = 0;
};

static_assert(sizeof(FlatSet) == sizeof(permxor_ceph::shard_id_set), "the same layout");
static_assert(sizeof(FlatMap<int>) == sizeof(permxor_ceph::shard_id_map<int>),
              "the same layout");

} // namespace host

#endif
