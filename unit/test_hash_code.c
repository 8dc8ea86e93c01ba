/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes checked from the hashes of their shards: what is right, what is wrong, and where. */
#include "check.h"
#include "permxor_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In place of a size: the sketch of Ceph's pull request 71721. */
enum { CEPH = 0 };

/* A stripe of a code, with the hash of each shard. */
static struct {
    pxr_code *code;
    pxr_hash *hash;
    unsigned k, m;
    size_t len, bytes;
    uint8_t *shard[PXR_MAX_SHARDS], *sum[PXR_MAX_SHARDS];
} stripe;

static unsigned total(void)
{
    return stripe.k + stripe.m;
}

static void hash_shard(unsigned i)
{
    memset(stripe.sum[i], 0, stripe.bytes);
    CHECK_INT(
        pxr_hash_shard(stripe.hash, stripe.code, 0, stripe.len, stripe.shard[i], stripe.sum[i]),
        PXR_OK);
}

/* Fills the stripe of a code that was made, encodes it, and hashes each shard. */
static void fill(unsigned size, size_t len)
{
    const size_t unit = pxr_code_unit(stripe.code);
    stripe.k = pxr_code_k(stripe.code);
    stripe.m = pxr_code_m(stripe.code);
    stripe.len = len / unit * unit;
    if (size == CEPH)
        CHECK_INT(pxr_hash_create_ceph_71721(&stripe.hash, NULL), PXR_OK);
    else
        CHECK_INT(pxr_hash_create(&stripe.hash, size, NULL, NULL), PXR_OK);
    stripe.bytes = pxr_hash_bytes(stripe.hash, stripe.code);
    CHECK(stripe.bytes >= pxr_hash_size(stripe.hash));
    for (unsigned i = 0; i < total(); i++) {
        stripe.shard[i] = malloc(stripe.len);
        stripe.sum[i] = malloc(stripe.bytes);
        check_fill(stripe.shard[i], stripe.len);
    }
    CHECK_INT(pxr_encode(stripe.code, stripe.len, stripe.shard, stripe.shard + stripe.k),
              PXR_OK);
    for (unsigned i = 0; i < total(); i++)
        hash_shard(i);
}

static void release(void)
{
    for (unsigned i = 0; i < total(); i++) {
        free(stripe.shard[i]);
        free(stripe.sum[i]);
    }
    pxr_hash_free(stripe.hash);
    pxr_code_free(stripe.code);
}

/* ------------------------------------------------------------------ checks -- */

/* The hashes of the parity are those that follow from the hashes of the data. */
static void check_right(void)
{
    uint8_t *parity[PXR_MAX_SHARDS];
    for (unsigned r = 0; r < stripe.m; r++)
        parity[r] = malloc(stripe.bytes);
    CHECK_INT(pxr_hash_encode(stripe.hash, stripe.code, stripe.sum, parity), PXR_OK);
    for (unsigned r = 0; r < stripe.m; r++) {
        CHECK_BYTES(parity[r], stripe.sum[stripe.k + r], stripe.bytes);
        free(parity[r]);
    }
    CHECK_INT(pxr_hash_check(stripe.hash, stripe.code, stripe.sum), PXR_OK);
    unsigned index = 0;
    if (stripe.m < 2)
        return;
    CHECK_INT(pxr_hash_locate(stripe.hash, stripe.code, stripe.sum, &index), PXR_OK);
    CHECK_INT(index, total());
}

/* What goes wrong with shards.  Each function changes the bytes of a shard. */

static void change_byte(uint8_t *shard, size_t len)
{
    shard[check_below(len)] ^= (uint8_t)(1 + check_below(255));
}

static void change_run(uint8_t *shard, size_t len)
{
    size_t at = check_below(len), n = 1 + check_below(len - at);
    for (; n > 0; n--, at++)
        shard[at] ^= (uint8_t)(1 + check_below(255));
}

static void flip_bit(uint8_t *shard, size_t len)
{
    shard[check_below(len)] ^= (uint8_t)(1 << check_below(8));
}

