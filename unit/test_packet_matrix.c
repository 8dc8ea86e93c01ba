/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matrices of codes of packets: their definitions, which shapes are MDS, which arguments
 * are refused and with which text, and that a code that is made from bits keeps them.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "packet_stripe.h"

/* ------------------------------------------------------------ the field -- */

static uint64_t polynomial(unsigned w)
{
    switch (w) {
    case 3:
        return 0xb;
    case 4:
        return 0x13;
    case 5:
        return 0x25;
    case 8:
        return 0x11d;
    case 10:
        return 0x409;
    case 16:
        return 0x1100b;
    default:
        return 0x100400007; /* 32 */
    }
}

/* Multiplies two polynomials, and then reduces the product bit by bit from the top. */
static uint64_t times(uint64_t a, uint64_t b, unsigned w)
{
    uint64_t product = 0;
    for (unsigned bit = 0; bit < w; bit++)
        if (b >> bit & 1)
            product ^= a << bit;
    for (unsigned bit = 2 * w - 2; bit >= w; bit--)
        if (product >> bit & 1)
            product ^= polynomial(w) << (bit - w);
    return product;
}

/* Column x of block (i, j) as a number. */
static uint64_t column(const pxr_code *code, const uint8_t *bits, unsigned i, unsigned j,
                       unsigned x)
{
    const unsigned w = pxr_code_w(code), columns = pxr_code_k(code) * w;
    uint64_t value = 0;
    for (unsigned l = 0; l < w; l++)
        value |= (uint64_t)bits[(size_t)(i * w + l) * columns + j * w + x] << l;
    return value;
}

/* Returns the element by which a block multiplies, and checks that the block is the matrix of
   this multiplication. */
static uint64_t element(const pxr_code *code, const uint8_t *bits, unsigned i, unsigned j)
{
    const unsigned w = pxr_code_w(code);
    const uint64_t e = column(code, bits, i, j, 0);
    for (unsigned x = 0; x < w; x++)
        CHECK(column(code, bits, i, j, x) == times(e, UINT64_C(1) << x, w));
    return e;
}

/* -------------------------------------------------------------- Cauchy -- */

static const struct {
    unsigned k, m, w;
} cauchy_shapes[] = {{3, 2, 3}, {4, 2, 4},   {10, 4, 4}, {1, 1, 4},  {2, 5, 5},  {10, 4, 8},
                     {8, 3, 8}, {20, 6, 10}, {6, 3, 16}, {30, 4, 8}, {10, 4, 32}};

static void test_cauchy_orig(void)
{
    if (!check_case("jerasure_cauchy_orig by its definition"))
        return;
    for (size_t c = 0; c < sizeof cauchy_shapes / sizeof *cauchy_shapes; c++) {
        const unsigned k = cauchy_shapes[c].k, m = cauchy_shapes[c].m, w = cauchy_shapes[c].w;
        pxr_code *code =
            packet_code(&(struct packet_shape){PXR_JERASURE_CAUCHY_ORIG, k, m, w, 0}, 8);
        uint8_t *const bits = packet_bits(code);
        check_at("k=%ld m=%ld w=%ld", k, m, w, 0);
        for (unsigned i = 0; i < m; i++)
            for (unsigned j = 0; j < k; j++)
                CHECK(times(element(code, bits, i, j), i ^ (m + j), w) == 1);
        free(bits);
        pxr_code_free(code);
    }
}

/*
 * An MDS matrix stays MDS when a row or a column is multiplied by an element.  This does not
 * change the ratio of two entries of a row divided by the same ratio of another row.  So this
 * value must be the same as in a Cauchy matrix.
 */
