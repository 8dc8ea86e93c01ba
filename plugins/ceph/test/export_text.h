/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_text.h - makes streams as `ceph-objectstore-tool --op export` writes them.  The form
 * is that of Ceph 16.2.15; ../scrub/export.h describes it.
 */
#ifndef PERMXOR_CEPH_TEST_EXPORT_TEXT_H
#define PERMXOR_CEPH_TEST_EXPORT_TEXT_H

#include <algorithm>
#include <cstdint>
#include <string>

#include "../scrub/version_number.h"

namespace permxor_ceph
{

inline std::string number(uint64_t value, unsigned size)
{
    std::string bytes;
    for (unsigned i = 0; i < size; i++)
        bytes += static_cast<char>(value >> 8 * i);
    return bytes;
}

inline std::string prefixed(const std::string &bytes)
{
    return number(bytes.size(), 4) + bytes;
}

inline std::string structure(const std::string &bytes)
{
    return number(1, 1) + number(1, 1) + prefixed(bytes);
}

inline std::string version(const Version &version)
{
    return number(version.number, 8) + number(version.epoch, 4);
}

inline std::string section(unsigned type, const std::string &bytes)
{
    const std::string head = structure(number(0xffce, 2) + number(type, 1) + number(type, 1) +
                                       number(bytes.size(), 8));
    return head + bytes + (bytes.empty() ? "" : structure(number(0xecffffce, 4)));
}

/* The beginning of an export. */
inline std::string export_head(const Version &last_update)
{
    const std::string info = structure(std::string(17, 'i') + version(last_update) + "more");
    return number(0xffceffce, 4) + number(2, 4) + number(18, 4) + number(10, 4) +
           section(1, structure("placement group and superblock")) +
           section(9, structure(number(10, 1) + number(77, 4) + info + "log and map"));
}

struct Forged {
    std::string space, key, name;
    uint64_t snapshot;
    Version version;
    uint64_t size;
    std::string shard;
};

/* One object, with its data in sections of at most `most` bytes. */
inline std::string export_object(const Forged &object, size_t most)
{
    const std::string name =
        structure(prefixed(object.key) + prefixed(object.name) + number(object.snapshot, 8) +
                  "hash" + number(0, 1) + prefixed(object.space) + number(5, 8));
    const std::string info =
        structure(name + structure("locator") + prefixed("") + version(object.version) +
                  version({1, 1}) + structure("request") + number(object.size, 8) + "more");
    std::string out =
        section(3, structure(name + number(~uint64_t{0}, 8) + number(3, 1) + info));
    for (size_t at = 0; at < object.shard.size(); at += most) {
        const std::string piece = object.shard.substr(at, most);
        out += section(5, structure(number(at, 8) + number(piece.size(), 8) + prefixed(piece)));
    }
    out += section(6, structure("attributes")) + section(7, structure("head"));
    return out + section(4, "");
}

inline std::string export_tail()
{
    return section(2, "");
}

} // namespace permxor_ceph

#endif
