/* SPDX-License-Identifier: BSD-3-Clause */
#include "limits.h"

#include <climits>
#include <cstdint>

namespace permxor_ceph
{

/*
 * A chunk's number is an int8_t in Ceph (shard_id_t), and loops over chunks stop at k + m,
 * which must be an int8_t, too.  So k + m is at most 127. 20.2 checks this.  Its sentence ends
 * in the character 127, which we write as a number.
 */
static void limit_chunks(const Asked &asked, Reader &reader, bool count)
{
    int64_t chunks = int64_t{asked.k} + asked.m;
    if (asked.k < 2)
        reader.refuse() << "k=" << asked.k << " must be >= 2\n";
    else if (asked.m < 1)
        reader.refuse() << "m=" << asked.m << " must be >= 1\n";
    else if (count && chunks > INT8_MAX)
        reader.refuse() << "(k+m)=" << chunks << " must be <= " << INT8_MAX << "\n";
}

static void limit_original(const Asked &asked, Reader &reader)
{
    limit_chunks(asked, reader, asked.interface == Interface::flat_20);
}

/* ------------------------------------------------------------------ isa -- */

/* Up to 18.2, isa accepts all sizes that the field has room for. */
void read_isa_cauchy(Asked &asked, Reader &reader)
{
    limit_original(asked, reader);
    if (asked.interface == Interface::flat_20 && asked.m > 32) {
        reader.refuse() << "isa: m=" << asked.m
                        << " should be less/equal than 32 : revert to m=32\n";
        asked.m = 32;
    }
}

/* The sizes that are known to be MDS.  The first sentence names the wrong letter, as the
   original's does. */
void read_isa_van(Asked &asked, Reader &reader)
{
    read_isa_cauchy(asked, reader);
    if (asked.k > 32) {
        reader.refuse() << "Vandermonde: m=" << asked.m
                        << " should be less/equal than 32 : revert to k=32\n";
        asked.k = 32;
    }
    if (asked.m > 4) {
        reader.refuse() << "Vandermonde: m=" << asked.m
                        << " should be less than 5 to guarantee an MDS codec: revert to m=4\n";
        asked.m = 4;
    }
    if (asked.m == 4 && asked.k > 21)
        reader.refuse() << "Vandermonde: k=" << asked.k
                        << " should be less than 22 to guarantee an MDS codec with m=4:"
                           " revert to k=21\n";
}

/* ----------------------------------------------- jerasure, codes of words -- */

static void read_alignment(Asked &asked, Reader &reader)
{
    asked.per_chunk = reader.flag("jerasure-per-chunk-alignment", "false");
}

static void limit_word(const Asked &asked, Reader &reader, const char *who, const char *end)
{
    if (asked.w != 8 && asked.w != 16 && asked.w != 32)
        reader.refuse() << who << ": w=" << asked.w
                        << " must be one of {8, 16, 32} : revert to 8" << end;
}

void read_jerasure_van(Asked &asked, Reader &reader)
{
    limit_original(asked, reader);
    limit_word(asked, reader, "ReedSolomonVandermonde", "\n");
    read_alignment(asked, reader);
}

void read_jerasure_r6(Asked &asked, Reader &reader)
{
    limit_original(asked, reader);
    if (asked.m != 2)
        reader.refuse() << "ReedSolomonRAID6: m=" << asked.m
                        << " must be 2 for RAID6: revert to 2\n";
    limit_word(asked, reader, "ReedSolomonRAID6", " \n");
}

/* --------------------------------------------- jerasure, codes of packets -- */

static const char default_packetsize[] = "2048";

static void read_packetsize(Asked &asked, Reader &reader)
{
    asked.packetsize = reader.number("packetsize", default_packetsize);
}

/*
 * The original computes the sizes of chunks in ints.  The largest of these is k units of w
 * packets, times 16.
 */
static void limit_unit(const Asked &asked, Reader &reader)
{
    if (reader.refused())
        return;
    int64_t most = INT_MAX / (int64_t{asked.k} * asked.w * 16);
    if (asked.packetsize > most)
        reader.refuse() << "packetsize=" << asked.packetsize << " must be at most " << most
                        << " with k=" << asked.k << " and w=" << asked.w << "\n";
}

/*
 * The original checks nothing.  It then aborts where there is no such field or the field has
 * fewer elements than there are chunks, divides by a packetsize of 0, and writes past the end
 * of chunks that do not consist of whole units.
 */
void read_jerasure_cauchy(Asked &asked, Reader &reader)
{
    limit_original(asked, reader);
    read_packetsize(asked, reader);
    read_alignment(asked, reader);
    if (reader.refused())
        return;
    if (asked.w < 1 || asked.w > 32)
        reader.refuse() << "w=" << asked.w << " must be 1 to 32\n";
    else if (asked.packetsize < 1)
        reader.refuse() << "packetsize=" << asked.packetsize << " must be >= 1\n";
    else if (asked.per_chunk && int64_t{asked.w} * asked.packetsize % 16 != 0)
        reader.refuse() << "packetsize=" << asked.packetsize << ", w=" << asked.w
                        << ": w*packetsize must be a multiple of 16 with"
                        << " jerasure-per-chunk-alignment\n";
    else
        limit_unit(asked, reader);
}

static bool check_k(const Asked &asked, Reader &reader)
{
    if (asked.k > asked.w)
        reader.refuse() << "k=" << asked.k << " must be less than or equal to w=" << asked.w
                        << "\n";
    return asked.k <= asked.w;
}

static bool check_packetsize_set(const Asked &asked, Reader &reader)
{
    if (asked.packetsize == 0)
        reader.refuse() << "packetsize=" << asked.packetsize << " must be set\n";
    return asked.packetsize != 0;
}

static bool check_packetsize(const Asked &asked, Reader &reader)
{
    if (asked.packetsize % 4 != 0)
        reader.refuse() << "packetsize=" << asked.packetsize
                        << " must be a multiple of sizeof(int) = 4\n";
    return asked.packetsize % 4 == 0;
}

static bool is_prime(int n)
{
    bool prime = n >= 2;
    for (int i = 2; i * i <= n; i++)
        prime = prime && n % i != 0;
    return prime;
}

/* The original's list of prime numbers ends here. */
static const int greatest_prime = 257;

static bool prime_above_two(int n)
{
    return n > 2 && n <= greatest_prime && is_prime(n);
}

static bool check_liberation_w(const Asked &asked, Reader &reader)
{
    bool right = prime_above_two(asked.w);
    if (!right)
        reader.refuse() << "w=" << asked.w << " must be greater than two and be prime\n";
    return right;
}

/* w = 7 was the default before anybody noticed that 8 is no prime, so the original still
   accepts it. */
static bool check_blaum_roth_w(const Asked &asked, Reader &reader)
{
    bool right = asked.w == 7 ||
                 (asked.w > 2 && asked.w < greatest_prime && prime_above_two(asked.w + 1));
    if (!right)
        reader.refuse() << "w=" << asked.w
                        << " must be greater than two and w+1 must be prime\n";
    return right;
}

static void revert(Reader &reader, const char *w)
{
    reader.refuse() << "reverting to k=2, w=" << w << ", packetsize=" << default_packetsize
                    << "\n";
    reader.set("k", "2");
    reader.set("w", w);
    reader.set("packetsize", default_packetsize);
}

/* The original does not check m, and reads past the end of its matrix of two rows. */
static void limit_rows(const Asked &asked, Reader &reader)
{
    if (!reader.refused() && asked.m > 2)
        reader.refuse() << "m=" << asked.m << " must be 1 or 2\n";
    if (!reader.refused() && asked.packetsize < 1)
        reader.refuse() << "packetsize=" << asked.packetsize << " must be >= 1\n";
    limit_unit(asked, reader);
}

static void read_raid6_packets(Asked &asked, Reader &reader,
                               bool (*check_w)(const Asked &, Reader &))
{
    limit_original(asked, reader);
    read_packetsize(asked, reader);
    bool right = check_k(asked, reader);
    right &= check_w(asked, reader);
    right &= check_packetsize_set(asked, reader) && check_packetsize(asked, reader);
    if (!right)
        revert(reader, "7");
    limit_rows(asked, reader);
}

void read_liberation(Asked &asked, Reader &reader)
{
    read_raid6_packets(asked, reader, check_liberation_w);
}

void read_blaum_roth(Asked &asked, Reader &reader)
{
    read_raid6_packets(asked, reader, check_blaum_roth_w);
}

void read_liber8tion(Asked &asked, Reader &reader)
{
    limit_original(asked, reader);
    if (asked.m != 2)
        reader.refuse() << "liber8tion: m=" << asked.m
                        << " must be 2 for liber8tion: revert to 2\n";
    if (asked.w != 8)
        reader.refuse() << "liber8tion: w=" << asked.w
                        << " must be 8 for liber8tion: revert to 8\n";
    read_packetsize(asked, reader);
    bool right = check_k(asked, reader);
    right &= check_packetsize_set(asked, reader);
    if (!right)
        revert(reader, "8");
    limit_rows(asked, reader);
}

/* -------------------------------------------------------------- permxor -- */

/*
 * A pool whose plugin refuses its profile stops its OSDs, and isa codes the pools of
 * reed_sol_van and cauchy where this plugin does not know the release.  So in every release
 * they have the limits of the release in which isa is strictest, 20.2.
 */
void read_as_isa_van(Asked &asked, Reader &reader)
{
    asked.interface = Interface::flat_20;
    read_isa_van(asked, reader);
}

void read_as_isa_cauchy(Asked &asked, Reader &reader)
{
    asked.interface = Interface::flat_20;
    read_isa_cauchy(asked, reader);
}

/* No plugin stands in for the matrices of jerasure, so the limits are those of
   pxr_code_create(). */
void read_as_coder(Asked &asked, Reader &reader)
{
    limit_chunks(asked, reader, true);
}

} // namespace permxor_ceph
