/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coding matrices.  They are compared with their definitions, and with jerasure's library
 * if it is installed.  Each size must be accepted if and only if the matrix is MDS.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge.h"
#include "permxor.h"
#include "reference.h"
#include "stripe.h"

/* The sizes for which each matrix is compared with its definition. */
static const struct {
    unsigned k, m;
} shapes[] = {{1, 1},  {1, 2},  {1, 7},   {2, 1},     {2, 2},   {3, 2},  {4, 2},
              {6, 3},  {8, 4},  {10, 4},  {12, 4},    {17, 3},  {5, 5},  {3, 20},
              {4, 21}, {40, 8}, {1, 255}, {128, 128}, {200, 3}, {255, 1}};

#define SHAPES (sizeof shapes / sizeof shapes[0])

/* --------------------------------------------------------------- names -- */

static void test_names(void)
{
    static const char *const names[] = {"isal_vand",
                                        "isal_cauchy",
                                        "jerasure_van",
                                        "jerasure_r6",
                                        "klauspost_vand",
                                        "custom",
                                        "jerasure_cauchy_orig",
                                        "jerasure_cauchy_good",
                                        "jerasure_liberation",
                                        "jerasure_blaum_roth",
                                        "jerasure_liber8tion",
                                        "custom_bits"};
    if (!check_case("matrix names"))
        return;
    for (int i = 0; i <= PXR_CUSTOM_BITS; i++) {
        enum pxr_matrix matrix = PXR_ISAL_VAND;
        CHECK_STR(pxr_matrix_name((enum pxr_matrix)i), names[i]);
        CHECK_INT(pxr_matrix_parse(names[i], &matrix), PXR_OK);
        CHECK_INT(matrix, i);
    }
    CHECK(pxr_matrix_name((enum pxr_matrix)(PXR_CUSTOM_BITS + 1)) == NULL);
    CHECK(pxr_matrix_name((enum pxr_matrix) - 1) == NULL);

    enum pxr_matrix matrix = PXR_CUSTOM;
    CHECK_INT(pxr_matrix_parse("vandermonde", &matrix), PXR_EINVAL);
    CHECK_INT(pxr_matrix_parse("", &matrix), PXR_EINVAL);
    CHECK_INT(pxr_matrix_parse("isal_vand ", &matrix), PXR_EINVAL);
    CHECK_INT(pxr_matrix_parse(NULL, &matrix), PXR_EINVAL);
    CHECK_INT(pxr_matrix_parse("isal_vand", NULL), PXR_EINVAL);
    CHECK_INT(matrix, PXR_CUSTOM);
}

/* --------------------------------------------------------- definitions -- */

/*
 * Makes the (k+m) by k matrix v systematic by elementary column operations.  For each i, it
 * scales column i so that the element in row i is one.  Then it adds multiples of column i to
 * the other columns, so that their elements in row i are zero.
 */
static void make_systematic(uint8_t *v, unsigned k, unsigned m)
{
    for (unsigned i = 0; i < k; i++) {
        uint8_t scale = reference_inv(v[i * k + i]);
        for (unsigned row = 0; row < k + m; row++)
            v[row * k + i] = judge_mul(v[row * k + i], scale);
        for (unsigned j = 0; j < k; j++) {
            uint8_t factor = v[i * k + j];
            for (unsigned row = 0; j != i && row < k + m; row++)
                v[row * k + j] ^= judge_mul(factor, v[row * k + i]);
        }
    }
}

/* Each of the following four functions writes a matrix by its definition in permxor.h. */
static void define_jerasure_van(uint8_t *rows, unsigned k, unsigned m)
{
    uint8_t *v = calloc(k + m, k), *coding = v + (size_t)k * k;
    v[0] = v[(size_t)(k + m) * k - 1] = 1;
    for (unsigned i = 1; i + 1 < k + m; i++)
        for (unsigned j = 0; j < k; j++)
            v[i * k + j] = reference_pow((uint8_t)i, j);
    make_systematic(v, k, m);
    for (unsigned j = 0; j < k; j++) {
        uint8_t scale = reference_inv(coding[j]);
        for (unsigned r = 0; r < m; r++)
            coding[r * k + j] = judge_mul(coding[r * k + j], scale);
    }
    for (unsigned r = 1; r < m; r++) {
        uint8_t scale = reference_inv(coding[r * k]);
        for (unsigned j = 0; j < k; j++)
            coding[r * k + j] = judge_mul(coding[r * k + j], scale);
    }
    memcpy(rows, coding, (size_t)m * k);
    free(v);
}

