/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the properties of a profile's code: sizes of chunks, mapping, flags and coding
   matrices. */
#include <cstring>
#include <numeric>

#include "trial.h"
#include "reference.h"

using namespace permxor_ceph;

/* ---------------------------------------------------------------- sizes -- */

/* Measured: the same in all releases, for both techniques of isa and both of jerasure. */
static const unsigned stripes[] = {
    0,    1,    31,   32,    64,    100,   127,    128,     129,     1000,    1023,
    1024, 4096, 4097, 10000, 16384, 65536, 100000, 1048576, 4194304, 4194305, 16777217};
#define STRIPES (sizeof stripes / sizeof stripes[0])

static const struct {
    unsigned k;
    unsigned size[STRIPES];
} measured_sizes[] = {
    {2, {0,   32,   32,   32,   32,   64,    64,    64,     96,      512,     512,
         512, 2048, 2080, 5024, 8192, 32768, 50016, 524288, 2097152, 2097184, 8388640}},
    {3, {0,   32,   32,   32,   32,   64,    64,    64,     64,      352,     352,
         352, 1376, 1376, 3360, 5472, 21856, 33344, 349536, 1398112, 1398112, 5592416}},
    {4, {0,   32,   32,   32,   32,   32,    32,    32,     64,      256,     256,
         256, 1024, 1056, 2528, 4096, 16384, 25024, 262144, 1048576, 1048608, 4194336}},
    {7, {0,   32,  32,  32,   32,   32,   32,    32,     32,     160,    160,
         160, 608, 608, 1440, 2368, 9376, 14304, 149824, 599200, 599200, 2396768}},
    {10, {0,   32,  32,  32,   32,   32,   32,    32,     32,     128,    128,
          128, 416, 416, 1024, 1664, 6560, 10016, 104864, 419456, 419456, 1677728}},
    {22, {0,  32,  32,  32,  32,  32,   32,   32,    32,     64,     64,
          64, 192, 192, 480, 768, 3008, 4576, 47680, 190656, 190656, 762624}},
};

/* Measured, with jerasure-per-chunk-alignment, from the stripe of 4096 on.  The original aborts
   if a chunk is smaller than the alignment. */
static const struct {
    unsigned k;
    unsigned size[10];
} measured_aligned[] = {
    {4, {1024, 1152, 2560, 4096, 16384, 25088, 262144, 1048576, 1048704, 4194432}},
    {7, {640, 640, 1536, 2432, 9472, 14336, 149888, 599296, 599296, 2396800}},
};

/* Sizes of chunks in codes of packets and of words. */
static const unsigned unit_stripes[] = {1, 4096, 100000, 4194304};
static const struct {
    const char *technique, *more;
    unsigned k, size[4];
    size_t granularity;
} unit_sizes[] = {
    {"reed_sol_van", "w=16", 4, {64, 1024, 25024, 1048576}, 2},
    {"reed_sol_van", "w=32", 7, {128, 640, 14336, 599296}, 4},
    {"cauchy_good", "", 4, {65536, 65536, 65536, 1048576}, 16384},
    {"cauchy_orig", "w=4,packetsize=1024", 10, {16384, 16384, 16384, 425984}, 4096},
    {"cauchy_good", "w=3,packetsize=7", 4, {336, 1344, 25200, 1048656}, 21},
    {"cauchy_good",
     "w=8,packetsize=32,jerasure-per-chunk-alignment=true",
     4,
     {256, 1024, 25088, 1048576},
     256},
    {"liberation", "", 2, {57344, 57344, 57344, 2121728}, 14336},
    {"liber8tion", "packetsize=32", 2, {1024, 2048, 50176, 2097152}, 256},
};

static std::shared_ptr<const Code> make(Family family, const std::string &technique, unsigned k,
                                        unsigned m, const std::string &more = "")
{
    Trial trial(family, Interface::flat_20,
                "technique=" + technique + ",k=" + std::to_string(k) +
                    ",m=" + std::to_string(m) + "," + more);
    CHECK_STR(trial.said().c_str(), "");
    return trial.code;
}

