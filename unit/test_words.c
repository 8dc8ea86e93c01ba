/* SPDX-License-Identifier: BSD-3-Clause */
/* Dot products over GF(2^4), GF(2^8), GF(2^16) and GF(2^32), checked bit by bit. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dispatch.h"
#include "permxor.h"
#include "word_stripe.h"
#include "words.h"

#define MOST_SOURCES 40
#define MOST_ROWS 10
#define MOST_BYTES 6000

static struct check_guard guards[MOST_SOURCES + MOST_ROWS];

/* Computes the carry-less product, and then its remainder. */
static uint32_t product(struct pxr_word_field field, uint32_t a, uint32_t b)
{
    const uint64_t modulus = (UINT64_C(1) << field.w) | field.polynomial;
    uint64_t sum = 0;
    for (unsigned bit = 0; bit < field.w; bit++)
        sum ^= b >> bit & 1 ? (uint64_t)a << bit : 0;
    for (unsigned bit = 2 * field.w - 1; bit-- > field.w;)
        if (sum >> bit & 1)
            sum ^= modulus << (bit - field.w);
    return (uint32_t)sum;
}

static uint32_t random_word(unsigned w)
{
    return (uint32_t)check_random() & UINT32_MAX >> (32 - w);
}

static size_t words_in(size_t len, unsigned w)
{
    return len * 8 / w;
}

static void test_products(struct pxr_word_field field)
{
    if (!check_case("single products, w=%u", field.w))
        return;
    for (int i = 0; i < 2000; i++) {
        const uint32_t a = random_word(field.w), b = random_word(field.w);
        CHECK_INT(pxr_word_mul(field, a, b), product(field, a, b));
    }
    CHECK_INT(pxr_word_mul(field, 0, 7), 0);
    CHECK_INT(pxr_word_mul(field, 1, 7), 7);
}

struct shape {
    unsigned k, count;
    size_t len;
    bool ones, add;
};

/* Checks the outputs: every word of short outputs, and about one word in 7 of long ones. */
static void check_words(struct pxr_word_field field, const struct shape *shape,
                        const uint32_t *coefficients, const uint8_t *const *src,
                        uint8_t *const *dst, uint8_t *const *before)
{
    const size_t words = words_in(shape->len, field.w), step = words > 64 ? 7 : 1;
    for (unsigned r = 0; r < shape->count; r++) {
        for (size_t i = 0; i < words; i += i + step < words || i == words - 1 ? step : 1) {
            uint32_t want = shape->add ? word_at(before[r], i, field.w) : 0;
            for (unsigned j = 0; j < shape->k; j++)
                want ^=
                    product(field, coefficients[r * shape->k + j], word_at(src[j], i, field.w));
            if (!CHECK(word_at(dst[r], i, field.w) == want))
                return;
        }
        CHECK_UNTOUCHED(&guards[MOST_SOURCES + r], dst[r], shape->len);
    }
}

static void try_shape(struct pxr_word_field field, const struct shape *shape)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    const unsigned n = shape->k * shape->count;
    uint32_t *coefficients = malloc(sizeof *coefficients * n);
    uint64_t *room = malloc(pxr_words_bytes(field, shape->k, shape->count, kernels->form));
    const uint8_t *src[MOST_SOURCES];
    uint8_t *dst[MOST_ROWS], *before[MOST_ROWS];
    for (unsigned i = 0; i < n; i++)
        coefficients[i] = shape->ones && i < shape->k ? 1 : random_word(field.w);
    if (!shape->ones)
        coefficients[0] |= 2;
    for (unsigned j = 0; j < shape->k; j++) {
        uint8_t *const p = check_place(&guards[j], shape->len, CHECK_ANYWHERE);
        check_fill(p, shape->len);
        src[j] = p;
    }
    for (unsigned r = 0; r < shape->count; r++) {
        dst[r] = check_place(&guards[MOST_SOURCES + r], shape->len, CHECK_ANYWHERE);
        before[r] = malloc(shape->len + 1);
        check_fill(dst[r], shape->len);
        memcpy(before[r], dst[r], shape->len);
    }
    struct pxr_words words = {.k = 0};
    pxr_words_expand(&words, field, shape->k, shape->count, coefficients, kernels->form, room);
    CHECK_INT(words.ones, shape->ones);
    pxr_words_dot(kernels, shape->len, &words, src, dst, shape->add);
    check_words(field, shape, coefficients, src, dst, before);
    for (unsigned r = 0; r < shape->count; r++)
        free(before[r]);
    free(room);
    free(coefficients);
}

static void test_shapes(struct pxr_word_field field)
{
    if (!check_case("sums of products, w=%u", field.w))
        return;
    for (unsigned turn = 0; turn < check_effort(200); turn++) {
        const size_t most = turn % 4 ? 300 : MOST_BYTES;
        const struct shape shape = {
            .k = 1 + (unsigned)check_below(turn % 5 ? 12 : MOST_SOURCES),
            .count = 1 + (unsigned)check_below(turn % 3 ? 4 : MOST_ROWS),
            .len = check_below(most / pxr_word_bytes(field.w)) * pxr_word_bytes(field.w),
            .ones = turn % 3 == 1,
            .add = turn % 2 == 1,
        };
        check_at("k=%ld rows=%ld len=%ld add=%ld", shape.k, shape.count, (long)shape.len,
                 shape.add);
        try_shape(field, &shape);
    }
}

