/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libJerasure.so.2 without the original for comparison.  Its bytes are checked bit by bit.
 * Other cases are calls on which the original aborts, overruns its buffers, or does not return.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cauchy.h"
#include "check.h"
#include "jerasure.h"
#include "liberation.h"
#include "reed_sol.h"
#include "word_stripe.h"

#define DEVICES 8
#define ROOM 4096

static struct check_guard guards[DEVICES];

static void open_guards(void)
{
    for (int i = 0; i < DEVICES; i++)
        guards[i] = check_guard_new(ROOM);
}

/* Places `count` devices of random bytes beside guard pages, at any alignment. */
static void place_devices(char **devices, int count, size_t size)
{
    for (int i = 0; i < count; i++) {
        devices[i] = (char *)check_place(&guards[i], size, CHECK_ANYWHERE);
        check_fill(devices[i], size);
    }
}

static void check_canaries(char **devices, int count, size_t size)
{
    for (int i = 0; i < count; i++)
        CHECK_UNTOUCHED(&guards[i], (uint8_t *)devices[i], size);
}

/* Copies all devices, one after the other. */
static void copy_devices(char *copy, char **devices, int count, size_t size)
{
    for (int i = 0; i < count; i++)
        memcpy(copy + (size_t)i * size, devices[i], size);
}

static void same_as_copy(const char *copy, char **devices, int count, size_t size)
{
    for (int i = 0; i < count; i++)
        CHECK_BYTES(devices[i], copy + (size_t)i * size, size);
}

/* ------------------------------------------------------------- words ---- */

static void check_parity(const int *row, int k, unsigned w, char **devices, int at, size_t size)
{
    for (size_t i = 0; i < size / (w / 8); i++) {
        uint32_t want = 0;
        for (int j = 0; j < k; j++)
            want ^= word_product((uint32_t)row[j], word_at(devices[j], i, w), w);
        if (!CHECK(word_at(devices[at], i, w) == want))
            return;
    }
}

/* Any size that is a whole number of words, and any alignment. */
static void test_words(void)
{
    for (int w = 8; w <= 32; w *= 2) {
        if (!check_case("words of %d bits at any alignment and of any size", w))
            continue;
        for (int turn = 0; turn < (int)check_effort(60); turn++) {
            const int k = 1 + (int)check_below(5), m = 1 + (int)check_below(3);
            const size_t size = (size_t)w / 8 * (1 + check_below(80));
            int *matrix = cauchy_original_coding_matrix(k, m, w), erasures[] = {0, k, -1};
            char *devices[DEVICES], copy[DEVICES * 320];
            check_at("k=%ld m=%ld size=%ld", k, m, (long)size, 0);
            place_devices(devices, k + m, size);
            jerasure_matrix_encode(k, m, w, matrix, devices, devices + k, (int)size);
            for (int r = 0; r < m; r++)
                check_parity(matrix + r * k, k, (unsigned)w, devices, k + r, size);
            copy_devices(copy, devices, k + m, size);
            memset(devices[0], 0, size);
            if (m > 1)
                memset(devices[k], 0, size);
            else
                erasures[1] = -1;
            CHECK_INT(jerasure_matrix_decode(k, m, w, matrix, 0, erasures, devices, devices + k,
                                             (int)size),
                      0);
            same_as_copy(copy, devices, k + m, size);
            check_canaries(devices, k + m, size);
            free(matrix);
        }
    }
}

/* A source that no row multiplies by anything but 0 need not exist. */
static void test_absent_sources(void)
{
    int matrix[] = {0, 1, 0, 1, 0, 3, 0, 7}, zeros[] = {0, 2, 0, 0};
    for (int w = 8; w <= 32; w *= 2) {
        char *devices[DEVICES], *data[4] = {NULL};
        if (!check_case("sources that no row of words of %d bits uses are not read", w))
            continue;
        place_devices(devices, 6, 320);
        data[1] = devices[1];
        data[3] = devices[3];
        jerasure_matrix_encode(4, 2, w, matrix, data, devices + 4, 320);
        check_parity(matrix, 4, (unsigned)w, devices, 4, 320);
        data[3] = NULL;
        jerasure_matrix_dotprod(4, w, zeros, NULL, 5, data, devices + 4, 320);
        devices[4] = devices[5];
        check_parity(zeros, 4, (unsigned)w, devices, 4, 320);
    }
}