/* Every technique with the family that it belongs to. */
static const struct {
    Family family;
    const char *name;
} techniques[] = {
    {Family::isa, "reed_sol_van"},
    {Family::isa, "cauchy"},
    {Family::jerasure, "reed_sol_van"},
    {Family::jerasure, "reed_sol_r6_op"},
    {Family::permxor, "reed_sol_van"},
    {Family::permxor, "cauchy"},
    {Family::permxor, "jerasure_reed_sol_van"},
    {Family::permxor, "jerasure_reed_sol_r6_op"},
};

static void test_sizes()
{
    for (const auto &technique : techniques) {
        if (!check_case("sizes: %s %s", name_of(technique.family), technique.name))
            continue;
        for (const auto &row : measured_sizes) {
            auto code = make(technique.family, technique.name, row.k, 2);
            for (size_t i = 0; code && i < STRIPES; i++) {
                check_at("k=%ld stripe=%ld", row.k, stripes[i], 0, 0);
                CHECK_INT(code->chunk_size(stripes[i]), row.size[i]);
            }
        }
    }
    if (check_case("sizes: jerasure-per-chunk-alignment")) {
        for (const auto &row : measured_aligned)
            for (const char *flag : {"true", "yes"}) {
                auto code = make(Family::jerasure, "reed_sol_van", row.k, 2,
                                 std::string("jerasure-per-chunk-alignment=") + flag);
                for (size_t i = 0; code && i < 10; i++)
                    CHECK_INT(code->chunk_size(stripes[STRIPES - 10 + i]), row.size[i]);
                CHECK(code && code->chunk_size(1) == 128);
            }
        for (const char *flag : {"false", "no", "1", "True"}) {
            auto code = make(Family::jerasure, "reed_sol_van", 7, 2,
                             std::string("jerasure-per-chunk-alignment=") + flag);
            CHECK(code && code->chunk_size(4096) == 608);
        }
    }
    if (check_case("sizes: packets and words")) {
        for (const auto &row : unit_sizes) {
            auto code = make(Family::jerasure, row.technique, row.k, 2, row.more);
            for (size_t i = 0; code && i < sizeof row.size / sizeof *row.size; i++)
                CHECK_INT(code->chunk_size(unit_stripes[i]), row.size[i]);
            CHECK(code && code->granularity() == row.granularity);
        }
    }
    if (check_case("sizes: the largest stripe")) {
        auto code = make(Family::isa, "reed_sol_van", 2, 1);
        CHECK(code && code->chunk_size(UINT32_MAX) == 0x80000000u);
    }
}

/* ------------------------------------------------------ mapping and flags -- */

/* Measured: the places of the chunks, in the only order that this plugin codes. */
static void test_mapping()
{
    for (const char *mapping : {"", "DDDD__", "dddd__", "DDDDDD"}) {
        if (!check_case("mapping=%s", mapping))
            continue;
        std::vector<int> places(std::strlen(mapping));
        std::iota(places.begin(), places.end(), 0);
        for (const auto &technique : techniques) {
            auto code =
                make(technique.family, technique.name, 4, 2, std::string("mapping=") + mapping);
            CHECK(code && code->mapping() == places);
        }
    }
    if (check_case("mapping shorter and longer than the chunks (isa)")) {
        for (const char *mapping : {"DDD", "DDDD____"}) {
            auto code = make(Family::isa, "cauchy", 4, 2, std::string("mapping=") + mapping);
            CHECK(code && code->mapping().size() == std::strlen(mapping));
        }
    }
}

