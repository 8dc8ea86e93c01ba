/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the life of a plugin: it is loaded and unloaded again and again, many threads use one
 * code, hosts have other versions, and the original stands behind it.
 */
#include "pair.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <sstream>
#include <thread>

using namespace host;

/* ---------------------------------------------------------------------------- threads -- */

/* Each thread loses other chunks.  All threads must get the same bytes. */
static void decode_often(const Pair &pair, const std::map<int, Bytes> &chunks, unsigned thread,
                         unsigned count)
{
    check_stream(thread);
    for (unsigned round = 0; round < count; round++) {
        Pool pool;
        ChunkSet have = survivors_of(0, pair.n, 1 + unsigned(check_below(pair.m)));
        ChunkMap decoded, encoded;
        CHECK_INT(pair.ours->decode(all_of(pair.n), lists_of(pool, chunks, have, Form::pieces),
                                    &decoded, 0),
                  0);
        for (const auto &[id, bytes] : chunks)
            CHECK(decoded.count(id) && bytes_of(decoded.at(id)) == bytes);
        Bytes data;
        for (unsigned id = 0; id < pair.k; id++)
            data += chunks.at(int(id));
        CHECK_INT(pair.ours->encode(all_of(pair.n), pool.list(data, Form::pieces), &encoded),
                  0);
        for (const auto &[id, bytes] : chunks)
            CHECK(encoded.count(id) && bytes_of(encoded.at(id)) == bytes);
        pool.check();
    }
}

static void threads_on_one_code(const Technique &technique)
{
    if (!check_case("%s: 8 threads on one code", technique.title))
        return;
    const unsigned k = std::min(technique.most_k, 8u);
    Pair pair = pair_of(technique, k, technique.two_parities ? 2 : 4);
    if (!CHECK(bool(pair)))
        return;
    auto chunks = random_chunks(pair, k * 4096);
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < 8; thread++)
        threads.emplace_back(
            [&, thread] { decode_often(pair, chunks, thread, check_effort(100)); });
    for (std::thread &thread : threads)
        thread.join();
}

/* ---------------------------------------------------------------------- load and unload -- */

static bool codes_something(Plugin &plugin, const char *text)
{
    Profile profile = profile_of(text);
    auto code = plugin.code<ClassicInterface>(profile);
    ceph::bufferlist in;
    ChunkMap encoded;
    in.append(random_bytes(1000));
    return code && code->encode(all_of(code->get_chunk_count()), in, &encoded) == 0;
}

static void load_and_unload(const char *name, const char *profile)
{
    if (!check_case("%s: load and unload", name))
        return;
    for (unsigned round = 0; round < 20; round++) {
        Plugin plugin(taken(), name);
        if (!CHECK_STR(plugin.why().c_str(), ""))
            return;
        CHECK(codes_something(plugin, profile));
    }
}

static void many_codes()
{
    if (!check_case("many codes at once"))
        return;
    std::vector<Pair> pairs;
    for (unsigned round = 0; round < check_effort(300); round++)
        pairs.push_back(random_pair(techniques[check_below(technique_count)]));
    for (const Pair &pair : pairs)
        if (CHECK(bool(pair)))
            decode_often(pair, random_chunks(pair, pair.shortest + 1000), 0, 1);
}

/* --------------------------------------------------------------------------- versions -- */

static void set_version(const char *version)
{
    setenv("PXR_CEPH_VERSION", version, 1);
}

static void known_versions()
{
    if (!check_case("versions that are known"))
        return;
    for (const char *version : {"16.2.0", "16.2.15", "18.2.0", "18.2.7", "20.2.0", "20.2.4"}) {
        set_version(version);
        for (const char *name : {"permxor", "isa", "jerasure"}) {
            Plugin plugin(alone(), name);
            CHECK_STR(plugin.why().c_str(), "");
        }
    }
}

static const char *const unknown[] = {"15.2.17", "17.2.5",   "19.1.0",  "20.1.0",  "20.3.0",
                                      "21.2.0",  "99.0.0",   "160.2.1", "",        "x",
                                      "16",      "v16.2.15", "-16.2.1", "2016.2.1"};

/* Ceph logs the text that the plugin gives as its version, so this text must say what is
   wrong. */
