/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handover.h - the original plugin whose place libec_isa.so or libec_jerasure.so of ours has
 * taken: kept in the same folder as libec_isa_original.so or libec_jerasure_original.so.
 */
#ifndef PERMXOR_CEPH_HANDOVER_H
#define PERMXOR_CEPH_HANDOVER_H

#include <string>

namespace ceph
{
class ErasureCodePlugin;
}

namespace permxor_ceph
{

/* The file of an original plugin, loaded for as long as the process lives. */
class Original
{
  public:
    /* `name` is the plugin's own: "isa".  Where there is no such file, or none that this
       process can load, both functions below say so. */
    Original(const std::string &folder, const std::string &name);

    /* The version that it says it was made for; null without an original. */
    const char *version() const;

    /* Let it register itself as `name`; the errno of that. */
    int register_as(const std::string &name) const;

    /* Let it register itself under the name of its file, for us to call.  Null if it does not,
       or was made for another version than the host's. */
    ceph::ErasureCodePlugin *plugin() const;

  private:
    const std::string folder_, name_;
    void *library_;
};

/* Whether a plugin of this name has been set aside by us: "isa_original". */
bool is_original(const std::string &name);

} // namespace permxor_ceph

#endif
