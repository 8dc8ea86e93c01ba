/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.h - what each technique reads from a profile beside k, m and w, and what it refuses.
 *
 * The sentences are those of the originals.  They speak of reverting to a value that is
 * allowed: the originals continue with that value, so that later sentences name it, and refuse
 * in the end.  Where the originals accept what they cannot code, we refuse it in our own words.
 */
#ifndef PERMXOR_CEPH_LIMITS_H
#define PERMXOR_CEPH_LIMITS_H

#include "code.h"
#include "profile.h"

namespace permxor_ceph
{

/* The values that a profile asks for: the numbers as they were read, not yet checked. */
struct Asked {
    Interface interface;
    int k, m;
    int w;          /* bits of an element; 8 in all families but jerasure */
    int packetsize; /* bytes of a packet, or 0 where elements do not lie in packets */
    bool per_chunk; /* jerasure-per-chunk-alignment */
};

/* A function for each kind of technique.  It reads and checks the rest of a profile. */
void read_isa_van(Asked &asked, Reader &reader);
void read_isa_cauchy(Asked &asked, Reader &reader);
void read_jerasure_van(Asked &asked, Reader &reader);
void read_jerasure_r6(Asked &asked, Reader &reader);
void read_jerasure_cauchy(Asked &asked, Reader &reader);
void read_liberation(Asked &asked, Reader &reader);
void read_blaum_roth(Asked &asked, Reader &reader);
void read_liber8tion(Asked &asked, Reader &reader);
/* The functions of the family permxor, for the techniques of isa and for those of jerasure. */
void read_as_isa_van(Asked &asked, Reader &reader);
void read_as_isa_cauchy(Asked &asked, Reader &reader);
void read_as_coder(Asked &asked, Reader &reader);

} // namespace permxor_ceph

#endif
