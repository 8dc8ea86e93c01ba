/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spans.h - one call of the codec on chunks that lie in memory in several pieces, as in a
 * bufferlist, without copying them.
 */
#ifndef PERMXOR_CEPH_SPANS_H
#define PERMXOR_CEPH_SPANS_H

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "ceph_abi.h"
#include "code.h"

namespace permxor_ceph
{

/* One call of the codec.  First add the shards that it reads and those that it writes, and then
   call run(). */
class Coding
{
  public:
    Coding(const Code &code, size_t length) : code_(code), length_(length)
    {
        pieces_.reserve(64);
    }
    Coding(const Coding &) = delete;
    Coding &operator=(const Coding &) = delete;

    /* Every buffer must have the length of the call, and must outlive it. */
    void read(unsigned shard, const bufferlist &chunk);
    void read(unsigned shard, const bufferptr &chunk);
    void write(unsigned shard, const bufferlist &chunk);
    void write(unsigned shard, const bufferptr &chunk);
    void read_zeros(unsigned shard);

    /* Returns 0 or a negative errno.  It is -EIO where the shards read do not determine those
       written. */
    int run();

  private:
    /* A shard, and the position of its pieces in pieces_. */
    struct Stream {
        uint8_t shard;
        bool written;
        size_t first;
        unsigned count;
    };

    void begin(unsigned shard, bool written);
    void add(const void *at, size_t length);
    void add(const bufferlist &chunk);
    bool is_encoding() const;

    const Code &code_;
    const size_t length_;
    unsigned streams_ = 0;
    Stream stream_[PXR_MAX_SHARDS];
    std::vector<iovec> pieces_;
    std::list<bufferlist> copies_;
};

} // namespace permxor_ceph

#endif
