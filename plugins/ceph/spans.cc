/* SPDX-License-Identifier: BSD-3-Clause */
#include "spans.h"

#include <algorithm>
#include <cerrno>

namespace permxor_ceph
{

/*
 * A chunk whose pieces are shorter than this on average is copied into one piece first.
 * Coding in short spans is nearly always the better way.  Measured on an Emerald Rapids Xeon
 * (4+2, 10+4, 20+4): chunks of 64 KiB are coded faster in spans of 32 bytes than with a copy
 * into fresh memory, which costs 5 to 16 times the coding; for chunks of 4 KiB the copy is
 * better in spans of 64 bytes (4+2) or 32 (10+4) and less.
 */
static const unsigned short_piece = 64;

/*
 * What a missing data shard is read from.  Memory that was never written to costs none: all
 * its pages are the kernel's one page of zeros, which stays in the caches.
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

void Coding::add(unsigned shard, const Pieces &pieces, bool written, bool zero)
{
    stream_[streams_++] = {pieces, uint8_t(shard), written, zero};
}

void Coding::read(unsigned shard, const bufferlist &chunk)
{
    unsigned pieces = chunk.get_num_buffers();
    if (pieces > 1 && length_ / pieces < short_piece) {
        copies_.push_back(chunk);
        copies_.back().rebuild();
        add(shard, Pieces(copies_.back()), false);
    } else {
        add(shard, Pieces(chunk), false);
    }
}

void Coding::read(unsigned shard, const bufferptr &chunk)
{
    add(shard, Pieces(chunk.c_str(), length_), false);
}

void Coding::read_zeros(unsigned shard)
{
    add(shard, Pieces(zeros, zeros_length), false, true);
}

void Coding::write(unsigned shard, const bufferlist &chunk)
{
    add(shard, Pieces(chunk), true);
}

void Coding::write(unsigned shard, const bufferptr &chunk)
{
    add(shard, Pieces(chunk.c_str(), length_), true);
}

/* From all data to all parity: that needs no inverse of anything. */
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

size_t Coding::next_span(size_t left) const
{
    for (unsigned i = 0; i < streams_; i++)
        left = std::min(left, stream_[i].pieces.length());
    return left;
}

int Coding::run()
{
    const uint8_t *have[PXR_MAX_SHARDS];
    uint8_t *want[PXR_MAX_SHARDS];
    std::fill_n(have, code_.k() + code_.m(), nullptr);
    std::fill_n(want, code_.k() + code_.m(), nullptr);
    if (std::none_of(stream_, stream_ + streams_, [](auto &stream) { return stream.written; }))
        return 0;
    bool encoding = is_encoding();
    for (size_t left = length_; left != 0;) {
        size_t span = next_span(left);
        for (unsigned i = 0; i < streams_; i++) {
            const Stream &stream = stream_[i];
            if (stream.written)
                want[stream.shard] = stream.pieces.at();
            else
                have[stream.shard] = stream.pieces.at();
        }
        int status = encoding ? pxr_encode(code_.coder(), span, have, want + code_.k())
                              : pxr_reconstruct(code_.coder(), span, have, want);
        left -= span;
        if (status != PXR_OK)
            return to_errno(status);
        if (left != 0)
            advance(span);
    }
    return 0;
}

void Coding::advance(size_t span)
{
    for (unsigned i = 0; i < streams_; i++) {
        if (!stream_[i].zeros)
            stream_[i].pieces.skip(span);
    }
}

} // namespace permxor_ceph
