/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_host.cc - the real Ceph as the host of a test.
 *
 *     ceph-erasure-code-tool --erasure_code_dir D test-plugin-exists in_classic
 *
 * This command loads the test as a plugin.  The test then loads ours and the originals of this
 * Ceph release.  The originals of 18.2 and 20.2 cannot be called in any other way, because a
 * program of ours has the buffers of the library with which it was built.
 */
#include "host.h"

#include <cerrno>
#include <cstdlib>

/* The test's main(), which has this name in this build. */
int test_main(int argc, char **argv);

namespace host
{

/* Ceph keeps its plugins for as long as it runs. */
ceph::ErasureCodePlugin *registered(const std::string &name)
{
    return ceph::ErasureCodePluginRegistry::singleton.get(name);
}

void release(ceph::ErasureCodePlugin *, void *)
{
}

bool is_real()
{
    return true;
}

/* A rule needs a crush map, so only hosts of our own test rules. */
void forget_rule()
{
}

std::string last_rule()
{
    return "";
}

/* The functions of the older interfaces that 20.2's interface has kept. */
class Kept final : public ClassicInterface
{
  public:
    explicit Kept(std::shared_ptr<ceph::ErasureCodeInterface> code)
        : code_(code), flat_(*reinterpret_cast<FlatInterface *>(code.get()))
    {
        for (auto place : flat_.get_chunk_mapping())
            mapping_.push_back(place.id);
    }
    int init(Profile &profile, std::ostream *ss) override
    {
        return flat_.init(profile, ss);
    }
    const Profile &get_profile() const override
    {
        return flat_.get_profile();
    }
    int create_rule(const std::string &name, CrushWrapper &crush,
                    std::ostream *ss) const override
    {
        return flat_.create_rule(name, crush, ss);
    }
    unsigned get_chunk_count() const override
    {
        return flat_.get_chunk_count();
    }
    unsigned get_data_chunk_count() const override
    {
        return flat_.get_data_chunk_count();
    }
    unsigned get_coding_chunk_count() const override
    {
        return flat_.get_coding_chunk_count();
    }
    int get_sub_chunk_count() override
    {
        return flat_.get_sub_chunk_count();
    }
    unsigned get_chunk_size(unsigned stripe_width) const override
    {
        return flat_.get_chunk_size(stripe_width);
    }
    int minimum_to_decode(const ChunkSet &want, const ChunkSet &available,
                          std::map<int, permxor_ceph::SubChunks> *minimum) override
    {
        return flat_.minimum_to_decode(want, available, minimum);
    }
    int minimum_to_decode_with_cost(const ChunkSet &want, const std::map<int, int> &available,
                                    ChunkSet *minimum) override
    {
        return flat_.minimum_to_decode_with_cost(want, available, minimum);
    }
    int encode(const ChunkSet &want, const ceph::bufferlist &in, ChunkMap *encoded) override
    {
        return flat_.encode(want, in, encoded);
    }
    int encode_chunks(const ChunkSet &want, ChunkMap *encoded) override
    {
        return flat_.encode_chunks(want, encoded);
    }
    int decode(const ChunkSet &want, const ChunkMap &chunks, ChunkMap *decoded,
               int chunk_size) override
    {
        return flat_.decode(want, chunks, decoded, chunk_size);
    }
    int decode_chunks(const ChunkSet &want, const ChunkMap &chunks, ChunkMap *decoded) override
    {
        return flat_.decode_chunks(want, chunks, decoded);
    }
    const std::vector<int> &get_chunk_mapping() const override
    {
        return mapping_;
    }
    int decode_concat(const ChunkMap &chunks, ceph::bufferlist *decoded) override
    {
        return flat_.decode_concat(chunks, decoded);
    }

  private:
    const std::shared_ptr<ceph::ErasureCodeInterface> code_;
    FlatInterface &flat_;
    std::vector<int> mapping_;
};

std::shared_ptr<ClassicInterface> classic(std::shared_ptr<ceph::ErasureCodeInterface> code)
{
    if (code && std::atoi(ceph_version_to_str()) >= 20)
        return std::make_shared<Kept>(code);
    return {code, reinterpret_cast<ClassicInterface *>(code.get())};
}

} // namespace host

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const char *__erasure_code_version()
{
    return ceph_version_to_str();
}

/* Loads ours first, and these load the originals.  The test itself registers no plugin, so the
   host then complains. */
EXPORTED int __erasure_code_init(char *name, char *)
{
    host::Plugin isa(host::taken(), "isa"), jerasure(host::taken(), "jerasure");
    char *arguments[] = {name, nullptr};
    return test_main(1, arguments) == 0 ? 0 : -EINVAL;
}
