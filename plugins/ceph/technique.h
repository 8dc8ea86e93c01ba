/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * technique.h - the techniques of each family: coding matrix, defaults, limits.
 */
#ifndef PERMXOR_CEPH_TECHNIQUE_H
#define PERMXOR_CEPH_TECHNIQUE_H

#include <cstdint>
#include <string>

#include "limits.h"

namespace permxor_ceph
{

struct Technique {
    Family family;
    const char *name;
    pxr_matrix matrix;
    const char *k, *m, *w;  /* defaults; w is NULL where the key is not read */
    uint64_t optimizations; /* flags of 20.2 */
    void (*read)(Asked &asked, Reader &reader);
};

/* Returns NULL where the family has no technique of this name that we code. */
const Technique *find_technique(Family family, const std::string &name);

/*
 * Returns the technique of a profile, or NULL with the reason in `out`.  A profile without a
 * technique gets the default in the family permxor.  In the family isa it does if the key is
 * absent.  In the family jerasure it does from 20.2 on; before that, the original refuses it.
 */
const Technique *choose_technique(Family family, Interface interface, const Profile &profile,
                                  std::ostream &out);

} // namespace permxor_ceph

#endif