/* With a small piece and small caches, calls of several passes are cut, and prefetch. */
static void test_pieces(struct pxr_word_field field)
{
    if (!check_case("sums of products in pieces, w=%u", field.w))
        return;
    CHECK_INT(pxr_tune_apply("l1 = 4K\nown = 64K\nshared = 64K\nahead-from = 1024\n"
                             "look-from = 1024M\npiece = 32K\nway dot memory = sources 8\n"
                             "way dot own = sources 8\n"),
              PXR_OK);
    for (unsigned turn = 0; turn < check_effort(40); turn++) {
        const struct shape shape = {
            .k = 12 + (unsigned)check_below(MOST_SOURCES - 12),
            .count = 2 + (unsigned)check_below(MOST_ROWS - 2),
            .len = 2000 + 4 * check_below((MOST_BYTES - 2000) / 4),
            .ones = turn % 3 == 1,
            .add = turn % 2 == 1,
        };
        check_at("k=%ld rows=%ld len=%ld add=%ld", shape.k, shape.count, (long)shape.len,
                 shape.add);
        try_shape(field, &shape);
    }
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

/* A single product, which many sets compute in registers. */
static void test_alone(struct pxr_word_field field)
{
    if (!check_case("single regions, w=%u", field.w))
        return;
    const unsigned bytes = pxr_word_bytes(field.w);
    for (size_t len = 0; len < 2000; len += bytes * (1 + check_below(20)))
        for (unsigned add = 0; add < 2; add++) {
            check_at("len=%ld add=%ld", (long)len, (long)add, 0L, 0L);
            try_shape(field, &(struct shape){.k = 1, .count = 1, .len = len, .add = add});
        }
}

/* With one source and one row, the region may be multiplied in place. */
static void test_in_place(struct pxr_word_field field)
{
    if (!check_case("in place, w=%u", field.w))
        return;
    const struct pxr_kernels *const kernels = pxr_kernels();
    for (size_t len = 0; len < MOST_BYTES; len += 4 * (1 + check_below(200))) {
        uint64_t room[4 * 4 * PXR_TABLE / 8];
        uint8_t *const p = check_place(&guards[0], len, CHECK_ANYWHERE);
        const uint8_t *const src[] = {p};
        uint8_t copy[MOST_BYTES], *const dst[] = {p};
        const uint32_t c = random_word(field.w) | 2;
        struct pxr_words words = {.k = 0};
        check_fill(p, len);
        memcpy(copy, p, len);
        pxr_words_expand(&words, field, 1, 1, &c, kernels->form, room);
        pxr_words_dot(kernels, len, &words, src, dst, false);
        for (size_t i = 0; i < words_in(len, field.w); i++)
            if (!CHECK(word_at(p, i, field.w) == product(field, c, word_at(copy, i, field.w))))
                return;
    }
}

/* Any linear map; here it is a rotation to the left by w - 1 bits. */
static void test_map(unsigned w)
{
    if (!check_case("a map given by its columns, w=%u", w))
        return;
    const struct pxr_kernels *const kernels = pxr_kernels();
    const uint32_t mask = UINT32_MAX >> (32 - w);
    uint32_t column[32];
    uint64_t room[PXR_WORDS_MAP / sizeof(uint64_t)];
    for (unsigned n = 0; n < w; n++)
        column[n] = UINT32_C(1) << (n + w - 1) % w;
    const struct pxr_words words = pxr_words_of_columns(w, column, kernels->form, room);
    for (size_t len = 4; len < MOST_BYTES; len += 4 * (1 + check_below(200))) {
        const uint8_t *const src[] = {check_place(&guards[0], len, CHECK_ANYWHERE)};
        uint8_t *const dst[] = {check_place(&guards[1], len, CHECK_ANYWHERE)};
        check_fill((uint8_t *)(uintptr_t)src[0], len);
        pxr_words_dot(kernels, len, &words, src, dst, false);
        for (size_t i = 0; i < words_in(len, w); i++) {
            const uint32_t x = word_at(src[0], i, w);
            if (!CHECK(word_at(dst[0], i, w) == ((x << (w - 1) | x >> 1) & mask)))
                return;
        }
    }
}

int main(int argc, char **argv)
{
    static const struct pxr_word_field fields[] = {
        {4, 0x3}, {8, 0x1d}, {16, 0x100b}, {32, 0x400007}, {4, 0x9}, {16, 0x2d}, {32, 0xc5}};
    check_start("test_words", argc, argv);
    check_forced_kernels();
    for (unsigned i = 0; i < MOST_SOURCES + MOST_ROWS; i++)
        guards[i] = check_guard_new(MOST_BYTES);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        test_products(fields[i]);
        test_shapes(fields[i]);
        test_pieces(fields[i]);
        test_alone(fields[i]);
        test_in_place(fields[i]);
    }
    for (unsigned w = 4; w <= 32; w *= 2)
        test_map(w);
    return check_finish();
}
