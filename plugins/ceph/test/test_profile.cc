/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests profiles: how they are completed, which profiles are refused and in which words, and
 * which are left to the original plugins.
 */
#include <cerrno>
#include <cstdlib>
#include <new>

#include "trial.h"

using namespace permxor_ceph;

static const Interface releases[] = {Interface::classic_16, Interface::classic_18,
                                     Interface::flat_20};

/* ------------------------------------------------------------- profiles -- */

/* Measured, except for the family permxor.  `completed` leaves out the keys of the CRUSH rule,
   which have a test of their own. */
static const struct {
    Family family;
    const char *given, *completed;
} accepted[] = {
    {Family::isa, "", "technique=reed_sol_van,k=7,m=3"},
    {Family::isa, "technique=cauchy", "technique=cauchy,k=7,m=3"},
    {Family::isa, "k=,m=", "technique=reed_sol_van,k=7,m=3"},
    {Family::isa, "k=32,m=3", "technique=reed_sol_van,k=32,m=3"},
    {Family::isa, "k=21,m=4", "technique=reed_sol_van,k=21,m=4"},
    {Family::isa, "k=+4,m= 2", "technique=reed_sol_van,k=+4,m= 2"},
    {Family::isa, "k=004,m=2", "technique=reed_sol_van,k=004,m=2"},
    {Family::isa, "k=4,m=2,w=abc,plugin=isa,directory=/x",
     "technique=reed_sol_van,k=4,m=2,w=abc,plugin=isa,directory=/x"},
    {Family::isa, "technique=cauchy,k=95,m=32", "technique=cauchy,k=95,m=32"},
    {Family::jerasure, "technique=reed_sol_van",
     "technique=reed_sol_van,k=7,m=3,w=8,jerasure-per-chunk-alignment=false"},
    {Family::jerasure, "technique=reed_sol_van,k=4,m=2,w=,jerasure-per-chunk-alignment=",
     "technique=reed_sol_van,k=4,m=2,w=8,jerasure-per-chunk-alignment=false"},
    {Family::jerasure, "technique=reed_sol_van,k=4,m=33,w=08,jerasure-per-chunk-alignment=x",
     "technique=reed_sol_van,k=4,m=33,w=08,jerasure-per-chunk-alignment=x"},
    {Family::jerasure, "technique=reed_sol_r6_op", "technique=reed_sol_r6_op,k=7,m=2,w=8"},
    {Family::jerasure, "technique=reed_sol_r6_op,k=33,m=,jerasure-per-chunk-alignment=",
     "technique=reed_sol_r6_op,k=33,m=2,w=8,jerasure-per-chunk-alignment="},
    {Family::jerasure, "technique=reed_sol_van,w=16",
     "technique=reed_sol_van,k=7,m=3,w=16,jerasure-per-chunk-alignment=false"},
    {Family::jerasure, "technique=reed_sol_r6_op,w=032",
     "technique=reed_sol_r6_op,k=7,m=2,w=032"},
    {Family::jerasure, "technique=cauchy_orig",
     "technique=cauchy_orig,k=7,m=3,w=8,packetsize=2048,jerasure-per-chunk-alignment=false"},
    {Family::jerasure, "technique=cauchy_good,k=4,m=1,w=3,packetsize=32",
     "technique=cauchy_good,k=4,m=1,w=3,packetsize=32,jerasure-per-chunk-alignment=false"},
    {Family::jerasure, "technique=cauchy_good,k=15,m=2,w=4,jerasure-per-chunk-alignment=yes",
     "technique=cauchy_good,k=15,m=2,w=4,packetsize=2048,jerasure-per-chunk-alignment=yes"},
    {Family::jerasure, "technique=liberation",
     "technique=liberation,k=2,m=2,w=7,packetsize=2048"},
    {Family::jerasure, "technique=liberation,k=30,m=1,w=37,packetsize=4",
     "technique=liberation,k=30,m=1,w=37,packetsize=4"},
    {Family::jerasure, "technique=blaum_roth",
     "technique=blaum_roth,k=2,m=2,w=7,packetsize=2048"},
    {Family::jerasure, "technique=blaum_roth,k=7,packetsize=",
     "technique=blaum_roth,k=7,m=2,w=7,packetsize=2048"},
    {Family::jerasure, "technique=liberation,w=257",
     "technique=liberation,k=2,m=2,w=257,packetsize=2048"},
    {Family::jerasure, "technique=blaum_roth,w=256,packetsize=64",
     "technique=blaum_roth,k=2,m=2,w=256,packetsize=64"},
    {Family::jerasure, "technique=liber8tion,packetsize=3",
     "technique=liber8tion,k=2,m=2,w=8,packetsize=3"},
    {Family::permxor, "", "technique=reed_sol_van,k=7,m=3"},
    {Family::permxor, "technique=,k=5,m=4", "technique=reed_sol_van,k=5,m=4"},
    {Family::permxor, "technique=cauchy,k=100,m=27", "technique=cauchy,k=100,m=27"},
    {Family::permxor, "technique=jerasure_reed_sol_van,k=4,m=6",
     "technique=jerasure_reed_sol_van,k=4,m=6"},
    {Family::permxor, "technique=jerasure_reed_sol_r6_op",
     "technique=jerasure_reed_sol_r6_op,k=7,m=2"},
};

