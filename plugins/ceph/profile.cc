/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile.h"

#include <climits>
#include <cstdlib>

namespace permxor_ceph
{

Number to_number(const std::string &text)
{
    const char *begin = text.c_str();
    char *end;
    long long value = std::strtoll(begin, &end, 10);
    if (end == begin || end != begin + text.size())
        return {0, "Expected option value to be integer, got '" + text + "'"};
    /* strtoll() has replaced a number beyond long long by the largest or the smallest one,
       which is no int, either. */
    if (value < INT_MIN || value > INT_MAX)
        return {0, "The option value '" + text + "' seems to be invalid"};
    return {static_cast<int>(value), {}};
}

const std::string &Reader::text(const char *key, const char *fallback)
{
    std::string &value = profile_[key];
    if (value.empty())
        value = fallback;
    return value;
}

int Reader::number(const char *key, const char *fallback)
{
    const std::string &spelt = text(key, fallback);
    Number number = to_number(spelt);
    if (number.trouble.empty())
        return number.value;
    refuse() << "could not convert " << key << "=" << spelt << " to int because "
             << number.trouble << ", set to default " << fallback << "\n";
    return to_number(fallback).value;
}

bool Reader::flag(const char *key, const char *fallback)
{
    const std::string &value = text(key, fallback);
    return value == "yes" || value == "true";
}

const std::string &value_of(const Profile &profile, const char *key)
{
    static const std::string nothing;
    auto entry = profile.find(key);
    return entry == profile.end() ? nothing : entry->second;
}

bool in_order(const std::string &mapping)
{
    return mapping.find('D', mapping.find_first_not_of('D')) == std::string::npos;
}

} // namespace permxor_ceph