static void unknown_versions()
{
    if (!check_case("versions that are not known"))
        return;
    for (const char *version : unknown) {
        set_version(version);
        for (const char *name : {"permxor", "isa", "jerasure"}) {
            Plugin plugin(alone(), name);
            CHECK(!plugin.loaded());
            for (const char *word : {"permxor", "16.2", "18.2", "20.2"})
                if (plugin.why().find(word) == std::string::npos)
                    CHECK_STR(plugin.why().c_str(), word);
        }
    }
}

static std::string asked(Plugin &plugin, const char *text)
{
    Profile profile = profile_of(text);
    std::string words;
    return plugin.code<ClassicInterface>(profile, nullptr, &words) ? "coded" : words;
}

static const char stand_in[] = "the stand-in was asked";

static void hands_over_all()
{
    if (!check_case("for an unknown version, Ceph's own plugins step in"))
        return;
    for (const char *version : unknown) {
        set_version(version);
        for (const char *name : {"isa", "jerasure", "permxor"}) {
            Plugin plugin(standing_in(), name);
            if (!CHECK_STR(plugin.why().c_str(), ""))
                continue;
            for (const char *profile :
                 {"k=4,m=2,technique=reed_sol_van", "k=4,m=2,technique=cauchy", "k=0"})
                CHECK_STR(asked(plugin, profile).c_str(), stand_in);
        }
    }
}

/* The version that Ceph's plugin behind ours gives. */
static std::string made_for(const std::string &name)
{
    std::string file =
        taken() + "/libec_" + (name == "jerasure" ? name : "isa") + "_original.so";
    void *library = dlopen(file.c_str(), RTLD_NOW);
    void *version = library ? dlsym(library, "__erasure_code_version") : nullptr;
    return CHECK(version) ? reinterpret_cast<const char *(*)()>(version)() : "";
}

/* The host pretends to be of a release with another interface than that of the originals.  So
   ours steps back behind isa, and the host refuses isa's version. */
static void other_interface()
{
    if (!check_case("an interface that is not its release's"))
        return;
    for (const char *name : {"permxor", "isa", "jerasure"}) {
        set_version("20.2.4");
        Plugin plugin(taken(), name);
        CHECK(!plugin.loaded());
        CHECK_STR(plugin.why().c_str(), made_for(name).c_str());
    }
}

/* Ours codes all known techniques.  The original codes unknown techniques, and mappings that
   are not in order. */
static void hands_over_some()
{
    if (!check_case("a take-over hands over what it does not code"))
        return;
    set_version("16.2.15");
    Plugin isa(standing_in(), "isa"), jerasure(standing_in(), "jerasure");
    if (!CHECK_STR(isa.why().c_str(), "") || !CHECK_STR(jerasure.why().c_str(), ""))
        return;
    CHECK_STR(asked(isa, "k=4,m=2,technique=cauchy").c_str(), "coded");
    CHECK_STR(asked(isa, "k=4,m=2").c_str(), "coded");
    CHECK_STR(asked(jerasure, "k=4,m=2,technique=reed_sol_van").c_str(), "coded");
    CHECK_STR(asked(jerasure, "k=4,m=2,technique=reed_sol_van,w=8").c_str(), "coded");
    CHECK_STR(asked(jerasure, "k=4,technique=reed_sol_r6_op").c_str(), "coded");
    for (const char *profile :
         {"k=4,m=2,technique=reed_sol_van,w=16", "k=4,technique=reed_sol_r6_op,w=32",
          "k=4,m=2,technique=cauchy_good", "k=4,m=2,technique=cauchy_orig",
          "k=4,technique=liberation", "k=2,technique=blaum_roth", "k=4,technique=liber8tion"})
        CHECK_STR(asked(jerasure, profile).c_str(), "coded");
    CHECK_STR(asked(jerasure, "k=4,m=2,technique=of_next_year").c_str(), stand_in);
    for (Plugin *plugin : {&isa, &jerasure}) {
        const std::string text = "k=4,m=2,technique=reed_sol_van,mapping=";
        CHECK_STR(asked(*plugin, (text + "DDDD__").c_str()).c_str(), "coded");
        CHECK_STR(asked(*plugin, (text + "_DDDD_").c_str()).c_str(), stand_in);
    }
    CHECK(asked(isa, "k=0,m=2,technique=cauchy").find("must be >= 2") != std::string::npos);
}

