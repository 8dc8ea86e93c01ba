/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_text.h - profiles as text: "k=4,m=2,technique=cauchy".
 */
#ifndef PERMXOR_CEPH_TEST_PROFILE_TEXT_H
#define PERMXOR_CEPH_TEST_PROFILE_TEXT_H

#include <sstream>
#include <string>

#include "../code.h"

namespace permxor_ceph
{

inline Profile profile_of(const std::string &text)
{
    Profile profile;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        size_t equals = word.find('=');
        profile[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return profile;
}

inline std::string text_of(const Profile &profile)
{
    std::string text;
    for (const auto &[key, value] : profile)
        text += (text.empty() ? "" : ",") + key + "=" + value;
    return text;
}

} // namespace permxor_ceph

#endif
