/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flat.h - a Code with the interface of 20.2.  Beside the functions of 16.2 and 18.2 it has
 * functions over sets and maps of shards, functions over buffers that the host allocated, and
 * the changes of parity that small overwrites need.
 */
#ifndef PERMXOR_CEPH_FLAT_H
#define PERMXOR_CEPH_FLAT_H

#include "adapter.h"

namespace permxor_ceph
{

class Flat final : public Adapter<FlatInterface>
{
  public:
    using Adapter::Adapter;
    using Adapter::decode;
    using Adapter::decode_chunks;
    using Adapter::decode_concat;
    using Adapter::encode;
    using Adapter::encode_chunks;
    using Adapter::minimum_to_decode;
    using Adapter::minimum_to_decode_with_cost;

    int init(Profile &profile, std::ostream *ss) override;
    int minimum_to_decode(const shard_id_set &want, const shard_id_set &available,
                          shard_id_set &minimum, shard_id_map<SubChunks> *sub_chunks) override;
    int minimum_to_decode_with_cost(const shard_id_set &want,
                                    const shard_id_map<int> &available,
                                    shard_id_set *minimum) override;
    size_t get_minimum_granularity() override;
    int encode(const shard_id_set &want, const bufferlist &in,
               shard_id_map<bufferlist> *encoded) override;

    /* A data shard that is not in `in` is all zeros.  A parity shard that is not in `out` is
       not wanted. */
    int encode_chunks(const shard_id_map<bufferptr> &in, shard_id_map<bufferptr> &out) override;

    /* delta = old + new.  The delta may lie in its own memory or in that of one of the two. */
    void encode_delta(const bufferptr &old_data, const bufferptr &new_data,
                      bufferptr *delta) override;
    /* Add the effect of the changes of the data shards in `in` to each parity shard in `out`.
     */
    void apply_delta(const shard_id_map<bufferptr> &in, shard_id_map<bufferptr> &out) override;

    int decode(const shard_id_set &want, const shard_id_map<bufferlist> &chunks,
               shard_id_map<bufferlist> *decoded, int chunk_size) override;
    /* Compute the shards in `out` from those in `in`. */
    int decode_chunks(const shard_id_set &want, shard_id_map<bufferptr> &in,
                      shard_id_map<bufferptr> &out) override;
    const std::vector<shard_id_t> &get_chunk_mapping() const override;
    int decode_concat(const ChunkSet &want, const ChunkMap &chunks,
                      bufferlist *decoded) override;
    uint64_t get_supported_optimizations() const override;
    std::string get_optimizations_flags_string() const override;

  private:
    std::vector<shard_id_t> mapping_;
};

} // namespace permxor_ceph

#endif
