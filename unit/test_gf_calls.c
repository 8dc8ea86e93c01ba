/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The other calls of gf_complete/: fields from words, fields in the caller's memory, tables,
 * texts and random numbers.  Also arguments with which the original gf-complete crashes.
 */
#include "check.h"
#include "errors.h"
#include "gf_general.h"
#include "gf_method.h"
#include "gf_rand.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* -------------------------------------------------------------------- words -- */

/* Passes the words of a text, which are separated by spaces, to create_gf_from_argv().  Returns
   its result: the index of the word after the field, or 0 for an error. */
static int create(int w, const char *text, gf_t *gf)
{
    char *word[16], *const copy = strdup(text);
    int count = 0;
    for (char *p = strtok(copy, " "); p && count < 16; p = strtok(NULL, " "))
        word[count++] = p;
    _gf_errno = PXR_GF_E_NONE;
    const int next = create_gf_from_argv(gf, w, count, word, 0);
    free(copy);
    return next;
}

static void test_words(void)
{
    static const struct {
        int w;
        const char *text;
        int next; /* the result of create() */
        enum pxr_gf_error error;
    } cases[] = {
        {8, "-", 1, PXR_GF_E_NONE},
        {8, "-m TABLE -r DOUBLE -r LAZY - more", 7, PXR_GF_E_NONE},
        {8, "-m SHIFT -p 11b -d EUCLID -", 7, PXR_GF_E_NONE},
        {8, "-m SHIFT -d MATRIX -r CAUCHY -", 7, PXR_GF_E_NONE},
        {16, "-m SPLIT 16 4 -r ALTMAP -r NOSSE -", 9, PXR_GF_E_NONE},
        {32, "-m GROUP 4 8 -", 5, PXR_GF_E_NONE},
        {32, "-m COMPOSITE 2 -m COMPOSITE 2 - - -", 9, PXR_GF_E_NONE},
        {8, "", 0, PXR_GF_E_FEW_WORDS},
        {8, "-m", 0, PXR_GF_E_FEW_WORDS},
        {8, "-m TABLE", 0, PXR_GF_E_FEW_WORDS},
        {8, "-m TABLE -m TABLE -", 0, PXR_GF_E_TWO_METHODS},
        {8, "-m NONE -", 0, PXR_GF_E_UNKNOWN_METHOD},
        {8, "-m TABLE -r", 0, PXR_GF_E_FEW_WORDS},
        {8, "-m TABLE -r NONE -", 0, PXR_GF_E_UNKNOWN_REGION},
        {8, "-m TABLE -p", 0, PXR_GF_E_FEW_WORDS},
        {8, "-m TABLE -p xyz -", 0, PXR_GF_E_POLY_TEXT},
        {8, "-m TABLE -p 1000 -", 0, PXR_GF_E_POLY},
        {8, "-m TABLE -d", 0, PXR_GF_E_FEW_WORDS},
        {8, "-m TABLE -d NONE -", 0, PXR_GF_E_UNKNOWN_DIVIDE},
        {8, "-m TABLE -d EUCLID -d EUCLID -", 0, PXR_GF_E_TWO_DIVIDES},
        {8, "-x -", 0, PXR_GF_E_UNKNOWN_FLAG},
        {16, "-m SPLIT 4", 0, PXR_GF_E_SPLIT_FEW_WORDS},
        {16, "-m SPLIT a b -", 0, PXR_GF_E_SPLIT_TEXT},
        {16, "-m GROUP 4", 0, PXR_GF_E_GROUP_FEW_WORDS},
        {16, "-m GROUP 4 b -", 0, PXR_GF_E_GROUP_TEXT},
        {16, "-m COMPOSITE", 0, PXR_GF_E_FEW_WORDS},
        {16, "-m COMPOSITE 2", 0, PXR_GF_E_FEW_WORDS},
        {16, "-m COMPOSITE 2 -m NONE - -", 0, PXR_GF_E_UNKNOWN_METHOD},
        {16, "-m COMPOSITE two - -", 0, PXR_GF_E_COMPOSITE_ARG1},
        {16, "-m COMPOSITE 0 - -", 0, PXR_GF_E_COMPOSITE_ARG1},
        {16, "-m COMPOSITE 1 - -", 0, PXR_GF_E_COMPOSITE_ARG1},
        {16, "-m COMPOSITE 2 - -r NONE -", 0, PXR_GF_E_UNKNOWN_REGION},
        {8, "-m COMPOSITE 2 -p 19 - -", 0, PXR_GF_E_COMPOSITE_NO_POLY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gf_t gf;
        if (!check_case("w=%d from \"%s\"", cases[i].w, cases[i].text))
            continue;
        const int next = create(cases[i].w, cases[i].text, &gf);
        CHECK_INT(next, cases[i].next);
        CHECK_INT(_gf_errno, cases[i].error);
        if (next != 0)
            gf_free(&gf, 1);
    }
}

/* ------------------------------------------------------------------- fields -- */

static void test_bad_arguments(void)
{
    gf_t base, gf;
    if (!check_case("arguments with which the original gf-complete crashes"))
        return;
    CHECK_INT(gf_init_easy(NULL, 8), 0);
    CHECK_INT(gf_init_hard(&gf, 16, GF_MULT_COMPOSITE, 0, 0, 0, 2, 0, NULL, NULL), 0);
    CHECK_INT(_gf_errno, PXR_GF_E_COMPOSITE_BASE);
    CHECK_INT(gf_init_easy(&base, 4), 1);
    CHECK_INT(gf_init_hard(&gf, 16, GF_MULT_COMPOSITE, 0, 0, 0, 2, 0, &base, NULL), 0);
    CHECK_INT(_gf_errno, PXR_GF_E_COMPOSITE_BASE);
    gf_free(&base, 0);
    /* gf_free() allows a field that could not be made, and NULL. */
    CHECK_INT(gf_free(&gf, 1), 0);
    CHECK_INT(gf_free(NULL, 1), 0);
}

/* gf_scratch_size() bytes are enough for a field, and gf_free() does not free them. */
static void test_scratch(void)
{
    static const int ws[] = {1, 4, 8, 13, 16, 32, 64, 128};
    if (!check_case("fields in the caller's memory"))
        return;
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        const int size = gf_scratch_size(ws[i], GF_MULT_DEFAULT, 0, 0, 0, 0);
        struct check_guard guard = check_guard_new((size_t)size + 64);
        uint8_t *const scratch = check_to_end(&guard, (size_t)size, (8 - (size_t)size % 8) % 8);
        gf_t gf;
        check_at("w=%ld", ws[i], 0, 0, 0);
        CHECK_INT(gf_init_hard(&gf, ws[i], 0, 0, 0, 0, 0, 0, NULL, scratch), 1);
        CHECK(gf.scratch == scratch);
        CHECK_INT(gf_size(&gf), (int)sizeof gf + size);
        CHECK_UNTOUCHED(&guard, scratch, (size_t)size);
        gf_free(&gf, 1);
        check_guard_free(&guard);
    }
}

