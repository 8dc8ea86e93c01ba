/* SPDX-License-Identifier: BSD-3-Clause */
#include "gf_general.h"

#include <errno.h>
#include <inttypes.h>

#include "gf_rand.h"
#include "mapping.h"

/* ----------------------------------------------------------------- elements -- */

static struct pxr_gf_word get(const gf_general_t *v, int w)
{
    if (w <= 32)
        return pxr_gf_low_word(v->w32);
    return w <= 64 ? pxr_gf_low_word(v->w64) : pxr_gf_of_pair(v->w128);
}

static void set(gf_general_t *v, int w, struct pxr_gf_word word)
{
    if (w <= 32)
        v->w32 = (uint32_t)word.low;
    else if (w <= 64)
        v->w64 = word.low;
    else
        pxr_gf_to_pair(word, v->w128);
}

void gf_general_set_zero(gf_general_t *v, int w)
{
    set(v, w, pxr_gf_low_word(0));
}

void gf_general_set_one(gf_general_t *v, int w)
{
    set(v, w, pxr_gf_low_word(1));
}

void gf_general_set_two(gf_general_t *v, int w)
{
    set(v, w, pxr_gf_low_word(2));
}

int gf_general_is_zero(gf_general_t *v, int w)
{
    return pxr_gf_is(get(v, w), 0);
}

int gf_general_is_one(gf_general_t *v, int w)
{
    return pxr_gf_is(get(v, w), 1);
}

int gf_general_are_equal(gf_general_t *v1, gf_general_t *v2, int w)
{
    return pxr_gf_is(pxr_gf_sum(get(v1, w), get(v2, w)), 0);
}

/* -------------------------------------------------------------------- texts -- */

void gf_general_val_to_s(gf_general_t *v, int w, char *s, int hex)
{
    const struct pxr_gf_word word = get(v, w);
    if (word.high != 0)
        sprintf(s, "%" PRIx64 "%016" PRIx64, word.high, word.low);
    else
        sprintf(s, hex || w > 64 ? "%" PRIx64 : "%" PRId64, word.low);
}

/* Like sscanf(), this accepts a sign, and ignores what follows the digits. */
static bool read_number(const char *s, int base, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(s, &end, base);
    return end != s && errno == 0;
}

/* When there are more than 16 digits, the last 16 are the low half, and the others are the high
   half. */
static bool read_128(const char *s, uint64_t pair[2])
{
    const size_t digits = strlen(s), high = digits > 16 ? digits - 16 : 0;
    char first[17] = "0";
    if (high > 16)
        return false;
    if (high > 0)
        memcpy(first, s, high);
    return read_number(first, 16, &pair[0]) && read_number(s + high, 16, &pair[1]);
}

int gf_general_s_to_val(gf_general_t *v, int w, char *s, int hex)
{
    uint64_t number;
    if (w > 64)
        return hex && read_128(s, v->w128);
    if (!read_number(s, hex ? 16 : 10, &number))
        return 0;
    /* An element of 32 bits may be the text of an int, which is negative if bit 31 is set. */
    if (w == 32 && (int64_t)number < 0 && (int64_t)number >= INT32_MIN)
        number &= UINT32_MAX;
    if (number > pxr_gf_mask(w).low)
        return 0;
    set(v, w, pxr_gf_low_word(number));
    return 1;
}

/* ---------------------------------------------------------------- arithmetic -- */

void gf_general_set_random(gf_general_t *v, int w, int zero_ok)
{
    if (w <= 32) {
        v->w32 = MOA_Random_W(w, zero_ok);
        return;
    }
    for (;;) {
        if (w <= 64)
            v->w64 = MOA_Random_64();
        else
            MOA_Random_128(v->w128);
        if (zero_ok || !gf_general_is_zero(v, w))
            return;
        MOA_Seed(0); /* without a seed all numbers are 0 */
    }
}

void gf_general_add(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c)
{
    const int w = pxr_gf_head(gf)->w;
    set(c, w, pxr_gf_sum(get(a, w), get(b, w)));
}

void gf_general_multiply(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c)
{
    const int w = pxr_gf_head(gf)->w;
    set(c, w, pxr_gf_multiply(gf, get(a, w), get(b, w)));
}

void gf_general_divide(gf_t *gf, gf_general_t *a, gf_general_t *b, gf_general_t *c)
{
    const int w = pxr_gf_head(gf)->w;
    if (w <= 32)
        c->w32 = gf->divide.w32(gf, a->w32, b->w32);
    else if (w <= 64)
        c->w64 = gf->divide.w64(gf, a->w64, b->w64);
    else
        gf->divide.w128(gf, a->w128, b->w128, c->w128);
}

