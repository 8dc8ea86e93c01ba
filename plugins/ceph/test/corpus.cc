/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares with chunks that Ceph's releases have written since 2014.  Ceph's developers keep
 * them in the repository ceph-erasure-code-corpus.  Our plugin must make the same chunks of the
 * same contents, and must rebuild them.
 *
 *     corpus FOLDER
 *
 * FOLDER has a folder for each release.  Each of these has folders whose names are profiles.
 * The folder of a profile holds the contents, and the chunks by their numbers.
 */
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "../profile.h"
#include "trial.h"

using namespace permxor_ceph;
namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

static Bytes read_file(const fs::path &path)
{
    std::ifstream in(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

/* The contents of a folder, padded with zeros, and its chunks. */
struct Stripe {
    Bytes data;
    std::vector<Bytes> chunk;
    unsigned length;
};

static Stripe read_stripe(const fs::path &folder, const Code &code)
{
    Stripe stripe;
    stripe.data = read_file(folder / "content");
    stripe.length = code.chunk_size(unsigned(stripe.data.size()));
    stripe.data.resize(size_t(code.k()) * stripe.length);
    for (unsigned i = 0; i < code.k() + code.m(); i++)
        stripe.chunk.push_back(read_file(folder / std::to_string(i)));
    return stripe;
}

static bool lengths_agree(const Stripe &stripe)
{
    return std::all_of(stripe.chunk.begin(), stripe.chunk.end(),
                       [&](const Bytes &chunk) { return chunk.size() == stripe.length; });
}

static void check_encode(const Code &code, const Stripe &stripe)
{
    std::vector<const uint8_t *> data;
    std::vector<uint8_t *> parity;
    std::vector<Bytes> made(code.m(), Bytes(stripe.length));
    for (unsigned i = 0; i < code.k(); i++)
        data.push_back(&stripe.data[size_t(i) * stripe.length]);
    for (Bytes &chunk : made)
        parity.push_back(chunk.data());
    CHECK_INT(pxr_encode(code.coder(), stripe.length, data.data(), parity.data()), PXR_OK);
    for (unsigned i = 0; i < code.k(); i++)
        CHECK_BYTES(data[i], stripe.chunk[i].data(), stripe.length);
    for (unsigned r = 0; r < code.m(); r++)
        CHECK_BYTES(parity[r], stripe.chunk[code.k() + r].data(), stripe.length);
}

static void check_rebuild(const Code &code, const Stripe &stripe, unsigned first)
{
    const unsigned n = code.k() + code.m();
    std::vector<const uint8_t *> have(n);
    std::vector<uint8_t *> want(n);
    std::vector<Bytes> made(n, Bytes(stripe.length));
    for (unsigned i = 0; i < n; i++)
        have[i] = stripe.chunk[i].data();
    for (unsigned i = 0; i < code.m(); i++) {
        have[(first + i) % n] = nullptr;
        want[(first + i) % n] = made[(first + i) % n].data();
    }
    int status = pxr_reconstruct(code.coder(), stripe.length, have.data(), want.data());
    if (status == PXR_ESINGULAR && !code.any_k_suffice())
        return;
    CHECK_INT(status, PXR_OK);
    for (unsigned i = 0; i < n; i++)
        if (want[i])
            CHECK_BYTES(want[i], stripe.chunk[i].data(), stripe.length);
}

/* Ceph accepted these profiles before 2015.  It has refused them since, because they are not
   MDS. */
static bool refused_since(const Profile &profile)
{
    return value_of(profile, "plugin") == "isa" &&
           value_of(profile, "technique") == "reed_sol_van" &&
           to_number(value_of(profile, "m")).value > 4;
}

static void check_folder(const fs::path &folder)
{
    std::string name = folder.filename();
    std::replace(name.begin(), name.end(), ' ', ',');
    const Profile profile = profile_of(name);
    const std::string &plugin = value_of(profile, "plugin");
    if (plugin != "isa" && plugin != "jerasure")
        return;
    if (!check_case("%s/%s", folder.parent_path().filename().c_str(),
                    folder.filename().c_str()))
        return;
    Trial trial(plugin == "isa" ? Family::isa : Family::jerasure, Interface::classic_16, name);
    if (refused_since(profile)) {
        CHECK_INT(trial.status, -EINVAL);
        return;
    }
    CHECK_STR(trial.said().c_str(), "");
    if (!trial.code)
        return;
    const Code &code = *trial.code;
    Stripe stripe = read_stripe(folder, code);
    if (!CHECK(!stripe.data.empty() && lengths_agree(stripe)))
        return;
    check_encode(code, stripe);
    for (unsigned first = 0; first < code.k() + code.m(); first++)
        check_rebuild(code, stripe, first);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: corpus FOLDER\n", stderr);
        return 2;
    }
    const fs::path corpus = argv[1];
    check_start("corpus", argc - 1, argv + 1);
    for (const auto &release : fs::directory_iterator(corpus))
        if (release.is_directory())
            for (const auto &profile : fs::directory_iterator(release))
                if (profile.is_directory())
                    check_folder(profile);
    return check_finish();
}
