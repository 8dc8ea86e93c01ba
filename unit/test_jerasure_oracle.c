/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This build's libJerasure.so.2 compared with the system's: the same matrices, schedules,
 * products, fields and printed text.  test_jerasure_coding compares the bytes of codes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "jerasure_pair.h"

/* ---------------------------------------------------------- matrices ---- */

static const int widths[] = {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 24, 31, 32};
#define EACH_WIDTH(w)                                                 \
    for (size_t at_ = 0; at_ < sizeof widths / sizeof *widths; at_++) \
        for (int w = widths[at_], once_ = 1; once_; once_ = 0)

static void test_matrices(void)
{
    EACH_WIDTH(w)
    {
        if (!check_case("matrices, w=%d", w))
            continue;
        for (int k = 1; k <= 12; k++) {
            for (int m = 1; m <= 5; m++) {
                const size_t n = (size_t)(k * m);
                check_at("k=%ld m=%ld", k, m, 0, 0);
                same_ints(ours->cauchy_original_coding_matrix(k, m, w),
                          theirs.cauchy_original_coding_matrix(k, m, w), n);
                if (w >= 2 && (w < 16 || k <= 4))
                    same_ints(ours->cauchy_good_general_coding_matrix(k, m, w),
                              theirs.cauchy_good_general_coding_matrix(k, m, w), n);
                if (w >= 4 && k + m <= 1 << (w < 8 ? w : 8)) {
                    same_ints(ours->reed_sol_vandermonde_coding_matrix(k, m, w),
                              theirs.reed_sol_vandermonde_coding_matrix(k, m, w), n);
                    same_ints(ours->reed_sol_big_vandermonde_distribution_matrix(k + m, k, w),
                              theirs.reed_sol_big_vandermonde_distribution_matrix(k + m, k, w),
                              n + (size_t)(k * k));
                }
            }
            same_ints(ours->reed_sol_r6_coding_matrix(k, w),
                      theirs.reed_sol_r6_coding_matrix(k, w), 2 * (size_t)k);
        }
    }
}

static void test_raid6_bitmatrices(void)
{
    if (!check_case("bit matrices for RAID-6"))
        return;
    for (int w = 2; w <= 23; w++) {
        for (int k = 1; k <= w + 1; k++) {
            const size_t n = (size_t)(2 * w * k * w);
            check_at("k=%ld w=%ld", k, w, 0, 0);
            same_ints(ours->liberation_coding_bitmatrix(k, w),
                      theirs.liberation_coding_bitmatrix(k, w), n);
            same_ints(ours->blaum_roth_coding_bitmatrix(k, w),
                      theirs.blaum_roth_coding_bitmatrix(k, w), n);
        }
    }
    for (int k = 1; k <= 9; k++)
        same_ints(ours->liber8tion_coding_bitmatrix(k), theirs.liber8tion_coding_bitmatrix(k),
                  (size_t)(2 * 8 * k * 8));
}

static void test_arithmetic(void)
{
    EACH_WIDTH(w)
    {
        if (!check_case("numbers, w=%d", w))
            continue;
        for (int turn = 0; turn < 500; turn++) {
            int n[2];
            fill_numbers(n, 2, w);
            check_at("%ld %ld", n[0], n[1], 0, 0);
            CHECK_INT(ours->galois_single_multiply(n[0], n[1], w),
                      theirs.galois_single_multiply(n[0], n[1], w));
            CHECK_INT(ours->galois_single_divide(n[0], n[1], w),
                      theirs.galois_single_divide(n[0], n[1], w));
            CHECK_INT(ours->galois_inverse(n[0], w), theirs.galois_inverse(n[0], w));
            if (turn < 20)
                CHECK_INT(ours->cauchy_n_ones(n[0], w), theirs.cauchy_n_ones(n[0], w));
        }
    }
}

