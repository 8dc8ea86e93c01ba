/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults - check the answers of liberasurecode when something is wrong.
 *
 *     faults LIBERASURECODE THEIR_LIBISAL OUR_LIBISAL BACKEND...
 *
 * Both libraries get every fault, and both must return the status that liberasurecode's header
 * has for it.
 */
#include "sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    K = 4,
    M = 2,
    SIZE = 10000,
    REFUSED = -9999 /* any negative status, because versions of liberasurecode differ */
};

/* A stripe with checksums that is encoded afresh for each fault, and an instance to read it. */
struct scene {
    const struct side *side;
    struct code code;
    int desc;
    struct stripe stripe;
    char *fragment[EC_MAX_FRAGMENTS];
};

static char source[2 * SIZE];

static fragment_header_t *header(const struct scene *s, int i)
{
    return (fragment_header_t *)s->fragment[i];
}

/* Decode without the first fragment, so that the library has work to do. */
static int decode_some(const struct scene *s, int count, uint64_t len, int check)
{
    char *bytes, *rest[EC_MAX_FRAGMENTS];
    uint64_t size;
    for (int i = 0; i < count; i++)
        rest[i] = s->fragment[i + 1];
    const int status = s->side->decode(s->desc, rest, count, len, check, &bytes, &size);
    if (status == 0) {
        if (size != SIZE || memcmp(bytes, source, SIZE) != 0)
            die("decoded to other bytes");
        s->side->decode_cleanup(s->desc, bytes);
    }
    return status;
}

static int rebuild_first(const struct scene *s, int count)
{
    char *fragment = malloc(s->stripe.len);
    const int status =
        s->side->rebuild(s->desc, (char **)s->fragment + 1, count, s->stripe.len, 0, fragment);
    free(fragment);
    return status;
}

static int create(const struct scene *s, int k, int m)
{
    struct code code = s->code;
    code.k = k;
    code.m = m;
    return side_try_create(s->side, &code);
}

/* ----------------------------------------------------------------- faults -- */

static int nothing(struct scene *s)
{
    return decode_some(s, K, s->stripe.len, 1);
}

static int too_few(struct scene *s)
{
    return decode_some(s, K - 1, s->stripe.len, 0);
}

static int too_few_to_rebuild(struct scene *s)
{
    return rebuild_first(s, K - 1);
}

static int twice_the_same(struct scene *s)
{
    s->fragment[2] = s->fragment[1];
    return decode_some(s, K, s->stripe.len, 0);
}

static int shorter_than_a_header(struct scene *s)
{
    return decode_some(s, K, sizeof(fragment_header_t) - 1, 0);
}

static int no_magic(struct scene *s)
{
    header(s, 2)->magic ^= 1;
    return decode_some(s, K, s->stripe.len, 0);
}

/* The header's own checksum detects it. */
static int unequal_length(struct scene *s)
{
    header(s, 2)->meta.size /= 2;
    return decode_some(s, K, s->stripe.len, 0);
}

/* A fragment of another stripe, whose header is valid. */
static int of_another_stripe(struct scene *s)
{
    struct stripe longer;
    side_encode(s->side, s->desc, &s->code, source, sizeof(source), &longer);
    s->fragment[2] = longer.fragment[2];
    const int status = decode_some(s, K, s->stripe.len, 0);
    s->side->encode_cleanup(s->desc, longer.data, longer.parity);
    return status;
}

static void spoil(struct scene *s, int i)
{
    s->fragment[i][s->stripe.len - 1] ^= 1;
}

static int spoiled(struct scene *s)
{
    spoil(s, 2);
    return decode_some(s, K, s->stripe.len, 1);
}

static int spoiled_is_invalid(struct scene *s)
{
    spoil(s, K + M - 1);
    return s->side->is_invalid(s->desc, s->fragment[K + M - 1]);
}

static int sound_is_invalid(struct scene *s)
{
    return s->side->is_invalid(s->desc, s->fragment[K + M - 1]);
}

static int spoiled_metadata(struct scene *s)
{
    fragment_metadata_t metadata;
    spoil(s, 1);
    const int status = s->side->metadata(s->fragment[1], &metadata);
    return status != 0 ? status : metadata.chksum_mismatch;
}

/* The check reads what liberasurecode_get_fragment_metadata() returned for the fragments. */
static int spoiled_stripe(struct scene *s)
{
    fragment_metadata_t metadata[K + M];
    char *each[K + M];
    spoil(s, 1);
    for (int i = 0; i < K + M; i++) {
        each[i] = (char *)&metadata[i];
        if (s->side->metadata(s->fragment[i], &metadata[i]) != 0)
            die("liberasurecode_get_fragment_metadata");
    }
    return s->side->verify(s->desc, each, K + M);
}

