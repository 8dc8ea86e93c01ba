/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A multiply-with-carry generator, with four numbers x and a carry:
 *     sum = 2111111111 * x[3] + 1492 * x[2] + 1776 * x[1] + 5115 * x[0] + carry;
 * The low half of the sum is the next number, and its high half is the next carry.
 */
#include "gf_rand.h"

#include <string.h>

static uint32_t x[4], carry;

uint32_t MOA_Random_32(void)
{
    static const uint64_t factor[4] = {5115, 1776, 1492, 2111111111};
    uint64_t sum = carry;
    for (int i = 0; i < 4; i++)
        sum += factor[i] * x[i];
    memmove(x + 1, x, 3 * sizeof *x);
    x[0] = (uint32_t)sum;
    carry = (uint32_t)(sum >> 32);
    return x[0];
}

/* Another generator fills the state, and the first numbers are discarded. */
void MOA_Seed(uint32_t seed)
{
    for (int i = 0; i < 4; i++)
        x[i] = seed = seed * 29943829 - 1;
    carry = seed * 29943829 - 1;
    for (int i = 0; i < 19; i++)
        MOA_Random_32();
}

uint64_t MOA_Random_64(void)
{
    const uint64_t high = MOA_Random_32();
    return high << 32 | MOA_Random_32();
}

void MOA_Random_128(uint64_t *number)
{
    number[0] = MOA_Random_64();
    number[1] = MOA_Random_64();
}

/* Before the first seed the state is all zeros.  From it the generator would give zeros
   forever. */
uint32_t MOA_Random_W(int w, int zero_ok)
{
    const int bits = w < 1 ? 1 : w > 32 ? 32 : w;
    const uint32_t mask = UINT32_MAX >> (32 - bits);
    static const uint32_t unseeded[4];
    if (!zero_ok && carry == 0 && memcmp(x, unseeded, sizeof x) == 0)
        MOA_Seed(0);
    for (;;) {
        const uint32_t number = MOA_Random_32() & mask;
        if (number != 0 || zero_ok)
            return number;
    }
}

void MOA_Fill_Random_Region(void *reg, int size)
{
    uint8_t *const bytes = reg;
    int i = 0;
    for (; i + 4 <= size; i += 4) {
        const uint32_t number = MOA_Random_32();
        memcpy(bytes + i, &number, sizeof number);
    }
    for (; i < size; i++)
        bytes[i] = (uint8_t)MOA_Random_W(8, 1);
}
