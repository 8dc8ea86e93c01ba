/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How often a hash of 4 bytes is right by chance, counted and compared with what permxor_hash.h
 * derives.  HASH_TRIALS is the number of trials, 10^6 where it is not set; make check-hash does
 * 10^8.  Counts of rare events scatter by the root of what is expected, and 6 times that
 * passes.
 */
#include "check.h"
#include "permxor_hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4 };

static unsigned long trials(void)
{
    const char *const text = getenv("HASH_TRIALS");
    return text ? strtoul(text, NULL, 10) : check_effort(1000000);
}

static void check_count(const char *what, unsigned long count, double expected)
{
    if (check_bench())
        printf("%-40s %lu, expected %.2f\n", what, count, expected);
    check_at("%ld are counted, and %ld expected", (long)count, (long)expected, 0, 0);
    CHECK(fabs((double)count - expected) <= 6 * sqrt(expected) + 2);
}

static bool is_zero(const uint8_t *bytes, unsigned n)
{
    return memcmp(bytes, (const uint8_t[SIZE]){0}, n) == 0;
}

/* A difference of random bytes: the hash of the difference is zero once in 2^32 trials, its
   first two bytes are once in 2^16, and its first byte is once in 2^8. */
static void test_random_bytes(void)
{
    if (!check_case("random differences"))
        return;
    unsigned long zero[SIZE + 1] = {0};
    const unsigned long n = trials();
    pxr_hash *hash;
    CHECK_INT(pxr_hash_create(&hash, SIZE, NULL, NULL), PXR_OK);
    for (unsigned long i = 0; i < n; i++) {
        uint8_t difference[16], sum[SIZE] = {0};
        check_fill(difference, sizeof difference);
        if (pxr_hash_add(hash, 0, sizeof difference, difference, sum) != PXR_OK)
            break;
        for (unsigned bytes = 1; bytes <= SIZE; bytes *= 2)
            zero[bytes] += is_zero(sum, bytes);
    }
    check_count("random differences, first byte", zero[1], (double)n / 256);
    check_count("random differences, two bytes", zero[2], (double)n / 65536);
    check_count("random differences, whole hash", zero[4], (double)n / 65536 / 65536);
    pxr_hash_free(hash);
}

/*
 * The worst difference of its length: two equal bytes that are 2^16 + 1 bytes apart.  The hash
 * of the difference is a multiple of 1 + b^(2^16 + 1).  That has as many roots as its degree,
 * because 2^16 + 1 divides 2^32 - 1; of these only b = 1 is no key.  So 2^16 of the 2^32 - 2^16
 * keys miss this difference, and the bound of the header is 2^16 + 1 of them.
 */
static void test_worst_difference(void)
{
    if (!check_case("random keys and the worst difference"))
        return;
    enum { APART = 65537, COST = 100 }; /* making a key takes as long as so many hashes */
    const unsigned long n = trials() / COST + 1;
    const uint8_t one = 1;
    unsigned long missed = 0;
    for (unsigned long i = 0; i < n;) {
        uint8_t key[SIZE], sum[SIZE] = {0};
        pxr_hash *hash;
        check_fill(key, sizeof key);
        if (pxr_hash_create(&hash, SIZE, key, NULL) != PXR_OK)
            continue;
        CHECK_INT(pxr_hash_add(hash, 0, 1, &one, sum), PXR_OK);
        CHECK_INT(pxr_hash_add(hash, APART, 1, &one, sum), PXR_OK);
        missed += is_zero(sum, SIZE);
        pxr_hash_free(hash);
        i++;
    }
    check_count("keys that miss the worst difference", missed,
                (double)n * 65536 / (4294967296.0 - 65536));
}

int main(int argc, char **argv)
{
    check_start("test_hash_chance", argc, argv);
    test_random_bytes();
    test_worst_difference();
    return check_finish();
}
