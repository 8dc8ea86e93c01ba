/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.h - a host of plugins, as an OSD is one.  It has the registry of plugins, the version
 * and the buffers, and loads originals and ours side by side.
 *
 * own_host.cc is a program of ours, which says that it is the version PXR_CEPH_VERSION of the
 * environment, or 16.2.15 without it. in_host.cc is the real Ceph, into which the test is
 * loaded.  The folders of plugins, which folders.sh makes, are from the environment as well.
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

/* The plugin that has registered itself as `name`, if one has. */
ceph::ErasureCodePlugin *registered(const std::string &name);

/* A plugin and its library that are no longer needed; either may be null. */
void release(ceph::ErasureCodePlugin *plugin, void *library);

/* A code, called through the functions that every release has. */
std::shared_ptr<ClassicInterface> classic(std::shared_ptr<ceph::ErasureCodeInterface> code);

/* Whether the originals were made for the interface that this host has, whichever that is. */
bool is_real();

/* -------------------------------------------------------------------- of all of them -- */

/* "isa_original" is the one that ours, beside it, took the place of. */
class Plugin
{
  public:
    /* As Ceph loads it; why() says what went wrong. */
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
    /* What it says that it was made for. */
    const std::string &version() const
    {
        return version_;
    }

    /* A code of type Interface, which is null where the profile is refused; the plugin's
       status and words are in *status and *words, where these are given. */
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

/* The plugin of a folder, loaded once; it stays.  A failed check where it cannot be. */
Plugin &plugin_of(const std::string &folder, const std::string &name);

/* Null, and a failed check, where the profile is refused. */
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

/* The words of the last CRUSH rule that a plugin asked for; every rule is refused, -EEXIST. */
std::string last_rule();
void forget_rule();

/* Folders, from the environment: ours in the originals' place with those beside,
   PXR_CEPH_TAKEN, without them, PXR_CEPH_ALONE, with stand-ins (stand_in.cc) for them,
   PXR_CEPH_STANDING_IN, and with copies of ours, PXR_CEPH_MISPLACED.  Empty where it names
   none. */
std::string taken();
std::string alone();
std::string standing_in();
std::string misplaced();

} // namespace host

#endif
