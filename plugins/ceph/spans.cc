/* SPDX-License-Identifier: BSD-3-Clause */
#include "spans.h"

#include <algorithm>
#include <cerrno>

namespace permxor_ceph
{

/*
 * A chunk whose pieces are shorter than this on average is copied into one piece first.  To
 * code in short spans is nearly always faster.  Measured on an Emerald Rapids Xeon (4+2, 10+4,
 * 20+4): chunks of 64 KiB are coded faster in spans of 32 bytes than with a copy into fresh
 * memory, which costs 5 to 16 times the coding.  For chunks of 4 KiB the copy is faster with
 * spans of 64 bytes (4+2), or 32 bytes (10+4), and less.
 */
static const unsigned short_piece = 64;

/*
 * A missing data shard is read from here.  Memory that was never written to needs no memory of
 * its own: all its pages are the kernel's one page of zeros, which stays in the caches.
 */
static const size_t zeros_length = 1 << 20;
static uint8_t zeros[zeros_length];

static int to_errno(int status)
{
    switch (status) {
    case PXR_OK:
        return 0;
    case PXR_ENOMEM:
        return -ENOMEM;
    case PXR_ETOOFEW:
    case PXR_ESINGULAR:
        return -EIO;
    default:
        return -EINVAL;
    }
}

void Coding::begin(unsigned shard, bool written)
{
    stream_[streams_++] = {uint8_t(shard), written, pieces_.size(), 0};
}

void Coding::add(const void *at, size_t length)
{
    pieces_.push_back({const_cast<void *>(at), length});
    stream_[streams_ - 1].count++;
}

void Coding::add(const bufferlist &chunk)
{
    for (const auto &piece : chunk.buffers())
        add(piece.c_str(), piece.length());
}

void Coding::read(unsigned shard, const bufferlist &chunk)
{
    unsigned pieces = chunk.get_num_buffers();
    begin(shard, false);
    if (pieces > 1 && length_ / pieces < short_piece) {
        copies_.push_back(chunk);
        copies_.back().rebuild();
        add(copies_.back());
    } else {
        add(chunk);
    }
}

void Coding::read(unsigned shard, const bufferptr &chunk)
{
    begin(shard, false);
    add(chunk.c_str(), length_);
}

void Coding::read_zeros(unsigned shard)
{
    begin(shard, false);
    for (size_t left = length_, n; left != 0; left -= n) {
        n = std::min(left, zeros_length);
        add(zeros, n);
    }
}

void Coding::write(unsigned shard, const bufferlist &chunk)
{
    begin(shard, true);
    add(chunk);
}

void Coding::write(unsigned shard, const bufferptr &chunk)
{
    begin(shard, true);
    add(chunk.c_str(), length_);
}

/* Returns whether all data shards are read and all parity shards are written, which needs no
   inverse matrix. */
bool Coding::is_encoding() const
{
    unsigned parity = 0;
    for (unsigned i = 0; i < streams_; i++) {
        if (stream_[i].written != (stream_[i].shard >= code_.k()))
            return false;
        parity += stream_[i].written;
    }
    return parity == code_.m() && streams_ == code_.k() + code_.m();
}

int Coding::run()
{
    pxr_iov have[PXR_MAX_SHARDS] = {}, want[PXR_MAX_SHARDS] = {};
    if (length_ == 0 ||
        std::none_of(stream_, stream_ + streams_, [](auto &stream) { return stream.written; }))
        return 0;
    for (unsigned i = 0; i < streams_; i++) {
        const Stream &stream = stream_[i];
        (stream.written ? want : have)[stream.shard] =
            pxr_iov{&pieces_[stream.first], stream.count};
    }
    return to_errno(is_encoding()
                        ? pxr_encode_iov(code_.coder(), length_, have, want + code_.k())
                        : pxr_reconstruct_iov(code_.coder(), length_, have, want));
}

} // namespace permxor_ceph
