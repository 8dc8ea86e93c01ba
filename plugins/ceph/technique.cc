/* SPDX-License-Identifier: BSD-3-Clause */
#include "technique.h"

#include <cstdint>

namespace permxor_ceph
{

/* ---------------------------------------------------------------- table -- */

/*
 * Optimisations that 20.2 may use.  All our codes are linear, and code each byte or packet at
 * its own place.  So part of a chunk can be read and written, zeros give zeros, and parity can
 * be brought up to date by differences. jerasure allows FastEC for reed_sol_van only, and a
 * take-over must not change a pool's flags; new pools have it with every technique.
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
    {Family::isa, "reed_sol_van", PXR_ISAL_VAND, "7", "3", nullptr, linear | fast_ec,
     read_isa_van},
    {Family::isa, "cauchy", PXR_ISAL_CAUCHY, "7", "3", nullptr, linear | fast_ec,
     read_isa_cauchy},

    {Family::jerasure, "reed_sol_van", PXR_JERASURE_VAN, "7", "3", "8", linear | fast_ec,
     read_jerasure_van},
    {Family::jerasure, "reed_sol_r6_op", PXR_JERASURE_R6, "7", "2", "8", linear,
     read_jerasure_r6},
    {Family::jerasure, "cauchy_orig", PXR_JERASURE_CAUCHY_ORIG, "7", "3", "8", linear,
     read_jerasure_cauchy},
    {Family::jerasure, "cauchy_good", PXR_JERASURE_CAUCHY_GOOD, "7", "3", "8", linear,
     read_jerasure_cauchy},
    {Family::jerasure, "liberation", PXR_JERASURE_LIBERATION, "2", "2", "7", linear,
     read_liberation},
    {Family::jerasure, "blaum_roth", PXR_JERASURE_BLAUM_ROTH, "2", "2", "7", linear,
     read_blaum_roth},
    {Family::jerasure, "liber8tion", PXR_JERASURE_LIBER8TION, "2", "2", "8", linear,
     read_liber8tion},

    {Family::permxor, "reed_sol_van", PXR_ISAL_VAND, "7", "3", nullptr, linear | fast_ec,
     read_as_isa_van},
    {Family::permxor, "cauchy", PXR_ISAL_CAUCHY, "7", "3", nullptr, linear | fast_ec,
     read_as_isa_cauchy},
    {Family::permxor, "jerasure_reed_sol_van", PXR_JERASURE_VAN, "7", "3", nullptr,
     linear | fast_ec, read_as_coder},
    {Family::permxor, "jerasure_reed_sol_r6_op", PXR_JERASURE_R6, "7", "2", nullptr,
     linear | fast_ec, read_as_coder},
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

/* --------------------------------------------------------------- choice -- */

static void refuse_technique(Family family, const std::string &name, std::ostream &out)
{
    out << "technique=" << name
        << " is not a valid coding technique.  Choose one of the following: ";
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

/* Returns whether a profile without a technique, or with an empty one, gets the default. */
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