static void test_accepted()
{
    for (const auto &row : accepted) {
        if (!check_case("accepted: %s %s", name_of(row.family), row.given))
            continue;
        CHECK(Code::answers(row.family, profile_of(row.given)));
        for (Interface release : releases) {
            Trial trial(row.family, release, row.given);
            if (!CHECK_INT(trial.status, 0))
                continue;
            CHECK_STR(trial.said().c_str(), "");
            CHECK(trial.profile == trial.code->profile());

            std::string wanted = std::string(row.completed) +
                                 ",crush-root=default,crush-failure-domain=host"
                                 ",crush-device-class=";
            if (release == Interface::flat_20)
                wanted += ",crush-num-failure-domains=0,crush-osds-per-failure-domain=0";
            CHECK_STR(text_of(trial.profile).c_str(), text_of(profile_of(wanted)).c_str());

            /* Monitors also make a code from a completed profile, and make it twice from the
               same profile. */
            Profile complete = trial.profile;
            std::shared_ptr<const Code> again;
            CHECK_INT(Code::make(row.family, release, complete, nullptr, &again), 0);
            CHECK(complete == trial.profile && again && again->profile() == complete);
        }
    }
}

/* Measured: jerasure without a technique.  It has a default from 20.2 on. */
static void test_jerasure_without_technique()
{
    if (!check_case("jerasure without a technique"))
        return;
    for (const char *given : {"k=4,m=2", "k=4,m=2,technique="}) {
        CHECK(Code::answers(Family::jerasure, profile_of(given)));
        CHECK_INT(Trial(Family::jerasure, Interface::classic_16, given).status, -ENOENT);
        CHECK_INT(Trial(Family::jerasure, Interface::classic_18, given).status, -ENOENT);
        Trial trial(Family::jerasure, Interface::flat_20, given);
        CHECK_INT(trial.status, 0);
        CHECK_STR(trial.profile["technique"].c_str(), "reed_sol_van");
    }
}

static void test_rule()
{
    if (!check_case("words for the CRUSH rule"))
        return;
    for (Interface release : releases) {
        Trial trial(Family::isa, release,
                    "k=4,m=2,crush-root=r,crush-failure-domain=osd,crush-device-class=ssd"
                    ",crush-num-failure-domains=3,crush-osds-per-failure-domain=2");
        if (!CHECK_INT(trial.status, 0))
            continue;
        bool numbers = release == Interface::flat_20;
        CHECK_STR(trial.code->rule_root().c_str(), "r");
        CHECK_STR(trial.code->rule_failure_domain().c_str(), "osd");
        CHECK_STR(trial.code->rule_device_class().c_str(), "ssd");
        CHECK_INT(trial.code->rule_num_failure_domains(), numbers ? 3 : 0);
        CHECK_INT(trial.code->rule_osds_per_failure_domain(), numbers ? 2 : 0);
    }
}

/* -------------------------------------------------------------- refusal -- */

#define NOT_INTEGER(key, value, fallback)                                                      \
    "could not convert " key "=" value " to int because Expected option value to be integer, " \
    "got '" value "', set to default " fallback "\n"
#define NOT_INT(key, value, fallback)                                             \
    "could not convert " key "=" value " to int because The option value '" value \
    "' seems to be invalid, set to default " fallback "\n"
#define NOT_MDS_M(m) \
    "Vandermonde: m=" m " should be less than 5 to guarantee an MDS codec: revert to m=4\n"
#define NOT_MDS_K(k)                                                                          \
    "Vandermonde: k=" k " should be less than 22 to guarantee an MDS codec with m=4: revert " \
    "to k=21\n"
