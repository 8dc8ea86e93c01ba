/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugin.cc - what Ceph looks for in a plugin: its version, and a function that registers it.
 *
 * The name under which the file was loaded decides what it is:
 *
 *     libec_isa.so, libec_jerasure.so   take the place of Ceph's own; what we do not code is
 *                                       handed to the original, and with a Ceph that we do not
 *                                       know (handover.h), everything is
 *     any other                         codes for new pools; with a Ceph that we do not know,
 *                                       isa does
 */
#include <cerrno>
#include <dlfcn.h>
#include <iostream>
#include <memory>
#include <string>

#include "ceph_abi.h"
#include "classic.h"
#include "code.h"
#include "flat.h"
#include "handover.h"
#include "version.h"

namespace permxor_ceph
{

static Family family_of(const std::string &name)
{
    return name == "isa"        ? Family::isa
           : name == "jerasure" ? Family::jerasure
                                : Family::permxor;
}

class Plugin final : public ceph::ErasureCodePlugin
{
  public:
    Plugin(Family family, Interface interface) : family_(family), interface_(interface)
    {
    }

    /* The registry owns the original, as it owns this plugin. */
    void set_original(ErasureCodePlugin *original)
    {
        original_ = original;
    }

    int factory(const std::string &directory, Profile &profile,
                std::shared_ptr<ceph::ErasureCodeInterface> *erasure_code,
                std::ostream *ss) override
    {
        return guarded([&] {
            if (original_ && !Code::answers(family_, profile))
                return original_->factory(directory, profile, erasure_code, ss);
            return interface_ == Interface::flat_20 ? make<Flat>(profile, erasure_code, ss)
                                                    : make<Classic>(profile, erasure_code, ss);
        });
    }

  private:
    /* The host takes the address of an interface for that of its own class.  The aliasing
       constructor of shared_ptr leaves destruction to the class that was made. */
    template <class Adapter>
    int make(Profile &profile, std::shared_ptr<ceph::ErasureCodeInterface> *erasure_code,
             std::ostream *ss) const
    {
        auto adapter = std::make_shared<Adapter>(family_, interface_, original_);
        int error = adapter->init(profile, ss);
        if (error == 0)
            *erasure_code = std::shared_ptr<ceph::ErasureCodeInterface>(
                adapter, reinterpret_cast<ceph::ErasureCodeInterface *>(adapter.get()));
        return error;
    }

    const Family family_;
    const Interface interface_;
    ErasureCodePlugin *original_ = nullptr;
};

/* Says which plugin this is and why it is mentioned.  The text appears in Ceph's log when Ceph
   refuses the plugin, and in the daemon's output when another plugin takes its place. */
static std::string introduction(const std::string &why)
{
    return std::string("permxor ") + pxr_version() + ", " + why;
}

/* Without an original, the plugin works alone and prints what it will refuse. */
static void put_before_original(Plugin *plugin, const std::string &name,
                                const std::string &folder) noexcept
{
    guarded([&] {
        std::string why;
        plugin->set_original(Original(folder, original_of(name)).plugin(&why));
        if (!why.empty())
            std::cerr << introduction(why) << ": refuses profiles that only Ceph's own " << name
                      << " plugin codes" << std::endl;
        return 0;
    });
}

/* Returns the registry's own error, -EEXIST, where the name is taken. */
static int register_plugin(const std::string &name, const std::string &folder,
                           Interface interface)
{
    auto plugin = std::make_unique<Plugin>(family_of(name), interface);
    int error = ceph::ErasureCodePluginRegistry::singleton.add(name, plugin.get());
    if (error != 0)
        return error;
    Plugin *registered = plugin.release();
    if (takes_over(name))
        put_before_original(registered, name, folder);
    return 0;
}

/* Finds the folder and the name of the file that this code was loaded from. */
static bool find_self(std::string *folder, std::string *name)
{
    static const char prefix[] = "libec_", suffix[] = ".so";
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&find_self), &info) || !info.dli_fname)
        return false;
    std::string path = info.dli_fname;
    size_t slash = path.rfind('/'), dot = path.rfind(suffix);
    if (slash == std::string::npos || dot == std::string::npos ||
        path.compare(slash + 1, sizeof prefix - 1, prefix) != 0)
        return false;
    size_t begin = slash + sizeof prefix;
    *folder = path.substr(0, slash);
    *name = path.substr(begin, dot - begin);
    return true;
}

/* Returns the interface that we may register for, or null with the reason in *why. */
static const Interface *interface_beside(const std::string &folder, const std::string &name,
                                         std::string *why)
{
    const char *reason;
    const Interface *interface = host_interface(&reason);
    *why = reason;
    std::string peer = substitute_of(folder, name);
    if (!interface || peer.empty())
        return interface;
    size_t size = Original(folder, peer).base_size();
    if (size == 0 || size == expected_base_size(*interface))
        return interface;
    *why = "the interface of this Ceph's plugins is not that of its release";
    return nullptr;
}

/* -EXDEV is Ceph's own errno for a plugin of another version. */
static int register_substitute(const std::string &name, const std::string &folder,
                               const std::string &why)
{
    std::string substitute = substitute_of(folder, name);
    if (substitute.empty())
        return -EXDEV;
    std::cerr << introduction(why) << ": libec_" << substitute
              << ".so codes the pools of plugin " << name << " instead" << std::endl;
    return Original(folder, substitute).register_as(name);
}

static int init(const std::string &name, const std::string &folder)
{
    std::string self_folder, self, why;
    if (find_self(&self_folder, &self) && is_original(self))
        return -EINVAL; /* a copy of ours where an original should be; we would call ourselves
                         */
    if (const Interface *interface = interface_beside(folder, name, &why))
        return register_plugin(name, folder, *interface);
    return register_substitute(name, folder, why);
}

/* The text that Ceph compares with its own version, and logs where they differ. */
static const char *version()
{
    std::string folder, name, why;
    find_self(&folder, &name);
    if (interface_beside(folder, name, &why))
        return host_version();
    std::string substitute = substitute_of(folder, name);
    const char *its = substitute.empty() ? nullptr : Original(folder, substitute).version();
    static const std::string text = introduction(why);
    return its ? its : text.c_str();
}

} // namespace permxor_ceph

extern "C" __attribute__((visibility("default"))) const char *__erasure_code_version()
{
    try {
        return permxor_ceph::version();
    } catch (...) {
        return "permxor: out of memory";
    }
}

extern "C" __attribute__((visibility("default"))) int __erasure_code_init(char *name,
                                                                          char *folder)
{
    return permxor_ceph::guarded([&] { return permxor_ceph::init(name, folder); });
}
