/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of gf_complete/ that no installed header declares (gf_complete/names.h).
 */
#include "check.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

static void test_parts(void)
{
    uint16_t products[65536];
    _Alignas(16) uint8_t src[301], dst[301], whole[301];
    gf_region_data rd;
    gf_t gf;
    if (!check_case("regions in parts"))
        return;
    CHECK_INT(gf_init_easy(&gf, 16), 1);
    for (uint32_t i = 0; i < 65536; i++)
        products[i] = (uint16_t)gf.multiply.w32(&gf, 0x1234, i);
    for (size_t offset = 0; offset < 16; offset += 2)
        for (int add = 0; add < 2; add++) {
            check_fill(src, sizeof src);
            check_fill(dst, sizeof dst);
            memcpy(whole, dst, sizeof whole);
            gf_set_region_data(&rd, &gf, src + offset, dst + offset, 280, 0x1234, add, 32);
            CHECK_INT((int)((uintptr_t)rd.s_start % 16), 0);
            CHECK_INT(((uint8_t *)rd.s_top - (uint8_t *)rd.s_start) % 32, 0);
            gf_do_initial_region_alignment(&rd);
            gf_two_byte_region_table_multiply(&rd, products);
            gf_do_final_region_alignment(&rd);
            gf.multiply_region.w32(&gf, src + offset, whole + offset, 0x1234, 280, add);
            CHECK_BYTES(dst, whole, sizeof dst);
        }
    gf_free(&gf, 0);
}

static void test_names(void)
{
    gf_t gf;
    uint8_t src[24], dst[24], want[24];
    int info[4];
    if (!check_case("names that no installed header declares"))
        return;
    char *const low = bits(5), *const more = bits_56(UINT64_C(1) << 55);
    CHECK_STR(low, "0000000000000000000000000101");
    CHECK_INT((long long)strlen(more), 56);
    CHECK_INT(more[0], '1');
    free(low);
    free(more);
    CHECK_INT(gf_bitmatrix_inverse(2, 8, 0x11d), 0x8e);
    CHECK_INT(gf_bitmatrix_inverse(0, 8, 0x11d), 0);
    CHECK_INT(gf_w8_scratch_size(0, 0, 0, 0, 0), gf_scratch_size(8, 0, 0, 0, 0, 0));
    CHECK_INT(gf_wgen_scratch_size(9, 0, 0, 0, 0, 0), gf_scratch_size(9, 0, 0, 0, 0, 0));
    CHECK_INT(gf_error_check(8, 0, 0, 0, 0, 0, 0, NULL), 1);
    gf_cpu_identify();
    CHECK_INT(gf_cpu_identified, 1);
    cpuid(info, 0);
    CHECK_INT(gf_init_easy(&gf, 64), 1);
    check_fill(src, sizeof src);
    memset(dst, 0, sizeof dst);
    gf.multiply_region.w64(&gf, src, want, 77, sizeof src, 0);
    gf_w64_split_4_64_lazy_multiply_region(&gf, src, dst, 77, sizeof src, 0);
    CHECK_BYTES(dst, want, sizeof want);
    gf_multby_one(want, dst, sizeof dst, 1);
    memset(want, 0, sizeof want);
    CHECK_BYTES(dst, want, sizeof want);
    gf_multby_one(src, dst, sizeof dst, 0);
    CHECK_BYTES(dst, src, sizeof want);
    gf_multby_zero(dst, sizeof dst, 0);
    CHECK_BYTES(dst, want, sizeof want);
    gf_free(&gf, 0);
    CHECK_INT(gf_init_easy(&gf, 128), 1);
    uint64_t a[2] = {check_random(), check_random()}, b[2], c[2], d[2] = {0, 1};
    gf_w128_euclid(&gf, a, b);
    gf_w128_shift_multiply(&gf, a, b, c);
    CHECK_BYTES(c, d, sizeof c);
    gf_w128_inverse_from_divide(&gf, a, c);
    CHECK_BYTES(c, b, sizeof c);
    gf_w128_divide_from_inverse(&gf, a, a, c);
    CHECK_BYTES(c, d, sizeof c);
    gf_w128_extract_word(&gf, a, sizeof a, 0, c);
    CHECK_BYTES(c, a, sizeof c);
    gf_free(&gf, 0);
}

/* gf_w16_init() completes a field that a program has set up itself. */
static void test_init_of_one_w(void)
{
    gf_t gf, again;
    if (!check_case("gf_w16_init"))
        return;
    CHECK_INT(gf_init_easy(&gf, 16), 1);
    again = (gf_t){.scratch = gf.scratch};
    CHECK_INT(gf_w16_init(&again), 1);
    CHECK_INT(again.multiply.w32(&again, 3, 7), 9);
    CHECK_INT(gf_w16_split_8_8_multiply(&again, 3, 7), 9);
    gf_free(&gf, 0);
}

int main(int argc, char **argv)
{
    check_start("test_gf_names", argc, argv);
    test_parts();
    test_names();
    test_init_of_one_w();
    return check_finish();
}
