/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests permxor-kernels.o in a program without a C library.  Results are judged by bitwise
 * mathematics (reference.h).
 */
#include "permxor_kernels.h"

#include "freestanding_start.h"
#include "reference.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

enum { MOST_SOURCES = 17, MOST_ROWS = 9, MOST_BYTES = 4097, GUARD = 64 };

static uint8_t source_bytes[MOST_SOURCES][MOST_BYTES];
static uint8_t output_bytes[MOST_ROWS][MOST_BYTES + GUARD];
static uint8_t want_bytes[MOST_ROWS][MOST_BYTES];
static const uint8_t *src[MOST_SOURCES];
static uint8_t *dst[MOST_ROWS];
static uint8_t rows[MOST_ROWS * MOST_SOURCES], tables[sizeof rows * PXK_TABLE];
static uint8_t product[256][256];

static unsigned passed, failed, skipped;

static void check(const char *set, const char *what, unsigned a, unsigned b, bool good)
{
    passed += good;
    failed += !good;
    if (good)
        return;
    print("FAILED: ");
    print(set);
    print(" ");
    print(what);
    print(" ");
    print_number(a);
    print(", ");
    print_number(b);
    print("\n");
}

static uint8_t random_byte(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (uint8_t)(state >> 24);
}

static void prepare(void)
{
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            product[a][b] = reference_mul((uint8_t)a, (uint8_t)b);
    for (unsigned j = 0; j < MOST_SOURCES; j++) {
        src[j] = source_bytes[j];
        for (unsigned i = 0; i < MOST_BYTES; i++)
            source_bytes[j][i] = random_byte();
    }
    for (unsigned r = 0; r < MOST_ROWS; r++)
        dst[r] = output_bytes[r];
    for (unsigned i = 0; i < sizeof rows; i++)
        rows[i] = random_byte();
}

static void fill_outputs(void)
{
    for (unsigned r = 0; r < MOST_ROWS; r++)
        for (unsigned i = 0; i < MOST_BYTES + GUARD; i++)
            output_bytes[r][i] = 0xa5;
}

/* What the matrix `rows` gives. */
static void want(size_t len, unsigned k, unsigned count)
{
    for (unsigned r = 0; r < count; r++)
        for (size_t i = 0; i < len; i++) {
            uint8_t sum = 0;
            for (unsigned j = 0; j < k; j++)
                sum ^= product[rows[r * k + j]][src[j][i]];
            want_bytes[r][i] = sum;
        }
}

/* Whether the outputs are these bytes, and nothing behind them was written. */
static bool outputs_are_right(size_t len, unsigned count)
{
    unsigned wrong = 0;
    for (unsigned r = 0; r < count; r++) {
        for (size_t i = 0; i < len; i++)
            wrong += output_bytes[r][i] != want_bytes[r][i];
        for (size_t i = len; i < len + GUARD; i++)
            wrong += output_bytes[r][i] != 0xa5;
    }
    return wrong == 0;
}

static void test_codes(const struct pxr_kernels *set, const char *name, size_t len, unsigned k,
                       unsigned count)
{
    want(len, k, count);
    fill_outputs();
    pxk_encode(set, len, k, count, tables, src, dst);
    check(name, "encode", (unsigned)len, k, outputs_are_right(len, count));
    for (unsigned r = 0; r < count; r++)
        for (size_t i = 0; i < len; i++)
            output_bytes[r][i] = 0;
    for (unsigned j = 0; j < k; j++)
        pxk_update(set, len, k, count, j, tables, src[j], dst);
    check(name, "update", (unsigned)len, k, outputs_are_right(len, count));
}

static void test_parity(const struct pxr_kernels *set, const char *name, size_t len, unsigned k,
                        bool pq)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t p = 0, q = 0;
        for (unsigned j = k; j-- > 0;) {
            p ^= src[j][i];
            q = product[2][q] ^ src[j][i];
        }
        want_bytes[0][i] = p;
        want_bytes[1][i] = q;
    }
    fill_outputs();
    pxk_parity(set, pq, len, k, src, dst);
    check(name, pq ? "P and Q" : "P", (unsigned)len, k, outputs_are_right(len, pq ? 2 : 1));
    check(name, "right parity", (unsigned)len, k,
          pxk_check_parity(set, pq, len, k, src, dst) == len);
    const size_t at = len / 3;
    output_bytes[pq][at] ^= 0x40;
    const size_t found = pxk_check_parity(set, pq, len, k, src, dst);
    check(name, "wrong parity", (unsigned)len, k, found <= at && found + 1024 > at);
}

