/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The field's constant tables and scalar functions, for all of their inputs, and the expansion
 * of coefficients into tables.
 */
#include "check.h"
#include "encode.h"
#include "gf256.h"
#include "judge.h"
#include "reference.h"

#include "isa-l/erasure_code.h"

#include <string.h>

static void test_multiplication(void)
{
    if (!check_case("gf_mul, pxr_mul"))
        return;
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++) {
            check_at("%ld * %ld", a, b, 0, 0);
            CHECK_INT(gf_mul((uint8_t)a, (uint8_t)b), reference_mul((uint8_t)a, (uint8_t)b));
            CHECK_INT(pxr_mul((uint8_t)a, (uint8_t)b), reference_mul((uint8_t)a, (uint8_t)b));
        }
}

static void test_inverses(void)
{
    if (!check_case("gf_inv, pxr_inverse"))
        return;
    for (unsigned a = 0; a < 256; a++) {
        check_at("1 / %ld", a, 0, 0, 0);
        CHECK_INT(gf_inv((uint8_t)a), reference_inv((uint8_t)a));
        CHECK_INT(pxr_inverse[a], reference_inv((uint8_t)a));
    }
}

static void test_powers(void)
{
    if (!check_case("pxr_pow2"))
        return;
    for (unsigned e = 0; e < 1024; e++) {
        check_at("2 ^ %ld", e, 0, 0, 0);
        CHECK_INT(pxr_pow2(e), reference_pow(2, e));
    }
}

static void test_nibbles(void)
{
    if (!check_case("pxr_nibble"))
        return;
    for (unsigned c = 0; c < 256; c++)
        for (unsigned nibble = 0; nibble < 16; nibble++) {
            check_at("c=%ld nibble=%ld", c, nibble, 0, 0);
            CHECK_INT(pxr_nibble[c][nibble], reference_mul((uint8_t)c, (uint8_t)nibble));
            CHECK_INT(pxr_nibble[c][16 + nibble],
                      reference_mul((uint8_t)c, (uint8_t)(nibble << 4)));
        }
}

/* What gf2p8affineqb does to one byte.  Row i of the matrix is byte 7 - i of the word.  Bit i
   of the result is the parity of the bits that are set both in the byte and in row i. */
static uint8_t affine(uint64_t matrix, uint8_t byte)
{
    unsigned result = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint8_t row = (uint8_t)(matrix >> 8 * (7 - i));
        unsigned parity = 0;
        for (unsigned both = row & byte; both != 0; both >>= 1)
            parity ^= both & 1;
        result |= parity << i;
    }
    return (uint8_t)result;
}

static void test_affine(void)
{
    if (!check_case("pxr_affine"))
        return;
    for (unsigned c = 0; c < 256; c++)
        for (unsigned x = 0; x < 256; x++) {
            check_at("c=%ld x=%ld", c, x, 0, 0);
            CHECK_INT(affine(pxr_affine[c], (uint8_t)x), reference_mul((uint8_t)c, (uint8_t)x));
        }
}

/* A table at each end of the guarded memory, and one byte away from it. */
static void test_one_table(void)
{
    struct check_guard guard = check_guard_new(4096);
    uint8_t expected[PXR_TABLE];
    if (check_case("gf_vect_mul_init{,_base}"))
        for (unsigned c = 0; c < 256; c++)
            for (unsigned offset = 0; offset < 2; offset++) {
                uint8_t coefficient = (uint8_t)c;
                check_at("c=%ld offset=%ld", c, offset, 0, 0);
                judge_tables(1, &coefficient, expected);
                uint8_t *first = check_from_start(&guard, PXR_TABLE, offset);
                gf_vect_mul_init(coefficient, first);
                CHECK_BYTES(first, expected, PXR_TABLE);
                CHECK_UNTOUCHED(&guard, first, PXR_TABLE);
                uint8_t *last = check_to_end(&guard, PXR_TABLE, offset);
                gf_vect_mul_init_base(coefficient, last);
                CHECK_BYTES(last, expected, PXR_TABLE);
                CHECK_UNTOUCHED(&guard, last, PXR_TABLE);
            }
    check_guard_free(&guard);
}

typedef void init_tables_fn(int k, int rows, uint8_t *a, uint8_t *tables);

static void expand(int k, int rows, uint8_t *a, uint8_t *tables)
{
    pxr_expand_tables((size_t)k * (size_t)rows, a, tables);
}

/* Expands rows of k coefficients.  The coefficients and the tables end at guard pages. */
static void try_tables(init_tables_fn *init, int k, int rows)
{
    static uint8_t expected[255 * 255 * PXR_TABLE];
    size_t n = (size_t)k * (size_t)rows;
    struct check_guard a_guard = check_guard_new(n);
    struct check_guard table_guard = check_guard_new(n * PXR_TABLE);
    uint8_t *a = check_to_end(&a_guard, n, 0);
    uint8_t *tables = check_to_end(&table_guard, n * PXR_TABLE, 0);
    check_at("k=%ld rows=%ld", k, rows, 0, 0);
    check_fill(a, n);
    judge_tables(n, a, expected);
    init(k, rows, a, tables);
    CHECK_BYTES(tables, expected, n * PXR_TABLE);
    CHECK_UNTOUCHED(&table_guard, tables, n * PXR_TABLE);
    CHECK_UNTOUCHED(&a_guard, a, n);
    check_guard_free(&a_guard);
    check_guard_free(&table_guard);
}

static void test_tables(const char *name, init_tables_fn *init)
{
    if (!check_case("%s", name))
        return;
    for (int k = 1; k <= 20; k++)
        for (int rows = 1; rows <= 8; rows++)
            try_tables(init, k, rows);
    try_tables(init, 255, 1);
    try_tables(init, 1, 255);
    try_tables(init, 127, 128);
    try_tables(init, 255, 255);
}

/* When k or rows is not positive, the functions write nothing and do not use the pointers. */
static void test_no_tables(void)
{
    static init_tables_fn *const both[] = {ec_init_tables, ec_init_tables_base};
    if (!check_case("ec_init_tables{,_base} with nothing to do"))
        return;
    for (unsigned i = 0; i < 2; i++)
        for (int k = -1; k <= 1; k++)
            for (int rows = -1; rows <= 1; rows++) {
                uint8_t a[1] = {7}, tables[PXR_TABLE] = {0}, zeros[PXR_TABLE] = {0};
                check_at("k=%ld rows=%ld", k, rows, 0, 0);
                if (k > 0 && rows > 0)
                    continue;
                both[i](k, rows, a, tables);
                CHECK_BYTES(tables, zeros, PXR_TABLE);
                both[i](k, rows, NULL, NULL);
                CHECK_INT(a[0], 7);
            }
}

int main(int argc, char **argv)
{
    check_start("test_field", argc, argv);
    judge_start();
    test_multiplication();
    test_inverses();
    test_powers();
    test_nibbles();
    test_affine();
    test_one_table();
    test_tables("ec_init_tables", ec_init_tables);
    test_tables("ec_init_tables_base", ec_init_tables_base);
    test_tables("pxr_expand_tables", expand);
    test_no_tables();
    return check_finish();
}