static void test_inversion(void)
{
    EACH_WIDTH(w)
    {
        if (!check_case("inverses and products of matrices, w=%d", w))
            continue;
        for (int turn = 0; turn < 60; turn++) {
            const int n = 1 + (int)check_below(7);
            int a[2][49], inverse[2][49];
            fill_numbers(a[0], n * n, turn % 2 ? 1 : w);
            memcpy(a[1], a[0], sizeof a[0]);
            const int status = ours->jerasure_invert_matrix(a[0], inverse[0], n, w);
            CHECK_INT(status, theirs.jerasure_invert_matrix(a[1], inverse[1], n, w));
            if (status == 0)
                CHECK_BYTES(inverse[0], inverse[1], sizeof(int) * (size_t)(n * n));
            fill_numbers(a[0], n * n, w);
            memcpy(a[1], a[0], sizeof a[0]);
            same_ints(ours->jerasure_matrix_multiply(a[0], inverse[1], n, n, n, n, w),
                      theirs.jerasure_matrix_multiply(a[0], inverse[1], n, n, n, n, w),
                      (size_t)(n * n));
            CHECK_INT(ours->jerasure_invertible_matrix(a[0], n, w),
                      theirs.jerasure_invertible_matrix(a[1], n, w));
            fill_numbers(a[0], n * n, 1);
            memcpy(a[1], a[0], sizeof a[0]);
            const int bits = ours->jerasure_invert_bitmatrix(a[0], inverse[0], n);
            CHECK_INT(bits, theirs.jerasure_invert_bitmatrix(a[1], inverse[1], n));
            if (bits == 0)
                CHECK_BYTES(inverse[0], inverse[1], sizeof(int) * (size_t)(n * n));
            fill_numbers(a[0], n * n, 1);
            memcpy(a[1], a[0], sizeof a[0]);
            CHECK_INT(ours->jerasure_invertible_bitmatrix(a[0], n),
                      theirs.jerasure_invertible_bitmatrix(a[1], n));
        }
    }
}

/* --------------------------------------------------------- schedules ---- */

static void test_schedules(void)
{
    if (!check_case("schedules"))
        return;
    for (int turn = 0; turn < 60; turn++) {
        const int k = 1 + (int)check_below(10), m = 1 + (int)check_below(4);
        const int w = 4 + 4 * (turn % 2);
        int *matrix = turn % 3 ? ours->cauchy_original_coding_matrix(k, m, w)
                               : ours->cauchy_good_general_coding_matrix(k, m, w);
        int *bits = ours->jerasure_matrix_to_bitmatrix(k, m, w, matrix);
        check_at("k=%ld m=%ld w=%ld", k, m, w, 0);
        same_ints(ours->jerasure_matrix_to_bitmatrix(k, m, w, matrix),
                  theirs.jerasure_matrix_to_bitmatrix(k, m, w, matrix),
                  (size_t)(k * w * m * w));
        if (turn % 5 == 4)
            fill_numbers(bits, k * w * m * w, 1);
        int **smart[] = {ours->jerasure_smart_bitmatrix_to_schedule(k, m, w, bits),
                         theirs.jerasure_smart_bitmatrix_to_schedule(k, m, w, bits)};
        int **dumb[] = {ours->jerasure_dumb_bitmatrix_to_schedule(k, m, w, bits),
                        theirs.jerasure_dumb_bitmatrix_to_schedule(k, m, w, bits)};
        same_schedules(smart[0], smart[1]);
        same_schedules(dumb[0], dumb[1]);
        /* Each library must be able to free the schedules of the other. */
        ours->jerasure_free_schedule(smart[1]);
        theirs.jerasure_free_schedule(smart[0]);
        ours->jerasure_free_schedule(dumb[0]);
        theirs.jerasure_free_schedule(dumb[1]);
        free(bits);
        free(matrix);
    }
}

/* ------------------------------------------------- regions and fields ---- */

static void multiply_regions(const struct jerasure_library *library, int side, int w, int c,
                             int add)
{
    char *from = devices.region[side][0], *to = devices.region[side][1];
    const int size = devices.size;
    switch (w) {
    case 8:
        library->galois_w08_region_multiply(from, c, size, to, add);
        library->reed_sol_galois_w08_region_multby_2(from, size);
        break;
    case 16:
        library->galois_w16_region_multiply(from, c, size, to, add);
        library->reed_sol_galois_w16_region_multby_2(from, size);
        break;
    default:
        library->galois_w32_region_multiply(from, c, size, to, add);
        library->reed_sol_galois_w32_region_multby_2(from, size);
        break;
    }
    library->galois_region_xor(to, from, size);
}

static void test_regions(void)
{
    if (!check_case("products of regions"))
        return;
    for (int turn = 0; turn < 300; turn++) {
        const int w = 8 << turn % 3, size = 16 * (1 + (int)check_below(300));
        int c;
        fill_numbers(&c, 1, turn % 5 ? w : 1);
        check_at("w=%ld c=%ld size=%ld", w, c, size, 0);
        fill_devices(1, 1, size);
        multiply_regions(ours, 0, w, c, turn % 2);
        multiply_regions(&theirs, 1, w, c, turn % 2);
        same_devices();
    }
}

