/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_peer.c - the smallest library that ec_perf accepts, for perf_cli.sh: tables and encode.
 * With -DWRONG its bytes are wrong, and it has a gf_vect_dot_prod, an xor_gen and an xor_check
 * that do nothing.  With -DWALK=0 it can process a batch of stripes in one call.  With -DWALK=1
 * it also can, but it does not begin with the stripe that the caller names as the first.
 */
#include <string.h>

#ifdef WRONG
#define MISTAKE 1
#else
#define MISTAKE 0
#endif

typedef unsigned char u8;

void ec_init_tables(int k, int rows, u8 *a, u8 *tables);
void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **data, u8 **coding);

static u8 times_two(u8 x)
{
    return (u8)(x << 1 ^ (x & 0x80 ? 0x1d : 0));
}

static u8 times(u8 c, u8 x)
{
    u8 product = 0;
    for (; x != 0; x >>= 1, c = times_two(c))
        product ^= x & 1 ? c : 0;
    return product;
}

/* The products of a coefficient with each low nibble and with each high nibble. */
void ec_init_tables(int k, int rows, u8 *a, u8 *tables)
{
    for (int i = 0; i < k * rows; i++)
        for (int x = 0; x < 16; x++) {
            tables[32 * i + x] = times(a[i], (u8)x);
            tables[32 * i + 16 + x] = times(a[i], (u8)(x << 4));
        }
}

void ec_encode_data(int len, int k, int rows, u8 *tables, u8 **data, u8 **coding)
{
    for (int r = 0; r < rows; r++) {
        memset(coding[r], MISTAKE, (size_t)len);
        for (int j = 0; j < k; j++, tables += 32)
            for (int i = 0; i < len; i++)
                coding[r][i] ^= tables[data[j][i] & 15] ^ tables[16 + (data[j][i] >> 4)];
    }
}

#ifdef WRONG
void gf_vect_dot_prod(int len, int k, u8 *tables, u8 **data, u8 *coding);

void gf_vect_dot_prod(int len, int k, u8 *tables, u8 **data, u8 *coding)
{
    (void)len, (void)k, (void)tables, (void)data, (void)coding;
}

int xor_gen(int vects, int len, void **array);
int xor_check(int vects, int len, void **array);

int xor_gen(int vects, int len, void **array)
{
    (void)vects, (void)len, (void)array;
    return 0;
}

int xor_check(int vects, int len, void **array)
{
    (void)vects, (void)len, (void)array;
    return 0;
}
#endif

#ifdef WALK
void ec_encode_data_update(int len, int k, int rows, int index, u8 *tables, u8 *source,
                           u8 **coding);
void ec_encode_data_update_walk(int len, int k, int rows, int index, u8 *tables, u8 **sources,
                                u8 **targets, size_t stripes, size_t first, size_t calls);
void ec_encode_data_walk(int len, int k, int rows, u8 *tables, u8 **sources, u8 **targets,
                         size_t stripes, size_t first, size_t calls);

static size_t step(size_t call, size_t first, size_t stripes)
{
    return (call + (WALK ? 0 : first)) % stripes;
}

void ec_encode_data_walk(int len, int k, int rows, u8 *tables, u8 **sources, u8 **targets,
                         size_t stripes, size_t first, size_t calls)
{
    for (size_t i = 0; i < calls; i++) {
        size_t s = step(i, first, stripes);
        ec_encode_data(len, k, rows, tables, sources + s * (size_t)k,
                       targets + s * (size_t)rows);
    }
}

void ec_encode_data_update(int len, int k, int rows, int index, u8 *tables, u8 *source,
                           u8 **coding)
{
    for (int r = 0; r < rows; r++) {
        const u8 *t = tables + 32 * (r * k + index);
        for (int i = 0; i < len; i++)
            coding[r][i] ^= t[source[i] & 15] ^ t[16 + (source[i] >> 4)];
    }
}

void ec_encode_data_update_walk(int len, int k, int rows, int index, u8 *tables, u8 **sources,
                                u8 **targets, size_t stripes, size_t first, size_t calls)
{
    for (size_t i = 0; i < calls; i++) {
        size_t s = step(i, first, stripes);
        ec_encode_data_update(len, k, rows, index, tables, sources[s],
                              targets + s * (size_t)rows);
    }
}
#endif