static void check_scaled(const pxr_code *good, const uint8_t *bits)
{
    const unsigned k = pxr_code_k(good), m = pxr_code_m(good), w = pxr_code_w(good);
    for (unsigned i = 1; i < m; i++) {
        for (unsigned j = 1; j < k; j++) {
            /* The value is e(i,j) e(0,0) / (e(i,0) e(0,j)), and row 0 of e is ones.  For the
               Cauchy matrix 1/(x+y) with x = i and y = m+j, it is (i+m) (0+m+j) / ((i+m+j)
               (0+m)), where + is the field's. */
            const uint64_t left = times(element(good, bits, i, j), times(i ^ (m + j), m, w), w);
            const uint64_t right = times(element(good, bits, i, 0), times(i ^ m, m + j, w), w);
            CHECK(left == right);
        }
    }
}

static unsigned ones(const uint8_t *bits, size_t n)
{
    unsigned count = 0;
    for (size_t i = 0; i < n; i++)
        count += bits[i];
    return count;
}

static void test_cauchy_good(void)
{
    if (!check_case("jerasure_cauchy_good scales jerasure_cauchy_orig, to fewer ones"))
        return;
    for (size_t c = 0; c < sizeof cauchy_shapes / sizeof *cauchy_shapes; c++) {
        const unsigned k = cauchy_shapes[c].k, m = cauchy_shapes[c].m, w = cauchy_shapes[c].w;
        struct packet_shape shape = {PXR_JERASURE_CAUCHY_GOOD, k, m, w, 0};
        pxr_code *good = packet_code(&shape, 8);
        shape.matrix = PXR_JERASURE_CAUCHY_ORIG;
        pxr_code *orig = packet_code(&shape, 8);
        uint8_t *const few = packet_bits(good), *const many = packet_bits(orig);
        check_at("k=%ld m=%ld w=%ld", k, m, w, 0);
        for (unsigned j = 0; j < k; j++)
            CHECK(element(good, few, 0, j) == 1);
        CHECK(ones(few, (size_t)m * w * k * w) <= ones(many, (size_t)m * w * k * w));
        if (m != 2)
            check_scaled(good, few);
        free(few);
        free(many);
        pxr_code_free(good);
        pxr_code_free(orig);
    }
}

static unsigned ones_of(uint64_t e, unsigned w)
{
    unsigned count = 0;
    for (unsigned x = 0; x < w; x++)
        count += (unsigned)__builtin_popcountll(times(e, UINT64_C(1) << x, w));
    return count;
}

/* The elements are sorted by their number of ones and then by value, and no element before the
   last one is left out. */
static void test_cauchy_best(void)
{
    static const unsigned shapes[][2] = {{3, 3}, {7, 3}, {15, 4}, {31, 5}, {40, 8}, {20, 10}};
    if (!check_case("jerasure_cauchy_good has the best elements for m=2"))
        return;
    for (size_t c = 0; c < sizeof shapes / sizeof *shapes; c++) {
        const unsigned k = shapes[c][0], w = shapes[c][1];
        pxr_code *code =
            packet_code(&(struct packet_shape){PXR_JERASURE_CAUCHY_GOOD, k, 2, w, 0}, 8);
        uint8_t *const bits = packet_bits(code);
        uint64_t before = 0, e = 0;
        check_at("k=%ld w=%ld", k, w, 0, 0);
        for (unsigned j = 0; j < k; j++, before = e) {
            e = element(code, bits, 1, j);
            for (uint64_t other = 1; other < 1u << w; other++) {
                const unsigned n = ones_of(other, w), last = before ? ones_of(before, w) : 0;
                const bool behind = n > last || (n == last && other > before);
                const unsigned here = ones_of(e, w);
                CHECK(!behind || n > here || (n == here && other >= e));
            }
        }
        free(bits);
        pxr_code_free(code);
    }
}

/* ---------------------------------------------------- two parity shards -- */

/* Whether the sum of blocks X_a and X_b of the second parity shard is nonsingular.  a = b
   stands for X_a alone. */
static bool sum_nonsingular(const pxr_code *code, const uint8_t *bits, unsigned a, unsigned b)
{
    uint8_t sum[64 * 64];
    const unsigned w = pxr_code_w(code);
    for (unsigned x = 0; x < w; x++) {
        const uint64_t other = a == b ? 0 : column(code, bits, 1, b, x);
        const uint64_t value = column(code, bits, 1, a, x) ^ other;
        for (unsigned l = 0; l < w; l++)
            sum[l * w + x] = value >> l & 1;
    }
    return packet_nonsingular(sum, w);
}

