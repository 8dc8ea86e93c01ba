/* SPDX-License-Identifier: BSD-3-Clause */
#include "classic.h"

namespace permxor_ceph
{

const std::vector<int> &Classic::get_chunk_mapping() const
{
    return code().mapping();
}

} // namespace permxor_ceph
