/* SPDX-License-Identifier: BSD-3-Clause */
/* adapter.h - puts a Code behind those functions that all releases of Ceph have. */
#ifndef PERMXOR_CEPH_ADAPTER_H
#define PERMXOR_CEPH_ADAPTER_H

#include <memory>
#include <string>

#include "operations.h"
#include "rule.h"

namespace permxor_ceph
{

/* Calls a function and turns an exception into an errno, because no exception may leave a
   function that the host calls.  The exceptions that can occur, here and in the host's buffers,
   mean that memory ran out. */
template <class Function> int guarded(Function function)
{
    try {
        return function();
    } catch (...) {
        return -ENOMEM;
    }
}

/*
 * Base is ClassicInterface or FlatInterface.  Threads of the host share an instance.  Only
 * init() changes it; the monitor calls init() a second time on an instance that it has just
 * made.
 */
template <class Base> class Adapter : public Base
{
  public:
    /* original: Ceph's own plugin for the same profiles, or null. */
    Adapter(Family family, Interface interface, ceph::ErasureCodePlugin *original)
        : family_(family), interface_(interface), original_(original)
    {
    }

    int init(Profile &profile, std::ostream *ss) override
    {
        return Code::make(family_, interface_, profile, ss, &code_);
    }
    const Profile &get_profile() const override
    {
        return code_->profile();
    }
    int create_rule(const std::string &name, CrushWrapper &crush,
                    std::ostream *ss) const override
    {
        return guarded([&] {
            return permxor_ceph::create_rule(*code_, interface_, original_, name, crush, ss);
        });
    }
    unsigned get_chunk_count() const override
    {
        return code_->k() + code_->m();
    }
    unsigned get_data_chunk_count() const override
    {
        return code_->k();
    }
    unsigned get_coding_chunk_count() const override
    {
        return code_->m();
    }
    int get_sub_chunk_count() override
    {
        return 1;
    }
    unsigned get_chunk_size(unsigned stripe_width) const override
    {
        return code_->chunk_size(stripe_width);
    }

    using Base::minimum_to_decode;
    int minimum_to_decode(const ChunkSet &want, const ChunkSet &available,
                          std::map<int, SubChunks> *minimum) override
    {
        return guarded([&] {
            ChunkSet chunks;
            int error = permxor_ceph::minimum_to_decode(*code_, want, available, &chunks);
            for (int id : chunks)
                minimum->emplace(id, whole_chunk());
            return error;
        });
    }
    using Base::minimum_to_decode_with_cost;
    int minimum_to_decode_with_cost(const ChunkSet &want, const std::map<int, int> &available,
                                    ChunkSet *minimum) override
    {
        return guarded([&] {
            return permxor_ceph::minimum_to_decode_with_cost(*code_, want, available, minimum);
        });
    }

    using Base::encode;
    int encode(const ChunkSet &want, const bufferlist &in, ChunkMap *encoded) override
    {
        return guarded([&] { return permxor_ceph::encode(*code_, want, in, encoded); });
    }
    using Base::encode_chunks;
    int encode_chunks(const ChunkSet &, ChunkMap *encoded) override
    {
        return guarded([&] { return encode_in_place(*code_, encoded); });
    }
    using Base::decode;
    int decode(const ChunkSet &want, const ChunkMap &chunks, ChunkMap *decoded, int) override
    {
        return guarded([&] { return permxor_ceph::decode(*code_, want, chunks, decoded); });
    }
    using Base::decode_chunks;
    int decode_chunks(const ChunkSet &, const ChunkMap &chunks, ChunkMap *decoded) override
    {
        return guarded([&] { return decode_in_place(*code_, chunks, decoded); });
    }
    using Base::decode_concat;
    int decode_concat(const ChunkMap &chunks, bufferlist *decoded) override
    {
        return guarded([&] {
            ChunkSet want;
            for (unsigned shard = 0; shard < code_->k(); shard++)
                want.insert(shard);
            return permxor_ceph::decode_concat(*code_, want, chunks, decoded);
        });
    }

  protected:
    /* A chunk has one sub-chunk. */
    static SubChunks whole_chunk()
    {
        return {{0, 1}};
    }
    const Code &code() const
    {
        return *code_;
    }

  private:
    const Family family_;
    const Interface interface_;
    ceph::ErasureCodePlugin *const original_;
    std::shared_ptr<const Code> code_;
};

} // namespace permxor_ceph

#endif