/* Where all numbers are 0 and 1, regions need not be whole words. */
static void test_sums(void)
{
    enum { SIZE = 31 };
    int matrix[] = {1, 1, 1, 1, 0, 1}, erasures[] = {0, 3, -1};
    for (int w = 16; w <= 32; w *= 2) {
        char *devices[DEVICES], copy[5 * SIZE];
        if (!check_case("sums of regions that are not whole words of %d bits", w))
            continue;
        place_devices(devices, 5, SIZE);
        jerasure_matrix_encode(3, 2, w, matrix, devices, devices + 3, SIZE);
        check_parity(matrix, 3, 8, devices, 3, SIZE);
        copy_devices(copy, devices, 5, SIZE);
        memset(devices[3], 0, SIZE);
        jerasure_matrix_dotprod(3, w, matrix, NULL, 3, devices, devices + 3, SIZE);
        same_as_copy(copy, devices, 5, SIZE);
        memset(devices[0], 0, SIZE);
        memset(devices[3], 0, SIZE);
        CHECK_INT(
            jerasure_matrix_decode(3, 2, w, matrix, 0, erasures, devices, devices + 3, SIZE),
            0);
        same_as_copy(copy, devices, 5, SIZE);
        check_canaries(devices, 5, SIZE);
    }
}

/* Products with 0 and 1 need no whole words either. */
static void test_regions_of_bytes(void)
{
    char from[7], to[7], zeros[7] = {0};
    if (!check_case("a region that is not whole words, times 0 and 1"))
        return;
    check_fill(from, sizeof from);
    galois_w16_region_multiply(from, 1, sizeof from, to, 0);
    CHECK_BYTES(to, from, sizeof from);
    galois_w32_region_multiply(from, 1, sizeof from, to, 1);
    CHECK_BYTES(to, zeros, sizeof from);
    galois_w32_region_multiply(from, 0, sizeof from, from, 0);
    CHECK_BYTES(from, zeros, sizeof from);
}

static void test_in_place(void)
{
    if (!check_case("a region is multiplied in place"))
        return;
    char region[40], copy[40];
    check_fill(region, sizeof region);
    memcpy(copy, region, sizeof region);
    galois_w16_region_multiply(region, 1234, sizeof region, NULL, 0);
    for (size_t i = 0; i < sizeof region / 2; i++)
        CHECK(word_at(region, i, 16) == word_product(1234, word_at(copy, i, 16), 16));
}

/* ----------------------------------------------------------- packets ---- */

/* Packet x of device k + r is the xor of the data packets that row r*w + x names. */
static void check_packets(const int *bits, int k, int m, int w, char **devices, int packetsize,
                          int units)
{
    for (int u = 0; u < units; u++) {
        for (int row = 0; row < m * w; row++) {
            for (int i = 0; i < packetsize; i++) {
                const int unit = u * w * packetsize + i;
                char want = 0;
                for (int column = 0; column < k * w; column++)
                    if (bits[row * k * w + column])
                        want ^= devices[column / w][unit + column % w * packetsize];
                if (!CHECK(devices[k + row / w][unit + row % w * packetsize] == want))
                    return;
            }
        }
    }
}

/* Packets of any size.  The original takes only multiples of 8. */
static void test_packets(void)
{
    if (!check_case("packets at any alignment and of any size"))
        return;
    for (int turn = 0; turn < (int)check_effort(60); turn++) {
        const int k = 1 + (int)check_below(5), m = 1 + (int)check_below(3), w = 4;
        const int packetsize = 1 + (int)check_below(70), units = 1 + (int)check_below(3);
        const size_t size = (size_t)(w * packetsize * units);
        int *matrix = cauchy_original_coding_matrix(k, m, w), erasures[] = {0, -1};
        int *bits = jerasure_matrix_to_bitmatrix(k, m, w, matrix);
        char *devices[DEVICES], copy[DEVICES * 900];
        check_at("k=%ld m=%ld packetsize=%ld units=%ld", k, m, packetsize, units);
        place_devices(devices, k + m, size);
        jerasure_bitmatrix_encode(k, m, w, bits, devices, devices + k, (int)size, packetsize);
        check_packets(bits, k, m, w, devices, packetsize, units);
        copy_devices(copy, devices, k + m, size);
        memset(devices[0], 0, size);
        CHECK_INT(jerasure_schedule_decode_lazy(k, m, w, bits, erasures, devices, devices + k,
                                                (int)size, packetsize, turn % 2),
                  0);
        same_as_copy(copy, devices, k + m, size);
        check_canaries(devices, k + m, size);
        free(bits);
        free(matrix);
    }
}