/* The head of the scratch memory is part of the binary interface. */
static void test_layout(void)
{
    gf_t gf;
    if (!check_case("layout of the scratch memory"))
        return;
    CHECK_INT(sizeof gf, 6 * sizeof(void *));
    CHECK_INT(gf_init_hard(&gf, 16, GF_MULT_SPLIT_TABLE, GF_REGION_ALTMAP, GF_DIVIDE_EUCLID, 0,
                           4, 16, NULL, NULL),
              1);
    int32_t numbers[4], args[3];
    uint64_t poly;
    memcpy(numbers, gf.scratch, sizeof numbers);
    memcpy(&poly, (uint8_t *)gf.scratch + 16, sizeof poly);
    memcpy(args, (uint8_t *)gf.scratch + 24, sizeof args);
    CHECK_INT(numbers[0], GF_MULT_SPLIT_TABLE);
    CHECK_INT(numbers[1], GF_REGION_ALTMAP);
    CHECK_INT(numbers[2], GF_DIVIDE_EUCLID);
    CHECK_INT(numbers[3], 16);
    CHECK_INT((long long)poly, 0x1100b);
    CHECK_INT(args[0], 1);
    CHECK_INT(args[1], 4);
    CHECK_INT(args[2], 16);
    gf_free(&gf, 0);
}

