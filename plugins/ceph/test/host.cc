/* SPDX-License-Identifier: BSD-3-Clause */
#include "host.h"

#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <sstream>

#include <rados/librados.h>

/* ------------------------------------------------------ what plugins take from a host -- */

const char *ceph_version_to_str()
{
    const char *version = getenv("PXR_CEPH_VERSION");
    return version ? version : "16.2.15";
}

/* In the place of Ceph's own, which need a crush map: the words that a plugin gives. */
static std::string rule;

template <class... Words> static int refuse_rule(const Words &...words)
{
    std::ostringstream text;
    ((text << words << ";"), ...);
    rule = text.str();
    return -EEXIST;
}

int CrushWrapper::add_simple_rule(std::string name, std::string root,
                                  std::string failure_domain, std::string device_class,
                                  std::string mode, int type, std::ostream *)
{
    return refuse_rule(name, root, failure_domain, device_class, mode, type);
}

int CrushWrapper::add_simple_rule(std::string name, std::string root,
                                  std::string failure_domain, int failure_domains,
                                  std::string device_class, std::string mode, int type,
                                  std::ostream *)
{
    return refuse_rule(name, root, failure_domain, failure_domains, device_class, mode, type);
}

int CrushWrapper::add_indep_multi_osd_per_failure_domain_rule(
    std::string name, std::string root, std::string failure_domain, int failure_domains,
    int osds_per_failure_domain, std::string device_class, std::ostream *)
{
    return refuse_rule(name, root, failure_domain, failure_domains, osds_per_failure_domain,
                       device_class);
}

namespace ceph
{

/* The originals log through it. */
namespace common
{
class CephContext;
}
namespace global
{
extern common::CephContext *g_ceph_context;
}

ErasureCodePluginRegistry ErasureCodePluginRegistry::singleton;

static std::map<std::string, ErasureCodePlugin *> &registered()
{
    static std::map<std::string, ErasureCodePlugin *> plugins;
    return plugins;
}

int ErasureCodePluginRegistry::add(const std::string &name, ErasureCodePlugin *plugin)
{
    return registered().emplace(name, plugin).second ? 0 : -EEXIST;
}

ErasureCodePlugin *ErasureCodePluginRegistry::get(const std::string &name)
{
    auto found = registered().find(name);
    return found == registered().end() ? nullptr : found->second;
}

} // namespace ceph

namespace host
{

/* A context of Ceph's own making, which no public header has another way to. */
static void need_context()
{
    static rados_t cluster;
    if (ceph::global::g_ceph_context || rados_create(&cluster, nullptr) != 0)
        return;
    ceph::global::g_ceph_context = static_cast<ceph::common::CephContext *>(rados_cct(cluster));
}

void forget_rule()
{
    rule.clear();
}

std::string last_rule()
{
    return rule;
}

/* --------------------------------------------------------------------------- plugins -- */

/* All that was registered, so that the next plugin of the same name can be; the one of this
   name is the caller's. */
static ceph::ErasureCodePlugin *unregister(const std::string &name)
{
    ceph::ErasureCodePlugin *plugin = nullptr;
    for (auto &[registered_name, registered] : ceph::registered())
        if (registered_name == name)
            plugin = registered;
    ceph::registered().clear();
    return plugin;
}

Plugin::Plugin(const std::string &folder, const std::string &name) : folder_(folder)
{
    need_context();
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
    /* The originals are always of the version that they were made for. */
    bool original = folder == originals();
    version_ = version();
    if (!original && version_ != ceph_version_to_str()) {
        why_ = version_;
        return;
    }
    int status = init(name.c_str(), folder.c_str());
    plugin_ = unregister(name);
    if (status != 0 || !plugin_) {
        why_ = "init: " + std::to_string(status);
        plugin_ = nullptr;
        return;
    }
    plugin_->library = library_;
}

Plugin::~Plugin()
{
    delete plugin_;
    if (library_)
        dlclose(library_);
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

std::string originals()
{
    return folder_of("PXR_CEPH_ORIGINALS");
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
