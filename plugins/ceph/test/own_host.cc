/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_host.cc - a program that is only a host: each plugin is registered alone, and removed
 * when it is no longer needed.
 */
#define PXR_IS_HOST
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

/* The functions below replace Ceph's own, which need a crush map.  They note the words that a
   plugin gives. */
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

/* The originals write their log through this context. */
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

/* Gets a context that Ceph makes.  No public header has another way to get one. */
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

/* Takes all plugins out of the registry, so that the next plugin of the same name can be
   registered.  The caller owns the plugin of this name. */
ceph::ErasureCodePlugin *registered(const std::string &name)
{
    need_context();
    ceph::ErasureCodePlugin *plugin = ceph::ErasureCodePluginRegistry::singleton.get(name);
    ceph::registered().clear();
    return plugin;
}

void release(ceph::ErasureCodePlugin *plugin, void *library)
{
    delete plugin;
    if (library)
        dlclose(library);
}

std::shared_ptr<ClassicInterface> classic(std::shared_ptr<ceph::ErasureCodeInterface> code)
{
    return {code, reinterpret_cast<ClassicInterface *>(code.get())};
}

bool is_real()
{
    return false;
}

} // namespace host