#define REVERTED(w) "reverting to k=2, w=" w ", packetsize=2048\n"
#define TOO_MANY_K(m) "Vandermonde: m=" m " should be less/equal than 32 : revert to k=32\n"
#define TOO_MANY_M(m) "isa: m=" m " should be less/equal than 32 : revert to m=32\n"

/* Measured: the words of 16.2 and 18.2, and the words of 20.2 where they differ.  Where a
   sentence starts with (k+m), 20.2 writes the character 127 in place of the number. */
static const struct {
    Family family;
    const char *given;
    int status;
    const char *said, *said_20;
} refused[] = {
    {Family::isa, "k=0,m=0", EINVAL, "k=0 must be >= 2\n", nullptr},
    {Family::isa, "k=-1", EINVAL, "k=-1 must be >= 2\n", nullptr},
    {Family::isa, "k=1", EINVAL, "k=1 must be >= 2\n", nullptr},
    {Family::isa, "m=0", EINVAL, "m=0 must be >= 1\n", nullptr},
    {Family::isa, "m=-1", EINVAL, "m=-1 must be >= 1\n", nullptr},
    {Family::isa, "k=4x,m=2", EINVAL, NOT_INTEGER("k", "4x", "7"), nullptr},
    {Family::isa, "k=3.5,m=0x2", EINVAL,
     NOT_INTEGER("k", "3.5", "7") NOT_INTEGER("m", "0x2", "3"), nullptr},
    {Family::isa, "k=99999999999999", EINVAL, NOT_INT("k", "99999999999999", "7"), nullptr},
    {Family::isa, "m=2147483648", EINVAL, NOT_INT("m", "2147483648", "3"), nullptr},
    {Family::isa, "k=33,m=2", EINVAL, TOO_MANY_K("2"), nullptr},
    {Family::isa, "k=4,m=5", EINVAL, NOT_MDS_M("5"), nullptr},
    {Family::isa, "k=22,m=4", EINVAL, NOT_MDS_K("22"), nullptr},
    {Family::isa, "k=33,m=5", EINVAL, TOO_MANY_K("5") NOT_MDS_M("5") NOT_MDS_K("32"), nullptr},
    {Family::isa, "k=4,m=300", EINVAL, NOT_MDS_M("300"),
     "(k+m)=304 must be <= 127\n" TOO_MANY_M("300") NOT_MDS_M("32")},
    {Family::isa, "k=126,m=2", EINVAL, TOO_MANY_K("2"),
     "(k+m)=128 must be <= 127\n" TOO_MANY_K("2")},
    {Family::isa, "technique=", ENOENT,
     "technique= is not a valid coding technique.  Choose one of the following: "
     "reed_sol_van,cauchy\n",
     nullptr},
    {Family::isa, "technique=cauchy,k=1,m=33", EINVAL, "k=1 must be >= 2\n",
     "k=1 must be >= 2\n" TOO_MANY_M("33")},
    {Family::jerasure, "technique=reed_sol_van,k=0", EINVAL, "k=0 must be >= 2\n", nullptr},
    {Family::jerasure, "technique=reed_sol_van,k=-1", EINVAL, "k=-1 must be >= 2\n", nullptr},
    {Family::jerasure, "technique=reed_sol_van,k=x,m=y,w=z", EINVAL,
     NOT_INTEGER("k", "x", "7") NOT_INTEGER("m", "y", "3") NOT_INTEGER("w", "z", "8"), nullptr},
    {Family::jerasure, "technique=reed_sol_van,k=4,m=2,w=7", EINVAL,
     "ReedSolomonVandermonde: w=7 must be one of {8, 16, 32} : revert to 8\n", nullptr},
    {Family::jerasure, "technique=reed_sol_van,k=4,m=2,w=99999999999999", EINVAL,
     NOT_INT("w", "99999999999999", "8"), nullptr},
    {Family::jerasure, "technique=reed_sol_van,k=1,m=2,mapping=D", EINVAL,
     "mapping D maps 1 chunks instead of the expected 3 and will be ignored\n"
     "k=1 must be >= 2\n",
     nullptr},
    {Family::jerasure, "technique=reed_sol_r6_op,m=x", EINVAL, NOT_INTEGER("m", "x", "2"),
     nullptr},
    {Family::jerasure, "technique=reed_sol_r6_op,m=0,w=-8", EINVAL,
     "m=0 must be >= 1\nReedSolomonRAID6: m=0 must be 2 for RAID6: revert to 2\n"
     "ReedSolomonRAID6: w=-8 must be one of {8, 16, 32} : revert to 8 \n",
     nullptr},
    {Family::jerasure, "technique=reed_sol_r6_op,k=4,m=300", EINVAL,
     "ReedSolomonRAID6: m=300 must be 2 for RAID6: revert to 2\n",
     "(k+m)=304 must be <= 127\nReedSolomonRAID6: m=300 must be 2 for RAID6: revert to 2\n"},
    {Family::jerasure, "technique=cauchy_good,k=1,packetsize=x", EINVAL,
     "k=1 must be >= 2\n" NOT_INTEGER("packetsize", "x", "2048"), nullptr},
    {Family::jerasure, "technique=liberation,k=9,w=6,packetsize=6", EINVAL,
     "k=9 must be less than or equal to w=6\nw=6 must be greater than two and be prime\n"
     "packetsize=6 must be a multiple of sizeof(int) = 4\n" REVERTED("7"),
     nullptr},
    {Family::jerasure, "technique=blaum_roth,w=8,packetsize=0", EINVAL,
     "w=8 must be greater than two and w+1 must be prime\npacketsize=0 must be set\n" REVERTED(
         "7"),
     nullptr},
    {Family::jerasure, "technique=liber8tion,k=9,m=3,w=7", EINVAL,
     "liber8tion: m=3 must be 2 for liber8tion: revert to 2\n"
     "liber8tion: w=7 must be 8 for liber8tion: revert to 8\n"
     "k=9 must be less than or equal to w=7\n" REVERTED("8"),
     nullptr},
};

