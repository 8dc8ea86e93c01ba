/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard_hash.h"

#include <algorithm>
#include <cstring>

#include "trouble.h"

namespace permxor_ceph
{

HashKind::HashKind(const Bytes &key)
{
    if (!key.empty() && key.size() != size)
        throw Trouble("the key has " + std::to_string(key.size()) + " bytes instead of " +
                      std::to_string(size));
    pxr_hash *made = nullptr;
    pxr_error why;
    int status = pxr_hash_create(&made, size, key.empty() ? nullptr : key.data(), &why);
    hash_.reset(made);
    if (status != PXR_OK)
        throw Trouble(why.text);
}

std::string HashKind::mark() const
{
    static const char text[] = "Which key is this?";
    Bytes sum(size);
    if (pxr_hash_add(get(), 0, sizeof text, reinterpret_cast<const uint8_t *>(text),
                     sum.data()) != PXR_OK)
        throw Trouble("the key cannot be used");
    return to_hex(sum);
}

ShardHash::ShardHash(const HashKind &kind, const Code &code)
    : kind_(kind), code_(code), unit_(pxr_code_unit(code.coder())),
      sum_(pxr_hash_bytes(kind.get(), code.coder()))
{
}

void ShardHash::add_units(uint64_t offset, size_t len, const uint8_t *piece)
{
    int status = pxr_hash_shard(kind_.get(), code_.coder(), offset, len, piece, sum_.data());
    if (status != PXR_OK)
        throw Trouble(pxr_strerror(status));
}

/* Adds the part of the piece that lies in the unit where it begins, with zeros around it, which
   add nothing to a hash.  Returns the length of the part. */
size_t ShardHash::add_part(uint64_t offset, size_t len, const uint8_t *piece)
{
    Bytes whole(unit_);
    const size_t within = size_t(offset % unit_), part = std::min(len, unit_ - within);
    std::memcpy(&whole[within], piece, part);
    add_units(offset - within, unit_, whole.data());
    return part;
}

void ShardHash::add(uint64_t offset, size_t len, const uint8_t *piece)
{
    if (len > 0 && offset % unit_ != 0) {
        const size_t part = add_part(offset, len, piece);
        offset += part;
        len -= part;
        piece += part;
    }
    const size_t units = len - len % unit_;
    if (units > 0)
        add_units(offset, units, piece);
    if (len > units)
        add_part(offset + units, len - units, piece + units);
}

} // namespace permxor_ceph
