/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits.h - what the techniques read of a profile beside k, m and w, and what they refuse.
 *
 * The sentences are those of the originals.  They speak of reverting to a value that is
 * allowed: the originals go on with it, so that later sentences name it, and refuse in the
 * end.  What the originals take although they cannot code it is refused in our own words.
 */
#ifndef PERMXOR_CEPH_LIMITS_H
#define PERMXOR_CEPH_LIMITS_H

#include "code.h"
#include "profile.h"

namespace permxor_ceph
{

/* What a profile asks for: numbers as they were read, still unchecked. */
struct Asked {
    Interface interface;
    int k, m;
    int w;          /* bits of an element: jerasure only, else 8 */
    int packetsize; /* bytes of a packet, where elements lie in packets, else 0 */
    bool per_chunk; /* jerasure-per-chunk-alignment */
};

/* A function for each kind of technique; it reads and checks the rest of a profile. */
void read_isa_van(Asked &asked, Reader &reader);
void read_isa_cauchy(Asked &asked, Reader &reader);
void read_jerasure_van(Asked &asked, Reader &reader);
void read_jerasure_r6(Asked &asked, Reader &reader);
void read_jerasure_cauchy(Asked &asked, Reader &reader);
void read_liberation(Asked &asked, Reader &reader);
void read_blaum_roth(Asked &asked, Reader &reader);
void read_liber8tion(Asked &asked, Reader &reader);
/* The family permxor: those of isa, and those of jerasure. */
void read_as_isa_van(Asked &asked, Reader &reader);
void read_as_isa_cauchy(Asked &asked, Reader &reader);
void read_as_coder(Asked &asked, Reader &reader);

} // namespace permxor_ceph

#endif
