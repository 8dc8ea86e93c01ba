/* SPDX-License-Identifier: BSD-3-Clause */
#include "hash_reference.h"

#include <string.h>

#include "judge.h"

/* The coefficients of p(t) below t^d, from that of t^0 on, as permxor_hash.h has them. */
static const uint8_t *polynomial(unsigned d)
{
    static const uint8_t degree4[4] = {2, 0, 5, 1}, degree8[8] = {4, 6, 0, 1},
                         degree16[16] = {2, 5, 0, 1};
    return d == 4 ? degree4 : d == 8 ? degree8 : degree16;
}

/* value *= t */
static void shift(unsigned d, uint8_t *value)
{
    const uint8_t *const p = polynomial(d);
    const uint8_t top = value[d - 1];
    memmove(value + 1, value, d - 1);
    value[0] = 0;
    for (unsigned i = 0; i < d; i++)
        value[i] ^= judge_mul(top, p[i]);
}

void reference_multiply(unsigned d, const uint8_t *a, const uint8_t *b, uint8_t *product)
{
    uint8_t sum[HASH_MOST] = {0};
    for (unsigned j = d; j-- > 0;) {
        shift(d, sum);
        for (unsigned i = 0; i < d; i++)
            sum[i] ^= judge_mul(a[i], b[j]);
    }
    memcpy(product, sum, d);
}

void reference_hash(unsigned d, const uint8_t *b, size_t len, const uint8_t *bytes,
                    uint8_t *sum)
{
    memset(sum, 0, d);
    while (len-- > 0) {
        reference_multiply(d, sum, b, sum);
        sum[0] ^= bytes[len];
    }
}

void reference_sketch(uint64_t offset, size_t len, const uint8_t *bytes, uint8_t *sum)
{
    memset(sum, 0, SKETCH);
    for (size_t i = 0; i < len; i++)
        for (uint64_t lane = 0; lane < SKETCH; lane++) {
            const uint64_t v =
                (offset + i) * 6364136223846793005u + lane * 2891336453u + 1442695040888963407u;
            const uint8_t r = v >> 33 & 255;
            sum[lane] ^= judge_mul(r == 0 ? 1 : r, bytes[i]);
        }
}
