/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"
#include "reference.h"

#include <string.h>

static uint8_t products[256][256];

void judge_start(void)
{
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            products[a][b] = reference_mul((uint8_t)a, (uint8_t)b);
}

uint8_t judge_mul(uint8_t a, uint8_t b)
{
    return products[a][b];
}

void judge_dot(size_t len, unsigned k, const uint8_t *coefficients, const uint8_t *const *src,
               uint8_t *dst)
{
    for (unsigned j = 0; j < k; j++) {
        const uint8_t *product = products[coefficients[j]];
        for (size_t i = 0; i < len; i++)
            dst[i] ^= product[src[j][i]];
    }
}

void judge_syndrome(size_t len, unsigned first, unsigned count, const uint8_t *const *blocks,
                    uint8_t *p, uint8_t *q)
{
    const uint8_t one = 1;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t power = reference_pow(2, first + i);
        if (blocks[i] != NULL && p != NULL)
            judge_dot(len, 1, &one, &blocks[i], p);
        if (blocks[i] != NULL && q != NULL)
            judge_dot(len, 1, &power, &blocks[i], q);
    }
}

size_t judge_first_nonzero(const uint8_t *bytes, size_t len)
{
    size_t i = 0;
    while (i < len && bytes[i] == 0)
        i++;
    return i;
}

bool judge_explains(unsigned n, unsigned block, const uint8_t *p, const uint8_t *q, size_t len)
{
    if (block >= n)
        return judge_first_nonzero(block == n ? q : p, len) == len;
    const uint8_t power = reference_pow(2, block);
    for (size_t i = 0; i < len; i++)
        if (q[i] != products[power][p[i]])
            return false;
    return true;
}

uint32_t judge_adler32(uint32_t adler, const uint8_t *bytes, size_t len)
{
    uint32_t a = adler % 65536 % 65521, b = adler / 65536 % 65521;
    for (size_t i = 0; i < len; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b * 65536 + a;
}

void judge_tables(size_t n, const uint8_t *coefficients, uint8_t *tables)
{
    for (size_t c = 0; c < n; c++)
        for (unsigned nibble = 0; nibble < 16; nibble++) {
            tables[32 * c + nibble] = products[coefficients[c]][nibble];
            tables[32 * c + 16 + nibble] = products[coefficients[c]][nibble << 4];
        }
}

void judge_matrices(size_t n, const uint8_t *coefficients, uint8_t *matrices)
{
    memset(matrices, 0, 8 * n);
    for (size_t c = 0; c < n; c++)
        for (unsigned row = 0; row < 8; row++)
            for (unsigned column = 0; column < 8; column++)
                if (products[coefficients[c]][1u << column] >> row & 1)
                    matrices[8 * c + 7 - row] |= (uint8_t)(1u << column);
}

void judge_matrix_product(unsigned n, const uint8_t *a, const uint8_t *b, uint8_t *product)
{
    memset(product, 0, (size_t)n * n);
    for (unsigned row = 0; row < n; row++)
        for (unsigned inner = 0; inner < n; inner++) {
            const uint8_t *by = products[a[(size_t)row * n + inner]];
            for (unsigned column = 0; column < n; column++)
                product[(size_t)row * n + column] ^= by[b[(size_t)inner * n + column]];
        }
}

bool judge_identity(unsigned n, const uint8_t *a)
{
    for (unsigned row = 0; row < n; row++)
        for (unsigned column = 0; column < n; column++)
            if (a[(size_t)row * n + column] != (row == column))
                return false;
    return true;
}
