/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This build's libJerasure.so.2 compared with the system's.  Encoding and decoding must give
 * the same bytes, return values and statistics, also for losses that cannot be decoded.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "jerasure_pair.h"

/* Chooses at most m + 1 losses, which is one more than can be decoded.  Some devices may be
   listed twice. */
static void choose_erasures(int *erasures, int k, int m)
{
    const int count = (int)check_below((size_t)m + 2);
    for (int i = 0; i < count; i++)
        erasures[i] = (int)check_below((size_t)(k + m));
    erasures[count] = -1;
}

/* Chooses one or more different losses that can be decoded.  With other lists the system's
   library crashes or never returns. */
static void choose_decodable(int *erasures, int k, int m)
{
    const int count = 1 + (int)check_below((size_t)m);
    const int first = (int)check_below((size_t)(k + m));
    const int step = 1 + (int)check_below((size_t)(k + m - 1) / (size_t)m);
    for (int i = 0; i < count; i++)
        erasures[i] = (first + i * step) % (k + m);
    erasures[count] = -1;
}

static int *matrix_of(int k, int m, int w, int turn)
{
    if (turn % 3 == 0)
        return ours->cauchy_original_coding_matrix(k, m, w);
    return ours->reed_sol_vandermonde_coding_matrix(k, m, w);
}

static void test_matrix_coding(void)
{
    static const int words[] = {8, 16, 32};
    for (int i = 0; i < 3; i++) {
        const int w = words[i];
        if (!check_case("coding by a matrix, w=%d", w))
            continue;
        for (int turn = 0; turn < (int)check_effort(300); turn++) {
            const int k = 1 + (int)check_below(10), m = 1 + (int)check_below(4);
            const int size = 16 * (1 + (int)check_below(turn % 10 ? 40 : 2000));
            int erasures[8];
            int *matrix = matrix_of(k, m, w, turn);
            check_at("k=%ld m=%ld size=%ld turn=%ld", k, m, size, turn);
            if (turn % 7 == 6)
                memset(matrix + k * (m - 1), 0, sizeof(int) * (size_t)k);
            fill_devices(k, m, size);
            ours->jerasure_matrix_encode(k, m, w, matrix, data_of(0), coding_of(0), size);
            theirs.jerasure_matrix_encode(k, m, w, matrix, data_of(1), coding_of(1), size);
            same_devices();
            choose_erasures(erasures, k, m);
            lose(erasures);
            const int ones = turn % 3 != 0 && turn % 2;
            CHECK_INT(ours->jerasure_matrix_decode(k, m, w, matrix, ones, erasures, data_of(0),
                                                   coding_of(0), size),
                      theirs.jerasure_matrix_decode(k, m, w, matrix, ones, erasures, data_of(1),
                                                    coding_of(1), size));
            same_devices();
            free(matrix);
        }
    }
}

static void test_raid6_encoding(void)
{
    if (!check_case("reed_sol_r6_encode, do_parity"))
        return;
    for (int turn = 0; turn < 60; turn++) {
        const int k = 1 + (int)check_below(12), w = 8 << turn % 3;
        const int size = 16 * (1 + (int)check_below(200));
        check_at("k=%ld w=%ld size=%ld", k, w, size, 0);
        fill_devices(k, 2, size);
        CHECK_INT(ours->reed_sol_r6_encode(k, w, data_of(0), coding_of(0), size),
                  theirs.reed_sol_r6_encode(k, w, data_of(1), coding_of(1), size));
        same_devices();
        ours->jerasure_do_parity(k, data_of(0), *coding_of(0), size);
        theirs.jerasure_do_parity(k, data_of(1), *coding_of(1), size);
        same_devices();
    }
}

/* Makes a bit matrix, with each technique in turn.  Changes k and m if the technique has limits
   of its own. */
static int *bits_of(int turn, int *k, int *m, int *w)
{
    *w = 4 << turn % 2;
    if (turn % 4 < 2) {
        int *matrix = turn % 3 ? ours->cauchy_good_general_coding_matrix(*k, *m, *w)
                               : ours->cauchy_original_coding_matrix(*k, *m, *w);
        int *bits = ours->jerasure_matrix_to_bitmatrix(*k, *m, *w, matrix);
        free(matrix);
        return bits;
    }
    *m = 2;
    switch (turn / 4 % 3) {
    case 0:
        *w = turn % 24 < 12 ? 7 : 37; /* also more bits than a field has */
        *k = *k > 7 ? 7 : *k;
        return ours->liberation_coding_bitmatrix(*k, *w);
    case 1:
        *w = 6;
        *k = *k > 6 ? 6 : *k;
        return ours->blaum_roth_coding_bitmatrix(*k, *w);
    default:
        *w = 8;
        *k = *k > 8 ? 8 : *k;
        return ours->liber8tion_coding_bitmatrix(*k);
    }
}