void gf_general_inverse(gf_t *gf, gf_general_t *a, gf_general_t *b)
{
    const int w = pxr_gf_head(gf)->w;
    set(b, w, pxr_gf_inverse(gf, get(a, w)));
}

/* ------------------------------------------------------------------ regions -- */

void gf_general_do_region_multiply(gf_t *gf, gf_general_t *a, void *ra, void *rb, int bytes,
                                   int add)
{
    const int w = pxr_gf_head(gf)->w;
    if (w <= 32)
        gf->multiply_region.w32(gf, ra, rb, a->w32, bytes, add);
    else if (w <= 64)
        gf->multiply_region.w64(gf, ra, rb, a->w64, bytes, add);
    else
        gf->multiply_region.w128(gf, ra, rb, a->w128, bytes, add);
}

static void extract(gf_t *gf, void *region, int bytes, int index, gf_general_t *v)
{
    const int w = pxr_gf_head(gf)->w;
    if (w <= 32)
        v->w32 = gf->extract_word.w32(gf, region, bytes, index);
    else if (w <= 64)
        v->w64 = gf->extract_word.w64(gf, region, bytes, index);
    else
        gf->extract_word.w128(gf, region, bytes, index, v->w128);
}

static void print_value(const char *what, gf_general_t *v, int w)
{
    char text[40];
    gf_general_val_to_s(v, w, text, 1);
    fprintf(stderr, "    %s %s\n", what, text);
}

void gf_general_do_region_check(gf_t *gf, gf_general_t *a, void *orig_a, void *orig_target,
                                void *final_target, int bytes, int add)
{
    const int w = pxr_gf_head(gf)->w;
    const int words = (int)((int64_t)bytes * 8 / w);
    for (int i = 0; i < words; i++) {
        gf_general_t source, before, after, wanted;
        extract(gf, orig_a, bytes, i, &source);
        extract(gf, orig_target, bytes, i, &before);
        extract(gf, final_target, bytes, i, &after);
        gf_general_multiply(gf, a, &source, &wanted);
        if (add)
            gf_general_add(gf, &wanted, &before, &wanted);
        if (gf_general_are_equal(&after, &wanted, w))
            continue;
        fprintf(stderr, "word %d of %d is wrong (values in hexadecimal):\n", i, words);
        print_value("constant", a, w);
        print_value("source  ", &source, w);
        if (add)
            print_value("before  ", &before, w);
        print_value("found   ", &after, w);
        print_value("expected", &wanted, w);
        abort();
    }
}

/* ------------------------------------------------------------------- timing -- */

/* Returns the bits of the memory that holds an element in an array. */
static int container(int w)
{
    if (w == 4 || w == 8)
        return 8;
    if (w == 16 || w > 32)
        return w;
    return 32;
}

static size_t elements_in(int w, int size)
{
    return size > 0 ? (size_t)size / ((size_t)container(w) / 8) : 0;
}

static void fill(int w, void *region, int size, int zero_ok)
{
    for (size_t i = 0; i < elements_in(w, size); i++) {
        gf_general_t v;
        gf_general_set_random(&v, w, zero_ok);
        pxr_gf_store(container(w), region, i, get(&v, w));
    }
}

void gf_general_set_up_single_timing_test(int w, void *ra, void *rb, int size)
{
    fill(w, ra, size, 1);
    fill(w, rb, size, 0);
}

int gf_general_do_single_timing_test(gf_t *gf, void *ra, void *rb, int size, char which)
{
    const int w = pxr_gf_head(gf)->w, bits = container(w);
    const size_t skipped = w == 128, count = elements_in(w, size);
    size_t i = skipped;
    for (; i < count; i++) {
        gf_general_t a, b;
        set(&a, w, pxr_gf_load(bits, ra, i));
        set(&b, w, pxr_gf_load(bits, rb, i - skipped));
        if (which == 'M')
            gf_general_multiply(gf, &a, &b, &a);
        else if (which == 'D')
            gf_general_divide(gf, &a, &b, &a);
        else if (which == 'I')
            gf_general_inverse(gf, &a, &a);
        pxr_gf_store(bits, ra, w == 128 ? 0 : i, get(&a, w));
    }
    return (int)(i - skipped);
}
