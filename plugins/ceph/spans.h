/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spans.h - code chunks that lie in memory in several pieces, without copying them.
 *
 * A bufferlist is a list of pieces of memory.  Coding goes byte by byte, so a call may be cut
 * anywhere: it is cut into spans within which every chunk is contiguous.  Where all chunks
 * are in one piece, that is one call for the whole length.
 */
#ifndef PERMXOR_CEPH_SPANS_H
#define PERMXOR_CEPH_SPANS_H

#include <cstddef>
#include <cstdint>
#include <list>

#include "ceph_abi.h"
#include "code.h"

namespace permxor_ceph
{

/* What is left of one chunk, piece by piece. */
class Pieces
{
  public:
    Pieces() = default; /* says nothing, and costs nothing in an array */

    explicit Pieces(const bufferlist &chunk)
        : at_(nullptr), length_(0), next_(chunk.buffers().begin())
    {
        if (chunk.length() != 0)
            enter();
    }
    Pieces(const void *at, size_t length) : at_((uint8_t *)at), length_(length)
    {
    }

    uint8_t *at() const
    {
        return at_;
    }
    size_t length() const
    {
        return length_;
    }

    /* To the next byte but `count`, of which there must be one. */
    void skip(size_t count)
    {
        at_ += count;
        length_ -= count;
        if (length_ == 0)
            enter();
    }

  private:
    void enter()
    {
        while (next_->length() == 0)
            ++next_;
        at_ = (uint8_t *)next_->c_str();
        length_ = next_->length();
        ++next_;
    }

    uint8_t *at_;
    size_t length_;
    bufferlist::buffers_t::const_iterator next_;
};

/* One call of the codec: which shards are read, which are written, and then run(). */
class Coding
{
  public:
    Coding(const Code &code, size_t length) : code_(code), length_(length)
    {
    }
    Coding(const Coding &) = delete;
    Coding &operator=(const Coding &) = delete;

    /* Every buffer has the length of the call, and outlives it. */
    void read(unsigned shard, const bufferlist &chunk);
    void read(unsigned shard, const bufferptr &chunk);
    void write(unsigned shard, const bufferlist &chunk);
    void write(unsigned shard, const bufferptr &chunk);
    void read_zeros(unsigned shard);

    /* 0 or a negative errno; -EIO where the shards read do not determine those written. */
    int run();

  private:
    struct Stream {
        Pieces pieces;
        uint8_t shard;
        bool written;
        bool zeros;
    };

    void add(unsigned shard, const Pieces &pieces, bool written, bool zero = false);
    bool is_encoding() const;
    size_t next_span(size_t left) const;
    void advance(size_t span);

    const Code &code_;
    const size_t length_;
    unsigned streams_ = 0;
    Stream stream_[PXR_MAX_SHARDS];
    std::list<bufferlist> copies_;
};

} // namespace permxor_ceph

#endif
