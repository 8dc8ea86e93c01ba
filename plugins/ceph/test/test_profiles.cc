/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests random profiles.  Our plugin must accept, refuse, complete and complain about a profile
 * as the original does, because the monitor stores the profile that one of them has completed.
 */
#include "../profile.h"
#include "host.h"

#include <set>
#include <sstream>
#include <vector>

using namespace host;

struct Choice {
    const char *key;
    std::vector<const char *> values;
    unsigned one_in; /* one in so many profiles has the key */
};

static const std::vector<const char *> numbers = {
    "",   "0",  "1",    "2",  "3",  "4",  "7",  "8",   "10",  "21", "22",
    "32", "33", "text", "4x", "+4", "04", "-1", "0x4", "4.0", " 4", "99999999999"};

static const std::vector<Choice> common = {
    {"k", {"2", "3", "4", "6", "8", "10"}, 1},
    {"m", {"1", "2", "3", "4"}, 1},
    {"k", numbers, 4},
    {"m", numbers, 4},
    {"mapping", {"", "DD_", "DD__", "DDDD__", "DDDDDD", "x", "_DDDD_", "__D_D_D_D"}, 6},
    {"crush-root", {"", "default", "elsewhere"}, 4},
    {"crush-failure-domain", {"", "host", "osd", "rack"}, 4},
    {"crush-device-class", {"", "ssd"}, 4},
    {"crush-num-failure-domains", {"", "0", "3", "text"}, 8},
    {"crush-osds-per-failure-domain", {"", "0", "2", "text"}, 8},
    {"nonsense", {"", "1"}, 8},
    {"jerasure-per-chunk-alignment", {"", "true", "false", "yes", "1", "text"}, 5},
    {"packetsize", {"", "8", "32", "2048", "0", "6", "text"}, 4},
    {"w", {"", "8", "16", "32", "7", "6", "11", "0", "-8", "text", "08"}, 4},
};

static const Choice isa = {
    "technique", {"reed_sol_van", "cauchy", "", "unknown", "cauchy_good", "Cauchy"}, 1};
static const Choice jerasure = {"technique",
                                {"reed_sol_van", "reed_sol_r6_op", "cauchy_orig", "cauchy_good",
                                 "liberation", "blaum_roth", "liber8tion", "", "unknown",
                                 "cauchy"},
                                1};

/* The number that the original reads, or `fallback`. */
static long number_in(const Profile &profile, const char *key, long fallback)
{
    permxor_ceph::Number number = permxor_ceph::to_number(permxor_ceph::value_of(profile, key));
    return number.trouble.empty() ? number.value : fallback;
}

/* Whether the original accepts this profile and then crashes or takes minutes. */
static bool harms_original(const Profile &profile)
{
    const std::string &technique = permxor_ceph::value_of(profile, "technique");
    const std::string &flag = permxor_ceph::value_of(profile, "jerasure-per-chunk-alignment");
    bool cauchy = technique == "cauchy_orig" || technique == "cauchy_good";
    long k = number_in(profile, "k", 7), w = number_in(profile, "w", 8);
    long m = number_in(profile, "m", cauchy ? 3 : 2);
    long packetsize = number_in(profile, "packetsize", 2048);
    if (cauchy)
        return w < 1 || w > 32 || k + m > 1L << w || k * m * w * w > 20000 || packetsize < 1 ||
               ((flag == "yes" || flag == "true") && w * packetsize % 16 != 0);
    return (technique == "liberation" || technique == "blaum_roth") && m > 2;
}

static void choose(const Choice &choice, Profile &profile)
{
    if (check_below(choice.one_in) == 0)
        profile[choice.key] = choice.values[check_below(choice.values.size())];
}

static Profile random_profile(const char *plugin, const Choice &technique)
{
    Profile profile{{"plugin", plugin}};
    for (const Choice &choice : common)
        choose(choice, profile);
    if (check_below(20) != 0)
        choose(technique, profile);
    return profile;
}

static std::string rule_of(const ClassicInterface &code)
{
    CrushWrapper crush;
    std::ostringstream words;
    int status = code.create_rule("a rule", crush, &words);
    return last_rule() + " " + std::to_string(status) + words.str();
}

/* What a plugin does with a profile, as text. */
static std::string answer(Plugin &plugin, Profile profile, bool again)
{
    int status = 0;
    std::string words;
    auto code = plugin.code<ClassicInterface>(profile, &status, &words);
    std::string text = "status " + std::to_string(status) + ": " + words;
    if (!code) {
        for (const char *key : {"k", "w", "packetsize"})
            text += std::string(key) + "=" + permxor_ceph::value_of(profile, key) + " ";
        return text;
    }
    text += "\n" + text_of(profile) + "\n" + text_of(code->get_profile()) + "\n" +
            std::to_string(code->get_chunk_count()) + " " +
            std::to_string(code->get_data_chunk_count()) + " " +
            std::to_string(code->get_chunk_size(1 << 20)) + " mapped";
    for (int place : code->get_chunk_mapping())
        text += " " + std::to_string(place);
    text += "\n" + rule_of(*code);
    /* The monitor asks again with the profile that it got. */
    return again ? text + "\n" + answer(plugin, profile, false) : text;
}

static void compare(const char *name, const Choice &technique, unsigned count)
{
    if (!check_case("%s: random profiles", name))
        return;
    Plugin original(taken(), std::string(name) + "_original"), ours(taken(), name);
    if (!CHECK_STR(original.why().c_str(), "") || !CHECK_STR(ours.why().c_str(), ""))
        return;
    std::set<std::string> complained; /* reports each wrong answer once */
    for (unsigned round = 0; round < check_effort(count); round++) {
        check_at("round %ld", round, 0, 0, 0);
        Profile profile = random_profile(name, technique);
        while (harms_original(profile))
            profile = random_profile(name, technique);
        std::string title = text_of(profile) + "\n";
        std::string want = answer(original, profile, true), got = answer(ours, profile, true);
        if (got == want)
            CHECK(true);
        else if (complained.insert(got.substr(0, 30)).second)
            CHECK_STR((title + got).c_str(), (title + want).c_str());
    }
}

/* The original isa must be able to stand in for permxor (handover.h). */
static void isa_stands_in()
{
    if (!check_case("whatever permxor accepts, isa accepts"))
        return;
    Plugin isa(taken(), "isa_original"), permxor(taken(), "permxor");
    if (!CHECK_STR(isa.why().c_str(), "") || !CHECK_STR(permxor.why().c_str(), ""))
        return;
    for (const char *technique : {"reed_sol_van", "cauchy"})
        for (unsigned k = 1; k <= 40; k++)
            for (unsigned m = 0; m <= 40; m++) {
                Profile ours{{"technique", technique},
                             {"k", std::to_string(k)},
                             {"m", std::to_string(m)}};
                Profile its = ours;
                if (!permxor.code<ClassicInterface>(ours))
                    continue;
                check_at("k=%ld m=%ld", k, m, 0, 0);
                CHECK(isa.code<ClassicInterface>(its) && its == ours);
            }
}

int main(int argc, char **argv)
{
    check_start("test_profiles", argc, argv);
    compare("isa", isa, 3000);
    compare("jerasure", jerasure, 3000);
    isa_stands_in();
    return check_finish();
}
