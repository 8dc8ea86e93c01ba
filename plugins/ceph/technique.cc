/* SPDX-License-Identifier: BSD-3-Clause */
#include "technique.h"

#include <cstdint>

namespace permxor_ceph
{

/* --------------------------------------------------------------- limits -- */

/*
 * The sentences are those of the originals.  They speak of reverting to the nearest value
 * that is allowed: the originals go on with it, so that later sentences name it, and refuse in
 * the end.
 */

/*
 * A chunk's number is an int8_t in Ceph (shard_id_t), and loops over chunks stop at k + m,
 * which has to be one, too: so k + m is at most 127.  20.2 checks this; its sentence ends in
 * the character 127, which we write as a number.
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

/* isa cauchy: up to 18.2 whatever the field has room for. */
static void limit_isa_cauchy(Asked asked, Reader &reader)
{
    limit_original(asked, reader);
    if (asked.interface == Interface::flat_20 && asked.m > 32)
        reader.refuse() << "isa: m=" << asked.m
                        << " should be less/equal than 32 : revert to m=32\n";
}

/* isa reed_sol_van: what is known to be MDS.  The first sentence names the wrong letter. */
static void limit_isa_van(Asked asked, Reader &reader)
{
    limit_isa_cauchy(asked, reader);
    if (asked.interface == Interface::flat_20 && asked.m > 32)
        asked.m = 32;
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

bool other_word(int w)
{
    return w == 16 || w == 32;
}

static void limit_word(const Asked &asked, Reader &reader, const char *who, const char *end)
{
    if (asked.w != 8 && !other_word(asked.w))
        reader.refuse() << who << ": w=" << asked.w
                        << " must be one of {8, 16, 32} : revert to 8" << end;
}

static void limit_jerasure_van(Asked asked, Reader &reader)
{
    limit_original(asked, reader);
    limit_word(asked, reader, "ReedSolomonVandermonde", "\n");
}

static void limit_jerasure_r6(Asked asked, Reader &reader)
{
    limit_original(asked, reader);
    if (asked.m != 2)
        reader.refuse() << "ReedSolomonRAID6: m=" << asked.m
                        << " must be 2 for RAID6: revert to 2\n";
    limit_word(asked, reader, "ReedSolomonRAID6", " \n");
}

/*
 * The family permxor.  A pool whose plugin refuses its profile stops its OSDs, and isa codes
 * the pools of reed_sol_van and cauchy where this plugin does not know the release: so in every
 * release they have the limits of isa's strictest, 20.2.
 */
static void limit_as_isa_van(Asked asked, Reader &reader)
{
    asked.interface = Interface::flat_20;
    limit_isa_van(asked, reader);
}

static void limit_as_isa_cauchy(Asked asked, Reader &reader)
{
    asked.interface = Interface::flat_20;
    limit_isa_cauchy(asked, reader);
}

/* Nothing stands in for the matrices of jerasure: what pxr_code_create() takes, it is. */
static void limit_as_coder(Asked asked, Reader &reader)
{
    limit_chunks(asked, reader, true);
}

/* ---------------------------------------------------------------- table -- */

/*
 * Optimisations that 20.2 may use.  All our codes are linear and code each byte on its own, so
 * part of a chunk can be read and written, zeros give zeros, and parity can be brought up to
 * date by differences.  jerasure leaves FastEC to reed_sol_van, and a pool's flags may not
 * change by a take-over; new pools have it with every technique.
 */
static constexpr uint64_t partial_read = 1;
static constexpr uint64_t partial_write = 2;
static constexpr uint64_t zeros_give_zeros = 4;
static constexpr uint64_t parity_delta = 16;
static constexpr uint64_t fast_ec = 64;
static constexpr uint64_t linear =
    partial_read | partial_write | zeros_give_zeros | parity_delta;

/* The default technique of a family comes first. */
static const Technique table[] = {
    {Family::isa, "reed_sol_van", PXR_ISAL_VAND, "3", false, linear | fast_ec, limit_isa_van},
    {Family::isa, "cauchy", PXR_ISAL_CAUCHY, "3", false, linear | fast_ec, limit_isa_cauchy},

    {Family::jerasure, "reed_sol_van", PXR_JERASURE_VAN, "3", true, linear | fast_ec,
     limit_jerasure_van},
    {Family::jerasure, "reed_sol_r6_op", PXR_JERASURE_R6, "2", false, linear,
     limit_jerasure_r6},

    {Family::permxor, "reed_sol_van", PXR_ISAL_VAND, "3", false, linear | fast_ec,
     limit_as_isa_van},
    {Family::permxor, "cauchy", PXR_ISAL_CAUCHY, "3", false, linear | fast_ec,
     limit_as_isa_cauchy},
    {Family::permxor, "jerasure_reed_sol_van", PXR_JERASURE_VAN, "3", false, linear | fast_ec,
     limit_as_coder},
    {Family::permxor, "jerasure_reed_sol_r6_op", PXR_JERASURE_R6, "2", false, linear | fast_ec,
     limit_as_coder},
};

const Technique *find_technique(Family family, const std::string &name)
{
    for (const Technique &technique : table)
        if (technique.family == family && name == technique.name)
            return &technique;
    return nullptr;
}

static const Technique *default_technique(Family family)
{
    const Technique *technique = table;
    while (technique->family != family)
        technique++;
    return technique;
}

pxr_matrix matrix_for(const Technique &technique, int m)
{
    return m == 1 ? PXR_ISAL_VAND : technique.matrix;
}

/* --------------------------------------------------------------- choice -- */

std::string needs_original(Family family)
{
    std::string name = family == Family::isa ? "isa" : "jerasure";
    return " is coded by Ceph's own " + name +
           " plugin only, which cannot be loaded beside this one as libec_" + name +
           "_original.so\n";
}

/* Techniques that Ceph's jerasure plugin has, and we have not. */
static bool in_original(Family family, const std::string &name)
{
    static const char *const others[] = {"cauchy_orig", "cauchy_good", "liberation",
                                         "blaum_roth", "liber8tion"};
    if (family == Family::jerasure)
        for (const char *other : others)
            if (name == other)
                return true;
    return false;
}

static void refuse_technique(Family family, const std::string &name, std::ostream &out)
{
    out << "technique=" << name;
    if (in_original(family, name)) {
        out << needs_original(family);
        return;
    }
    out << " is not a valid coding technique.  Choose one of the following: ";
    switch (family) {
    case Family::isa:
        out << "reed_sol_van,cauchy\n";
        break;
    case Family::jerasure:
        out << "reed_sol_van, reed_sol_r6_op, cauchy_orig, cauchy_good, liberation,"
               " blaum_roth, liber8tion";
        break;
    case Family::permxor:
        out << "reed_sol_van, cauchy, jerasure_reed_sol_van, jerasure_reed_sol_r6_op\n";
        break;
    }
}

/* Whether a profile without a technique, or with an empty one, gets the default. */
static bool defaults(Family family, Interface interface, bool absent)
{
    switch (family) {
    case Family::isa:
        return absent;
    case Family::jerasure:
        return interface == Interface::flat_20;
    default:
        return true;
    }
}

const Technique *choose_technique(Family family, Interface interface, const Profile &profile,
                                  std::ostream &out)
{
    auto key = profile.find("technique");
    bool absent = key == profile.end();
    std::string name = absent ? "" : key->second;
    if (name.empty() && defaults(family, interface, absent))
        return default_technique(family);
    const Technique *technique = find_technique(family, name);
    if (!technique)
        refuse_technique(family, name, out);
    return technique;
}

} // namespace permxor_ceph
