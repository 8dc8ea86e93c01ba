/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handover.h - Ceph's own plugin that stands behind ours, in the same folder.
 *
 * Behind our libec_isa.so and libec_jerasure.so stands the plugin that each has replaced, kept
 * as libec_isa_original.so and libec_jerasure_original.so.  It codes what we do not, and with a
 * Ceph that we do not know, it codes everything.  We know a Ceph by its release, its functions
 * and its buffers (version.h), and by the length of the vtable from which its plugins derive.
 *
 * Behind libec_permxor.so, with a Ceph that we do not know, stands isa: it has permxor's
 * reed_sol_van and cauchy under the same names, with the same bytes and sizes of chunks.  An
 * OSD stops by an assertion when the plugin of a pool is not available, so an upgrade of Ceph
 * would stop all OSDs of a pool whose plugin refuses.
 */
#ifndef PERMXOR_CEPH_HANDOVER_H
#define PERMXOR_CEPH_HANDOVER_H

#include <cstddef>
#include <string>

namespace ceph
{
class ErasureCodePlugin;
}

namespace permxor_ceph
{

/* The file of an original plugin.  It stays loaded until the process ends. */
class Original
{
  public:
    /* `name` is as in the name of the file: "isa_original".  Where there is no such file, or
       none that this process can load, the functions below report it. */
    Original(const std::string &folder, const std::string &name);

    /* The version that the plugin says it was made for, or null without an original. */
    const char *version() const;

    /* Bytes of the vtable of the class from which Ceph's plugins derive.  It grows with the
       interface. 0 where the vtable is not visible. */
    size_t base_size() const;

    /* Let it register itself as `name`.  Returns its errno. */
    int register_as(const std::string &name) const;

    /* Let it register itself under the name of its file, so that we can call it.  Returns null,
       with the reason in *why, if it does not, or was made for another version than the host's.
     */
    ceph::ErasureCodePlugin *plugin(std::string *why) const;

  private:
    const std::string folder_, name_;
    void *library_;
    std::string trouble_; /* the message of dlopen(), if library_ is null */
};

/* Whether a plugin of this name has been set aside by us: "isa_original". */
bool is_original(const std::string &name);

/* Whether a plugin of this name takes the place of Ceph's own. */
bool takes_over(const std::string &name);

/* The name of the original behind a plugin of ours that took its place. */
std::string original_of(const std::string &name);

/* The name of the plugin that stands behind ours with a Ceph that we do not know, or "" where
   there is none. */
std::string substitute_of(const std::string &folder, const std::string &name);

} // namespace permxor_ceph

#endif