static void define_klauspost_vand(uint8_t *rows, unsigned k, unsigned m)
{
    uint8_t *v = malloc((size_t)(k + m) * k);
    for (unsigned i = 0; i < k + m; i++)
        for (unsigned j = 0; j < k; j++)
            v[i * k + j] = reference_pow((uint8_t)i, j);
    make_systematic(v, k, m);
    memcpy(rows, v + (size_t)k * k, (size_t)m * k);
    free(v);
}

static void define_isal_vand(uint8_t *rows, unsigned k, unsigned m)
{
    for (unsigned r = 0; r < m; r++)
        for (unsigned j = 0; j < k; j++)
            rows[r * k + j] = reference_pow(2, r * j % 255);
}

static void define_isal_cauchy(uint8_t *rows, unsigned k, unsigned m)
{
    for (unsigned r = 0; r < m; r++)
        for (unsigned j = 0; j < k; j++)
            rows[r * k + j] = reference_inv((uint8_t)((k + r) ^ j));
}

typedef void define_fn(uint8_t *rows, unsigned k, unsigned m);

/* The definitions by enum pxr_matrix.  jerasure_r6 is isal_vand with m = 2, and allows no other
   m. */
static define_fn *const definitions[] = {define_isal_vand, define_isal_cauchy,
                                         define_jerasure_van, define_isal_vand,
                                         define_klauspost_vand};

static void test_definition(enum pxr_matrix matrix)
{
    if (!check_case("%s by its definition", pxr_matrix_name(matrix)))
        return;
    for (size_t i = 0; i < SHAPES; i++) {
        unsigned k = shapes[i].k, m = matrix == PXR_JERASURE_R6 ? 2 : shapes[i].m;
        if (k + m > PXR_MAX_SHARDS)
            continue;
        check_at("k=%ld m=%ld", k, m, 0, 0);
        pxr_code *code;
        int status = pxr_code_create(&code, k, m, matrix, NULL);
        if (matrix == PXR_ISAL_VAND && status == PXR_ENOTMDS)
            continue;
        if (!CHECK_INT(status, PXR_OK))
            continue;
        uint8_t *want = malloc((size_t)m * k);
        definitions[matrix](want, k, m);
        CHECK_BYTES(pxr_code_coefficients(code), want, (size_t)m * k);
        CHECK_INT(pxr_code_k(code), k);
        CHECK_INT(pxr_code_m(code), m);
        CHECK_INT(pxr_code_matrix(code), matrix);
        free(want);
        pxr_code_free(code);
    }
}

/* ------------------------------------------------------------ jerasure -- */

/* What jerasure 2.0's reed_sol_vandermonde_coding_matrix(k, m, 8) returned. */
static void test_jerasure_known(void)
{
    static const struct {
        unsigned k, m;
        uint8_t rows[40];
    } known[] = {
        {2, 1, {1, 1}},
        {1, 3, {1, 1, 1}},
        {3, 2, {1, 1, 1, 1, 245, 244}},
        {4, 2, {1, 1, 1, 1, 1, 70, 143, 200}},
        {5, 3, {1, 1, 1, 1, 1, 1, 156, 123, 166, 244, 1, 166, 82, 245, 167}},
        {6, 3, {1, 1, 1, 1, 1, 1, 1, 225, 151, 172, 82, 200, 1, 123, 245, 143, 244, 142}},
        {10, 4, {1,   1,   1,   1,   1,   1,   1,  1,   1,   1,   1,   147, 138, 73,
                 93,  161, 103, 58,  99,  178, 1,  103, 156, 151, 123, 187, 166, 175,
                 244, 83,  1,   220, 166, 123, 82, 143, 245, 40,  167, 122}},
    };
    if (!check_case("jerasure_van known answers"))
        return;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        unsigned k = known[i].k, m = known[i].m;
        pxr_code *code = stripe_code(k, m, PXR_JERASURE_VAN);
        check_at("k=%ld m=%ld", k, m, 0, 0);
        CHECK_BYTES(pxr_code_coefficients(code), known[i].rows, (size_t)k * m);
        pxr_code_free(code);
    }
}

typedef int *jerasure_van_fn(int k, int m, int w);
typedef int *jerasure_r6_fn(int k, int w);

/* Compares a matrix that jerasure allocated with the code's, and frees it. */
static void check_against(int *theirs, unsigned k, unsigned m, enum pxr_matrix matrix)
{
    pxr_code *code = stripe_code(k, m, matrix);
    check_at("k=%ld m=%ld", k, m, 0, 0);
    if (CHECK(theirs != NULL)) {
        bool same = true;
        for (unsigned i = 0; i < k * m; i++)
            same &= theirs[i] == pxr_code_coefficients(code)[i];
        CHECK(same);
    }
    free(theirs);
    pxr_code_free(code);
}

