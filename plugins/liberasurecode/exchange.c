/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange - check that each library reads what the other has encoded.
 *
 *     exchange LIBERASURECODE THEIRS OURS BACKEND...
 *
 * THEIRS and OURS are two libisals or two libJerasures.
 *
 * This is done for many codes and sizes.  Both libraries encode the same bytes, and the
 * fragments are compared together with their headers.  For every set of lost fragments (small
 * codes), or for sets drawn at random, each library decodes what the other has encoded, and
 * rebuilds lost fragments.  Where their library fails, ours must fail with the same status.
 *
 * PXR_SEED=N repeats a run.
 */
#include "sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_BYTES = (4 << 20) + 1,
    EXHAUSTIVE = 10,   /* most fragments for which every set of losses is tried */
    RANDOM_LOSSES = 12 /* sets of losses for codes with more fragments */
};

static struct side theirs, ours;
static char *source;
static uint64_t random_state;
static struct {
    unsigned long codes, stripes, decodes, refused, rebuilds;
    unsigned long long bytes;
} count;

/* xorshift64 */
static uint32_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32);
}

/* A code made by both libraries, and the coded bytes. */
struct trial {
    struct code code;
    int their_desc, our_desc;
    uint64_t size;
    uint32_t lost; /* a bit for each fragment */
};

#define fail(t, what)                                                                     \
    die("%s: %s %d+%d, %llu bytes, lost %#x, PXR_SEED=%s", what, (t)->code.backend->name, \
        (t)->code.k, (t)->code.m, (unsigned long long)(t)->size, (t)->lost,               \
        getenv("PXR_SEED"))

static int shards(const struct trial *t)
{
    return t->code.k + t->code.m;
}

static int left(const struct trial *t, const struct stripe *stripe, char **fragments)
{
    int n = 0;
    for (int i = 0; i < shards(t); i++)
        if (!(t->lost >> i & 1))
            fragments[n++] = stripe->fragment[i];
    return n;
}

/* ---------------------------------------------------------------- reading -- */

static int decode(const struct trial *t, const struct side *side, int desc,
                  const struct stripe *stripe)
{
    char *fragments[EC_MAX_FRAGMENTS], *bytes;
    uint64_t size;
    const int n = left(t, stripe, fragments);
    const int status = side->decode(desc, fragments, n, stripe->len, 0, &bytes, &size);
    if (status != 0)
        return status;
    if (size != t->size || memcmp(bytes, source, size) != 0)
        fail(t, "decoded to other bytes");
    side->decode_cleanup(desc, bytes);
    count.decodes++;
    count.bytes += size;
    return 0;
}

static int rebuild(const struct trial *t, const struct side *side, int desc,
                   const struct stripe *stripe, int index)
{
    static char fragment[MOST_BYTES + 1024];
    char *fragments[EC_MAX_FRAGMENTS];
    const int n = left(t, stripe, fragments);
    const int status = side->rebuild(desc, fragments, n, stripe->len, index, fragment);
    if (status != 0)
        return status;
    if (memcmp(fragment, stripe->fragment[index], stripe->len) != 0)
        fail(t, "rebuilt another fragment");
    count.rebuilds++;
    count.bytes += stripe->len;
    return 0;
}

/* Each library reads what the other has written. */
static void exchange(const struct trial *t, const struct stripe *of_theirs,
                     const struct stripe *of_ours)
{
    const int losses = __builtin_popcount(t->lost);
    const int their_status = decode(t, &theirs, t->their_desc, of_ours);
    const int our_status = decode(t, &ours, t->our_desc, of_theirs);
    if (our_status != their_status)
        fail(t, "another status");
    if (losses > t->code.m ? our_status == 0 : t->code.backend->always_mds && our_status != 0)
        fail(t, "not as a code of m parities");
    count.refused += our_status != 0;

    /* More than m losses leave too few fragments. liberasurecode refuses these before it calls
       the library, so they are not tried for each fragment. */
    const int most = shards(t) <= EXHAUSTIVE ? losses : 1;
    for (int i = 0, tried = 0; i < shards(t) && tried < most && losses <= t->code.m; i++)
        if (t->lost >> i & 1) {
            if (rebuild(t, &theirs, t->their_desc, of_ours, i) !=
                rebuild(t, &ours, t->our_desc, of_theirs, i))
                fail(t, "another status of rebuilding");
            tried++;
        }
}

