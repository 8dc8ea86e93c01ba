/* SPDX-License-Identifier: BSD-3-Clause */
#include "handover.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "ceph_abi.h"
#include "version.h"

namespace permxor_ceph
{

static const char suffix[] = "_original";

static std::string file_of(const std::string &folder, const std::string &name)
{
    return folder + "/libec_" + name + ".so";
}

Original::Original(const std::string &folder, const std::string &name)
    : folder_(folder), name_(name), library_(dlopen(file_of(folder, name).c_str(), RTLD_NOW))
{
    if (!library_)
        trouble_ = dlerror();
}

const char *Original::version() const
{
    void *function = library_ ? dlsym(library_, "__erasure_code_version") : nullptr;
    return function ? reinterpret_cast<const char *(*)()>(function)() : nullptr;
}

size_t Original::base_size() const
{
    void *vtable = library_ ? dlsym(library_, "_ZTVN4ceph11ErasureCodeE") : nullptr;
    Dl_info info;
    ElfW(Sym) *symbol = nullptr;
    bool known =
        vtable && dladdr1(vtable, &info, reinterpret_cast<void **>(&symbol), RTLD_DL_SYMENT);
    return known && symbol ? symbol->st_size : 0;
}

int Original::register_as(const std::string &name) const
{
    void *function = library_ ? dlsym(library_, "__erasure_code_init") : nullptr;
    if (!function)
        return -ENOENT;
    std::string given = name, folder = folder_;
    return reinterpret_cast<int (*)(char *, char *)>(function)(&given[0], &folder[0]);
}

ceph::ErasureCodePlugin *Original::plugin(std::string *why) const
{
    const char *made_for = version(), *host = host_version();
    if (!library_)
        *why = trouble_;
    else if (!made_for || !host || std::strcmp(made_for, host) != 0)
        *why = file_of(folder_, name_) + " is made for " +
               (made_for ? made_for : "an unknown Ceph");
    else if (register_as(name_) != 0)
        *why = file_of(folder_, name_) + " does not register itself";
    if (!why->empty())
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

bool takes_over(const std::string &name)
{
    return name == "isa" || name == "jerasure";
}

std::string original_of(const std::string &name)
{
    return name + suffix;
}

std::string substitute_of(const std::string &folder, const std::string &name)
{
    if (is_original(name))
        return ""; /* a copy of ours where the original should be */
    if (takes_over(name))
        return original_of(name);
    for (const char *isa : {"isa_original", "isa"})
        if (access(file_of(folder, isa).c_str(), R_OK) == 0)
            return isa;
    return "";
}

} // namespace permxor_ceph
