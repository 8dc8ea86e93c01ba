/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields that linear hashes compute in: products, and that t generates each of them. */
#include "check.h"
#include "extension.h"
#include "hash_reference.h"
#include "judge.h"

#include <string.h>

static const unsigned degrees[] = {4, 8, 16};

/* The prime factors of 2^(8d) - 1. */
static const uint64_t factors4[] = {3, 5, 17, 257, 65537, 0};
static const uint64_t factors8[] = {3, 5, 17, 257, 65537, 641, 6700417, 0};
static const uint64_t factors16[] = {3, 5, 17, 257, 65537, 641, 6700417, 274177, 67280421310721,
                                     0};
static const uint64_t *const factors[] = {factors4, factors8, factors16};

static struct pxr_element one(void)
{
    return (struct pxr_element){{1}};
}

static bool same(struct pxr_element a, struct pxr_element b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Returns a^((2^(8d) - 1) / q).  The division is done by hand, a bit at a time from the highest
   one, and each bit of the quotient is used at once. */
static struct pxr_element power(unsigned d, struct pxr_element a, uint64_t q)
{
    struct pxr_element result = one();
    uint64_t rest = 0;
    for (unsigned bit = 0; bit < 8 * d; bit++) {
        rest = 2 * rest + 1;
        result = pxr_element_multiply(d, result, result);
        if (rest >= q) {
            rest -= q;
            result = pxr_element_multiply(d, result, a);
        }
    }
    CHECK_INT((long long)rest, 0); /* q is a factor */
    return result;
}

/* The product of all factors is 2^(8d) - 1: none is missing. */
static void check_factors(unsigned d, const uint64_t *factor)
{
    uint8_t product[16] = {1};
    for (; *factor; factor++) {
        uint64_t times = *factor, carry = 0;
        uint8_t sum[16] = {0};
        for (unsigned shift = 0; times != 0; shift++, times >>= 8) {
            carry = 0;
            for (unsigned i = shift; i < sizeof sum; i++) {
                carry += sum[i] + (times & 255) * product[i - shift];
                sum[i] = (uint8_t)carry;
                carry >>= 8;
            }
        }
        memcpy(product, sum, sizeof sum);
    }
    for (unsigned i = 0; i < sizeof product; i++)
        CHECK_INT(product[i], i < d ? 255 : 0);
}

static struct pxr_element random_element(unsigned d)
{
    struct pxr_element element = {{0}};
    check_fill(element.byte, d);
    return element;
}

static void test_products(unsigned d)
{
    if (!check_case("products of degree %u by the definition", d))
        return;
    for (unsigned round = check_effort(2000); round > 0; round--) {
        const struct pxr_element a = random_element(d), b = random_element(d);
        const struct pxr_element got = pxr_element_multiply(d, a, b);
        uint8_t want[HASH_MOST] = {0};
        reference_multiply(d, a.byte, b.byte, want);
        CHECK_BYTES(got.byte, want, HASH_MOST);
    }
}

static void test_generator(unsigned d, const uint64_t *factor)
{
    const struct pxr_element t = {{0, 1}};
    if (!check_case("t generates the field of degree %u", d))
        return;
    check_factors(d, factor);
    CHECK(same(power(d, t, 1), one()));
    for (; *factor; factor++)
        CHECK(!same(power(d, t, *factor), one()));
}

/* b^(2^(4d) + 1) is in the smaller field for every b, since its power of 2^(4d) - 1 is one. */
static void test_subfield(unsigned d)
{
    if (!check_case("elements of smaller fields are known, degree %u", d))
        return;
    CHECK(!pxr_element_generates(d, one()));
    CHECK(!pxr_element_generates(d, (struct pxr_element){{0}}));
    CHECK(!pxr_element_generates(d, (struct pxr_element){{77}}));
    CHECK(pxr_element_generates(d, (struct pxr_element){{0, 1}}));
    for (unsigned round = check_effort(50); round > 0; round--) {
        const struct pxr_element b = random_element(d);
        struct pxr_element small = b;
        for (unsigned i = 0; i < 4 * d; i++)
            small = pxr_element_multiply(d, small, small);
        CHECK(!pxr_element_generates(d, pxr_element_multiply(d, small, b)));
        CHECK_INT(pxr_element_generates(d, b), !same(small, b));
    }
}

int main(int argc, char **argv)
{
    check_start("test_hash_field", argc, argv);
    judge_start();
    for (unsigned i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        test_products(degrees[i]);
        test_generator(degrees[i], factors[i]);
        test_subfield(degrees[i]);
    }
    if (check_case("no other degree")) {
        for (unsigned d = 0; d < 40; d++)
            CHECK_INT(pxr_is_degree(d), d == 4 || d == 8 || d == 16);
    }
    return check_finish();
}