/* Our own words: for profiles that an original would code and we do not, for profiles that the
   originals accept and nobody can code, and for the family permxor. */
static const struct {
    Family family;
    const char *given;
    int status;
    const char *part;
} refused_by_us[] = {
    {Family::jerasure, "technique=cauchy_good,w=33", EINVAL, "w=33 must be 1 to 32\n"},
    {Family::jerasure, "technique=cauchy_orig,w=0", EINVAL, "w=0 must be 1 to 32\n"},
    {Family::jerasure, "technique=cauchy_orig,k=15,m=2,w=4", EINVAL, "at most 16 shards"},
    {Family::jerasure, "technique=cauchy_good,packetsize=0", EINVAL,
     "packetsize=0 must be >= 1"},
    {Family::jerasure, "technique=cauchy_good,packetsize=999999999", EINVAL,
     "packetsize=999999999 must be at most"},
    {Family::jerasure,
     "technique=cauchy_orig,w=4,packetsize=6,jerasure-per-chunk-alignment=true", EINVAL,
     "packetsize=6, w=4: w*packetsize must be a multiple of 16"},
    {Family::jerasure, "technique=cauchy_good,k=60,m=10,w=32", EINVAL, "w*(k+m)=2048 packets"},
    {Family::jerasure, "technique=cauchy_good,k=4,m=1,w=2", EINVAL, "at most 4 shards"},
    {Family::jerasure, "technique=liberation,w=263", EINVAL, "w=263 must be greater than two"},
    {Family::jerasure, "technique=blaum_roth,w=262", EINVAL, "w+1 must be prime"},
    {Family::jerasure, "technique=liberation,m=3", EINVAL, "m=3 must be 1 or 2\n"},
    {Family::jerasure, "technique=blaum_roth,m=3", EINVAL, "m=3 must be 1 or 2\n"},
    {Family::jerasure, "technique=liberation,packetsize=-4", EINVAL,
     "packetsize=-4 must be >= 1"},
    {Family::jerasure, "technique=foo", ENOENT, "cauchy_good, liberation, blaum_roth, liber8t"},
    {Family::jerasure, "technique=reed_sol_van,k=254,m=3", EINVAL, "k"},
    {Family::jerasure, "technique=reed_sol_van,k=2147483647,m=2147483647", EINVAL, "k"},
    {Family::isa, "technique=foo", ENOENT, "technique=foo is not a valid coding technique."},
    {Family::isa, "technique=cauchy,k=4,m=300", EINVAL, "300"},
    {Family::isa, "k=4,m=2,mapping=_DDDD_", EINVAL,
     "mapping=_DDDD_ needs Ceph's own isa plugin, which this plugin cannot load as"
     " libec_isa_original.so\n"},
    {Family::jerasure, "technique=reed_sol_van,k=4,m=2,mapping=D_DDD_", EINVAL,
     "mapping=D_DDD_ needs Ceph's own jerasure plugin"},
    {Family::permxor, "technique=cauchy_good", ENOENT,
     "reed_sol_van, cauchy, jerasure_reed_sol_van, jerasure_reed_sol_r6_op\n"},
    {Family::permxor, "k=1", EINVAL, "k=1 must be >= 2\n"},
    {Family::permxor, "m=300", EINVAL, "(k+m)=307 must be <= 127\n"},
    {Family::permxor, "k=22,m=4", EINVAL, NOT_MDS_K("22")},
    {Family::permxor, "k=33,m=3", EINVAL, TOO_MANY_K("3")},
    {Family::permxor, "k=5,m=5", EINVAL, NOT_MDS_M("5")},
    {Family::permxor, "technique=cauchy,k=4,m=33", EINVAL, TOO_MANY_M("33")},
    {Family::permxor, "technique=cauchy,k=100,m=28", EINVAL, "(k+m)=128 must be <= 127\n"},
    {Family::permxor, "technique=jerasure_reed_sol_r6_op,m=3", EINVAL, "m=2"},
    {Family::permxor, "k=4,m=2,mapping=_DDDD_", EINVAL,
     "mapping=_DDDD_: permxor always stores the data chunks first\n"},
    {Family::permxor, "k=4,m=2,mapping=DDDD", EINVAL,
     "maps 4 chunks instead of the expected 6"},
};