static void test_set(const struct pxr_kernels *set, const char *name)
{
    static const uint16_t lengths[] = {1,   2,   7,   8,    15,   16,   17,  31,
                                       32,  33,  63,  64,   65,   100,  127, 128,
                                       255, 256, 257, 1000, 1024, 4096, 4097};
    static const uint8_t sources[] = {1, 2, 3, 10, MOST_SOURCES};
    print(name);
    print(" ");
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (unsigned s = 0; s < sizeof sources; s++) {
            pxk_tables((size_t)sources[s] * MOST_ROWS, rows, tables);
            for (unsigned count = 1; count <= MOST_ROWS; count++)
                test_codes(set, name, lengths[l], sources[s], count);
            test_parity(set, name, lengths[l], sources[s], false);
            test_parity(set, name, lengths[l], sources[s], true);
        }
}

/* The inverse of the first n by n part of a Cauchy matrix, times that part, is the identity. */
static void test_invert(unsigned n)
{
    static uint8_t in[128 * 128], copy[128 * 128], out[128 * 128];
    pxk_cauchy(in, n, n);
    bool good = true;
    for (unsigned r = 0; r < n; r++)
        for (unsigned j = 0; j < n; j++)
            good &= product[in[r * n + j]][(n + r) ^ j] == 1;
    check("matrix", "Cauchy", n, n, good);
    for (unsigned i = 0; i < n * n; i++)
        copy[i] = in[i];
    good = pxk_invert(in, out, n);
    for (unsigned r = 0; r < n; r++)
        for (unsigned c = 0; c < n; c++) {
            uint8_t sum = 0;
            for (unsigned j = 0; j < n; j++)
                sum ^= product[out[r * n + j]][copy[j * n + c]];
            good &= sum == (r == c);
        }
    check("matrix", "inverse", n, n, good);
    for (unsigned j = 0; j < n; j++) /* two equal rows */
        copy[j] = copy[(n - 1) * n + j];
    check("matrix", "no inverse", n, n, n == 1 || !pxk_invert(copy, out, n));
}

static void test_scalars(void)
{
    bool good = true;
    for (unsigned a = 0; a < 256; a++) {
        good &= pxk_inverse((uint8_t)a) == reference_inv((uint8_t)a);
        for (unsigned b = 0; b < 256; b++)
            good &= pxk_mul((uint8_t)a, (uint8_t)b) == product[a][b];
    }
    check("scalars", "products and inverses", 256, 256, good);
}

static void test_if(bool usable, const struct pxr_kernels *set, const char *name)
{
    if (usable) {
        test_set(set, name);
        return;
    }
    skipped++;
    print("\nskipped: ");
    print(name);
    print(" (this CPU does not have it)\n");
}

static void test_sets(void)
{
    test_set(&pxr_kernels_base, "base");
#ifdef __x86_64__
    unsigned a, b, c = 0, d, low = 0, high;
    __get_cpuid(1, &a, &b, &c, &d);
    test_if(c & bit_SSSE3, &pxr_kernels_ssse3, "ssse3");
    if (c & bit_OSXSAVE)
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    b = 0;
    __get_cpuid_count(7, 0, &a, &b, &c, &d);
    test_if((low & 6) == 6 && (b & bit_AVX2), &pxr_kernels_avx2, "avx2");
#else
    test_if(true, &pxr_kernels_neon, "neon"); /* part of the architecture */
#endif
    print("\n");
}

int run(void)
{
    prepare();
    test_scalars();
    for (unsigned n = 1; n <= 128; n += n < 10 ? 1 : 17)
        test_invert(n);
    test_sets();
    print_number(passed);
    print(" passed, ");
    print_number(failed);
    print(" failed, ");
    print_number(skipped);
    print(" skipped\n");
    return failed > 0;
}
