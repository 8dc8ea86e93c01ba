/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stand_in.cc - a plugin in the place of an original.  It says that it was made for whatever
 * version the host is, and refuses every profile in words that no other plugin uses.
 */
#include "../ceph_abi.h"

#include <cerrno>
#include <ostream>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace
{

class StandIn final : public ceph::ErasureCodePlugin
{
    int factory(const std::string &, std::map<std::string, std::string> &,
                std::shared_ptr<ceph::ErasureCodeInterface> *, std::ostream *ss) override
    {
        *ss << "the stand-in was asked";
        return -ENOTSUP;
    }
};

} // namespace

EXPORTED const char *__erasure_code_version()
{
    return ceph_version_to_str();
}

EXPORTED int __erasure_code_init(char *name, char *)
{
    return ceph::ErasureCodePluginRegistry::singleton.add(name, new StandIn);
}
