/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * version_number.h - the version of an object: the epoch of the map in which it was written,
 * and the number of the write in its placement group.  Ceph prints it as 21'7.
 */
#ifndef PERMXOR_CEPH_VERSION_NUMBER_H
#define PERMXOR_CEPH_VERSION_NUMBER_H

#include <cstdint>
#include <string>
#include <tuple>

#include "text.h"
#include "trouble.h"

namespace permxor_ceph
{

struct Version {
    uint64_t epoch = 0, number = 0;

    bool operator<(const Version &other) const
    {
        return std::tie(epoch, number) < std::tie(other.epoch, other.number);
    }
    bool operator==(const Version &other) const
    {
        return epoch == other.epoch && number == other.number;
    }
    std::string text() const
    {
        return std::to_string(epoch) + "'" + std::to_string(number);
    }
};

inline Version to_version(const std::string &text)
{
    std::vector<std::string> parts = split(text, '\'');
    if (parts.size() != 2)
        throw Trouble("'" + text + "' is not a version");
    return {to_unsigned(parts[0]), to_unsigned(parts[1])};
}

} // namespace permxor_ceph

#endif