/* Measured in 20.2, except for the family permxor. */
static void test_flags()
{
    if (!check_case("flags and granularity"))
        return;
    for (const auto &technique : techniques) {
        auto code = make(technique.family, technique.name, 4, 2);
        bool r6 = technique.family == Family::jerasure &&
                  std::string(technique.name) == "reed_sol_r6_op";
        CHECK(code && code->optimizations() == (r6 ? 23 : 87));
        CHECK(code && code->granularity() == 1);
    }
    for (const char *technique :
         {"cauchy_orig", "cauchy_good", "liberation", "blaum_roth", "liber8tion"}) {
        auto code = make(Family::jerasure, technique, 2, 2);
        CHECK(code && code->optimizations() == 23);
    }
}

/* ------------------------------------------------------------- matrices -- */

static uint8_t divide(uint8_t a, uint8_t b)
{
    return reference_mul(a, reference_inv(b));
}

static uint8_t isal_van(unsigned, unsigned, unsigned r, unsigned j)
{
    return reference_pow(reference_pow(2, r), j);
}

static uint8_t isal_cauchy(unsigned k, unsigned m, unsigned r, unsigned j)
{
    return m == 1 ? 1 : reference_inv(static_cast<uint8_t>((k + r) ^ j));
}

/*
 * jerasure's extended Vandermonde matrix maps the coefficients of a polynomial f of degree < k
 * to its values f(0), ..., f(k+m-2), and, in the last row, to its leading coefficient.  In
 * systematic form it maps f(0), ..., f(k-1) to the other values, by Lagrange's interpolation
 *     f(x) = sum over j of f(j) * prod over l != j of (x - l) / (j - l).
 * For the leading coefficient, each x - l is replaced by 1.
 */
static uint8_t lagrange(unsigned k, unsigned m, unsigned r, unsigned j)
{
    uint8_t value = 1;
    for (unsigned l = 0; l < k; l++) {
        if (l == j)
            continue;
        if (r + 1 < m)
            value = reference_mul(value, static_cast<uint8_t>((k + r) ^ l));
        value = divide(value, static_cast<uint8_t>(j ^ l));
    }
    return value;
}

/* jerasure then divides each column by its entry in the first row, and each row by the entry
   that this leaves in the first column. */
static uint8_t jerasure_van(unsigned k, unsigned m, unsigned r, unsigned j)
{
    return divide(divide(lagrange(k, m, r, j), lagrange(k, m, 0, j)),
                  divide(lagrange(k, m, r, 0), lagrange(k, m, 0, 0)));
}

using Entry = uint8_t (*)(unsigned k, unsigned m, unsigned r, unsigned j);
static const Entry entries[] = {isal_van, isal_cauchy, jerasure_van, isal_van,
                                isal_van, isal_cauchy, jerasure_van, isal_van};

static void test_matrix(Family family, const char *name, Entry entry, unsigned k, unsigned m)
{
    auto code = make(family, name, k, m);
    if (!CHECK(code && code->k() == k && code->m() == m))
        return;
    for (unsigned r = 0; r < m; r++)
        for (unsigned j = 0; j < k; j++) {
            check_at("k=%ld m=%ld row=%ld column=%ld", k, m, r, j);
            CHECK_INT(pxr_code_coefficients(code->coder())[r * k + j], entry(k, m, r, j));
        }
}

static void test_matrices()
{
    static const unsigned shapes[][2] = {{2, 1}, {7, 1}, {2, 2},  {7, 2},  {7, 3},
                                         {8, 3}, {4, 2}, {10, 4}, {21, 4}, {32, 3}};
    for (size_t i = 0; i < sizeof techniques / sizeof techniques[0]; i++) {
        Family family = techniques[i].family;
        const char *name = techniques[i].name;
        if (!check_case("matrix: %s %s", name_of(family), name))
            continue;
        bool r6 = std::string(name).find("r6") != std::string::npos;
        for (const auto &shape : shapes)
            if (!r6 || shape[1] == 2)
                test_matrix(family, name, entries[i], shape[0], shape[1]);
    }
}

int main(int argc, char **argv)
{
    check_start("test_code", argc, argv);
    test_sizes();
    test_mapping();
    test_flags();
    test_matrices();
    return check_finish();
}