static void test_jerasure_library(void)
{
    const char *name = "jerasure matrices against libJerasure.so.2";
    void *library = dlopen("libJerasure.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        check_skip(name, "Debian's libjerasure2 is not installed");
        return;
    }
    /* POSIX lets a function's address pass through void *; ISO C does not. */
    jerasure_van_fn *van;
    jerasure_r6_fn *r6;
    *(void **)&van = dlsym(library, "reed_sol_vandermonde_coding_matrix");
    *(void **)&r6 = dlsym(library, "reed_sol_r6_coding_matrix");
    if (check_case("%s", name) && CHECK(van != NULL) && CHECK(r6 != NULL)) {
        for (unsigned k = 1; k <= 24; k++)
            for (unsigned m = 1; m <= 12; m++)
                check_against(van((int)k, (int)m, 8), k, m, PXR_JERASURE_VAN);
        for (size_t i = 0; i < SHAPES; i++)
            check_against(van((int)shapes[i].k, (int)shapes[i].m, 8), shapes[i].k, shapes[i].m,
                          PXR_JERASURE_VAN);
        for (unsigned k = 1; k <= 254; k += 11)
            check_against(r6((int)k, 8), k, 2, PXR_JERASURE_R6);
    }
    /* The library stays loaded, because it holds memory that it never frees. */
}

/* ----------------------------------------------------------------- MDS -- */

/* Whether the chosen k rows of the generator matrix (the identity above `rows`) are linearly
   independent.  Computed by Gaussian elimination. */
static bool independent(const uint8_t *rows, unsigned k, const unsigned *chosen)
{
    uint8_t a[16][16] = {{0}};
    for (unsigned i = 0; i < k; i++)
        for (unsigned j = 0; j < k; j++)
            a[i][j] = chosen[i] < k ? chosen[i] == j : rows[(chosen[i] - k) * k + j];
    for (unsigned c = 0; c < k; c++) {
        unsigned pivot = c;
        while (pivot < k && a[pivot][c] == 0)
            pivot++;
        if (pivot == k)
            return false;
        for (unsigned j = 0; j < k; j++) {
            uint8_t swapped = a[c][j];
            a[c][j] = a[pivot][j];
            a[pivot][j] = swapped;
        }
        uint8_t inverse = reference_inv(a[c][c]);
        for (unsigned i = c + 1; i < k; i++) {
            uint8_t factor = judge_mul(a[i][c], inverse);
            for (unsigned j = c; j < k; j++)
                a[i][j] ^= judge_mul(factor, a[c][j]);
        }
    }
    return true;
}

/* The definition of MDS: any k of the k+m shards determine the data. */
static bool is_mds(const uint8_t *rows, unsigned k, unsigned m)
{
    unsigned chosen[16];
    for (unsigned i = 0; i < k; i++)
        chosen[i] = i;
    for (;;) {
        if (!independent(rows, k, chosen))
            return false;
        unsigned i = k; /* go to the next choice in lexicographic order */
        while (i > 0 && chosen[i - 1] == m + i - 1)
            i--;
        if (i == 0)
            return true;
        chosen[i - 1]++;
        for (; i < k; i++)
            chosen[i] = chosen[i - 1] + 1;
    }
}

static int custom_status(const uint8_t *rows, unsigned k, unsigned m)
{
    pxr_code *code;
    int status = pxr_code_create_custom(&code, k, m, rows, 0, NULL);
    CHECK((status == PXR_OK) == (code != NULL));
    pxr_code_free(code);
    return status;
}

/* A matrix of up to 12 shards is accepted if and only if it is MDS. */
static void test_small_sizes(enum pxr_matrix matrix)
{
    if (!check_case("%s to 12 shards: accepted if and only if MDS", pxr_matrix_name(matrix)))
        return;
    for (unsigned k = 1; k < 12; k++)
        for (unsigned m = 1; k + m <= 12; m++) {
            if (matrix == PXR_JERASURE_R6 && m != 2)
                continue;
            uint8_t rows[36];
            definitions[matrix](rows, k, m);
            int want = is_mds(rows, k, m) ? PXR_OK : PXR_ENOTMDS;
            pxr_code *code;
            check_at("k=%ld m=%ld", k, m, 0, 0);
            CHECK_INT(pxr_code_create(&code, k, m, matrix, NULL), want);
            CHECK_INT(custom_status(rows, k, m), want);
            pxr_code_free(code);
        }
}