/* The rows of a Cauchy matrix are not ones, so only row_k_ones = 1 may say so. */
static void test_row_of_ones(void)
{
    int *matrix = cauchy_original_coding_matrix(3, 2, 4), erasures[] = {1, -1};
    int *bits = jerasure_matrix_to_bitmatrix(3, 2, 4, matrix);
    char *devices[DEVICES], copy[5 * 64];
    if (check_case("row_k_ones = 2 promises nothing of a bit matrix")) {
        place_devices(devices, 5, 64);
        jerasure_bitmatrix_encode(3, 2, 4, bits, devices, devices + 3, 64, 16);
        copy_devices(copy, devices, 5, 64);
        memset(devices[1], 0, 64);
        CHECK_INT(
            jerasure_bitmatrix_decode(3, 2, 4, bits, 2, erasures, devices, devices + 3, 64, 16),
            0);
        same_as_copy(copy, devices, 5, 64);
    }
    free(bits);
    free(matrix);
}

/* --------------------------------------------------------- schedules ---- */

enum { PACKETS = 3, PACKETSIZE = 24, OPERATIONS = 30 };

static void carry_out(int **schedule, char **devices)
{
    for (; (*schedule)[0] >= 0; schedule++) {
        const int *o = *schedule;
        for (int i = 0; i < PACKETSIZE; i++) {
            char *to = &devices[o[2]][o[3] * PACKETSIZE + i];
            const char from = devices[o[0]][o[1] * PACKETSIZE + i];
            *to = (char)(o[4] ? *to ^ from : from);
        }
    }
}

/* Random schedules of copies and xors.  They overwrite packets before or after reading them,
   and xor some packets with themselves, which gives zeros. */
static void test_any_schedule(void)
{
    if (!check_case("any schedule does what its operations say"))
        return;
    for (int turn = 0; turn < (int)check_effort(2000); turn++) {
        const int count = 1 + (int)check_below(OPERATIONS), devices_used = 2 + turn % 4;
        int numbers[OPERATIONS + 1][5], *schedule[OPERATIONS + 1];
        char bytes[2][DEVICES][PACKETS * PACKETSIZE], *devices[2][DEVICES];
        for (int i = 0; i <= count; i++) {
            schedule[i] = numbers[i];
            numbers[i][0] = i < count ? (int)check_below((size_t)devices_used) : -1;
            numbers[i][1] = (int)check_below(PACKETS);
            numbers[i][2] = (int)check_below((size_t)devices_used);
            numbers[i][3] = (int)check_below(PACKETS);
            numbers[i][4] = (int)check_below(2);
        }
        check_fill(bytes[0], sizeof bytes[0]);
        memcpy(bytes[1], bytes[0], sizeof bytes[0]);
        for (int i = 0; i < DEVICES; i++) {
            devices[0][i] = bytes[0][i];
            devices[1][i] = bytes[1][i];
        }
        jerasure_do_scheduled_operations(devices[0], schedule, PACKETSIZE);
        carry_out(schedule, devices[1]);
        if (!CHECK_BYTES(bytes[0], bytes[1], sizeof bytes[0]))
            return;
    }
}

/* ------------------------------------------------------------ fields ---- */

/* As in jerasure, a composite field is freed without its base once galois_init_field() has made
   another field of the same w.  The program may use the base again. */
static void test_bases(void)
{
    if (!check_case("the base of a composite field may live longer than the field"))
        return;
    gf_t *base = galois_init_field(4, GF_MULT_TABLE, 0, 0, 0, 0, 0);
    galois_change_technique(galois_init_composite_field(8, 0, 0, 2, base), 8);
    const int product = galois_single_multiply(0x57, 0x83, 8);
    gf_t *other = galois_init_field(8, GF_MULT_TABLE, 0, 0, 0, 0, 0);
    gf_t *first = galois_get_field_ptr(8);
    galois_change_technique(other, 8);
    free(first);
    gf_t *again = galois_init_composite_field(8, 0, 0, 2, base);
    galois_change_technique(again, 8);
    free(other);
    CHECK_INT(galois_single_multiply(0x57, 0x83, 8), product);
    CHECK_INT(galois_uninit_field(8), 0);
}

/* In a composite field Debian's jerasure prints these numbers. */
static void test_cauchy_in_composite_field(void)
{
    static const int want[] = {1, 1, 1, 1, 1, 1, 12, 8, 11, 4, 12, 9, 1, 6, 3};
    if (!check_case("cauchy_good in a composite field"))
        return;
    gf_t *base = galois_init_field(4, GF_MULT_TABLE, 0, 0, 0, 0, 0);
    galois_change_technique(galois_init_composite_field(8, 0, 0, 2, base), 8);
    CHECK_INT(cauchy_n_ones(200, 8), 21);
    int *matrix = cauchy_good_general_coding_matrix(5, 3, 8);
    CHECK_BYTES(matrix, want, sizeof want);
    free(matrix);
    CHECK_INT(galois_uninit_field(8), 0);
}

