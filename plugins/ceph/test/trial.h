/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h - makes the code of a profile that is given as text.
 *
 * Where the tests say "measured", the expected value is what the isa and jerasure plugins of
 * Ceph 16.2.15, 18.2.7 and 20.2 did with the profile.  A program that stood in for Ceph called
 * them through their factory, and printed errno, words, completed profile, sizes and flags.
 * 16.2.15 and 18.2.7 agreed in all of them.
 */
#ifndef PERMXOR_CEPH_TRIAL_H
#define PERMXOR_CEPH_TRIAL_H

#include <memory>
#include <sstream>
#include <string>

#include "../code.h"
#include "profile_text.h"

extern "C" {
#include "check.h"
}

namespace permxor_ceph
{

inline const char *name_of(Family family)
{
    static const char *const names[] = {"permxor", "isa", "jerasure"};
    return names[static_cast<int>(family)];
}

/* What make() did with a profile. */
struct Trial {
    Profile profile;
    std::ostringstream words;
    std::shared_ptr<const Code> code;
    int status;

    Trial(Family family, Interface release, const std::string &text) : profile(profile_of(text))
    {
        status = Code::make(family, release, profile, &words, &code);
    }
    std::string said() const
    {
        return words.str();
    }
};

} // namespace permxor_ceph

#endif
