/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each libJerasure decodes what the other has encoded, with all techniques and in every way in
 * which jerasure can encode and decode.  Small codes try every set of losses, and larger codes
 * try random sets.
 *
 * Both libraries encode the same data, and the test compares their parity.  So it does not
 * matter whose shards are decoded.  Then each library restores all that was lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "jerasure_pair.h"

#define MOST_WIDTHS 10

enum kind { WORDS, PACKETS };

struct technique {
    const char *name;
    enum kind kind;
    bool raid6;             /* m is 2, and row 0 of the matrix has only ones */
    int width[MOST_WIDTHS]; /* ends with 0 */
    int *(*make)(const struct jerasure_library *library, int k, int m, int w);
};

/* One code in both libraries. */
struct trial {
    const struct technique *technique;
    int k, m, w, packetsize;
    int *matrix[2]; /* of words or of bits, one of each library */
};

static struct {
    unsigned long codes, patterns, decodes;
} counted;

static const struct jerasure_library *library_of(int side)
{
    return side == 0 ? ours : &theirs;
}

/* -------------------------------------------------------- techniques ---- */

static int *van(const struct jerasure_library *library, int k, int m, int w)
{
    return library->reed_sol_vandermonde_coding_matrix(k, m, w);
}

static int *r6(const struct jerasure_library *library, int k, int m, int w)
{
    (void)m;
    return library->reed_sol_r6_coding_matrix(k, w);
}

static int *bits_of(const struct jerasure_library *library, int k, int m, int w, int *matrix)
{
    int *const bits = library->jerasure_matrix_to_bitmatrix(k, m, w, matrix);
    free(matrix);
    return bits;
}

static int *orig(const struct jerasure_library *library, int k, int m, int w)
{
    return bits_of(library, k, m, w, library->cauchy_original_coding_matrix(k, m, w));
}

static int *good(const struct jerasure_library *library, int k, int m, int w)
{
    return bits_of(library, k, m, w, library->cauchy_good_general_coding_matrix(k, m, w));
}

static int *liberation(const struct jerasure_library *library, int k, int m, int w)
{
    (void)m;
    return library->liberation_coding_bitmatrix(k, w);
}

static int *blaum_roth(const struct jerasure_library *library, int k, int m, int w)
{
    (void)m;
    return library->blaum_roth_coding_bitmatrix(k, w);
}

static int *liber8tion(const struct jerasure_library *library, int k, int m, int w)
{
    (void)m;
    (void)w;
    return library->liber8tion_coding_bitmatrix(k);
}

static const struct technique techniques[] = {
    {"reed_sol_van", WORDS, false, {8, 16, 32}, van},
    {"reed_sol_r6_op", WORDS, true, {8, 16, 32}, r6},
    {"cauchy_orig", PACKETS, false, {2, 3, 4, 5, 6, 7, 8, 11, 16}, orig},
    {"cauchy_good", PACKETS, false, {2, 3, 4, 5, 6, 7, 8, 11, 16}, good},
    {"liberation", PACKETS, true, {3, 5, 7, 11, 13}, liberation},
    {"blaum_roth", PACKETS, true, {4, 6, 10, 12}, blaum_roth},
    {"liber8tion", PACKETS, true, {8}, liber8tion},
};

/* Whether this code exists and the technique's matrix is MDS for it. */
static bool possible(const struct technique *technique, int k, int m, int w)
{
    if (technique->raid6 && m != 2)
        return false;
    if (technique->kind == WORDS)
        return true;
    return technique->raid6 ? k <= w : w > 8 || k + m <= 1 << w;
}

/* ----------------------------------------------------------- encoding --- */

static void encode(const struct trial *t, int side, int way)
{
    const struct jerasure_library *const library = library_of(side);
    int *const matrix = t->matrix[side];
    char **const data = data_of(side), **const coding = coding_of(side);
    if (t->technique->kind == WORDS) {
        if (way == 0 || !t->technique->raid6)
            library->jerasure_matrix_encode(t->k, t->m, t->w, matrix, data, coding,
                                            devices.size);
        else
            library->reed_sol_r6_encode(t->k, t->w, data, coding, devices.size);
        return;
    }
    if (way == 0) {
        library->jerasure_bitmatrix_encode(t->k, t->m, t->w, matrix, data, coding, devices.size,
                                           t->packetsize);
        return;
    }
    int **const schedule =
        way == 1 ? library->jerasure_smart_bitmatrix_to_schedule(t->k, t->m, t->w, matrix)
                 : library->jerasure_dumb_bitmatrix_to_schedule(t->k, t->m, t->w, matrix);
    library->jerasure_schedule_encode(t->k, t->m, t->w, schedule, data, coding, devices.size,
                                      t->packetsize);
    library->jerasure_free_schedule(schedule);
}

#define ENCODING_WAYS(t) ((t)->technique->kind == PACKETS ? 3 : 1 + (t)->technique->raid6)

/* ----------------------------------------------------------- decoding --- */

static int decode(const struct trial *t, int side, int way, int *erasures)
{
    const struct jerasure_library *const library = library_of(side);
    int *const matrix = t->matrix[side];
    char **const data = data_of(side), **const coding = coding_of(side);
    if (t->technique->kind == WORDS)
        return library->jerasure_matrix_decode(t->k, t->m, t->w, matrix, way, erasures, data,
                                               coding, devices.size);
    if (way < 2)
        return library->jerasure_schedule_decode_lazy(t->k, t->m, t->w, matrix, erasures, data,
                                                      coding, devices.size, t->packetsize, way);
    return library->jerasure_bitmatrix_decode(t->k, t->m, t->w, matrix, way - 2, erasures, data,
                                              coding, devices.size, t->packetsize);
}