/* ------------------------------------------------------------ faults ---- */

/* Arguments that the cases vary, for a code of three data devices and two coding devices. */
struct call {
    int w, size, packetsize;
    int erasures[8];
};

static int decode_in_each_way(const struct call *call, char **devices, int way)
{
    int *matrix = cauchy_original_coding_matrix(3, 2, 8), status = 0;
    int *bits = jerasure_matrix_to_bitmatrix(3, 2, 8, matrix);
    int *erasures = (int *)(uintptr_t)call->erasures;
    switch (way) {
    case 0:
        status = jerasure_matrix_decode(3, 2, call->w, matrix, 0, erasures, devices,
                                        devices + 3, call->size);
        break;
    case 1:
        status = jerasure_bitmatrix_decode(3, 2, call->w, bits, 0, erasures, devices,
                                           devices + 3, call->size, call->packetsize);
        break;
    default:
        status =
            jerasure_schedule_decode_lazy(3, 2, call->w, bits, erasures, devices, devices + 3,
                                          call->size, call->packetsize, way == 3);
        break;
    }
    free(bits);
    free(matrix);
    return status;
}

static void test_refusals(void)
{
    static const struct call calls[] = {
        {8, 128, 16, {0, 1, 2, -1}}, /* more than two losses */
        {8, 128, 16, {0, 5, -1}},    /* no such device */
        {8, 128, 16, {-2, -1}},      /* no such device */
        {33, 128, 16, {0, -1}},      /* no such word size */
        {0, 128, 16, {0, -1}},       /* no such word size */
        {8, -128, 16, {0, -1}},      /* a negative size */
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!check_case("decoding is refused, and nothing is written: %zu", i))
            continue;
        for (int way = 0; way < 4; way++) {
            char *devices[DEVICES], copy[5 * 128];
            place_devices(devices, 5, 128);
            copy_devices(copy, devices, 5, 128);
            check_at("way %ld", way, 0, 0, 0);
            CHECK_INT(decode_in_each_way(&calls[i], devices, way), -1);
            same_as_copy(copy, devices, 5, 128);
        }
    }
}

static void test_nothing_lost(void)
{
    static const struct call call = {8, 128, 16, {-1}};
    if (!check_case("decoding returns when nothing is lost"))
        return;
    for (int way = 0; way < 4; way++) {
        char *devices[DEVICES], copy[5 * 128];
        place_devices(devices, 5, 128);
        copy_devices(copy, devices, 5, 128);
        CHECK_INT(decode_in_each_way(&call, devices, way), 0);
        same_as_copy(copy, devices, 5, 128);
    }
}

/* Sizes that are not a whole number of words or units, and packets of zero or fewer bytes. */
static void test_ragged_sizes(void)
{
    if (!check_case("sizes that are not whole words or units: nothing is written"))
        return;
    int *matrix = cauchy_original_coding_matrix(3, 2, 8);
    int *bits = jerasure_matrix_to_bitmatrix(3, 2, 8, matrix);
    int **schedule = jerasure_smart_bitmatrix_to_schedule(3, 2, 8, bits);
    char *devices[DEVICES], copy[5 * 127];
    place_devices(devices, 5, 127);
    copy_devices(copy, devices, 5, 127);
    jerasure_matrix_encode(3, 2, 16, matrix, devices, devices + 3, 127);
    jerasure_matrix_encode(3, 2, 12, matrix, devices, devices + 3, 120);
    jerasure_bitmatrix_encode(3, 2, 8, bits, devices, devices + 3, 127, 8);
    jerasure_bitmatrix_encode(3, 2, 8, bits, devices, devices + 3, 64, 0);
    jerasure_bitmatrix_dotprod(3, 8, bits, NULL, 3, devices, devices + 3, 64, -8);
    jerasure_schedule_encode(3, 2, 8, schedule, devices, devices + 3, 127, 8);
    jerasure_do_scheduled_operations(devices, schedule, 0);
    galois_w16_region_multiply(devices[0], 3, 7, devices[1], 0);
    galois_w32_region_multiply(devices[0], 3, -4, devices[1], 0);
    same_as_copy(copy, devices, 5, 127);
    jerasure_free_schedule(schedule);
    jerasure_free_schedule(NULL);
    free(bits);
    free(matrix);
}

/* blaum_roth with w = 7 is not an MDS code.  The original decodes some losses to wrong
   bytes. */