static void test_tables(void)
{
    gf_t gf;
    if (!check_case("tables"))
        return;
    CHECK_INT(gf_init_easy(&gf, 8), 1);
    uint8_t *const products = gf_w8_get_mult_table(&gf), *const quotients =
                                                             gf_w8_get_div_table(&gf);
    CHECK(gf_w4_get_mult_table(&gf) == NULL && gf_w16_get_log_table(&gf) == NULL);
    for (uint32_t a = 0; products && quotients && a < 256; a++)
        for (uint32_t b = 0; b < 256; b++) {
            CHECK_INT(GF_W8_INLINE_MULTDIV(products, a, b), gf.multiply.w32(&gf, a, b));
            CHECK_INT(GF_W8_INLINE_MULTDIV(quotients, a, b), gf.divide.w32(&gf, a, b));
        }
    gf_free(&gf, 0);
    CHECK_INT(gf_init_hard(&gf, 8, GF_MULT_SHIFT, 0, 0, 0, 0, 0, NULL, NULL), 1);
    CHECK(gf_w8_get_mult_table(&gf) == NULL && gf_w8_get_div_table(&gf) == NULL);
    gf_free(&gf, 0);
    CHECK_INT(gf_init_easy(&gf, 16), 1);
    uint16_t *const log = gf_w16_get_log_table(&gf), *const power =
                                                         gf_w16_get_mult_alog_table(&gf);
    uint16_t *const quotient = gf_w16_get_div_alog_table(&gf);
    for (uint32_t i = 0; log && power && quotient && i < 10000; i++) {
        const uint32_t a = check_random() & 0xffff, b = check_random() & 0xffff;
        CHECK_INT(GF_W16_INLINE_MULT(log, power, a, b), gf.multiply.w32(&gf, a, b));
        CHECK_INT(GF_W16_INLINE_DIV(log, quotient, a, b), gf.divide.w32(&gf, a, b));
    }
    gf_free(&gf, 0);
}

/* -------------------------------------------------------------------- texts -- */

static void test_texts(void)
{
    gf_general_t v;
    char text[40];
    if (!check_case("texts of elements"))
        return;
    CHECK_INT(gf_general_s_to_val(&v, 128, (char *)"123456789abcdef0fedcba9876543210", 1), 1);
    CHECK(v.w128[0] == UINT64_C(0x123456789abcdef0) &&
          v.w128[1] == UINT64_C(0xfedcba9876543210));
    gf_general_val_to_s(&v, 128, text, 1);
    CHECK_STR(text, "123456789abcdef0fedcba9876543210");
    CHECK_INT(gf_general_s_to_val(&v, 128, (char *)"1123456789abcdef0fedcba9876543210", 1), 0);
    CHECK_INT(gf_general_s_to_val(&v, 128, (char *)"12", 0), 0);
    CHECK_INT(gf_general_s_to_val(&v, 8, (char *)"256", 0), 0);
    CHECK_INT(gf_general_s_to_val(&v, 8, (char *)"255", 0), 1);
    CHECK_INT(v.w32, 255);
    CHECK_INT(gf_general_s_to_val(&v, 8, (char *)"xyz", 1), 0);
    CHECK_INT(gf_general_s_to_val(&v, 64, (char *)"ffffffffffffffffff", 1), 0);
    CHECK_INT(gf_general_s_to_val(&v, 32, (char *)"-2147483648", 0), 1);
    CHECK(v.w32 == UINT32_C(1) << 31);
    CHECK_INT(gf_general_s_to_val(&v, 32, (char *)"-1", 1), 1);
    CHECK(v.w32 == UINT32_MAX);
    CHECK_INT(gf_general_s_to_val(&v, 32, (char *)"-2147483649", 0), 0);
    CHECK_INT(gf_general_s_to_val(&v, 31, (char *)"-1", 0), 0);
}

/* ------------------------------------------------------------------- general -- */

static void test_general(void)
{
    static const int ws[] = {4, 8, 13, 16, 32, 64, 128};
    if (!check_case("elements of any w"))
        return;
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        const int w = ws[i];
        gf_general_t zero, one, two, v;
        gf_t gf;
        check_at("w=%ld", w, 0, 0, 0);
        CHECK_INT(gf_init_easy(&gf, w), 1);
        gf_general_set_zero(&zero, w);
        gf_general_set_one(&one, w);
        gf_general_set_two(&two, w);
        CHECK(gf_general_is_zero(&zero, w) && !gf_general_is_zero(&one, w));
        CHECK(gf_general_is_one(&one, w) && !gf_general_is_one(&two, w));
        gf_general_add(&gf, &one, &one, &v);
        CHECK(gf_general_are_equal(&v, &zero, w));
        gf_general_multiply(&gf, &two, &one, &v);
        CHECK(gf_general_are_equal(&v, &two, w));
        gf_general_divide(&gf, &two, &two, &v);
        CHECK(gf_general_are_equal(&v, &one, w));
        gf_general_inverse(&gf, &one, &v);
        CHECK(gf_general_is_one(&v, w));
        gf_free(&gf, 0);
    }
}

