/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trouble.h - the exception of this program.
 */
#ifndef PERMXOR_CEPH_TROUBLE_H
#define PERMXOR_CEPH_TROUBLE_H

#include <stdexcept>

namespace permxor_ceph
{

/* Something that the user has to see: what() is one line of English. */
struct Trouble : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace permxor_ceph

#endif