static uint32_t draw_losses(const struct trial *t)
{
    uint32_t lost = 0;
    for (uint32_t n = draw() % (uint32_t)(t->code.m + 2); n > 0; n--)
        lost |= 1u << draw() % (uint32_t)shards(t);
    return lost;
}

/* ----------------------------------------------------------------- codes -- */

static void try_size(struct trial *t)
{
    struct stripe of_theirs, of_ours;
    side_encode(&theirs, t->their_desc, &t->code, source, t->size, &of_theirs);
    side_encode(&ours, t->our_desc, &t->code, source, t->size, &of_ours);
    if (of_ours.len != of_theirs.len)
        fail(t, "fragments of another length");
    for (int i = 0; i < shards(t); i++)
        if (memcmp(of_theirs.fragment[i], of_ours.fragment[i], of_ours.len) != 0)
            fail(t, "encoded to other fragments");
    count.stripes++;
    count.bytes += of_ours.len * (unsigned)shards(t);

    if (shards(t) <= EXHAUSTIVE)
        for (t->lost = 0; t->lost < 1u << shards(t); t->lost++)
            exchange(t, &of_theirs, &of_ours);
    else
        for (int i = 0; i < RANDOM_LOSSES; i++) {
            t->lost = draw_losses(t);
            exchange(t, &of_theirs, &of_ours);
        }
    t->lost = 0;
    theirs.encode_cleanup(t->their_desc, of_theirs.data, of_theirs.parity);
    ours.encode_cleanup(t->our_desc, of_ours.data, of_ours.parity);
}

static void try_code(const struct backend *backend, int k, int m, ec_checksum_type_t checksum,
                     const uint64_t *sizes)
{
    struct trial t = {.code = {backend, k, m, checksum}};
    if (k + m > backend->most || ((int)backend->id == ISA_L_RS_LRC && (k < 4 || m < 2)))
        return; /* two local groups need two parities and twice as much data */
    t.their_desc = side_create(&theirs, &t.code);
    t.our_desc = side_create(&ours, &t.code);
    for (; *sizes != 0; sizes++) {
        t.size = *sizes;
        try_size(&t);
    }
    theirs.destroy(t.their_desc);
    ours.destroy(t.our_desc);
    count.codes++;
}

static void try_backend(const struct backend *backend)
{
    static const uint64_t small[] = {1, 63, 1000, 20011, 0};
    static const uint64_t large[] = {MOST_BYTES, 1, 1000, 65537, (1 << 20) + 13, 0};
    static const uint8_t wide[][2] = {{8, 3},  {8, 4},  {10, 4}, {12, 4}, {15, 3},
                                      {16, 4}, {20, 4}, {20, 6}, {24, 8}, {28, 4}};
    for (int k = 1; k <= 6; k++)
        for (int m = 1; m <= 4; m++) {
            try_code(backend, k, m, CHKSUM_NONE, small);
            try_code(backend, k, m, CHKSUM_CRC32, small);
        }
    for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
        try_code(backend, wide[i][0], wide[i][1], i % 2 ? CHKSUM_NONE : CHKSUM_CRC32,
                 i % 3 ? large + 1 : large);
}

static void fill_source(void)
{
    static char seed[24];
    if (getenv("PXR_SEED") == NULL) {
        snprintf(seed, sizeof(seed), "%lld", (long long)time(NULL));
        setenv("PXR_SEED", seed, 1);
    }
    random_state = strtoull(getenv("PXR_SEED"), NULL, 0) * 2 + 1;
    source = malloc(MOST_BYTES);
    if (source == NULL)
        die("no memory");
    for (int i = 0; i < MOST_BYTES; i++)
        source[i] = (char)draw();
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr,
                "usage: exchange LIBERASURECODE THEIR_LIBISAL OUR_LIBISAL BACKEND...\n");
        return 2;
    }
    fill_source();
    side_open(&theirs, argv[1], argv[2]);
    side_open(&ours, argv[1], argv[3]);
    for (int i = 4; i < argc; i++) {
        const struct backend *backend = backend_find(argv[i]);
        if (backend == NULL)
            die("%s: no such backend", argv[i]);
        memset(&count, 0, sizeof(count));
        try_backend(backend);
        printf("%s: %lu codes, %lu stripes, %lu decodes, %lu refused by both, %lu rebuilds, "
               "%llu bytes compared\n",
               backend->name, count.codes, count.stripes, count.decodes, count.refused,
               count.rebuilds, count.bytes);
    }
    return 0;
}