static void test_singular(void)
{
    if (!check_case("losses that do not determine the data are refused"))
        return;
    const int k = 7, w = 7, size = 7 * 16;
    int *bits = blaum_roth_coding_bitmatrix(k, w), refused = 0;
    char devices[9][7 * 16], copy[9][7 * 16], *pointers[9];
    for (int i = 0; i < k + 2; i++) {
        pointers[i] = devices[i];
        check_fill(devices[i], sizeof devices[i]);
    }
    jerasure_bitmatrix_encode(k, 2, w, bits, pointers, pointers + k, size, 16);
    memcpy(copy, devices, sizeof copy);
    for (int a = 0; a < k + 2; a++) {
        for (int b = a + 1; b < k + 2; b++) {
            int erasures[] = {a, b, -1};
            const int status = jerasure_schedule_decode_lazy(k, 2, w, bits, erasures, pointers,
                                                             pointers + k, size, 16, 1);
            CHECK_INT(jerasure_bitmatrix_decode(k, 2, w, bits, 1, erasures, pointers,
                                                pointers + k, size, 16),
                      status);
            CHECK_BYTES(devices, copy, sizeof copy);
            refused += status != 0;
        }
    }
    CHECK_INT(refused, 9);
    free(bits);
}

static void test_impossible(void)
{
    if (!check_case("codes and fields that do not exist: NULL, or an error"))
        return;
    CHECK(cauchy_original_coding_matrix(3, 2, 2) == NULL);
    CHECK(cauchy_original_coding_matrix(3, 2, 33) == NULL);
    CHECK(cauchy_good_general_coding_matrix(0, 2, 8) == NULL);
    CHECK(reed_sol_vandermonde_coding_matrix(255, 2, 8) == NULL);
    CHECK(reed_sol_extended_vandermonde_matrix(17, 3, 4) == NULL);
    CHECK(reed_sol_big_vandermonde_distribution_matrix(3, 3, 8) == NULL);
    CHECK(reed_sol_r6_coding_matrix(3, 4) == NULL);
    CHECK(liberation_coding_bitmatrix(8, 7) == NULL);
    CHECK(liber8tion_coding_bitmatrix(9) == NULL);
    CHECK(jerasure_matrix_to_bitmatrix(3, 2, 8, NULL) == NULL);
    CHECK(jerasure_generate_schedule_cache(3, 3, 8, NULL, 0) == NULL);
    CHECK(jerasure_matrix_multiply(NULL, NULL, 2, 3, 2, 2, 8) == NULL);
    CHECK(galois_init_field(8, 99, 0, 0, 0, 0, 0) == NULL);
    CHECK(galois_init_composite_field(8, 0, 0, 2, NULL) == NULL);
    CHECK_INT(galois_init_default_field(0), EINVAL);
    CHECK_INT(galois_init_default_field(33), EINVAL);
    CHECK_INT(galois_init_default_field(64), EINVAL);
    CHECK_INT(galois_uninit_field(64), 0);
    CHECK(galois_get_field_ptr(-1) == NULL);
    CHECK_INT(galois_single_multiply(2, 3, 33), 0);
    CHECK_INT(galois_single_divide(2, 3, -1), -1);
    galois_change_technique(NULL, 8);
    CHECK_INT(galois_single_multiply(2, 3, 8), 6);
    CHECK_INT(reed_sol_r6_encode(3, 4, NULL, NULL, 64), 0);
}

/* ----------------------------------------------------------- threads ---- */

/* liberasurecode frees fields in one thread while other threads compute in them. */
static void *code_and_forget(void *context)
{
    int *const wrong = context;
    for (int turn = 0; turn < 2000; turn++) {
        const int w = 8 << turn % 3, a = turn * 7 % 255 + 1, b = turn % 251 + 1;
        const int c = galois_single_multiply(a, b, w);
        *wrong += galois_single_divide(c, b, w) != a;
        galois_uninit_field(w);
    }
    return NULL;
}

static void test_threads(void)
{
    if (!check_case("several threads make and free fields at the same time"))
        return;
    pthread_t threads[4];
    int wrong[4] = {0};
    for (int i = 0; i < 4; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, code_and_forget, &wrong[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        CHECK_INT(wrong[i], 0);
    }
}

int main(int argc, char **argv)
{
    check_start("test_jerasure", argc, argv);
    open_guards();
    test_words();
    test_absent_sources();
    test_sums();
    test_regions_of_bytes();
    test_in_place();
    test_packets();
    test_row_of_ones();
    test_bases();
    test_cauchy_in_composite_field();
    test_any_schedule();
    test_refusals();
    test_nothing_lost();
    test_ragged_sizes();
    test_singular();
    test_impossible();
    test_threads();
    return check_finish();
}
