/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - reading the keys of an erasure-code profile.
 *
 * Ceph's own plugins read keys in the same way, and users know the sentences:
 *   - a key that is absent or empty gets its default, which is written into the profile;
 *   - a number is what strtoll() takes in base 10, to its last character, within an int
 *     ("+4", " 4" and "004" are numbers), and stays in the profile as it was spelt;
 *   - a flag is set by "yes" and "true" and by nothing else;
 *   - after a mistake, reading continues with the default in place of the value, so that
 *     one answer names all mistakes.
 */
#ifndef PERMXOR_CEPH_PROFILE_H
#define PERMXOR_CEPH_PROFILE_H

#include <ostream>
#include <string>

#include "code.h"

namespace permxor_ceph
{

/* The number that a text spells, or the reason why it spells none. */
struct Number {
    int value;
    std::string trouble;
};
Number to_number(const std::string &text);

/* Returns "" for a key that is absent. */
const std::string &value_of(const Profile &profile, const char *key);

/*
 * Returns whether a mapping leaves each chunk in the place of its own number.  A D in it is the
 * place of a data chunk, and any other character that of a coding chunk.  So this holds if no D
 * comes after another character.  Chunks beyond its end stay where they are.
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

    /* Sets a value of the profile, whatever it was. */
    void set(const char *key, const char *value)
    {
        profile_[key] = value;
    }

    /* The value of the key "mapping", which has no default. */
    const std::string &mapping() const
    {
        return value_of(profile_, "mapping");
    }

    /* Refuses the profile.  The caller writes the reason into the stream. */
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
