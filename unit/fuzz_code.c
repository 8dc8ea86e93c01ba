/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libFuzzer entry for permxor.h.  The input chooses a code (a custom matrix byte by byte),
 * shards, losses, changes and damage, and judge.h computes the expected results.  Every buffer
 * is an allocation of its own, so that a sanitizer detects an access beyond any of them.
 */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "fuzz_input.h"
#include "judge.h"
#include "permxor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ----------------------------------------------------------------- code -- */

struct subject {
    pxr_code *code;
    bool mds;
    unsigned k, m;
    size_t len;
    uint8_t *shard[PXR_MAX_SHARDS];
    uint8_t *bits; /* of a code of packets, otherwise NULL */
};

static bool make_custom(struct input *in, struct subject *s)
{
    unsigned flags = take(in) & PXR_ASSUME_MDS;
    if (!flags) { /* few square submatrices, so that the proof is quick */
        s->k = 1 + s->k % 8;
        s->m = 1 + s->m % 6;
    }
    uint8_t *rows = malloc((size_t)s->k * s->m);
    REQUIRE(rows != NULL);
    for (unsigned i = 0; i < s->k * s->m; i++)
        rows[i] = take(in);
    int status = pxr_code_create_custom(&s->code, s->k, s->m, rows, flags, NULL);
    if (status == PXR_OK)
        REQUIRE(memcmp(rows, pxr_code_coefficients(s->code), (size_t)s->k * s->m) == 0);
    else
        REQUIRE(!flags && (status == PXR_ENOTMDS || status == PXR_EUNPROVEN));
    free(rows);
    s->mds = !flags;
    return status == PXR_OK;
}

/* Makes a code of few packets, from one of jerasure's matrices or from bits of the input. */
static bool make_packets(struct input *in, struct subject *s, enum pxr_matrix matrix)
{
    const unsigned flags = take(in) & PXR_ASSUME_MDS, custom = matrix == PXR_CUSTOM_BITS;
    const unsigned w = 1 + take_below(in, custom ? 4 : 32), packetsize = 1 + take_below(in, 70);
    uint8_t rows[6 * 4 * 6 * 4];
    s->k = 1 + s->k % 6;
    s->m = custom ? 1 + s->m % 4 : s->m;
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = custom ? take(in) & 1 : 0;
    const int status =
        custom ? pxr_code_create_bits_custom(&s->code, s->k, s->m, w, packetsize, rows, flags,
                                             NULL)
               : pxr_code_create_bits(&s->code, s->k, s->m, matrix, w, packetsize, flags, NULL);
    REQUIRE(status == PXR_OK || (status == PXR_ENOTMDS && !flags) ||
            (status == PXR_EINVAL && !custom));
    if (status != PXR_OK)
        return false;
    s->mds = !flags;
    s->len = (size_t)w * packetsize * take_below(in, 4);
    s->bits = malloc((size_t)s->m * w * s->k * w);
    REQUIRE(s->bits && pxr_code_bits(s->code, s->bits) == PXR_OK);
    REQUIRE(!custom || memcmp(s->bits, rows, (size_t)s->m * w * s->k * w) == 0);
    return true;
}

static bool make_code(struct input *in, struct subject *s)
{
    bool wide = take(in) == 0xff;
    s->k = 1 + take_below(in, wide ? PXR_MAX_SHARDS - 1 : 20);
    s->m = 1 + take_below(in, wide ? PXR_MAX_SHARDS - s->k : 8);
    s->len = take_below(in, wide ? 70 : 700);
    s->mds = true;
    enum pxr_matrix matrix = (enum pxr_matrix)(take(in) % (PXR_CUSTOM_BITS + 1));
    if (matrix > PXR_CUSTOM)
        return make_packets(in, s, matrix);
    if (matrix == PXR_CUSTOM)
        return make_custom(in, s);
    int status = pxr_code_create(&s->code, s->k, s->m, matrix, NULL);
    REQUIRE(status == PXR_OK || (status == PXR_ENOTMDS && matrix == PXR_ISAL_VAND) ||
            (status == PXR_EINVAL && matrix == PXR_JERASURE_R6 && s->m != 2));
    return status == PXR_OK;
}