/* The timing test replaces the elements of a region one by one.  With w=128 it puts every
   result at the start of the region, so only its return value is checked. */
static void test_timing(void)
{
    static const int ws[] = {4, 8, 13, 16, 32, 64, 128};
    uint8_t ra[256], rb[256], before[256];
    if (!check_case("single timing tests"))
        return;
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        const int w = ws[i];
        const int bytes = w <= 8 ? 1 : w == 16 ? 2 : w <= 32 ? 4 : w / 8;
        gf_t gf;
        check_at("w=%ld", w, 0, 0, 0);
        CHECK_INT(gf_init_easy(&gf, w), 1);
        gf_general_set_up_single_timing_test(w, ra, rb, sizeof ra);
        memcpy(before, ra, sizeof ra);
        CHECK_INT(gf_general_do_single_timing_test(&gf, ra, rb, sizeof ra, 'M'),
                  (int)sizeof ra / bytes - (w == 128));
        if (w != 128) {
            gf_general_do_single_timing_test(&gf, ra, rb, sizeof ra, 'D');
            CHECK_BYTES(ra, before, sizeof ra);
            gf_general_do_single_timing_test(&gf, rb, ra, sizeof rb, 'I');
            memcpy(before, rb, sizeof rb);
            gf_general_do_single_timing_test(&gf, rb, ra, sizeof rb, 'I');
            gf_general_do_single_timing_test(&gf, rb, ra, sizeof rb, 'I');
            CHECK_BYTES(rb, before, sizeof rb);
        }
        gf_free(&gf, 0);
    }
}

/* gf_general_do_region_check() returns if the region is right, and aborts the program if it is
   not. */
static void test_region_check(void)
{
    uint8_t src[64], old[64], dst[64];
    gf_general_t a = {.w32 = 0x57};
    gf_t gf;
    int status = 0;
    if (!check_case("gf_general_do_region_check"))
        return;
    CHECK_INT(gf_init_easy(&gf, 8), 1);
    check_fill(src, sizeof src);
    check_fill(old, sizeof old);
    memcpy(dst, old, sizeof dst);
    gf_general_do_region_multiply(&gf, &a, src, dst, sizeof dst, 1);
    gf_general_do_region_check(&gf, &a, src, old, dst, sizeof dst, 1);
    dst[17] ^= 1;
    const pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        signal(SIGABRT, SIG_DFL);
        gf_general_do_region_check(&gf, &a, src, old, dst, sizeof dst, 1);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    gf_free(&gf, 0);
}

/* ------------------------------------------------------------------- numbers -- */

/* Before the first seed the generator gives only zeros, so this test comes first. */
static void test_unseeded(void)
{
    gf_general_t v;
    if (!check_case("a random element that is not 0, before the first seed"))
        return;
    gf_general_set_random(&v, 64, 1);
    CHECK(v.w64 == 0);
    gf_general_set_random(&v, 64, 0);
    CHECK(v.w64 != 0);
}

/* Computes the generator's recurrence with 64-bit numbers, and compares the results. */
static void test_random(void)
{
    uint64_t x[5];
    uint32_t seed = 12345;
    if (!check_case("random numbers"))
        return;
    MOA_Seed(12345);
    for (int i = 0; i < 5; i++)
        x[i] = seed = seed * 29943829 - 1;
    for (int i = 0; i < 119; i++) {
        const uint64_t sum = 2111111111 * x[3] + 1492 * x[2] + 1776 * x[1] + 5115 * x[0] + x[4];
        memmove(x + 1, x, 3 * sizeof *x);
        x[0] = sum & UINT32_MAX;
        x[4] = sum >> 32;
        if (i >= 19)
            CHECK_INT(MOA_Random_32(), (long long)x[0]);
    }
    for (int w = 1; w <= 32; w++)
        CHECK(MOA_Random_W(w, 0) != 0 && (w == 32 || MOA_Random_W(w, 1) >> w == 0));
}

int main(int argc, char **argv)
{
    check_start("test_gf_calls", argc, argv);
    test_unseeded();
    test_words();
    test_bad_arguments();
    test_scratch();
    test_layout();
    test_tables();
    test_texts();
    test_general();
    test_timing();
    test_region_check();
    test_random();
    return check_finish();
}