/* A copy of ours must not register as an original, so that it does not call itself. */
static void ours_as_originals()
{
    if (!check_case("ours in the place of an original is none"))
        return;
    for (const char *name : {"isa", "jerasure"}) {
        set_version("16.2.15");
        std::string original = std::string(name) + "_original";
        CHECK_STR(Plugin(misplaced(), original).why().c_str(), "init: -22");
        Plugin plugin(misplaced(), name);
        CHECK_STR(plugin.why().c_str(), "");
        CHECK_STR(asked(plugin, "k=4,m=2,technique=reed_sol_van").c_str(), "coded");
        std::string words = asked(plugin, "k=4,m=2,technique=reed_sol_van,mapping=_DDDD_");
        CHECK(words.find("which this plugin cannot load") != std::string::npos);
        set_version("17.2.5");
        Plugin unknown(misplaced(), name);
        CHECK(unknown.why().find("made for Ceph 16.2") != std::string::npos);
    }
}

/* -------------------------------------------------------------------------- CRUSH rules -- */

/* The result of asking for a rule for k + 3 chunks.  Ceph's own part refuses it with
   -EEXIST. */
static std::string rule_for(const std::string &folder, const char *name, unsigned k)
{
    Plugin plugin(folder, name);
    Profile profile = profile_of("m=3,technique=reed_sol_van,k=" + std::to_string(k));
    CrushWrapper crush;
    std::ostringstream words;
    auto code = plugin.code<ClassicInterface>(profile);
    if (!CHECK(bool(code)))
        return "";
    forget_rule();
    int status = code->create_rule("a rule", crush, &words);
    return std::to_string(status) + " " + last_rule() + words.str();
}

/* 16.2 has a mask of 20 chunks, and only the originals can change it.  The originals here
   belong to this system's release, so another release hands them nothing. */
static void rules_of_many_chunks(const std::string &system_version)
{
    const bool originals_of_16 = system_version.compare(0, 5, "16.2.") == 0;
    if (!originals_of_16)
        check_skip("rules for more than 20 chunks, by the originals", "of Ceph 16.2, not %s",
                   system_version.c_str());
    if (!check_case("rules for more than 20 chunks"))
        return;
    const std::string made = std::to_string(-EEXIST) + " a rule;default;host;;indep;3;";
    const std::string refused =
        std::to_string(-EINVAL) +
        " for more than 20 chunks, Ceph 16.2 needs a rule from a plugin of its own; use 'ceph"
        " osd crush rule create-erasure' to create one from a profile with plugin=jerasure or"
        " isa and the same k and m, and name this rule when you create the pool";
    for (const char *name : {"isa", "jerasure", "permxor"}) {
        bool original = name != std::string("permxor");
        set_version("16.2.15");
        CHECK_STR(rule_for(alone(), name, 17).c_str(), made.c_str());
        CHECK_STR(rule_for(alone(), name, 18).c_str(), refused.c_str());
        if (originals_of_16 || !original)
            CHECK_STR(rule_for(taken(), name, 18).c_str(), (original ? made : refused).c_str());
        set_version("18.2.7");
        CHECK_STR(rule_for(alone(), name, 18).c_str(), made.c_str());
    }
}

/* ------------------------------------------------------------------------------- main -- */

int main(int argc, char **argv)
{
    check_start("test_life", argc, argv);
    const std::string system_version = ceph_version_to_str();
    for (size_t i = 0; i < technique_count; i++)
        threads_on_one_code(techniques[i]);
    many_codes();
    load_and_unload("permxor", "k=4,m=2,technique=cauchy");
    load_and_unload("isa", "k=4,m=2,technique=cauchy");
    load_and_unload("jerasure", "k=4,m=2,technique=reed_sol_van");
    load_and_unload("jerasure", "k=4,m=2,technique=cauchy_good,packetsize=32");
    known_versions();
    unknown_versions();
    hands_over_all();
    other_interface();
    hands_over_some();
    ours_as_originals();
    rules_of_many_chunks(system_version);
    return check_finish();
}