/* Fills the devices with new data, and encodes it with the bit matrix in each library. */
static void encode_bits(int k, int m, int w, int *bits, int size, int packetsize)
{
    fill_devices(k, m, size);
    ours->jerasure_bitmatrix_encode(k, m, w, bits, data_of(0), coding_of(0), size, packetsize);
    theirs.jerasure_bitmatrix_encode(k, m, w, bits, data_of(1), coding_of(1), size, packetsize);
}

static const int packetsizes[] = {8, 16, 24, 64, 200, 256, 1024, 2048};

static void test_bit_coding(void)
{
    if (!check_case("coding by a bit matrix and by schedules"))
        return;
    for (int turn = 0; turn < (int)check_effort(600); turn++) {
        int k = 2 + (int)check_below(8), m = 1 + (int)check_below(4), w, erasures[8];
        int *bits = bits_of(turn, &k, &m, &w);
        const int packetsize = packetsizes[check_below(w > 32 ? 7 : 8)];
        const int most = MOST_BYTES / (w * packetsize);
        const int size = w * packetsize * (1 + (int)check_below(most > 5 ? 5 : (size_t)most));
        check_at("k=%ld m=%ld w=%ld turn=%ld", k, m, w, turn);
        encode_bits(k, m, w, bits, size, packetsize);
        same_devices();
        int **schedule = ours->jerasure_smart_bitmatrix_to_schedule(k, m, w, bits);
        fill_devices(k, m, size);
        ours->jerasure_schedule_encode(k, m, w, schedule, data_of(0), coding_of(0), size,
                                       packetsize);
        theirs.jerasure_schedule_encode(k, m, w, schedule, data_of(1), coding_of(1), size,
                                        packetsize);
        same_devices();
        ours->jerasure_free_schedule(schedule);
        choose_erasures(erasures, k, m);
        lose(erasures);
        const int ones = m == 2 && turn % 4 >= 2 && turn % 2;
        CHECK_INT(ours->jerasure_bitmatrix_decode(k, m, w, bits, ones, erasures, data_of(0),
                                                  coding_of(0), size, packetsize),
                  theirs.jerasure_bitmatrix_decode(k, m, w, bits, ones, erasures, data_of(1),
                                                   coding_of(1), size, packetsize));
        same_devices();
        free(bits);
    }
}

static void test_schedule_decoding(void)
{
    if (!check_case("decoding by schedules"))
        return;
    for (int turn = 0; turn < (int)check_effort(400); turn++) {
        int k = 2 + (int)check_below(8), m = 1 + (int)check_below(4), w, erasures[8];
        int *bits = bits_of(turn, &k, &m, &w);
        const int packetsize = 8 << check_below(5), size = w * packetsize * 2;
        const int smart = (int)check_below(2);
        check_at("k=%ld m=%ld w=%ld turn=%ld", k, m, w, turn);
        encode_bits(k, m, w, bits, size, packetsize);
        same_devices();
        choose_decodable(erasures, k, m);
        lose(erasures);
        CHECK_INT(ours->jerasure_schedule_decode_lazy(k, m, w, bits, erasures, data_of(0),
                                                      coding_of(0), size, packetsize, smart),
                  theirs.jerasure_schedule_decode_lazy(k, m, w, bits, erasures, data_of(1),
                                                       coding_of(1), size, packetsize, smart));
        same_devices();
        free(bits);
    }
}

static void test_schedule_cache(void)
{
    if (!check_case("caches of decoding schedules"))
        return;
    for (int turn = 0; turn < 6; turn++) {
        int k = 5, m = 2, w;
        int *bits = bits_of(4 * turn + 2, &k, &m, &w);
        const int n = k + 2, packetsize = 64, size = 3 * w * packetsize;
        int ***cache[] = {ours->jerasure_generate_schedule_cache(k, m, w, bits, turn % 2),
                          theirs.jerasure_generate_schedule_cache(k, m, w, bits, turn % 2)};
        encode_bits(k, m, w, bits, size, packetsize);
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                int erasures[] = {a, b == a ? -1 : b, -1};
                check_at("k=%ld w=%ld %ld %ld", k, w, a, b);
                same_schedules(cache[0][a * n + b], cache[1][a * n + b]);
                lose(erasures);
                CHECK_INT(ours->jerasure_schedule_decode_cache(k, m, w, cache[0], erasures,
                                                               data_of(0), coding_of(0), size,
                                                               packetsize),
                          theirs.jerasure_schedule_decode_cache(k, m, w, cache[1], erasures,
                                                                data_of(1), coding_of(1), size,
                                                                packetsize));
                same_devices();
            }
        }
        ours->jerasure_free_schedule_cache(k, m, cache[0]);
        theirs.jerasure_free_schedule_cache(k, m, cache[1]);
        free(bits);
    }
}

int main(int argc, char **argv)
{
    check_start("test_jerasure_coding", argc, argv);
    if (pair_open()) {
        test_matrix_coding();
        test_raid6_encoding();
        test_bit_coding();
        test_schedule_decoding();
        test_schedule_cache();
    }
    return check_finish();
}
