/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - reading the keys of an erasure-code profile.
 *
 * Ceph's own plugins agree on how a key is read, and users know the sentences:
 *   - a key that is absent or empty gets its default, which is written into the profile;
 *   - a number is what strtoll() takes in base 10, to its last character, within an int
 *     ("+4", " 4" and "004" are numbers), and stays in the profile as it was spelt;
 *   - a flag is set by "yes" and "true" and by nothing else;
 *   - reading goes on after a mistake, with the default in the place of the value, so that
 *     one answer names all mistakes.
 */
#ifndef PERMXOR_CEPH_PROFILE_H
#define PERMXOR_CEPH_PROFILE_H

#include <ostream>
#include <string>

#include "code.h"

namespace permxor_ceph
{

/* The number that a text spells; where it spells none, why. */
struct Number {
    int value;
    std::string trouble;
};
Number to_number(const std::string &text);

/* "" for a key that is absent. */
const std::string &value_of(const Profile &profile, const char *key);

/*
 * Whether a mapping leaves each chunk in the place of its own number.  A D in it is the place
 * of a data chunk, any other character that of a coding chunk, so that is where no D comes
 * after another character.  Chunks beyond its end stay where they are.
 */
bool in_order(const std::string &mapping);

/* Reads keys, completes the profile, and remembers whether anything was wrong. */
class Reader
{
  public:
    Reader(Profile &profile, std::ostream &out) : profile_(profile), out_(out)
    {
    }

    const std::string &text(const char *key, const char *fallback);
    int number(const char *key, const char *fallback);
    bool flag(const char *key, const char *fallback);

    /* A value that the profile gets, whatever it had. */
    void set(const char *key, const char *value)
    {
        profile_[key] = value;
    }

    /* The key that has no default. */
    const std::string &mapping() const
    {
        return value_of(profile_, "mapping");
    }

    /* The profile is refused for the reason that the caller writes into the stream. */
    std::ostream &refuse()
    {
        refused_ = true;
        return out_;
    }
    bool refused() const
    {
        return refused_;
    }

  private:
    Profile &profile_;
    std::ostream &out_;
    bool refused_ = false;
};

} // namespace permxor_ceph

#endif
