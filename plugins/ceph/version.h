/* SPDX-License-Identifier: BSD-3-Clause */
/* version.h - which Ceph has loaded the plugin, and whether we know it. */
#ifndef PERMXOR_CEPH_VERSION_H
#define PERMXOR_CEPH_VERSION_H

#include <cstddef>

#include "code.h"

namespace permxor_ceph
{

/*
 * Returns the interface of this host.  Returns null, with a reason in *why (never null), where
 * the host is not Ceph, is of an unknown release, lacks a symbol, or lays out its buffers in
 * another way than the header with which the plugin was compiled.
 */
const Interface *host_interface(const char **why);

/* The bytes of the vtable of ErasureCode, from which Ceph's own plugins derive, for this
   interface.  The number comes from the plugins of 16.2.15, 18.2.7 and 20.2.4.  A release's
   number is a promise; this is evidence. */
size_t expected_base_size(Interface interface);

/* Returns the version that the host states, or null where it is not Ceph. */
const char *host_version();

} // namespace permxor_ceph

#endif
