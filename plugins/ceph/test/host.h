/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.h - a host of plugins, like an OSD.  It has the registry of plugins, the version and the
 * buffers, and loads the originals and ours side by side.
 *
 * own_host.cc is a program of ours.  It says that it is the version that PXR_CEPH_VERSION names
 * in the environment, or 16.2.15 if this is not set.  in_host.cc is the real Ceph, into which
 * the test is loaded.  The environment also names the folders of plugins, which folders.sh
 * makes.
 */
#ifndef PERMXOR_CEPH_TEST_HOST_H
#define PERMXOR_CEPH_TEST_HOST_H

#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "../ceph_abi.h"
#include "profile_text.h"

extern "C" {
#include "../../../unit/check.h"
}

namespace host
{

using permxor_ceph::ChunkMap;
using permxor_ceph::ChunkSet;
using permxor_ceph::ClassicInterface;
using permxor_ceph::FlatInterface;
using permxor_ceph::Profile;
using permxor_ceph::profile_of;
using permxor_ceph::text_of;

/* ------------------------------------------------------- what is each host's own way -- */

/* The plugin that has registered itself as `name`, or null. */
ceph::ErasureCodePlugin *registered(const std::string &name);

/* Releases a plugin and its library.  Either may be null. */
void release(ceph::ErasureCodePlugin *plugin, void *library);

/* Calls a code through the functions that every release has. */
std::shared_ptr<ClassicInterface> classic(std::shared_ptr<ceph::ErasureCodeInterface> code);

/* Whether the originals were made for the interface of this host, whichever that is. */
bool is_real();

/* -------------------------------------------------------------------- of all of them -- */

/* A plugin that is loaded.  "isa_original" is the plugin that ours has replaced, in the same
   folder. */
class Plugin
{
  public:
    /* Loads the plugin as Ceph does.  why() says what went wrong. */
    Plugin(const std::string &folder, const std::string &name);
    ~Plugin();
    Plugin(const Plugin &) = delete;
    Plugin &operator=(const Plugin &) = delete;

    bool loaded() const
    {
        return plugin_;
    }
    const std::string &why() const
    {
        return why_;
    }
    /* The version for which the plugin says it was made. */
    const std::string &version() const
    {
        return version_;
    }

    /* Makes a code of type Interface.  Returns null if the profile is refused.  Writes the
       plugin's status and words to *status and *words unless these are null. */
    template <class Interface>
    std::shared_ptr<Interface> code(Profile &profile, int *status = nullptr,
                                    std::string *words = nullptr)
    {
        auto made = make(profile, status, words);
        if constexpr (std::is_same_v<Interface, ClassicInterface>)
            return classic(made);
        else
            return {made, reinterpret_cast<Interface *>(made.get())};
    }

  private:
    std::shared_ptr<ceph::ErasureCodeInterface> make(Profile &profile, int *status,
                                                     std::string *words);

    std::string folder_;
    std::string why_, version_;
    void *library_ = nullptr;
    ceph::ErasureCodePlugin *plugin_ = nullptr;
};

/* The plugin `name` of a folder.  It is loaded once and stays.  A check fails if it cannot be
   loaded. */
Plugin &plugin_of(const std::string &folder, const std::string &name);

/* Makes a code.  If the profile is refused, a check fails and the result is null. */
template <class Interface> std::shared_ptr<Interface> code_of(Plugin &plugin, Profile profile)
{
    if (!plugin.loaded())
        return nullptr;
    std::string words;
    auto code = plugin.code<Interface>(profile, nullptr, &words);
    if (!code)
        CHECK_STR(words.c_str(), "a code");
    return code;
}

/* The words of the last CRUSH rule that a plugin asked for.  Every rule is refused with
   -EEXIST. */
std::string last_rule();
void forget_rule();

/*
 * Folders of plugins that the environment names, or "" if it does not:
 *
 *   taken()        PXR_CEPH_TAKEN: ours in the originals' place, with the originals beside
 *   alone()        PXR_CEPH_ALONE: ours without the originals
 *   standing_in()  PXR_CEPH_STANDING_IN: stand-ins (stand_in.cc) for the originals
 *   misplaced()    PXR_CEPH_MISPLACED: copies of ours for the originals
 */
std::string taken();
std::string alone();
std::string standing_in();
std::string misplaced();

} // namespace host

#endif