static bool is_mds(const pxr_code *code, const uint8_t *bits)
{
    bool all = true;
    for (unsigned a = 0; a < pxr_code_k(code); a++)
        for (unsigned b = 0; b <= a; b++)
            all &= sum_nonsingular(code, bits, a, b);
    return all;
}

/* Checks that the first parity shard is the sum of all data, and that the code is MDS unless
   the shape says otherwise.  Except for blaum_roth, the number of ones must be the least
   possible. */
static void check_raid6(const struct packet_shape *shape)
{
    pxr_code *code = packet_code(shape, 8);
    uint8_t *const bits = packet_bits(code);
    const unsigned k = shape->k, w = shape->w;
    check_at("matrix %ld, k=%ld w=%ld", shape->matrix, k, w, 0);
    for (unsigned j = 0; j < k; j++)
        for (unsigned x = 0; x < w; x++)
            CHECK(column(code, bits, 0, j, x) == UINT64_C(1) << x);
    /* the published lower bound: w+1 ones in each X_j except the first */
    if (shape->matrix != PXR_JERASURE_BLAUM_ROTH)
        CHECK_INT(ones(bits, (size_t)2 * w * k * w), 2 * k * w + k - 1);
    if (shape->flags == 0)
        CHECK(is_mds(code, bits));
    free(bits);
    pxr_code_free(code);
}

static void test_raid6(void)
{
    static const unsigned primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 61};
    if (!check_case("liberation, blaum_roth and liber8tion are MDS"))
        return;
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        for (unsigned k = 1; k <= primes[i] && k <= 31; k += k < 8 ? 1 : 5) {
            const unsigned p = primes[i];
            check_raid6(&(struct packet_shape){PXR_JERASURE_LIBERATION, k, 2, p, 0});
            if (k < p)
                check_raid6(&(struct packet_shape){PXR_JERASURE_BLAUM_ROTH, k, 2, p - 1, 0});
        }
    for (unsigned k = 1; k <= 8; k++)
        check_raid6(&(struct packet_shape){PXR_JERASURE_LIBER8TION, k, 2, 8, 0});
}

/* blaum_roth with Ceph's default w = 7, and liberation with a w that is not prime. */
static void test_not_mds(void)
{
    static const struct {
        enum pxr_matrix matrix;
        unsigned k, w;
        bool mds;
    } codes[] = {{PXR_JERASURE_BLAUM_ROTH, 2, 7, true},
                 {PXR_JERASURE_BLAUM_ROTH, 3, 7, false},
                 {PXR_JERASURE_BLAUM_ROTH, 7, 7, false},
                 {PXR_JERASURE_LIBERATION, 9, 9, false}};
    if (!check_case("matrices of packets that are not MDS"))
        return;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        const struct packet_shape shape = {codes[i].matrix, codes[i].k, 2, codes[i].w,
                                           PXR_ASSUME_MDS};
        check_raid6(&shape);
        pxr_code *code = packet_code(&shape, 8), *again;
        uint8_t *const bits = packet_bits(code);
        CHECK_INT(is_mds(code, bits), codes[i].mds);
        /* the proof for a custom matrix must give the same result */
        CHECK_INT(pxr_code_create_bits_custom(&again, shape.k, 2, shape.w, 8, bits, 0, NULL),
                  codes[i].mds ? PXR_OK : PXR_ENOTMDS);
        pxr_code_free(again);
        free(bits);
        pxr_code_free(code);
    }
}

/* ------------------------------------------------------------- refusal -- */