/* The number of ways to decode.  Some ways need a matrix whose row 0 has only ones.  Cauchy
   matrices need not be like that. */
static int decoding_ways(const struct trial *t)
{
    if (t->technique->kind == WORDS)
        return 2;
    return t->technique->raid6 ? 4 : 3;
}

/* Each library decodes the losses, and its devices must then hold what was encoded. */
static void try_losses(const struct trial *t, int *erasures, char *const *encoded)
{
    for (int way = 0; way < decoding_ways(t); way++) {
        lose(erasures);
        for (int side = 0; side < 2; side++) {
            CHECK_INT(decode(t, side, way, erasures), 0);
            for (const int *e = erasures; *e >= 0; e++)
                CHECK_BYTES(devices.region[side][*e], encoded[*e], (size_t)devices.size);
            counted.decodes++;
        }
    }
    counted.patterns++;
}

static void try_pattern(const struct trial *t, unsigned lost, char *const *encoded)
{
    int erasures[MOST_DEVICES + 1], n = 0;
    for (int i = 0; i < t->k + t->m; i++)
        if (lost >> i & 1)
            erasures[n++] = i;
    erasures[n] = -1;
    check_at("k=%ld m=%ld w=%ld lost=%#lx", t->k, t->m, t->w, (long)lost);
    try_losses(t, erasures, encoded);
}

static void try_each_pattern(const struct trial *t, char *const *encoded)
{
    for (unsigned lost = 1; lost < 1u << (t->k + t->m); lost++)
        if (__builtin_popcount(lost) <= t->m && check_sampled())
            try_pattern(t, lost, encoded);
}

static void try_some_patterns(const struct trial *t, char *const *encoded)
{
    for (unsigned turn = 0; turn < 6; turn++) {
        unsigned lost = 0;
        while (__builtin_popcount(lost) < 1 + (int)turn % t->m)
            lost |= 1u << check_below((size_t)(t->k + t->m));
        try_pattern(t, lost, encoded);
    }
}

/* -------------------------------------------------------------- codes --- */

typedef void patterns_fn(const struct trial *t, char *const *encoded);

/* Copies what the devices hold, one device after the other. */
static char *copies_of_devices(char **copy)
{
    const int n = devices.k + devices.m;
    const size_t size = (size_t)devices.size;
    char *const room = malloc((size_t)n * size);
    for (int i = 0; i < n; i++) {
        copy[i] = room + (size_t)i * size;
        memcpy(copy[i], devices.region[0][i], size);
    }
    return room;
}

static void try_code(struct trial *t, int units, patterns_fn *patterns)
{
    char *encoded[MOST_DEVICES];
    const int unit = t->technique->kind == PACKETS ? t->w * t->packetsize : 16;
    check_at("k=%ld m=%ld w=%ld packetsize=%ld", t->k, t->m, t->w, t->packetsize);
    for (int side = 0; side < 2; side++)
        t->matrix[side] = t->technique->make(library_of(side), t->k, t->m, t->w);
    for (int way = 0; way < ENCODING_WAYS(t); way++) {
        fill_devices(t->k, t->m, unit * units);
        encode(t, 0, way);
        encode(t, 1, way);
        same_devices();
    }
    char *const room = copies_of_devices(encoded);
    patterns(t, encoded);
    free(room);
    free(t->matrix[0]);
    free(t->matrix[1]);
    counted.codes++;
}

#define MOST_SMALL_K 6
#define MOST_SMALL_M 4

static void try_small_codes(const struct technique *technique, int w)
{
    static const int packetsizes[] = {8, 40};
    struct trial t = {.technique = technique, .w = w};
    for (t.k = 1; t.k <= MOST_SMALL_K; t.k++)
        for (t.m = 1; t.m <= MOST_SMALL_M; t.m++)
            for (int i = 0; i < 1 + (technique->kind == PACKETS); i++) {
                t.packetsize = packetsizes[i];
                if (possible(technique, t.k, t.m, w))
                    try_code(&t, 1 + (int)check_below(3), try_each_pattern);
            }
}

static void try_large_codes(const struct technique *technique, int w)
{
    for (unsigned turn = 0; turn < check_effort(12); turn++) {
        struct trial t = {.technique = technique, .w = w};
        t.packetsize = 8 << check_below(7);
        do {
            t.k = 1 + (int)check_below(16);
            t.m = technique->raid6 ? 2 : 1 + (int)check_below(MOST_DEVICES - 16);
        } while (!possible(technique, t.k, t.m, w));
        const size_t most = (size_t)(MOST_BYTES / 8 / (w * t.packetsize));
        try_code(&t, 1 + (int)check_below(most > 0 ? most : 1), try_some_patterns);
    }
}

static void try_technique(const struct technique *technique)
{
    for (const int *w = technique->width; *w != 0; w++) {
        if (!check_case("%s, w=%d", technique->name, *w))
            continue;
        counted.codes = counted.patterns = counted.decodes = 0;
        try_small_codes(technique, *w);
        try_large_codes(technique, *w);
        printf("%s, w=%d: %lu codes, %lu sets of losses, %lu decodes\n", technique->name, *w,
               counted.codes, counted.patterns, counted.decodes);
    }
}

int main(int argc, char **argv)
{
    check_start("test_jerasure_exchange", argc, argv);
    if (pair_open())
        for (size_t i = 0; i < sizeof techniques / sizeof *techniques; i++)
            try_technique(&techniques[i]);
    return check_finish();
}
