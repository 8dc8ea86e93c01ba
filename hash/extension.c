/* SPDX-License-Identifier: BSD-3-Clause */
#include "extension.h"

#include <string.h>

#include "gf256.h"

/*
 * The polynomials p(t) = t^d + (these terms).  They are primitive: every element of F but 0 is
 * a power of t.  To check this, t^(2^(8d) - 1) must be 1, and t^((2^(8d) - 1) / q) must not be
 * 1 for each prime factor q of 2^(8d) - 1; unit/test_hash_field.py does so.  For d a power of
 * two no primitive p has only two terms below t^d, so three terms are the fewest.
 */
enum { TERMS = 3 };
struct field {
    unsigned degree;
    struct {
        uint8_t exponent, coefficient;
    } term[TERMS];
};

static const struct field fields[] = {
    {4, {{3, 1}, {2, 5}, {0, 2}}},
    {8, {{3, 1}, {1, 6}, {0, 4}}},
    {16, {{3, 1}, {1, 5}, {0, 2}}},
};

static const struct field *find(unsigned d)
{
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].degree == d)
            return &fields[i];
    return NULL;
}

bool pxr_is_degree(unsigned d)
{
    return find(d) != NULL;
}

struct pxr_element pxr_element_add(struct pxr_element a, struct pxr_element b)
{
    for (unsigned i = 0; i < PXR_MAX_DEGREE; i++)
        a.byte[i] ^= b.byte[i];
    return a;
}

/* The product of polynomials, whose terms from t^d on are then replaced from the highest one
   down: t^(d+i) is the sum of the terms of p, times t^i. */
struct pxr_element pxr_element_multiply(unsigned d, struct pxr_element a, struct pxr_element b)
{
    const struct field *const field = find(d);
    uint8_t product[2 * PXR_MAX_DEGREE] = {0};
    for (unsigned i = 0; i < d; i++)
        for (unsigned j = 0; a.byte[i] && j < d; j++)
            product[i + j] ^= pxr_mul(a.byte[i], b.byte[j]);
    for (unsigned i = d - 1; i-- > 0;)
        for (unsigned n = 0; product[d + i] && n < TERMS; n++)
            product[i + field->term[n].exponent] ^=
                pxr_mul(field->term[n].coefficient, product[d + i]);
    memset(product + d, 0, sizeof product - d);
    struct pxr_element result;
    memcpy(result.byte, product, sizeof result.byte);
    return result;
}

struct pxr_element pxr_element_power(unsigned d, struct pxr_element a, uint64_t exponent)
{
    struct pxr_element result = {{1}};
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = pxr_element_multiply(d, result, a);
        a = pxr_element_multiply(d, a, a);
    }
    return result;
}

/* a^(2^(8d) - 1) = 1, so 1/a = a^(2^(8d) - 2): the product of all a^(2^i) with 0 < i < 8d. */
struct pxr_element pxr_element_inverse(unsigned d, struct pxr_element a)
{
    struct pxr_element result = {{1}};
    for (unsigned i = 1; i < 8 * d; i++) {
        a = pxr_element_multiply(d, a, a);
        result = pxr_element_multiply(d, result, a);
    }
    return result;
}

/*
 * F has 2^(8d) elements, and 8d is a power of two, so each field between GF(2) and F contains
 * the next smaller one.  The largest of them below F has 2^(4d) elements.  Its elements are
 * those that do not change when they are squared 4d times.
 */
bool pxr_element_generates(unsigned d, struct pxr_element a)
{
    struct pxr_element power = a;
    for (unsigned i = 0; i < 4 * d; i++)
        power = pxr_element_multiply(d, power, power);
    return memcmp(&power, &a, sizeof a) != 0;
}
