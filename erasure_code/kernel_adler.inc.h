/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The body of Adler-32 (RFC 1950), included by kernel_set.inc.h:
 *
 *     A = A0 + sum of x[i],   B = B0 + sum of the A after each byte,   modulo 65521
 *
 * Byte i of n is in all of the n-i values of A that follow it, so
 *
 *     B = B0 + n*A0 + sum of (n - i) * x[i]
 *
 * Let the n bytes be T vectors of V, byte l of vector t being i = t*V + l, and S[t]
 * the sum of vector t's bytes.  Then n - i = (T - t)*V - l and
 *
 *     sum of (n - i) * x[i] = V * sum of (T - t)*S[t]  -  sum of l * x[i]
 *
 * (T - t)*S[t] needs no multiplication: it is S[t] once, and once more for each
 * vector that follows, when the sum of the S so far is added up.  So the loop keeps
 * three sums in lanes of 32 bits, and only their totals meet V and the modulus.
 */
#define ADLER_MODULUS 65521

/*
 * Vectors between two reductions.  What grows fastest is the sum of sums: a lane gets
 * no more than 8 bytes of each vector (and counts them once more for each later
 * one): 8 * 255 * 1024^2 / 2 < 2^31.
 */
#define ADLER_VECTORS 1024

static uint32_t adler32(uint32_t adler, const uint8_t *p, size_t len)
{
    uint64_t a = adler & 0xffff, b = adler >> 16;
    while (len >= VEC_BYTES) {
        const size_t vectors =
            len / VEC_BYTES < ADLER_VECTORS ? len / VEC_BYTES : ADLER_VECTORS;
        const size_t n = vectors * VEC_BYTES;
        sums each = sums_zero(), before = sums_zero(), weighted = sums_zero();
        for (const uint8_t *const end = p + n; p != end; p += VEC_BYTES) {
            const vec x = vec_load(p);
            before = sums_add(before, each);
            each = sums_of_bytes(each, x);
            weighted = sums_of_positions(weighted, x);
        }
        const uint64_t sum = sums_total(each);
        b += n * a + VEC_BYTES * (sums_total(before) + sum) - sums_total(weighted);
        a += sum;
        a %= ADLER_MODULUS;
        b %= ADLER_MODULUS;
        len -= n;
    }
    for (; len > 0; len--) {
        a += *p++;
        b += a;
    }
    return (uint32_t)(b % ADLER_MODULUS << 16 | a % ADLER_MODULUS);
}
