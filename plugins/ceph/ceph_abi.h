/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ceph_abi.h - our declarations of the interface between Ceph and its erasure-code plugins.
 *
 * Ceph ships no header for plugins.  Here are the names, types and orders of functions that its
 * binaries show, as far as a plugin needs them:
 *
 *     ceph::ErasureCodePlugin(Registry), CrushWrapper   functions of the host that we call
 *     ClassicInterface   what the host calls in 16.2 and 18.2: chunks in std::map
 *     FlatInterface      the same in 20.2: chunks in arrays indexed by shard (shards.h), and
 *                        deltas
 *
 * The host calls our codes through the position of a function in the vtable.  So the order of
 * the virtual functions below is the interface, and their names are not. bufferlist and
 * bufferptr are those of librados, declared by rados/buffer.h.
 */
#ifndef PERMXOR_CEPH_ABI_H
#define PERMXOR_CEPH_ABI_H

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <rados/buffer.h>

#include "host_symbols.h"
#include "shards.h"

/* The crush map that a rule is added to.  The release decides which of these forms exist. */
class CrushWrapper
{
  public:
    /* Up to 18.2. */
    int add_simple_rule(std::string name, std::string root, std::string failure_domain,
                        std::string device_class, std::string mode, int type, std::ostream *ss);
    /* In 20.2. */
    int add_simple_rule(std::string name, std::string root, std::string failure_domain,
                        int failure_domains, std::string device_class, std::string mode,
                        int type, std::ostream *ss);
    int add_indep_multi_osd_per_failure_domain_rule(std::string name, std::string root,
                                                    std::string failure_domain,
                                                    int failure_domains,
                                                    int osds_per_failure_domain,
                                                    std::string device_class, std::ostream *ss);
};

/* Returns a text such as "18.2.7". */
const char *ceph_version_to_str();

namespace ceph
{

/* Opaque.  The object that the host takes for its own class is a ClassicInterface or a
   FlatInterface. */
class ErasureCodeInterface;

class ErasureCodePlugin
{
  public:
    void *library = nullptr; /* the handle of dlopen(), set by the registry */

    virtual ~ErasureCodePlugin() = default;
    virtual int factory(const std::string &directory,
                        std::map<std::string, std::string> &profile,
                        std::shared_ptr<ErasureCodeInterface> *erasure_code,
                        std::ostream *ss) = 0;
};

/* Both functions expect the caller to hold the registry's lock, as is the case in
   __erasure_code_init(). */
class ErasureCodePluginRegistry
{
  public:
    static ErasureCodePluginRegistry singleton;

    int add(const std::string &name, ErasureCodePlugin *plugin);
    ErasureCodePlugin *get(const std::string &name);
};

} // namespace ceph