/* Two blocks of one size change places, as after a write that went to another block. */
static void swap_blocks(uint8_t *shard, size_t len)
{
    const size_t size = 1 + check_below(len / 2 + 1), blocks = len / size;
    uint8_t *const a = shard + size * check_below(blocks);
    uint8_t *const b = shard + size * check_below(blocks);
    for (size_t i = 0; i < size; i++) {
        const uint8_t kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* All bytes come later by a few places, and the last ones come first. */
static void rotate(uint8_t *shard, size_t len)
{
    const size_t by = check_below(len < 9 ? len : 9);
    uint8_t last[8];
    memcpy(last, shard + len - by, by);
    memmove(shard + by, shard, len - by);
    memcpy(shard, last, by);
}

/* The end was not written. */
static void clear_end(uint8_t *shard, size_t len)
{
    const size_t at = check_below(len);
    memset(shard + at, 0, len - at);
}

/* Each fault, and how often it was planted and found, at the right shard where m >= 2. */
static struct {
    const char *name;
    void (*plant)(uint8_t *shard, size_t len);
    unsigned long found;
} faults[] = {{"a wrong byte", change_byte, 0},
              {"a wrong bit", flip_bit, 0},
              {"a run of wrong bytes", change_run, 0},
              {"two blocks exchanged", swap_blocks, 0},
              {"shifted bytes", rotate, 0},
              {"an end of zeros", clear_end, 0}};
enum { FAULTS = sizeof faults / sizeof faults[0] };

/* Shard i is wrong: the hashes tell, and tell where if they can. */
static void check_wrong(unsigned i, unsigned fault)
{
    uint8_t *const kept = malloc(stripe.len);
    memcpy(kept, stripe.shard[i], stripe.len);
    check_at("shard %ld, fault %ld", i, fault, 0, 0);
    faults[fault].plant(stripe.shard[i], stripe.len);
    const bool changed = memcmp(kept, stripe.shard[i], stripe.len) != 0;
    const int expected = changed ? PXR_EMISMATCH : PXR_OK;
    hash_shard(i);
    CHECK_INT(pxr_hash_check(stripe.hash, stripe.code, stripe.sum), expected);
    unsigned index = 0;
    if (stripe.m >= 2) {
        CHECK_INT(pxr_hash_locate(stripe.hash, stripe.code, stripe.sum, &index), expected);
        CHECK_INT(index, changed ? i : total());
    }
    faults[fault].found += changed;
    memcpy(stripe.shard[i], kept, stripe.len);
    hash_shard(i);
    free(kept);
}

/* Two shards have changed places, so both are wrong.  Where the only parity shard is the plain
   sum, this cannot be seen. */
static void check_exchanged(void)
{
    const unsigned a = (unsigned)check_below(total()), b = (unsigned)check_below(total());
    if (a == b || stripe.m < 2 || memcmp(stripe.sum[a], stripe.sum[b], stripe.bytes) == 0)
        return;
    uint8_t *sums[PXR_MAX_SHARDS];
    memcpy(sums, stripe.sum, sizeof sums);
    sums[a] = stripe.sum[b];
    sums[b] = stripe.sum[a];
    check_at("shards %ld and %ld exchanged", a, b, 0, 0);
    CHECK_INT(pxr_hash_check(stripe.hash, stripe.code, sums), PXR_EMISMATCH);
}

/* Pieces in any order make the same hash, and a parity shard may be missing. */
static void check_rest(void)
{
    const size_t unit = pxr_code_unit(stripe.code);
    const size_t cut = check_below(stripe.len / unit + 1) * unit;
    uint8_t *const sum = calloc(stripe.bytes, 1);
    CHECK_INT(pxr_hash_shard(stripe.hash, stripe.code, cut, stripe.len - cut,
                             stripe.shard[0] + cut, sum),
              PXR_OK);
    CHECK_INT(pxr_hash_shard(stripe.hash, stripe.code, 0, cut, stripe.shard[0], sum), PXR_OK);
    CHECK_BYTES(sum, stripe.sum[0], stripe.bytes);
    free(sum);
    uint8_t *sums[PXR_MAX_SHARDS];
    memcpy(sums, stripe.sum, sizeof sums);
    for (unsigned r = 0; r < stripe.m; r++)
        sums[stripe.k + r] = NULL;
    CHECK_INT(pxr_hash_check(stripe.hash, stripe.code, sums), PXR_OK);
}

static void check_code(unsigned size, size_t len)
{
    fill(size, len);
    check_right();
    for (unsigned round = check_effort(120); round > 0; round--)
        check_wrong((unsigned)check_below(total()), round % FAULTS);
    check_exchanged();
    check_rest();
    release();
}

/* ------------------------------------------------------------------- codes -- */

static const struct {
    unsigned k, m;
    enum pxr_matrix matrix;
} bytes[] = {
    {1, 1, PXR_ISAL_CAUCHY},   {2, 1, PXR_JERASURE_VAN},  {4, 2, PXR_JERASURE_R6},
    {6, 3, PXR_ISAL_VAND},     {10, 4, PXR_ISAL_CAUCHY},  {12, 4, PXR_KLAUSPOST_VAND},
    {10, 4, PXR_JERASURE_VAN}, {32, 32, PXR_ISAL_CAUCHY}, {200, 56, PXR_ISAL_CAUCHY},
};

static const char *kind_name(unsigned size)
{
    return size == CEPH ? "Ceph's sketch"
           : size == 4  ? "4 bytes"
           : size == 8  ? "8 bytes"
                        : "16 bytes";
}

static void test_bytes(unsigned size)
{
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        if (!check_case("%s, %s %u+%u", kind_name(size), pxr_matrix_name(bytes[i].matrix),
                        bytes[i].k, bytes[i].m))
            continue;
        CHECK_INT(pxr_code_create(&stripe.code, bytes[i].k, bytes[i].m, bytes[i].matrix, NULL),
                  PXR_OK);
        check_code(size, 100 + check_below(5000));
    }
}

static const struct {
    unsigned k, m, w;
    enum pxr_matrix matrix;
    size_t packetsize;
} packets[] = {
    {4, 2, 8, PXR_JERASURE_CAUCHY_GOOD, 64}, {10, 4, 8, PXR_JERASURE_CAUCHY_GOOD, 2048},
    {6, 3, 4, PXR_JERASURE_CAUCHY_ORIG, 7},  {5, 2, 7, PXR_JERASURE_LIBERATION, 16},
    {5, 2, 6, PXR_JERASURE_BLAUM_ROTH, 300}, {4, 2, 8, PXR_JERASURE_LIBER8TION, 40000},
};

static void test_packets(unsigned size)
{
    for (unsigned i = 0; i < sizeof packets / sizeof *packets; i++) {
        const size_t packetsize = packets[i].packetsize;
        if (!check_case("%s, %s %u+%u, packets of %zu", kind_name(size),
                        pxr_matrix_name(packets[i].matrix), packets[i].k, packets[i].m,
                        packetsize))
            continue;
        CHECK_INT(pxr_code_create_bits(&stripe.code, packets[i].k, packets[i].m,
                                       packets[i].matrix, packets[i].w, packetsize, 0, NULL),
                  PXR_OK);
        check_code(size, (1 + check_below(5)) * packets[i].w * packetsize);
    }
}

static void test_errors(void)
{
    if (!check_case("arguments that are wrong, and codes of words"))
        return;
    uint8_t sum[2 * PXR_MAX_HASH] = {0}, shard[64] = {0};
    uint8_t *sums[4] = {sum, sum, sum, sum};
    unsigned index = 0;
    pxr_hash *hash;
    pxr_code *code;
    CHECK_INT(pxr_hash_create(&hash, 4, NULL, NULL), PXR_OK);
    for (unsigned w = 4; w <= 32; w += w == 4 ? 12 : 16) {
        CHECK_INT(pxr_code_create_words(&code, 2, 2, PXR_JERASURE_VAN, w, NULL), PXR_OK);
        CHECK_INT((long long)pxr_hash_bytes(hash, code), 0);
        CHECK_INT(pxr_hash_shard(hash, code, 0, 64, shard, sum), PXR_EINVAL);
        CHECK_INT(pxr_hash_encode(hash, code, sums, sums + 2), PXR_EINVAL);
        CHECK_INT(pxr_hash_check(hash, code, sums), PXR_EINVAL);
        CHECK_INT(pxr_hash_locate(hash, code, sums, &index), PXR_EINVAL);
        pxr_code_free(code);
    }
    CHECK_INT(pxr_code_create_bits(&code, 2, 2, PXR_JERASURE_CAUCHY_GOOD, 4, 8, 0, NULL),
              PXR_OK);
    CHECK_INT((long long)pxr_hash_bytes(hash, code), 16);
    CHECK_INT((long long)pxr_hash_bytes(NULL, code), 0);
    CHECK_INT((long long)pxr_hash_bytes(hash, NULL), 0);
    CHECK_INT(pxr_hash_shard(hash, code, 1, 32, shard, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_shard(hash, code, 32, 31, shard, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_shard(hash, code, 32, 32, NULL, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_shard(hash, code, 32, 32, shard, NULL), PXR_EINVAL);
    CHECK_INT(pxr_hash_shard(hash, code, 32, 0, NULL, sum), PXR_OK);
    CHECK_INT(pxr_hash_check(NULL, code, sums), PXR_EINVAL);
    CHECK_INT(pxr_hash_check(hash, NULL, sums), PXR_EINVAL);
    sums[1] = NULL;
    CHECK_INT(pxr_hash_check(hash, code, sums), PXR_EINVAL);
    CHECK_INT(pxr_hash_locate(hash, code, sums, &index), PXR_EINVAL);
    pxr_code_free(code);
    pxr_hash_free(hash);
}

int main(int argc, char **argv)
{
    check_start("test_hash_code", argc, argv);
    for (unsigned size = 4; size <= PXR_MAX_HASH; size *= 2) {
        test_bytes(size);
        test_packets(size);
    }
    test_bytes(CEPH);
    test_packets(CEPH);
    test_errors();
    if (check_bench())
        for (unsigned f = 0; f < FAULTS; f++)
            printf("%-30s %lu planted and found\n", faults[f].name, faults[f].found);
    return check_finish();
}
