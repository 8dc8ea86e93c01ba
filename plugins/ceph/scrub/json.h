/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - reads what the command ceph prints with --format json.
 */
#ifndef PERMXOR_CEPH_JSON_H
#define PERMXOR_CEPH_JSON_H

#include <map>
#include <string>
#include <vector>

namespace permxor_ceph
{

/* A value.  Of its four members one is used.  Numbers, true, false and null are kept as they
   are spelt. */
struct Json {
    enum class Kind { word, text, list, object } kind = Kind::word;
    std::string text; /* of a text, or the spelling of a word */
    std::vector<Json> list;
    std::map<std::string, Json> object;

    /* The value of a key.  Throws a Trouble if this is no object, or has no such key. */
    const Json &at(const std::string &key) const;

    /* The text of a text or of a word; "" for anything else. */
    const std::string &spelt() const
    {
        return text;
    }
};

/* Throws a Trouble for a text that is not JSON. */
Json read_json(const std::string &text);

} // namespace permxor_ceph

#endif
