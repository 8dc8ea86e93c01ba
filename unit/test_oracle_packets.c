/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our codes of packets must have the same bits and the same parity bytes as jerasure's, for all
 * its techniques of packets.  The oracle is libJerasure.so.2 of the system.
 */
#include "config.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "packet_stripe.h"
#include "system_library.h"

typedef int *matrix_fn(int k, int m, int w);
typedef int *to_bits_fn(int k, int m, int w, int *matrix);
typedef int *raid6_fn(int k, int w);
typedef int *liber8tion_fn(int k);
typedef int **schedule_fn(int k, int m, int w, int *bits);
typedef void free_schedule_fn(int **schedule);
typedef void encode_fn(int k, int m, int w, int **schedule, char **data, char **coding,
                       int size, int packetsize);

static struct {
    matrix_fn *cauchy_orig, *cauchy_good;
    to_bits_fn *to_bits;
    raid6_fn *liberation, *blaum_roth;
    liber8tion_fn *liber8tion;
    schedule_fn *schedule;
    free_schedule_fn *free_schedule;
    encode_fn *encode;
} theirs;

static bool find(void *library, const char *name, void *function)
{
    void *const address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* Returns false if there is no such library.  The reason has been printed then. */
static bool open_jerasure(void)
{
    void *const library = system_library_open("PXR_JERASURE", "libJerasure.so.2", "jerasure");
    if (!library)
        return false;
    const bool all = find(library, "cauchy_original_coding_matrix", &theirs.cauchy_orig) &&
                     find(library, "cauchy_good_general_coding_matrix", &theirs.cauchy_good) &&
                     find(library, "jerasure_matrix_to_bitmatrix", &theirs.to_bits) &&
                     find(library, "liberation_coding_bitmatrix", &theirs.liberation) &&
                     find(library, "blaum_roth_coding_bitmatrix", &theirs.blaum_roth) &&
                     find(library, "liber8tion_coding_bitmatrix", &theirs.liber8tion) &&
                     find(library, "jerasure_smart_bitmatrix_to_schedule", &theirs.schedule) &&
                     find(library, "jerasure_free_schedule", &theirs.free_schedule) &&
                     find(library, "jerasure_schedule_encode", &theirs.encode);
    if (!all)
        check_skip("comparison with jerasure", "its libJerasure.so.2 lacks a function");
    return all;
}

/* jerasure's bits for a shape.  The caller frees them. */
static int *their_bits(const struct packet_shape *s)
{
    const int k = (int)s->k, m = (int)s->m, w = (int)s->w;
    int *matrix, *bits;
    switch (s->matrix) {
    case PXR_JERASURE_LIBERATION:
        return theirs.liberation(k, w);
    case PXR_JERASURE_BLAUM_ROTH:
        return theirs.blaum_roth(k, w);
    case PXR_JERASURE_LIBER8TION:
        return theirs.liber8tion(k);
    default:
        matrix = s->matrix == PXR_JERASURE_CAUCHY_GOOD ? theirs.cauchy_good(k, m, w)
                                                       : theirs.cauchy_orig(k, m, w);
        bits = theirs.to_bits(k, m, w, matrix);
        free(matrix);
        return bits;
    }
}

static void compare_bits(const pxr_code *code, const int *bits)
{
    uint8_t *const ours = packet_bits(code);
    const unsigned w = pxr_code_w(code);
    const size_t n = (size_t)w * w * pxr_code_k(code) * pxr_code_m(code);
    size_t same = 0;
    while (same < n && ours[same] == bits[same])
        same++;
    CHECK_INT((long)same, (long)n);
    free(ours);
}

/* Compares the parity of a few units.  jerasure computes it by the schedule that its own
   programs use. */
static void compare_parity(const struct packet_shape *s, int *bits, size_t packetsize)
{
    pxr_code *code = packet_code(s, packetsize);
    const size_t len = pxr_code_unit(code) * (1 + check_below(3));
    int **const schedule = theirs.schedule((int)s->k, (int)s->m, (int)s->w, bits);
    uint8_t *data[PXR_MAX_SHARDS], *ours[PXR_MAX_SHARDS], *parity[PXR_MAX_SHARDS];
    for (unsigned j = 0; j < s->k; j++)
        check_fill(data[j] = aligned_alloc(64, (len + 63) / 64 * 64), len);
    for (unsigned r = 0; r < s->m; r++) {
        ours[r] = aligned_alloc(64, (len + 63) / 64 * 64);
        parity[r] = aligned_alloc(64, (len + 63) / 64 * 64);
    }
    theirs.encode((int)s->k, (int)s->m, (int)s->w, schedule, (char **)data, (char **)parity,
                  (int)len, (int)packetsize);
    CHECK_INT(pxr_encode(code, len, data, ours), PXR_OK);
    for (unsigned r = 0; r < s->m; r++)
        CHECK_BYTES(ours[r], parity[r], len);
    for (unsigned j = 0; j < s->k; j++)
        free(data[j]);
    for (unsigned r = 0; r < s->m; r++) {
        free(ours[r]);
        free(parity[r]);
    }
    theirs.free_schedule(schedule);
    pxr_code_free(code);
}

static void compare(const struct packet_shape *s)
{
    static const size_t packetsizes[] = {8, 64, 200, 1024, 2048, 2304, 4096};
    int *const bits = their_bits(s);
    pxr_code *code = packet_code(s, 8);
    check_at("k=%ld m=%ld w=%ld", s->k, s->m, s->w, 0);
    if (CHECK(bits != NULL)) {
        compare_bits(code, bits);
        compare_parity(s, bits, packetsizes[check_below(7)]);
    }
    free(bits);
    pxr_code_free(code);
}

static void test_cauchy(enum pxr_matrix matrix)
{
    static const unsigned ws[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 23, 31, 32};
    if (!check_case("%s", pxr_matrix_name(matrix)))
        return;
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++)
        for (unsigned k = 1; k <= 12; k += 1 + k / 6)
            for (unsigned m = 1; m <= 4; m++)
                if (ws[i] > 8 || k + m <= 1u << ws[i])
                    compare(&(struct packet_shape){matrix, k, m, ws[i], 0});
    compare(&(struct packet_shape){matrix, 20, 6, 8, 0});
    compare(&(struct packet_shape){matrix, 100, 2, 8, 0});
}

static void test_raid6(void)
{
    if (!check_case("liberation, blaum_roth, liber8tion"))
        return;
    for (unsigned w = 3; w <= 31; w++)
        for (unsigned k = 1; k <= w; k += 1 + k / 3) {
            compare(&(struct packet_shape){PXR_JERASURE_LIBERATION, k, 2, w, PXR_ASSUME_MDS});
            compare(&(struct packet_shape){PXR_JERASURE_BLAUM_ROTH, k, 2, w, PXR_ASSUME_MDS});
        }
    for (unsigned k = 1; k <= 8; k++)
        compare(&(struct packet_shape){PXR_JERASURE_LIBER8TION, k, 2, 8, 0});
}

int main(int argc, char **argv)
{
    check_start("test_oracle_packets", argc, argv);
    check_forced_kernels();
    if (!open_jerasure())
        return check_finish();
    test_cauchy(PXR_JERASURE_CAUCHY_ORIG);
    test_cauchy(PXR_JERASURE_CAUCHY_GOOD);
    test_raid6();
    return check_finish();
}
