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
    uint64_t optimizations; /* 20.2's flags */
    void (*read)(Asked &asked, Reader &reader);
};

/* NULL where the family has none of this name that we code. */
const Technique *find_technique(Family family, const std::string &name);

/*
 * The technique of a profile, or NULL when there is none, with the reason in `out`.  A profile
 * of the family permxor that names none gets reed_sol_van, as does one of isa without the key.
 * One of jerasure gets it from 20.2 on; before, the original refuses.
 */
const Technique *choose_technique(Family family, Interface interface, const Profile &profile,
                                  std::ostream &out);

} // namespace permxor_ceph

#endif
