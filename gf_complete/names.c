/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "gf_words.h"

/* ---------------------------------------------------------- fields of one w -- */

#define OF_ONE_W(n)                                                                       \
    int gf_w##n##_init(gf_t *gf)                                                          \
    {                                                                                     \
        return pxr_gf_complete(gf);                                                       \
    }                                                                                     \
    int gf_w##n##_scratch_size(int mult_type, int region_type, int divide_type, int arg1, \
                               int arg2)                                                  \
    {                                                                                     \
        return gf_scratch_size(n, mult_type, region_type, divide_type, arg1, arg2);       \
    }
OF_ONE_W(4)
OF_ONE_W(8)
OF_ONE_W(16)
OF_ONE_W(32)
OF_ONE_W(64)
OF_ONE_W(128)

int gf_wgen_init(gf_t *gf)
{
    return pxr_gf_complete(gf);
}

int gf_wgen_scratch_size(int w, int mult_type, int region_type, int divide_type, int arg1,
                         int arg2)
{
    return gf_scratch_size(w, mult_type, region_type, divide_type, arg1, arg2);
}

int gf_error_check(int w, int mult_type, int region_type, int divide_type, int arg1, int arg2,
                   uint64_t poly, gf_t *base)
{
    return pxr_gf_check(w, mult_type, region_type, divide_type, arg1, arg2, poly, base);
}

uint64_t gf_composite_get_default_poly(gf_t *base)
{
    return pxr_gf_composite_poly(base);
}

/* ----------------------------------------------------------------- elements -- */

gf_val_32_t gf_w16_split_8_8_multiply(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    return (uint32_t)pxr_gf_product(16, pxr_gf_low_poly(pxr_gf_head(gf)), a & 0xffff,
                                    b & 0xffff);
}

#define MULTIPLY_128(name)                                                                   \
    void gf_w128_##name(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c)            \
    {                                                                                        \
        pxr_gf_to_pair(                                                                      \
            pxr_gf_product_128(pxr_gf_head(gf)->poly, pxr_gf_of_pair(a), pxr_gf_of_pair(b)), \
            c);                                                                              \
    }
MULTIPLY_128(shift_multiply)
MULTIPLY_128(clm_multiply)
MULTIPLY_128(bytwo_p_multiply)
MULTIPLY_128(bytwo_b_multiply)
MULTIPLY_128(sse_bytwo_p_multiply)
MULTIPLY_128(sse_bytwo_b_multiply)
MULTIPLY_128(group_multiply)

void gf_w128_euclid(gf_t *gf, gf_val_128_t a, gf_val_128_t b)
{
    pxr_gf_to_pair(pxr_gf_reciprocal(128, pxr_gf_head(gf)->poly, pxr_gf_of_pair(a)), b);
}

void gf_w128_divide_from_inverse(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c)
{
    pxr_gf_to_pair(
        pxr_gf_multiply(gf, pxr_gf_of_pair(a), pxr_gf_inverse(gf, pxr_gf_of_pair(b))), c);
}

void gf_w128_inverse_from_divide(gf_t *gf, gf_val_128_t a, gf_val_128_t b)
{
    uint64_t one[2] = {0, 1};
    gf->divide.w128(gf, one, a, b);
}

void gf_w128_extract_word(gf_t *gf, void *start, int bytes, int index, gf_val_128_t rv)
{
    pxr_gf_to_pair(pxr_gf_extract(gf, PXR_GF_STANDARD, start, bytes, index), rv);
}

gf_val_32_t gf_wgen_extract_word(gf_t *gf, void *start, int bytes, int index)
{
    return (uint32_t)pxr_gf_extract(gf, PXR_GF_PACKETS, start, bytes, index).low;
}

uint32_t gf_bitmatrix_inverse(uint32_t y, int w, uint32_t pp)
{
    const uint64_t mask = pxr_gf_mask(w).low;
    return (uint32_t)pxr_gf_reciprocal(w, pp & mask, pxr_gf_low_word(y & mask)).low;
}

/* ------------------------------------------------------------------ regions -- */

void gf_w128_bytwo_b_multiply_region(gf_t *gf, void *src, void *dest, gf_val_128_t val,
                                     int bytes, int add)
{
    pxr_gf_multiply_region(gf, PXR_GF_STANDARD, src, dest, pxr_gf_of_pair(val), bytes, add);
}

