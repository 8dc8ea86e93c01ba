/* SPDX-License-Identifier: BSD-3-Clause */
/* classic.h - a Code with the interface of 16.2 and 18.2. */
#ifndef PERMXOR_CEPH_CLASSIC_H
#define PERMXOR_CEPH_CLASSIC_H

#include "adapter.h"

namespace permxor_ceph
{

class Classic final : public Adapter<ClassicInterface>
{
  public:
    using Adapter::Adapter;

    const std::vector<int> &get_chunk_mapping() const override;
};

} // namespace permxor_ceph

#endif