static void test_refused(void)
{
    static const struct {
        unsigned k, m;
        int matrix;
        unsigned w;
        size_t packetsize;
        unsigned flags;
        int status;
        const char *text;
    } refused[] = {
        {0, 2, PXR_JERASURE_CAUCHY_ORIG, 8, 64, 0, PXR_EINVAL,
         "k=0: at least one data shard is needed"},
        {4, 2, PXR_JERASURE_CAUCHY_ORIG, 8, 64, 2, PXR_EINVAL,
         "flags=0x2: unknown bits are set"},
        {4, 2, PXR_JERASURE_CAUCHY_ORIG, 0, 64, 0, PXR_EINVAL,
         "w=0: a unit has 1 to 257 packets"},
        {4, 2, PXR_JERASURE_LIBERATION, 258, 64, 0, PXR_EINVAL,
         "w=258: a unit has 1 to 257 packets"},
        {4, 2, PXR_JERASURE_CAUCHY_ORIG, 33, 64, 0, PXR_EINVAL,
         "w=33: jerasure_cauchy_orig needs w from 1 to 32"},
        {100, 30, PXR_JERASURE_CAUCHY_ORIG, 16, 64, 0, PXR_EINVAL,
         "k=100, m=30, w=16: at most w*(k+m)=2048 packets are possible"},
        {4, 2, PXR_JERASURE_CAUCHY_ORIG, 8, 0, 0, PXR_EINVAL,
         "packetsize=0: a packet has at least one byte, and a unit must fit into memory"},
        {4, 2, PXR_JERASURE_CAUCHY_ORIG, 8, SIZE_MAX / 4, 0, PXR_EINVAL, NULL},
        {4, 2, PXR_ISAL_CAUCHY, 8, 64, 0, PXR_EINVAL, "matrix=1: not a matrix of packets"},
        {4, 2, -1, 8, 64, 0, PXR_EINVAL, "matrix=-1: not a matrix of packets"},
        {4, 2, PXR_CUSTOM_BITS, 8, 64, 0, PXR_EINVAL,
         "a custom matrix needs its rows; use pxr_code_create_bits_custom()"},
        {12, 5, PXR_JERASURE_CAUCHY_ORIG, 4, 64, 0, PXR_EINVAL,
         "jerasure_cauchy_orig with w=4 has at most 16 shards, but k=12, m=5 are more"},
        {16, 2, PXR_JERASURE_CAUCHY_GOOD, 4, 64, 0, PXR_EINVAL,
         "jerasure_cauchy_good with w=4 has at most 16 shards, but k=16, m=2 are more"},
        {5, 3, PXR_JERASURE_LIBERATION, 7, 64, 0, PXR_EINVAL,
         "m=3: jerasure_liberation needs m=2"},
        {8, 2, PXR_JERASURE_LIBERATION, 7, 64, PXR_ASSUME_MDS, PXR_EINVAL,
         "k=8: jerasure_liberation with w=7 has at most 7 data shards"},
        {5, 2, PXR_JERASURE_LIBERATION, 9, 64, 0, PXR_ENOTMDS,
         "w=9: jerasure_liberation is MDS only if w is a prime number above 2"},
        {2, 2, PXR_JERASURE_LIBERATION, 2, 64, 0, PXR_ENOTMDS,
         "w=2: jerasure_liberation is MDS only if w is a prime number above 2"},
        {2, 2, PXR_JERASURE_BLAUM_ROTH, 7, 64, 0, PXR_ENOTMDS,
         "w=7: jerasure_blaum_roth is MDS only if w+1 is a prime number above 2"},
        {5, 2, PXR_JERASURE_LIBER8TION, 7, 64, 0, PXR_EINVAL,
         "w=7: jerasure_liber8tion needs w=8"},
        {9, 2, PXR_JERASURE_LIBER8TION, 8, 64, 0, PXR_EINVAL,
         "k=9: jerasure_liber8tion with w=8 has at most 8 data shards"},
    };
    if (!check_case("pxr_code_create_bits refuses"))
        return;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        pxr_code *code = (pxr_code *)(void *)&code;
        struct pxr_error why = {""};
        check_at("row %ld", (long)i, 0, 0, 0);
        CHECK_INT(pxr_code_create_bits(&code, refused[i].k, refused[i].m,
                                       (enum pxr_matrix)refused[i].matrix, refused[i].w,
                                       refused[i].packetsize, refused[i].flags, &why),
                  refused[i].status);
        CHECK(code == NULL);
        if (refused[i].text)
            CHECK_STR(why.text, refused[i].text);
    }
    CHECK_INT(pxr_code_create_bits(NULL, 4, 2, PXR_JERASURE_CAUCHY_ORIG, 8, 64, 0, NULL),
              PXR_EINVAL);
}

