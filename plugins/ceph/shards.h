/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shards.h - sets of shards and maps from shards, as 20.2 lays them out in memory.
 */
#ifndef PERMXOR_CEPH_SHARDS_H
#define PERMXOR_CEPH_SHARDS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace permxor_ceph
{

struct shard_id_t {
    int8_t id;
};

/* A set of shards as bits.  The host passes it by reference only, so no code here makes one. */
class shard_id_set
{
  public:
    class const_iterator
    {
      public:
        const_iterator(const shard_id_set &set, int id) : set_(set), id_(id)
        {
            skip();
        }
        int operator*() const
        {
            return id_;
        }
        const_iterator &operator++()
        {
            ++id_;
            skip();
            return *this;
        }
        bool operator!=(const const_iterator &other) const
        {
            return id_ != other.id_;
        }

      private:
        void skip()
        {
            while (id_ < capacity && !set_.count(id_))
                ++id_;
        }

        const shard_id_set &set_;
        int id_;
    };

    static constexpr int capacity = 128;

    shard_id_set(const shard_id_set &) = delete;
    shard_id_set &operator=(const shard_id_set &) = delete;

    const_iterator begin() const
    {
        return const_iterator(*this, 0);
    }
    const_iterator end() const
    {
        return const_iterator(*this, capacity);
    }
    bool count(int id) const
    {
        return id >= 0 && id < capacity && (words_[id / 64] >> (id % 64) & 1);
    }
    size_t size() const
    {
        return size_t(__builtin_popcountll(words_[0]) + __builtin_popcountll(words_[1]));
    }
    void insert(int id)
    {
        if (id >= 0 && id < capacity)
            words_[id / 64] |= uint64_t(1) << (id % 64);
    }

  private:
    uint64_t words_[2];
    /* The host's end iterator: its set and its position. */
    const void *end_set_ [[maybe_unused]];
    int8_t end_position_ [[maybe_unused]];
};

/* A map from shard to T, with room for a fixed number of shards. */
template <class T> class shard_id_map
{
  public:
    shard_id_map(const shard_id_map &) = delete;
    shard_id_map &operator=(const shard_id_map &) = delete;

    int capacity() const
    {
        return int(slots_.size());
    }
    const T *find(int id) const
    {
        return id >= 0 && id < capacity() && slots_[id] ? &*slots_[id] : nullptr;
    }
    T *find(int id)
    {
        return id >= 0 && id < capacity() && slots_[id] ? &*slots_[id] : nullptr;
    }
    /* The entry of a shard, or a new T. Null for a shard that there is no room for. */
    T *insert(int id)
    {
        if (id < 0 || id >= capacity())
            return nullptr;
        if (!slots_[id]) {
            slots_[id].emplace();
            ++size_;
        }
        return &*slots_[id];
    }
    void erase(int id)
    {
        if (find(id)) {
            slots_[id].reset();
            --size_;
        }
    }

  private:
    std::vector<std::optional<T>> slots_;
    /* The host's end iterators.  Only their size matters here. */
    const void *ends_ [[maybe_unused]][10];
    size_t size_;
};

static_assert(sizeof(shard_id_t) == 1 && std::is_trivially_copyable_v<shard_id_t>, "");
static_assert(sizeof(shard_id_set) == 32 && alignof(shard_id_set) == 8, "");

} // namespace permxor_ceph

#endif