namespace permxor_ceph
{

using ceph::bufferlist;
using ceph::bufferptr;

/* ------------------------------------------------------------ the two interfaces -- */

using ChunkSet = std::set<int>;
using ChunkMap = std::map<int, bufferlist>;
/* For each chunk that must be read, the ranges (first, count) of its sub-chunks. */
using SubChunks = std::vector<std::pair<int, int>>;

class ClassicInterface
{
  public:
    virtual ~ClassicInterface() = default;
    virtual int init(std::map<std::string, std::string> &profile, std::ostream *ss) = 0;
    virtual const std::map<std::string, std::string> &get_profile() const = 0;
    virtual int create_rule(const std::string &name, CrushWrapper &crush,
                            std::ostream *ss) const = 0;
    virtual unsigned get_chunk_count() const = 0;
    virtual unsigned get_data_chunk_count() const = 0;
    virtual unsigned get_coding_chunk_count() const = 0;
    virtual int get_sub_chunk_count() = 0;
    virtual unsigned get_chunk_size(unsigned stripe_width) const = 0;
    virtual int minimum_to_decode(const ChunkSet &want, const ChunkSet &available,
                                  std::map<int, SubChunks> *minimum) = 0;
    virtual int minimum_to_decode_with_cost(const ChunkSet &want,
                                            const std::map<int, int> &available,
                                            ChunkSet *minimum) = 0;
    virtual int encode(const ChunkSet &want, const bufferlist &in, ChunkMap *encoded) = 0;
    virtual int encode_chunks(const ChunkSet &want, ChunkMap *encoded) = 0;
    virtual int decode(const ChunkSet &want, const ChunkMap &chunks, ChunkMap *decoded,
                       int chunk_size) = 0;
    virtual int decode_chunks(const ChunkSet &want, const ChunkMap &chunks,
                              ChunkMap *decoded) = 0;
    virtual const std::vector<int> &get_chunk_mapping() const = 0;
    virtual int decode_concat(const ChunkMap &chunks, bufferlist *decoded) = 0;
};

class FlatInterface
{
  public:
    virtual ~FlatInterface() = default;
    virtual int init(std::map<std::string, std::string> &profile, std::ostream *ss) = 0;
    virtual const std::map<std::string, std::string> &get_profile() const = 0;
    virtual int create_rule(const std::string &name, CrushWrapper &crush,
                            std::ostream *ss) const = 0;
    virtual unsigned get_chunk_count() const = 0;
    virtual unsigned get_data_chunk_count() const = 0;
    virtual unsigned get_coding_chunk_count() const = 0;
    virtual int get_sub_chunk_count() = 0;
    virtual unsigned get_chunk_size(unsigned stripe_width) const = 0;
    virtual int minimum_to_decode(const shard_id_set &want, const shard_id_set &available,
                                  shard_id_set &minimum,
                                  shard_id_map<SubChunks> *sub_chunks) = 0;
    virtual int minimum_to_decode(const ChunkSet &want, const ChunkSet &available,
                                  std::map<int, SubChunks> *minimum) = 0;
    virtual int minimum_to_decode_with_cost(const shard_id_set &want,
                                            const shard_id_map<int> &available,
                                            shard_id_set *minimum) = 0;
    virtual int minimum_to_decode_with_cost(const ChunkSet &want,
                                            const std::map<int, int> &available,
                                            ChunkSet *minimum) = 0;
    virtual size_t get_minimum_granularity() = 0;
    virtual int encode(const shard_id_set &want, const bufferlist &in,
                       shard_id_map<bufferlist> *encoded) = 0;
    virtual int encode(const ChunkSet &want, const bufferlist &in, ChunkMap *encoded) = 0;
    virtual int encode_chunks(const ChunkSet &want, ChunkMap *encoded) = 0;
    virtual int encode_chunks(const shard_id_map<bufferptr> &in,
                              shard_id_map<bufferptr> &out) = 0;
    virtual void encode_delta(const bufferptr &old_data, const bufferptr &new_data,
                              bufferptr *delta) = 0;
    virtual void apply_delta(const shard_id_map<bufferptr> &in,
                             shard_id_map<bufferptr> &out) = 0;
    virtual int decode(const shard_id_set &want, const shard_id_map<bufferlist> &chunks,
                       shard_id_map<bufferlist> *decoded, int chunk_size) = 0;
    virtual int decode(const ChunkSet &want, const ChunkMap &chunks, ChunkMap *decoded,
                       int chunk_size) = 0;
    virtual int decode_chunks(const shard_id_set &want, shard_id_map<bufferptr> &in,
                              shard_id_map<bufferptr> &out) = 0;
    virtual int decode_chunks(const ChunkSet &want, const ChunkMap &chunks,
                              ChunkMap *decoded) = 0;
    virtual const std::vector<shard_id_t> &get_chunk_mapping() const = 0;
    virtual int decode_concat(const ChunkSet &want, const ChunkMap &chunks,
                              bufferlist *decoded) = 0;
    virtual int decode_concat(const ChunkMap &chunks, bufferlist *decoded) = 0;
    virtual uint64_t get_supported_optimizations() const = 0;
    virtual std::string get_optimizations_flags_string() const = 0;
};

/* ------------------------------------------------------------- what is relied on -- */

static_assert(sizeof(void *) == 8, "the layouts below are those of 64-bit hosts");
static_assert(sizeof(bufferptr) == 16 && sizeof(bufferlist) == 32, "buffers of Ceph");
static_assert(sizeof(std::vector<std::optional<bufferptr>>) == 24, "");
static_assert(sizeof(std::optional<bufferptr>) == 24, "");
static_assert(sizeof(std::optional<bufferlist>) == 40, "");
static_assert(sizeof(shard_id_map<bufferptr>) == 112, "24 of slots, 80 of ends, 8 of size");
static_assert(sizeof(shard_id_map<bufferlist>) == 112 && sizeof(shard_id_map<int>) == 112, "");
static_assert(sizeof(ClassicInterface) == 8 && sizeof(FlatInterface) == 8, "a vtable alone");
static_assert(sizeof(ceph::ErasureCodePlugin) == 16, "vtable, library");

} // namespace permxor_ceph

#endif
