/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * technique.h - the techniques of each family: coding matrix, defaults, limits.
 */
#ifndef PERMXOR_CEPH_TECHNIQUE_H
#define PERMXOR_CEPH_TECHNIQUE_H

#include <cstdint>
#include <string>

#include "code.h"
#include "profile.h"

namespace permxor_ceph
{

/* What a profile asks for: numbers as they were read, still unchecked. */
struct Asked {
    Interface interface;
    int k, m;
    int w; /* bits of a word of the field: jerasure only, else 8 */
};

struct Technique {
    Family family;
    const char *name;
    pxr_matrix matrix;
    const char *default_m;
    bool per_chunk;         /* reads the key jerasure-per-chunk-alignment */
    uint64_t optimizations; /* 20.2's flags */
    void (*limit)(Asked asked, Reader &reader);
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

/* Whether the original codes words of w bits, where this plugin takes those of 8 alone. */
bool other_word(int w);

/* The end of a sentence about what this plugin leaves to the original. */
std::string needs_original(Family family);

/* The matrix for m coding chunks.  One coding chunk is the plain sum in every technique: in
   isa cauchy because Ceph's isa plugin has xor take its place, in the others because the
   first row of the matrix is ones. */
pxr_matrix matrix_for(const Technique &technique, int m);

} // namespace permxor_ceph

#endif
