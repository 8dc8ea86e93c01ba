/* SPDX-License-Identifier: BSD-3-Clause */
#include "host.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sstream>

namespace host
{

/* --------------------------------------------------------------------------- plugins -- */

static bool is_original(const std::string &name)
{
    static const std::string suffix = "_original";
    return name.size() > suffix.size() &&
           name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

Plugin::Plugin(const std::string &folder, const std::string &name) : folder_(folder)
{
    plugin_ = registered(name);
    if (plugin_)
        return;
    std::string file = folder + "/libec_" + name + ".so";
    library_ = dlopen(file.c_str(), RTLD_NOW);
    if (!library_) {
        why_ = dlerror();
        return;
    }
    using Version = const char *();
    using Init = int(const char *, const char *);
    auto *version = reinterpret_cast<Version *>(dlsym(library_, "__erasure_code_version"));
    auto *init = reinterpret_cast<Init *>(dlsym(library_, "__erasure_code_init"));
    if (!version || !init) {
        why_ = "not a plugin";
        return;
    }
    /* The originals always say the version for which they were made. */
    version_ = version();
    if (!is_original(name) && version_ != ceph_version_to_str()) {
        why_ = version_;
        return;
    }
    int status = init(name.c_str(), folder.c_str());
    plugin_ = registered(name);
    if (status != 0 || !plugin_) {
        why_ = "init: " + std::to_string(status);
        plugin_ = nullptr;
        return;
    }
    plugin_->library = library_;
}

Plugin::~Plugin()
{
    release(plugin_, library_);
}

std::shared_ptr<ceph::ErasureCodeInterface> Plugin::make(Profile &profile, int *status,
                                                         std::string *words)
{
    std::shared_ptr<ceph::ErasureCodeInterface> code;
    std::ostringstream said;
    int result = plugin_->factory(folder_, profile, &code, &said);
    if (status)
        *status = result;
    if (words)
        *words = said.str();
    return result == 0 ? code : nullptr;
}

Plugin &plugin_of(const std::string &folder, const std::string &name)
{
    static std::map<std::string, std::unique_ptr<Plugin>> plugins;
    auto &plugin = plugins[folder + "/" + name];
    if (!plugin)
        plugin = std::make_unique<Plugin>(folder, name);
    if (!plugin->loaded())
        CHECK_STR(plugin->why().c_str(), "");
    return *plugin;
}

/* --------------------------------------------------------------------------- folders -- */

static std::string folder_of(const char *variable)
{
    const char *folder = getenv(variable);
    return folder ? folder : "";
}

std::string taken()
{
    return folder_of("PXR_CEPH_TAKEN");
}

std::string alone()
{
    return folder_of("PXR_CEPH_ALONE");
}

std::string standing_in()
{
    return folder_of("PXR_CEPH_STANDING_IN");
}

std::string misplaced()
{
    return folder_of("PXR_CEPH_MISPLACED");
}

} // namespace host