static void test_random_custom(void)
{
    if (!check_case("random custom matrices: accepted if and only if MDS"))
        return;
    unsigned count[2] = {0, 0};
    for (unsigned trial = 0; trial < 100 + check_effort(2900); trial++) {
        unsigned k = 1 + (unsigned)check_below(5), m = 1 + (unsigned)check_below(4);
        uint8_t rows[20];
        check_fill(rows, sizeof rows);
        bool mds = is_mds(rows, k, m);
        check_at("trial %ld: k=%ld m=%ld", trial, k, m, 0);
        CHECK_INT(custom_status(rows, k, m), mds ? PXR_OK : PXR_ENOTMDS);
        count[mds]++;
    }
    CHECK(count[0] > check_effort(100) && count[1] > check_effort(100));
}

/*
 * isal_vand at every size.  A submatrix of an MDS matrix is MDS.  So two facts are enough:
 * every accepted size lies within a size of largest[], all of which are MDS, and every refused
 * size contains a size of smallest[], none of which is MDS.
 */
static void test_isal_vand_region(void)
{
    static const struct {
        unsigned k, m;
    } largest[] = {{253, 3}, {3, 253}, {254, 2}, {2, 254}, {255, 1},
                   {1, 255}, {21, 4},  {4, 21},  {5, 5}},
      smallest[] = {{22, 4}, {4, 22}, {6, 5}, {5, 6}};
    uint8_t rows[1024];
    if (!check_case("isal_vand at every size: accepted if and only if MDS"))
        return;
    for (size_t i = 0; i < sizeof largest / sizeof largest[0]; i++) {
        unsigned k = largest[i].k, m = largest[i].m;
        define_isal_vand(rows, k, m);
        check_at("k=%ld m=%ld", k, m, 0, 0);
        CHECK_INT(custom_status(rows, k, m), PXR_OK);
    }
    for (size_t i = 0; i < sizeof smallest / sizeof smallest[0]; i++) {
        unsigned k = smallest[i].k, m = smallest[i].m;
        define_isal_vand(rows, k, m);
        check_at("k=%ld m=%ld", k, m, 0, 0);
        CHECK_INT(custom_status(rows, k, m), PXR_ENOTMDS);
    }
    for (unsigned k = 1; k < PXR_MAX_SHARDS; k++)
        for (unsigned m = 1; k + m <= PXR_MAX_SHARDS; m++) {
            bool mds = false;
            for (size_t i = 0; i < sizeof largest / sizeof largest[0]; i++)
                mds |= k <= largest[i].k && m <= largest[i].m;
            bool not_mds = false;
            for (size_t i = 0; i < sizeof smallest / sizeof smallest[0]; i++)
                not_mds |= k >= smallest[i].k && m >= smallest[i].m;
            check_at("k=%ld m=%ld", k, m, 0, 0);
            CHECK(mds != not_mds);
            pxr_code *code;
            CHECK_INT(pxr_code_create(&code, k, m, PXR_ISAL_VAND, NULL),
                      mds ? PXR_OK : PXR_ENOTMDS);
            pxr_code_free(code);
        }
}

/* Codes that are too wide for is_mds().  Here the library tests the same matrix as a custom
   one, at sizes where its test of all square submatrices is still quick. */
static void test_proof_of_wide(enum pxr_matrix matrix)
{
    static const struct {
        unsigned k, m;
    } wide[] = {{253, 3}, {3, 253}, {10, 4}, {20, 4}, {30, 4}, {10, 10}, {254, 2}};
    uint8_t rows[1024];
    if (!check_case("%s is MDS at wide sizes", pxr_matrix_name(matrix)))
        return;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        unsigned k = wide[i].k, m = wide[i].m;
        pxr_code *code = stripe_code(k, m, matrix);
        memcpy(rows, pxr_code_coefficients(code), (size_t)k * m);
        check_at("k=%ld m=%ld", k, m, 0, 0);
        CHECK_INT(custom_status(rows, k, m), PXR_OK);
        /* A zero is a singular 1 by 1 submatrix.  The test must find it anywhere. */
        rows[check_below((size_t)k * m)] = 0;
        CHECK_INT(custom_status(rows, k, m), PXR_ENOTMDS);
        pxr_code_free(code);
    }
}

int main(int argc, char **argv)
{
    check_start("test_code_matrix", argc, argv);
    judge_start();
    test_names();
    for (int matrix = PXR_ISAL_VAND; matrix < PXR_CUSTOM; matrix++) {
        test_definition((enum pxr_matrix)matrix);
        test_small_sizes((enum pxr_matrix)matrix);
    }
    test_jerasure_known();
    test_jerasure_library();
    test_random_custom();
    test_isal_vand_region();
    test_proof_of_wide(PXR_ISAL_CAUCHY);
    test_proof_of_wide(PXR_JERASURE_VAN);
    test_proof_of_wide(PXR_KLAUSPOST_VAND);
    return check_finish();
}