static void test_refused()
{
    for (const auto &row : refused) {
        if (!check_case("refused: %s %s", name_of(row.family), row.given))
            continue;
        CHECK(Code::answers(row.family, profile_of(row.given)));
        for (Interface release : releases) {
            bool differs = release == Interface::flat_20 && row.said_20;
            Trial trial(row.family, release, row.given);
            CHECK_INT(trial.status, -row.status);
            CHECK_STR(trial.said().c_str(), differs ? row.said_20 : row.said);
            CHECK(!trial.code);
        }
    }
    for (const auto &row : refused_by_us) {
        if (!check_case("refused by us: %s %s", name_of(row.family), row.given))
            continue;
        for (Interface release : releases) {
            Trial trial(row.family, release, row.given);
            CHECK_INT(trial.status, -row.status);
            if (!CHECK(trial.said().find(row.part) != std::string::npos))
                CHECK_STR(trial.said().c_str(), row.part);
            CHECK(!trial.code);
        }
    }
}

/* isa stands in for permxor with any release of Ceph, so it must accept what permxor
   accepts. */
static void test_isa_stands_in()
{
    for (const char *technique : {"reed_sol_van", "cauchy"}) {
        if (!check_case("whatever permxor accepts, isa accepts: %s", technique))
            continue;
        unsigned accepted = 0;
        for (unsigned k = 0; k <= 128; k++)
            for (unsigned m = 0; m <= 40; m++) {
                std::string text = std::string("technique=") + technique +
                                   ",k=" + std::to_string(k) + ",m=" + std::to_string(m);
                int status = Trial(Family::permxor, Interface::classic_16, text).status;
                accepted += status == 0;
                check_at("k=%ld m=%ld", k, m, 0, 0);
                for (Interface release : releases) {
                    CHECK_INT(Trial(Family::permxor, release, text).status, status);
                    if (status == 0)
                        CHECK_INT(Trial(Family::isa, release, text).status, 0);
                }
            }
        CHECK(accepted > 100);
    }
}

/* Measured: the numbers of the CRUSH rule are read from 20.2 on, in this order. */
static void test_refused_rule()
{
    if (!check_case("refused: text for the numbers of the CRUSH rule"))
        return;
    const char *given = "k=4,m=2,crush-num-failure-domains=x,crush-osds-per-failure-domain=y";
    CHECK_INT(Trial(Family::isa, Interface::classic_16, given).status, 0);
    CHECK_INT(Trial(Family::isa, Interface::classic_18, given).status, 0);
    Trial trial(Family::isa, Interface::flat_20, given);
    CHECK_INT(trial.status, -EINVAL);
    CHECK_STR(trial.said().c_str(), NOT_INTEGER("crush-osds-per-failure-domain", "y", "0")
                                        NOT_INTEGER("crush-num-failure-domains", "x", "0"));
}