/* Byte i of parity shard r in a code of packets: the sum of the packets that its row names. */
static uint8_t packet_byte(const struct subject *s, unsigned r, size_t i)
{
    const size_t packetsize = pxr_code_packetsize(s->code), unit = pxr_code_unit(s->code);
    const unsigned w = pxr_code_w(s->code), x = (unsigned)(i % unit / packetsize);
    const uint8_t *row = s->bits + ((size_t)r * w + x) * s->k * w;
    uint8_t sum = 0;
    for (unsigned c = 0; c < s->k * w; c++)
        if (row[c])
            sum ^= s->shard[c / w][i / unit * unit + c % w * packetsize + i % packetsize];
    return sum;
}

/* Parity row r of the data as they are now.  The caller frees it. */
static uint8_t *parity_of(const struct subject *s, unsigned r)
{
    uint8_t *parity = calloc(1, s->len + 1);
    REQUIRE(parity != NULL);
    for (size_t i = 0; s->bits && i < s->len; i++)
        parity[i] = packet_byte(s, r, i);
    if (s->bits)
        return parity;
    judge_dot(s->len, s->k, pxr_code_coefficients(s->code) + (size_t)r * s->k,
              pxr_read_only(s->shard), parity);
    return parity;
}

/* Offset of the first byte in parity shard r that differs from the data's parity, or len. */
static size_t disagreement(const struct subject *s, unsigned r)
{
    uint8_t *parity = parity_of(s, r);
    size_t i = 0;
    while (i < s->len && parity[i] == s->shard[s->k + r][i])
        i++;
    free(parity);
    return i;
}

/* ----------------------------------------------------------- operations -- */

static void try_encode(struct input *in, struct subject *s)
{
    for (unsigned i = 0; i < s->k + s->m; i++) {
        s->shard[i] = malloc(s->len + (s->len == 0));
        REQUIRE(s->shard[i] != NULL);
        if (i < s->k)
            take_bytes(in, s->shard[i], s->len);
    }
    REQUIRE(pxr_encode(s->code, s->len, s->shard, s->shard + s->k) == PXR_OK);
    for (unsigned r = 0; r < s->m; r++)
        REQUIRE(disagreement(s, r) == s->len);
}

/* Checks that every wanted shard is right, or untouched if the call failed. */
static void check_written(const struct subject *s, uint8_t *const *want, int status)
{
    for (unsigned i = 0; i < s->k + s->m; i++)
        for (size_t b = 0; want[i] && b < s->len; b++)
            REQUIRE(want[i][b] == (status == PXR_OK ? s->shard[i][b] : 0xA5));
}

/* Makes a plan for the same losses.  It must exist where pxr_reconstruct() succeeds.  It gets
   only the shards that it reads, and must write the same bytes once more. */
static void try_plan(const struct subject *s, uint8_t *const *have, uint8_t *const *want,
                     int status)
{
    uint8_t there[PXR_MAX_SHARDS], asked[PXR_MAX_SHARDS];
    uint8_t *given[PXR_MAX_SHARDS] = {NULL};
    const uint16_t *reads;
    pxr_plan *plan;
    for (unsigned i = 0; i < s->k + s->m; i++) {
        there[i] = have[i] != NULL;
        asked[i] = want[i] != NULL;
    }
    const int made = pxr_plan_create(&plan, s->code, there, asked, NULL);
    /* with length 0, pxr_reconstruct() does not look for singular losses */
    REQUIRE(made == status || (made == PXR_ESINGULAR && s->len == 0));
    REQUIRE((plan != NULL) == (made == PXR_OK));
    if (!plan)
        return;
    const unsigned count = pxr_plan_reads(plan, &reads);
    for (unsigned i = 0; i < count; i++)
        given[reads[i]] = have[reads[i]];
    for (unsigned i = 0; i < s->k + s->m; i++)
        if (want[i])
            memset(want[i], 0x5A, s->len);
    REQUIRE(pxr_plan_apply(plan, s->len, given, want) == PXR_OK);
    pxr_plan_free(plan);
}