/* Sets AES's polynomial in place of the default one, or a composite field. */
static void change_field(const struct jerasure_library *library, int w)
{
    gf_t *field;
    if (w == 8) {
        field = library->galois_init_field(8, GF_MULT_TABLE, GF_REGION_DEFAULT,
                                           GF_DIVIDE_DEFAULT, 0x11b, 0, 0);
    } else {
        gf_t *base = library->galois_init_field(w / 2, GF_MULT_TABLE, GF_REGION_DEFAULT,
                                                GF_DIVIDE_DEFAULT, 0, 0, 0);
        field = library->galois_init_composite_field(w, GF_REGION_DEFAULT, GF_DIVIDE_DEFAULT, 2,
                                                     base);
    }
    CHECK(field != NULL);
    library->galois_change_technique(field, w);
    CHECK(library->galois_get_field_ptr(w) == field);
}

static void test_changed_fields(void)
{
    for (int w = 8; w <= 16; w += 8) {
        if (!check_case("a field that the program chooses, w=%d", w))
            continue;
        change_field(ours, w);
        change_field(&theirs, w);
        CHECK(ours->galois_single_multiply(0x57, 0x83, w) ==
              theirs.galois_single_multiply(0x57, 0x83, w));
        for (int turn = 0; turn < 20; turn++) {
            const int k = 2 + (int)check_below(5), m = 1 + (int)check_below(3);
            int *matrix = ours->reed_sol_vandermonde_coding_matrix(k, m, w);
            int erasures[] = {(int)check_below((size_t)(k + m)), -1};
            check_at("k=%ld m=%ld", k, m, 0, 0);
            same_ints(ours->reed_sol_vandermonde_coding_matrix(k, m, w),
                      theirs.reed_sol_vandermonde_coding_matrix(k, m, w), (size_t)(k * m));
            /* The matrices of other w and m depend on how the original counts ones.  It counts
               in the field that was set when the process first did so. */
            if (w == 8)
                same_ints(ours->cauchy_good_general_coding_matrix(k, 2, w),
                          theirs.cauchy_good_general_coding_matrix(k, 2, w), 2 * (size_t)k);
            fill_devices(k, m, 256);
            ours->jerasure_matrix_encode(k, m, w, matrix, data_of(0), coding_of(0), 256);
            theirs.jerasure_matrix_encode(k, m, w, matrix, data_of(1), coding_of(1), 256);
            same_devices();
            lose(erasures);
            CHECK_INT(ours->jerasure_matrix_decode(k, m, w, matrix, 1, erasures, data_of(0),
                                                   coding_of(0), 256),
                      theirs.jerasure_matrix_decode(k, m, w, matrix, 1, erasures, data_of(1),
                                                    coding_of(1), 256));
            same_devices();
            free(matrix);
        }
        CHECK_INT(ours->galois_uninit_field(w), theirs.galois_uninit_field(w));
        CHECK_INT(ours->galois_single_multiply(0x57, 0x83, w),
                  theirs.galois_single_multiply(0x57, 0x83, w));
    }
}

/* ---------------------------------------------------------- printing ---- */

/* Calls `print` with standard output redirected to a file; returns how many bytes it
   printed. */
static size_t printed(void (*print)(const struct jerasure_library *), char *text, size_t size,
                      const struct jerasure_library *library)
{
    fflush(stdout);
    FILE *file = tmpfile();
    const int kept = dup(STDOUT_FILENO);
    CHECK(file != NULL && kept >= 0);
    if (file == NULL || kept < 0)
        return 0;
    dup2(fileno(file), STDOUT_FILENO);
    print(library);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    const size_t count = fread(text, 1, size - 1, file);
    text[count] = '\0';
    fclose(file);
    return count;
}

static void print_all(const struct jerasure_library *library)
{
    int numbers[] = {1, 2, 3, 254, 0, 17, -1, 1 << 30};
    int bits[] = {1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1};
    EACH_WIDTH(w)
    library->jerasure_print_matrix(numbers, 2, w == 32 ? 4 : 3, w);
    library->jerasure_print_bitmatrix(bits, 3, 4, 2);
    library->jerasure_print_bitmatrix(bits, 4, 3, 2);
    library->jerasure_print_bitmatrix(bits, 2, 6, 3);
}

static void test_printing(void)
{
    static char got[4096], want[4096];
    if (!check_case("printed text"))
        return;
    CHECK(printed(print_all, got, sizeof got, ours) > 0);
    CHECK(printed(print_all, want, sizeof want, &theirs) > 0);
    CHECK_STR(got, want);
}

int main(int argc, char **argv)
{
    check_start("test_jerasure_oracle", argc, argv);
    if (pair_open()) {
        test_arithmetic();
        test_matrices();
        test_raid6_bitmatrices();
        test_inversion();
        test_schedules();
        test_regions();
        test_changed_fields();
        test_printing();
    }
    return check_finish();
}