static int no_fragments(struct scene *s)
{
    char *bytes;
    uint64_t size;
    return s->side->decode(s->desc, NULL, K, s->stripe.len, 0, &bytes, &size);
}

static int nowhere_to_decode(struct scene *s)
{
    uint64_t size;
    return s->side->decode(s->desc, s->fragment, K, s->stripe.len, 0, NULL, &size);
}

static int nothing_to_encode(struct scene *s)
{
    char **data = NULL, **parity = NULL;
    uint64_t len;
    return s->side->encode(s->desc, NULL, SIZE, &data, &parity, &len);
}

static int too_many(struct scene *s)
{
    return create(s, 255, 2);
}

static int negative(struct scene *s)
{
    return create(s, -1, 2);
}

static int no_such_instance(struct scene *s)
{
    return s->side->destroy(s->desc + 1000);
}

static const struct fault {
    const char *name;
    int (*cause)(struct scene *s);
    int status;
} faults[] = {
    {"no fault", nothing, 0},
    {"too few fragments", too_few, -EINSUFFFRAGS},
    {"too few fragments to rebuild from", too_few_to_rebuild, -EINSUFFFRAGS},
    {"the same fragment twice", twice_the_same, REFUSED},
    {"fragments shorter than their header", shorter_than_a_header, -EBADHEADER},
    {"a header without its magic", no_magic, -EBADHEADER},
    {"a header with another length", unequal_length, -EBADHEADER},
    {"a fragment of another length", of_another_stripe, -EBADHEADER},
    {"a spoiled fragment among k", spoiled, -EINSUFFFRAGS},
    {"is_invalid_fragment of a spoiled one", spoiled_is_invalid, 1},
    {"is_invalid_fragment of a sound one", sound_is_invalid, 0},
    {"chksum_mismatch of a spoiled fragment", spoiled_metadata, 1},
    {"a spoiled fragment in a stripe", spoiled_stripe, -EBADCHKSUM},
    {"fragments NULL", no_fragments, -EINVALIDPARAMS},
    {"output NULL", nowhere_to_decode, -EINVALIDPARAMS},
    {"data NULL", nothing_to_encode, -EINVALIDPARAMS},
    {"257 fragments", too_many, -EINVALIDPARAMS},
    {"k = -1", negative, -EINVALIDPARAMS},
    {"an instance that is none", no_such_instance, -EBACKENDNOTAVAIL},
};

static bool is_as_expected(const struct fault *fault, int status)
{
    return fault->status == REFUSED ? status < 0 : status == fault->status;
}

static int cause(const struct fault *fault, const struct side *side,
                 const struct backend *backend)
{
    struct scene s = {.side = side, .code = {backend, K, M, CHKSUM_CRC32}};
    s.desc = side_create(side, &s.code);
    side_encode(side, s.desc, &s.code, source, SIZE, &s.stripe);
    memcpy(s.fragment, s.stripe.fragment, sizeof(s.fragment));
    const int status = fault->cause(&s);
    side->encode_cleanup(s.desc, s.stripe.data, s.stripe.parity);
    side->destroy(s.desc);
    return status;
}

int main(int argc, char **argv)
{
    struct side theirs, ours;
    const int total = sizeof(faults) / sizeof(*faults);
    int wrong = 0;
    if (argc < 5) {
        fprintf(stderr, "usage: faults LIBERASURECODE THEIR_LIBISAL OUR_LIBISAL BACKEND...\n");
        return 2;
    }
    for (int i = 0; i < (int)sizeof(source); i++)
        source[i] = (char)(i * 37 + i / 251);
    side_open(&theirs, argv[1], argv[2]);
    side_open(&ours, argv[1], argv[3]);
    for (int i = 4; i < argc; i++) {
        const struct backend *backend = backend_find(argv[i]);
        if (backend == NULL)
            die("%s: no such backend", argv[i]);
        for (int f = 0; f < total; f++) {
            const int their_status = cause(&faults[f], &theirs, backend);
            const int our_status = cause(&faults[f], &ours, backend);
            if (their_status == our_status && is_as_expected(&faults[f], our_status))
                continue;
            wrong++;
            printf("%s, %s: %d with theirs, %d with ours, for %d\n", argv[i], faults[f].name,
                   their_status, our_status, faults[f].status);
        }
    }
    printf("%d faults, each answered alike by both: %d are not\n", total * (argc - 4), wrong);
    return wrong > 0;
}
