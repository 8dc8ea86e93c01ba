/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * version.h - which Ceph has loaded the plugin, and whether that is one we know.
 */
#ifndef PERMXOR_CEPH_VERSION_H
#define PERMXOR_CEPH_VERSION_H

#include <cstddef>

#include "code.h"

namespace permxor_ceph
{

/*
 * The interface of this host.  Null, with a reason in *why (never null), where the host is not
 * Ceph, is of a release that is not known, lacks a symbol, or lays out its buffers in another
 * way than the header that the plugin was compiled with.
 */
const Interface *host_interface(const char **why);

/* The bytes of the vtable of ErasureCode, from which Ceph's own plugins derive, where it has
   this interface: read off the plugins of 16.2.15, 18.2.7 and 20.2.4.  The release's number is
   a promise; this is evidence. */
size_t expected_base_size(Interface interface);

/* The host's version as it states it; null where it is not Ceph. */
const char *host_version();

} // namespace permxor_ceph

#endif
