/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The body of pxr_gf_words() by tables, included by words.c for each width: WORD is the type of
 * a word, NAME() names the functions, and DIGIT is how many bits of a word one look-up takes.
 * More of them are fewer look-ups, and tables that take longer to make and fill more of the
 * L1 cache.
 *
 * A word is the sum of its digits at their places, and so is its product.
 */
#define DIGITS (8 * (int)sizeof(WORD) / DIGIT)
#define DIGIT_VALUES (1 << DIGIT)

typedef WORD NAME(table)[DIGITS][DIGIT_VALUES];

/* Each value of a digit is a bit more than one that was there before it. */
static void NAME(fill)(const struct pxr_gf_map *map, NAME(table) products)
{
    for (int d = 0; d < DIGITS; d++) {
        products[d][0] = 0;
        for (int bit = 0; bit < DIGIT; bit++)
            for (int v = 0; v < 1 << bit; v++)
                products[d][(1 << bit) + v] =
                    products[d][v] ^ (WORD)map->column[DIGIT * d + bit].low;
    }
}

static void NAME(words)(const struct pxr_gf_map *map, size_t len, const uint8_t *src,
                        uint8_t *dst, bool add)
{
    NAME(table) products;
    NAME(fill)(map, products);
    for (size_t pos = 0; pos + sizeof(WORD) <= len; pos += sizeof(WORD)) {
        WORD word, sum = 0;
        if (add)
            memcpy(&sum, dst + pos, sizeof sum);
        memcpy(&word, src + pos, sizeof word);
#pragma GCC unroll 16
        for (int d = 0; d < DIGITS; d++)
            sum ^= products[d][word >> (DIGIT * d) & (DIGIT_VALUES - 1)];
        memcpy(dst + pos, &sum, sizeof sum);
    }
}

#undef DIGITS
#undef DIGIT_VALUES