static void test_custom(void)
{
    static uint8_t large[128 * 8 * 128 * 8];
    uint8_t rows[2 * 2 * 2 * 2] = {1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1};
    uint8_t kept[sizeof rows], got[sizeof rows];
    struct pxr_error why = {""};
    pxr_code *code;
    if (!check_case("custom matrices of packets"))
        return;
    memcpy(kept, rows, sizeof rows);
    CHECK_INT(pxr_code_create_bits_custom(&code, 2, 2, 2, 24, rows, 0, &why), PXR_OK);
    memset(rows, 0xff, sizeof rows);
    CHECK_INT(pxr_code_bits(code, got), PXR_OK);
    CHECK_BYTES(got, kept, sizeof kept);
    CHECK_INT(pxr_code_bits(code, NULL), PXR_EINVAL);
    CHECK_INT(pxr_code_matrix(code), PXR_CUSTOM_BITS);
    CHECK_INT(pxr_code_w(code), 2);
    CHECK_INT((long)pxr_code_packetsize(code), 24);
    CHECK_INT((long)pxr_code_unit(code), 48);
    CHECK(pxr_code_coefficients(code) == NULL);
    pxr_code_free(code);

    CHECK_INT(pxr_code_create_bits_custom(&code, 2, 2, 2, 24, rows, 0, &why), PXR_EINVAL);
    CHECK_STR(why.text, "rows: an entry of the custom matrix is neither 0 nor 1");
    CHECK_INT(pxr_code_create_bits_custom(&code, 2, 2, 2, 24, NULL, 0, &why), PXR_EINVAL);
    CHECK_STR(why.text, "rows is NULL: a custom matrix needs its rows");
    kept[0] = 0;
    CHECK_INT(pxr_code_create_bits_custom(&code, 2, 2, 2, 24, kept, 0, &why), PXR_ENOTMDS);
    CHECK_STR(why.text, "custom matrix with k=2, m=2, w=2 is not MDS: 2 lost shards, of "
                        "which the first is 0 and the last is 1, cannot be restored");
    CHECK(code == NULL);
    CHECK_INT(pxr_code_create_bits_custom(&code, 128, 128, 8, 8, large, 0, &why),
              PXR_EUNPROVEN);
    CHECK_INT(pxr_code_create_bits_custom(&code, 128, 128, 8, 8, large, PXR_ASSUME_MDS, &why),
              PXR_OK);
    pxr_code_free(code);

    /* the same calls for a code of bytes */
    code = stripe_code(4, 2, PXR_ISAL_CAUCHY);
    CHECK_INT(pxr_code_bits(code, got), PXR_EINVAL);
    CHECK_INT(pxr_code_w(code), 8);
    CHECK_INT((long)pxr_code_packetsize(code), 0);
    CHECK_INT((long)pxr_code_unit(code), 1);
    pxr_code_free(code);
    CHECK_INT(pxr_code_create(&code, 4, 2, PXR_JERASURE_LIBERATION, &why), PXR_EINVAL);
    CHECK_STR(why.text,
              "jerasure_liberation is a matrix of packets; use pxr_code_create_bits()");
}

int main(int argc, char **argv)
{
    check_start("test_packet_matrix", argc, argv);
    test_cauchy_orig();
    test_cauchy_good();
    test_cauchy_best();
    test_raid6();
    test_not_mds();
    test_refused();
    test_custom();
    return check_finish();
}