#define REGION_64(name)                                                                      \
    void gf_w64_##name(gf_t *gf, void *src, void *dest, gf_val_64_t val, int bytes, int add) \
    {                                                                                        \
        pxr_gf_multiply_region(gf, PXR_GF_STANDARD, src, dest, pxr_gf_low_word(val), bytes,  \
                               add);                                                         \
    }
REGION_64(clm_multiply_region)
REGION_64(bytwo_p_sse_multiply_region)
REGION_64(split_4_64_lazy_multiply_region)
REGION_64(split_8_64_lazy_multiply_region)
REGION_64(split_16_64_lazy_multiply_region)

void gf_wgen_cauchy_region(gf_t *gf, void *src, void *dest, gf_val_32_t val, int bytes, int add)
{
    pxr_gf_multiply_region(gf, PXR_GF_PACKETS, src, dest, pxr_gf_low_word(val), bytes, add);
}

void gf_multby_zero(void *dest, int bytes, int add)
{
    if (bytes > 0 && !add)
        memset(dest, 0, (size_t)bytes);
}

void gf_multby_one(void *src, void *dest, int bytes, int add)
{
    if (bytes > 0 && add)
        pxr_gf_add((size_t)bytes, src, dest);
    else if (bytes > 0 && src != dest)
        memcpy(dest, src, (size_t)bytes);
}

/* align -1 stands for CAUCHY, which has no parts. */
void gf_set_region_data(gf_region_data *rd, gf_t *gf, void *src, void *dest, int bytes,
                        uint64_t val, int add, int align)
{
    uint8_t *const from = src, *const to = dest;
    int before = 0, middle = bytes;
    if (align > 0) {
        const unsigned address = align < 16 ? (unsigned)align : 16;
        const int wanted = (int)((address - (uintptr_t)src % address) % address);
        before = wanted < bytes ? wanted : bytes;
        middle = (bytes - before) / align * align;
    }
    *rd = (gf_region_data){.gf = gf,
                           .src = src,
                           .dest = dest,
                           .bytes = bytes,
                           .val = val,
                           .xor_ = add,
                           .align = align,
                           .s_start = from + before,
                           .d_start = to + before,
                           .s_top = from + before + middle,
                           .d_top = to + before + middle};
}

static void multiply_part(gf_region_data *rd, void *src, void *dest, ptrdiff_t bytes)
{
    pxr_gf_multiply_region(rd->gf, PXR_GF_STANDARD, src, dest, pxr_gf_low_word(rd->val),
                           (int)bytes, rd->xor_);
}

void gf_do_initial_region_alignment(gf_region_data *rd)
{
    multiply_part(rd, rd->src, rd->dest, (uint8_t *)rd->s_start - (uint8_t *)rd->src);
}

void gf_do_final_region_alignment(gf_region_data *rd)
{
    multiply_part(rd, rd->s_top, rd->d_top,
                  (uint8_t *)rd->src + rd->bytes - (uint8_t *)rd->s_top);
}

void gf_two_byte_region_table_multiply(gf_region_data *rd, uint16_t *base)
{
    const size_t words = (size_t)((uint8_t *)rd->s_top - (uint8_t *)rd->s_start) / 2;
    for (size_t i = 0; i < words; i++) {
        struct pxr_gf_word word = pxr_gf_load(16, rd->s_start, i);
        word.low = base[word.low];
        if (rd->xor_)
            word = pxr_gf_sum(word, pxr_gf_load(16, rd->d_start, i));
        pxr_gf_store(16, rd->d_start, i, word);
    }
}

void gf_alignment_error(char *s, int a)
{
    fprintf(stderr, "%s: source and destination must be aligned to %d bytes\n", s, a);
}

/* --------------------------------------------------------------------- texts -- */

static char *digits_of(uint64_t v, int count)
{
    char *const text = malloc((size_t)count + 1);
    if (!text)
        return NULL;
    for (int i = 0; i < count; i++)
        text[i] = v >> (count - 1 - i) & 1 ? '1' : '0';
    text[count] = '\0';
    return text;
}

char *bits(uint32_t v)
{
    return digits_of(v, 28);
}

char *bits_56(uint64_t v)
{
    return digits_of(v, 56);
}