static void try_reconstruct(struct input *in, const struct subject *s)
{
    uint8_t *have[PXR_MAX_SHARDS];
    uint8_t *want[PXR_MAX_SHARDS];
    unsigned present = 0, chance = 1 + take(in) % 16;
    bool both = false;
    for (unsigned i = 0; i < s->k + s->m; i++) {
        unsigned choice = take(in);
        have[i] = choice % (chance + 1) ? s->shard[i] : NULL;
        want[i] = NULL;
        if (choice & 0x80 && (!have[i] || choice == 0xff)) {
            want[i] = malloc(s->len + (s->len == 0));
            REQUIRE(want[i] != NULL);
            memset(want[i], 0xA5, s->len);
        }
        present += have[i] != NULL;
        both |= have[i] && want[i];
    }
    int status = pxr_reconstruct(s->code, s->len, have, want);
    if (both)
        REQUIRE(status == PXR_EINVAL);
    else if (present < s->k)
        REQUIRE(status == PXR_ETOOFEW);
    else
        REQUIRE(status == PXR_OK || (status == PXR_ESINGULAR && !s->mds));
    check_written(s, want, status);
    try_plan(s, have, want, status);
    check_written(s, want, status);
    for (unsigned i = 0; i < s->k + s->m; i++)
        free(want[i]);
}

static void try_update(struct input *in, struct subject *s)
{
    unsigned index = take(in) % (s->k + 1);
    uint8_t *fresh = malloc(s->len + (s->len == 0));
    REQUIRE(fresh != NULL);
    take_bytes(in, fresh, s->len);
    const uint8_t *old = s->shard[index];
    int status = pxr_update(s->code, s->len, index, old, fresh, s->shard + s->k);
    REQUIRE(status == (index < s->k ? PXR_OK : PXR_EINVAL));
    if (index < s->k)
        memcpy(s->shard[index], fresh, s->len);
    free(fresh);
    for (unsigned r = 0; r < s->m; r++)
        REQUIRE(disagreement(s, r) == s->len);
}

/* Damages a few bytes of some shards.  Returns the damaged shard if there is only one. */
static unsigned damage(struct input *in, struct subject *s)
{
    unsigned total = s->k + s->m, only = total;
    for (unsigned errors = take(in) % 4; errors > 0 && s->len > 0; errors--) {
        unsigned shard = take(in) % total;
        unsigned before = only;
        s->shard[shard][take_below(in, (unsigned)s->len)] ^= (uint8_t)(take(in) | 1);
        only = before == total || before == shard ? shard : total + 1;
    }
    return only;
}

static void try_check(struct input *in, struct subject *s)
{
    uint8_t *const *shards = s->shard;
    unsigned total = s->k + s->m, damaged = damage(in, s), index = total + 2;
    size_t first[PXR_MAX_SHARDS];
    bool agree = true;
    int status = pxr_verify(s->code, s->len, shards, first);
    for (unsigned r = 0; r < s->m; r++) {
        size_t want = disagreement(s, r);
        REQUIRE(first[r] == want);
        agree &= want == s->len;
    }
    REQUIRE(status == (agree ? PXR_OK : PXR_EMISMATCH));

    status = pxr_locate(s->code, s->len, shards, &index);
    if (s->m < 2)
        REQUIRE(status == PXR_EINVAL && index == total + 2);
    else if (agree)
        REQUIRE(status == PXR_OK && index == total);
    else if (s->mds && damaged < total)
        REQUIRE(status == PXR_EMISMATCH && index == damaged);
    else
        REQUIRE((status == PXR_EAMBIGUOUS && index == total) ||
                (status == PXR_EMISMATCH && index < total) ||
                (status == PXR_ESINGULAR && s->bits && !s->mds));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool started;
    if (!started)
        judge_start();
    started = true;

    struct input in = {data, size};
    struct subject s = {0};
    if (!make_code(&in, &s))
        return 0;
    try_encode(&in, &s);
    for (unsigned times = 1 + take(&in) % 3; times > 0; times--)
        try_reconstruct(&in, &s);
    try_update(&in, &s);
    try_check(&in, &s);
    for (unsigned i = 0; i < s.k + s.m; i++)
        free(s.shard[i]);
    free(s.bits);
    pxr_code_free(s.code);
    return 0;
}
