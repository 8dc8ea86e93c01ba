/* SPDX-License-Identifier: BSD-3-Clause */
#include "gf_method.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

/* What the words before - have said. */
struct method {
    int mult_type, region_type, divide_type, arg1, arg2;
    uint64_t poly;
    gf_t *base;
};

/* The words that are left. */
struct words {
    int count, next;
    char **word;
};

static const char *peek(const struct words *words)
{
    return words->next < words->count ? words->word[words->next] : NULL;
}

static const char *take(struct words *words)
{
    const char *const word = peek(words);
    words->next += word != NULL;
    return word;
}

struct name {
    const char *name;
    int value;
};

/* Returns the value of a name in a list that ends with NULL, or -1 if the name is not in it. */
static int look_up(const struct name *names, const char *name)
{
    while (names->name && strcmp(names->name, name) != 0)
        names++;
    return names->name ? names->value : -1;
}

/* ----------------------------------------------------------------- -m, -r ... -- */

/* Takes two numbers.  When there are fewer words, takes none. */
static int take_arguments(struct words *words, struct method *method, enum pxr_gf_error few,
                          enum pxr_gf_error text)
{
    if (words->count - words->next < 2)
        return pxr_gf_fail(few);
    if (sscanf(take(words), "%d", &method->arg1) != 1 ||
        sscanf(take(words), "%d", &method->arg2) != 1)
        return pxr_gf_fail(text);
    return 1;
}

static int take_base(struct words *words, int w, struct method *method)
{
    const char *const number = take(words);
    if (!number)
        return pxr_gf_fail(PXR_GF_E_FEW_WORDS);
    if (sscanf(number, "%d", &method->arg1) != 1 || method->arg1 <= 0)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_ARG1);
    gf_t *const base = malloc(sizeof *base);
    if (!base)
        return 0;
    words->next =
        create_gf_from_argv(base, w / method->arg1, words->count, words->word, words->next);
    if (words->next == 0) {
        free(base);
        return 0;
    }
    method->base = base;
    return 1;
}

static int take_mult(struct words *words, int w, struct method *method)
{
    static const struct name names[] = {{"SHIFT", GF_MULT_SHIFT},
                                        {"CARRY_FREE", GF_MULT_CARRY_FREE},
                                        {"CARRY_FREE_GK", GF_MULT_CARRY_FREE_GK},
                                        {"GROUP", GF_MULT_GROUP},
                                        {"BYTWO_p", GF_MULT_BYTWO_p},
                                        {"BYTWO_b", GF_MULT_BYTWO_b},
                                        {"TABLE", GF_MULT_TABLE},
                                        {"LOG", GF_MULT_LOG_TABLE},
                                        {"LOG_ZERO", GF_MULT_LOG_ZERO},
                                        {"LOG_ZERO_EXT", GF_MULT_LOG_ZERO_EXT},
                                        {"SPLIT", GF_MULT_SPLIT_TABLE},
                                        {"COMPOSITE", GF_MULT_COMPOSITE},
                                        {NULL, 0}};
    if (method->mult_type != GF_MULT_DEFAULT)
        return pxr_gf_fail(PXR_GF_E_TWO_METHODS);
    const char *const name = take(words);
    if (!name)
        return pxr_gf_fail(PXR_GF_E_FEW_WORDS);
    method->mult_type = look_up(names, name);
    switch (method->mult_type) {
    case -1:
        return pxr_gf_fail(PXR_GF_E_UNKNOWN_METHOD);
    case GF_MULT_GROUP:
        return take_arguments(words, method, PXR_GF_E_GROUP_FEW_WORDS, PXR_GF_E_GROUP_TEXT);
    case GF_MULT_SPLIT_TABLE:
        return take_arguments(words, method, PXR_GF_E_SPLIT_FEW_WORDS, PXR_GF_E_SPLIT_TEXT);
    case GF_MULT_COMPOSITE:
        return take_base(words, w, method);
    default:
        return 1;
    }
}

static int take_region(struct words *words, struct method *method)
{
    static const struct name names[] = {
        {"DOUBLE", GF_REGION_DOUBLE_TABLE}, {"QUAD", GF_REGION_QUAD_TABLE},
        {"LAZY", GF_REGION_LAZY},           {"SIMD", GF_REGION_SIMD},
        {"NOSIMD", GF_REGION_NOSIMD},       {"SSE", GF_REGION_SSE},
        {"NOSSE", GF_REGION_NOSSE},         {"CAUCHY", GF_REGION_CAUCHY},
        {"ALTMAP", GF_REGION_ALTMAP},       {NULL, 0}};
    const char *const name = take(words);
    if (!name)
        return pxr_gf_fail(PXR_GF_E_FEW_WORDS);
    const int flag = look_up(names, name);
    if (flag < 0)
        return pxr_gf_fail(PXR_GF_E_UNKNOWN_REGION);
    method->region_type |= flag;
    return 1;
}

static int take_poly(struct words *words, struct method *method)
{
    const char *const text = take(words);
    unsigned long long poly;
    if (!text)
        return pxr_gf_fail(PXR_GF_E_FEW_WORDS);
    if (sscanf(text, "%llx", &poly) != 1)
        return pxr_gf_fail(PXR_GF_E_POLY_TEXT);
    method->poly = poly;
    return 1;
}

static int take_divide(struct words *words, struct method *method)
{
    static const struct name names[] = {
        {"EUCLID", GF_DIVIDE_EUCLID}, {"MATRIX", GF_DIVIDE_MATRIX}, {NULL, 0}};
    if (method->divide_type != GF_DIVIDE_DEFAULT)
        return pxr_gf_fail(PXR_GF_E_TWO_DIVIDES);
    const char *const name = take(words);
    if (!name)
        return pxr_gf_fail(PXR_GF_E_FEW_WORDS);
    method->divide_type = look_up(names, name);
    return method->divide_type < 0 ? pxr_gf_fail(PXR_GF_E_UNKNOWN_DIVIDE) : 1;
}

/* Takes all words up to -. */
static int take_words(struct words *words, int w, struct method *method)
{
    for (;;) {
        const char *const flag = take(words);
        int taken;
        if (!flag)
            return pxr_gf_fail(PXR_GF_E_FEW_WORDS);
        if (strcmp(flag, "-") == 0)
            return 1;
        if (strcmp(flag, "-m") == 0)
            taken = take_mult(words, w, method);
        else if (strcmp(flag, "-r") == 0)
            taken = take_region(words, method);
        else if (strcmp(flag, "-p") == 0)
            taken = take_poly(words, method);
        else if (strcmp(flag, "-d") == 0)
            taken = take_divide(words, method);
        else
            taken = pxr_gf_fail(PXR_GF_E_UNKNOWN_FLAG);
        if (!taken)
            return 0;
    }
}

int create_gf_from_argv(gf_t *gf, int w, int argc, char **argv, int starting)
{
    struct words words = {argc, starting, argv};
    struct method method = {.mult_type = GF_MULT_DEFAULT,
                            .region_type = GF_REGION_DEFAULT,
                            .divide_type = GF_DIVIDE_DEFAULT};
    if (take_words(&words, w, &method) &&
        gf_init_hard(gf, w, method.mult_type, method.region_type, method.divide_type,
                     method.poly, method.arg1, method.arg2, method.base, NULL))
        return words.next;
    if (method.base) {
        gf_free(method.base, 1);
        free(method.base);
    }
    return 0;
}