static void test_answers()
{
    if (!check_case("what is left to the originals"))
        return;
    static const char *const theirs[] = {"technique=of_next_year",
                                         "technique=reed_sol_van,k=4,m=2,mapping=DDD_D_",
                                         "technique=cauchy_good,k=4,m=2,mapping=_DDDD_",
                                         "technique=reed_sol_van,k=4,m=2,mapping=_D"};
    static const char *const ours[] = {"technique=cauchy_good", "technique=liberation,w=6",
                                       "technique=reed_sol_van,w=16",
                                       "technique=reed_sol_r6_op,w=32"};
    for (const char *given : ours)
        CHECK(Code::answers(Family::jerasure, profile_of(given)));
    for (const char *given : theirs)
        CHECK(!Code::answers(Family::jerasure, profile_of(given)));
    CHECK(!Code::answers(Family::isa, profile_of("technique=of_next_year")));
    CHECK(!Code::answers(Family::isa, profile_of("technique=cauchy,k=4,m=2,mapping=_DDDD_")));
    CHECK(Code::answers(Family::isa, profile_of("technique=cauchy,k=4,m=2,mapping=DDDD__")));
    CHECK(Code::answers(Family::isa, profile_of("technique=cauchy,w=16")));
    CHECK(Code::answers(Family::permxor, profile_of("k=4,m=2,mapping=_DDDD_")));
    CHECK(Code::answers(Family::permxor, profile_of("technique=of_next_year")));
}

/* Profiles with any text in place of numbers, with and without a stream for the words.  They
   must be refused with words or give a code. */
static void test_hostile()
{
    static const char *const values[] = {"0",
                                         "-1",
                                         "1",
                                         "4x",
                                         "",
                                         "300",
                                         "99999999999999",
                                         "x",
                                         "~",
                                         "4~",
                                         "+",
                                         "2147483647",
                                         "-2147483648",
                                         "1e9",
                                         "9223372036854775808",
                                         "\n",
                                         "--",
                                         "0x8",
                                         "'",
                                         "4294967297",
                                         "\xff\xfe",
                                         "4,m=2",
                                         "18446744073709551619"};
    for (Family family : {Family::permxor, Family::isa, Family::jerasure}) {
        if (!check_case("hostile: %s", name_of(family)))
            continue;
        for (const char *technique :
             {"reed_sol_van", "cauchy", "reed_sol_r6_op", "cauchy_orig", "cauchy_good",
              "liberation", "blaum_roth", "liber8tion", "\xc3"})
            for (const char *key :
                 {"k", "m", "w", "packetsize", "mapping", "crush-num-failure-domains"})
                for (const char *value : values)
                    for (Interface release : releases) {
                        Profile profile{{"technique", technique}, {key, value}};
                        Profile copy = profile;
                        std::ostringstream words;
                        std::shared_ptr<const Code> code, quiet;
                        int status = Code::make(family, release, profile, &words, &code);
                        CHECK(status == 0 ? !!code : !code && !words.str().empty());
                        CHECK_INT(Code::make(family, release, copy, nullptr, &quiet), status);
                        CHECK(profile == copy);
                    }
    }
}

/* --------------------------------------------------------------- memory -- */

/* How many allocations of C++ succeed from here on.  A negative number means no limit. */
static long allocations = -1;

void *operator new(size_t size)
{
    void *memory = allocations == 0 ? nullptr : std::malloc(size);
    if (!memory)
        throw std::bad_alloc();
    allocations -= allocations > 0;
    return memory;
}

/* Not inlined, because gcc 12 would see free() take memory that it believes to come from the
   library's new. */
__attribute__((noinline)) void operator delete(void *memory) noexcept
{
    std::free(memory);
}

void operator delete(void *memory, size_t) noexcept
{
    operator delete(memory);
}

static void test_memory()
{
    if (!check_case("memory runs out at any place"))
        return;
    int status = -ENOMEM;
    for (long enough = 0; status != 0 && enough < 1000; enough++) {
        Profile profile = profile_of("technique=reed_sol_van,k=4,m=2,mapping=DDDD__");
        std::shared_ptr<const Code> code;
        allocations = enough;
        status = Code::make(Family::jerasure, Interface::flat_20, profile, nullptr, &code);
        allocations = -1;
        CHECK(status == 0 ? enough > 10 && code : status == -ENOMEM && !code);
    }
    CHECK_INT(status, 0);
}

int main(int argc, char **argv)
{
    check_start("test_profile", argc, argv);
    test_accepted();
    test_jerasure_without_technique();
    test_rule();
    test_refused();
    test_isa_stands_in();
    test_refused_rule();
    test_answers();
    test_hostile();
    test_memory();
    return check_finish();
}
