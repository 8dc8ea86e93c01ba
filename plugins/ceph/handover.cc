/* SPDX-License-Identifier: BSD-3-Clause */
#include "handover.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>

#include "ceph_abi.h"
#include "version.h"

namespace permxor_ceph
{

static const char suffix[] = "_original";

Original::Original(const std::string &folder, const std::string &name)
    : folder_(folder), name_(name + suffix),
      library_(dlopen((folder + "/libec_" + name_ + ".so").c_str(), RTLD_NOW))
{
}

const char *Original::version() const
{
    void *function = library_ ? dlsym(library_, "__erasure_code_version") : nullptr;
    return function ? reinterpret_cast<const char *(*)()>(function)() : nullptr;
}

int Original::register_as(const std::string &name) const
{
    void *function = library_ ? dlsym(library_, "__erasure_code_init") : nullptr;
    if (!function)
        return -ENOENT;
    std::string given = name, folder = folder_;
    return reinterpret_cast<int (*)(char *, char *)>(function)(&given[0], &folder[0]);
}

ceph::ErasureCodePlugin *Original::plugin() const
{
    const char *made_for = version(), *host = host_version();
    if (!made_for || !host || std::strcmp(made_for, host) != 0 || register_as(name_) != 0)
        return nullptr;
    ceph::ErasureCodePlugin *plugin = ceph::ErasureCodePluginRegistry::singleton.get(name_);
    if (plugin)
        plugin->library = library_;
    return plugin;
}

bool is_original(const std::string &name)
{
    const size_t length = sizeof suffix - 1;
    return name.size() >= length && name.compare(name.size() - length, length, suffix) == 0;
}

} // namespace permxor_ceph
