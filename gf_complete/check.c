/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which arguments make a field.  The original refuses arguments for which it has no code.  Here
 * one implementation serves all, but the rules remain, because programs list the methods by
 * them (gf_methods).  The rules are in the original's order, which decides the error when
 * several rules apply.  Methods that depend on the CPU in the original are available here on
 * any CPU.
 */
#include <stddef.h>

#include "errors.h"
#include "field.h"

#define REGIONS                                                                        \
    (GF_REGION_DOUBLE_TABLE | GF_REGION_QUAD_TABLE | GF_REGION_LAZY | GF_REGION_SIMD | \
     GF_REGION_NOSIMD | GF_REGION_ALTMAP | GF_REGION_CAUCHY)
#define EITHER_SIMD (GF_REGION_SIMD | GF_REGION_NOSIMD)

/* The arguments, with the original's names. */
struct arguments {
    int w, mult_type, region_type, divide_type, arg1, arg2;
    uint64_t poly;
    gf_t *base;
};

static bool has(const struct arguments *a, int flags)
{
    return (a->region_type & flags) != 0;
}

/* For methods that take neither ALTMAP nor a choice of SIMD, with the error for each. */
static int refuse(const struct arguments *a, enum pxr_gf_error altmap, enum pxr_gf_error simd)
{
    if (has(a, GF_REGION_ALTMAP))
        return pxr_gf_fail(altmap);
    if (has(a, EITHER_SIMD))
        return pxr_gf_fail(simd);
    return 1;
}

static int check_default(const struct arguments *a)
{
    if (a->divide_type != GF_DIVIDE_DEFAULT)
        return pxr_gf_fail(PXR_GF_E_DEFAULT_DIVIDE);
    if (a->region_type != GF_REGION_DEFAULT)
        return pxr_gf_fail(PXR_GF_E_DEFAULT_REGION);
    if (a->arg1 != 0 || a->arg2 != 0)
        return pxr_gf_fail(PXR_GF_E_DEFAULT_ARGS);
    return 1;
}

/* The rules for all methods except the default one. */
static int check_common(const struct arguments *a)
{
    const bool grouped = a->mult_type == GF_MULT_SPLIT_TABLE || a->mult_type == GF_MULT_GROUP;
    if (has(a, GF_REGION_SIMD) && has(a, GF_REGION_NOSIMD))
        return pxr_gf_fail(PXR_GF_E_SIMD_AND_NOSIMD);
    if (has(a, GF_REGION_CAUCHY) && a->w > 32)
        return pxr_gf_fail(PXR_GF_E_CAUCHY_W);
    if (has(a, GF_REGION_CAUCHY) && a->region_type != GF_REGION_CAUCHY)
        return pxr_gf_fail(PXR_GF_E_CAUCHY_AND_OTHER);
    if (has(a, GF_REGION_CAUCHY) && a->mult_type == GF_MULT_COMPOSITE)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_CAUCHY);
    if (a->arg1 != 0 && !grouped && a->mult_type != GF_MULT_COMPOSITE)
        return pxr_gf_fail(PXR_GF_E_ARG1);
    if (a->arg2 != 0 && !grouped)
        return pxr_gf_fail(PXR_GF_E_ARG2);
    if (a->divide_type == GF_DIVIDE_MATRIX && a->w > 32)
        return pxr_gf_fail(PXR_GF_E_MATRIX_W);
    return 1;
}

static int check_double(const struct arguments *a)
{
    if (has(a, GF_REGION_QUAD_TABLE))
        return pxr_gf_fail(PXR_GF_E_DOUBLE_AND_QUAD);
    if (a->mult_type != GF_MULT_TABLE)
        return pxr_gf_fail(PXR_GF_E_DOUBLE_METHOD);
    if (a->w != 4 && a->w != 8)
        return pxr_gf_fail(PXR_GF_E_DOUBLE_W);
    if (has(a, EITHER_SIMD | GF_REGION_ALTMAP))
        return pxr_gf_fail(PXR_GF_E_DOUBLE_AND_OTHER);
    if (has(a, GF_REGION_LAZY) && a->w == 4)
        return pxr_gf_fail(PXR_GF_E_DOUBLE_LAZY);
    return 1;
}

static int check_quad(const struct arguments *a)
{
    if (a->mult_type != GF_MULT_TABLE)
        return pxr_gf_fail(PXR_GF_E_QUAD_METHOD);
    if (a->w != 4)
        return pxr_gf_fail(PXR_GF_E_QUAD_W);
    if (has(a, EITHER_SIMD | GF_REGION_ALTMAP))
        return pxr_gf_fail(PXR_GF_E_QUAD_AND_OTHER);
    return 1;
}

static bool is_power_of_two_from_4(int w)
{
    return w == 4 || w == 8 || w == 16 || w == 32 || w == 64 || w == 128;
}

/* CARRY_FREE of the original reduces in a fixed number of steps.  These are enough only for
   polynomials without the highest terms below x^w. */
static int check_carry_free_poly(const struct arguments *a)
{
    if (a->w == 4 && (a->poly & 0xc))
        return pxr_gf_fail(PXR_GF_E_CARRY_FREE_4_POLY);
    if (a->w == 8 && (a->poly & 0x80))
        return pxr_gf_fail(PXR_GF_E_CARRY_FREE_8_POLY);
    if (a->w == 16 && (a->poly & 0xe000))
        return pxr_gf_fail(PXR_GF_E_CARRY_FREE_16_POLY);
    if (a->w == 32 && (a->poly & 0xfe000000))
        return pxr_gf_fail(PXR_GF_E_CARRY_FREE_32_POLY);
    if (a->w == 64 && (a->poly >> 49))
        return pxr_gf_fail(PXR_GF_E_CARRY_FREE_64_POLY);
    return 1;
}

static int check_carry_free(const struct arguments *a)
{
    if (!is_power_of_two_from_4(a->w))
        return pxr_gf_fail(PXR_GF_E_CARRY_FREE_W);
    if (a->mult_type == GF_MULT_CARRY_FREE && !check_carry_free_poly(a))
        return 0;
    if (!refuse(a, PXR_GF_E_CARRY_FREE_ALTMAP, PXR_GF_E_CARRY_FREE_SIMD))
        return 0;
    /* The other method exists only for w = 32.  The original sets no error here. */
    return a->mult_type == GF_MULT_CARRY_FREE || a->w == 32;
}

static int check_bytwo(const struct arguments *a)
{
    return has(a, GF_REGION_ALTMAP) ? pxr_gf_fail(PXR_GF_E_BYTWO_ALTMAP) : 1;
}

static int check_log(const struct arguments *a)
{
    if (a->w > 27)
        return pxr_gf_fail(PXR_GF_E_LOG_W);
    if (has(a, EITHER_SIMD | GF_REGION_ALTMAP))
        return pxr_gf_fail(PXR_GF_E_LOG_AND_OTHER);
    if (a->mult_type != GF_MULT_LOG_TABLE && a->w != 8 && a->w != 16)
        return pxr_gf_fail(PXR_GF_E_LOG_ZERO_W);
    if (a->mult_type == GF_MULT_LOG_ZERO_EXT && a->w != 8)
        return pxr_gf_fail(PXR_GF_E_LOG_ZERO_EXT_W);
    return 1;
}

static int check_group(const struct arguments *a)
{
    if (a->arg1 <= 0 || a->arg2 <= 0)
        return pxr_gf_fail(PXR_GF_E_GROUP_ARGS);
    if (a->w == 4 || a->w == 8)
        return pxr_gf_fail(PXR_GF_E_GROUP_W);
    if (a->w == 16 && (a->arg1 != 4 || a->arg2 != 4))
        return pxr_gf_fail(PXR_GF_E_GROUP_16);
    if (a->w == 128 && (a->arg1 != 4 || (a->arg2 != 4 && a->arg2 != 8 && a->arg2 != 16)))
        return pxr_gf_fail(PXR_GF_E_GROUP_128);
    if (a->arg1 > 27 || a->arg2 > 27)
        return pxr_gf_fail(PXR_GF_E_GROUP_27);
    if (a->arg1 > a->w || a->arg2 > a->w)
        return pxr_gf_fail(PXR_GF_E_GROUP_ABOVE_W);
    return refuse(a, PXR_GF_E_GROUP_AND_OTHER, PXR_GF_E_GROUP_AND_OTHER);
}

static int check_table(const struct arguments *a)
{
    if (a->w != 16 && a->w >= 15)
        return pxr_gf_fail(PXR_GF_E_TABLE_W);
    if (a->w != 4 && has(a, EITHER_SIMD))
        return pxr_gf_fail(PXR_GF_E_TABLE_SIMD);
    if (has(a, GF_REGION_ALTMAP))
        return pxr_gf_fail(PXR_GF_E_TABLE_ALTMAP);
    return 1;
}

/* The rules of SPLIT for a w: the arguments, and the errors. */
struct split {
    int w, largest; /* 8 w is accepted, and this one with w, for tables without SIMD */
    bool eights;    /* 8 8 is accepted, too */
    enum pxr_gf_error arguments, altmap, simd, altmap_without_simd;
};
static const struct split splits[] = {
    {16, 8, true, PXR_GF_E_SPLIT_16, PXR_GF_E_SPLIT_16_ALTMAP, PXR_GF_E_SPLIT_16_SIMD,
     PXR_GF_E_NONE},
    {32, 16, true, PXR_GF_E_SPLIT_32, PXR_GF_E_SPLIT_32_ALTMAP, PXR_GF_E_SPLIT_32_SIMD,
     PXR_GF_E_SPLIT_32_NOSIMD},
    {64, 16, true, PXR_GF_E_SPLIT_64, PXR_GF_E_SPLIT_64_ALTMAP, PXR_GF_E_SPLIT_64_SIMD,
     PXR_GF_E_SPLIT_64_NOSIMD},
    {128, 8, false, PXR_GF_E_SPLIT_128, PXR_GF_E_SPLIT_128_ALTMAP, PXR_GF_E_SPLIT_128_SIMD,
     PXR_GF_E_SPLIT_128_NOSIMD},
};

static int check_split_of(const struct arguments *a, const struct split *split, int less,
                          int more)
{
    const bool of_w = more == a->w && (less == 8 || less == split->largest);
    if ((less == 8 && more == 8 && split->eights) || of_w) {
        if (has(a, EITHER_SIMD))
            return pxr_gf_fail(split->simd);
        return has(a, GF_REGION_ALTMAP) ? pxr_gf_fail(split->altmap) : 1;
    }
    if (less != 4 || more != a->w)
        return pxr_gf_fail(split->arguments);
    if (has(a, GF_REGION_ALTMAP) && has(a, GF_REGION_NOSIMD) &&
        split->altmap_without_simd != PXR_GF_E_NONE)
        return pxr_gf_fail(split->altmap_without_simd);
    return 1;
}

static int check_split(const struct arguments *a)
{
    const int less = a->arg1 < a->arg2 ? a->arg1 : a->arg2;
    const int more = a->arg1 < a->arg2 ? a->arg2 : a->arg1;
    if (a->w == 8) {
        if (less != 4 || more != 8)
            return pxr_gf_fail(PXR_GF_E_SPLIT_8);
        return has(a, GF_REGION_ALTMAP) ? pxr_gf_fail(PXR_GF_E_SPLIT_8_ALTMAP) : 1;
    }
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++)
        if (splits[i].w == a->w)
            return check_split_of(a, &splits[i], less, more);
    return pxr_gf_fail(PXR_GF_E_SPLIT_W);
}

static int check_composite(const struct arguments *a)
{
    if (a->w < 8 || !is_power_of_two_from_4(a->w))
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_W);
    if (a->w < 128 && a->poly >> (a->w / 2) != 0)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_POLY);
    if (a->divide_type != GF_DIVIDE_DEFAULT)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_DIVIDE);
    if (a->arg1 != 2)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_ARG1);
    if (has(a, EITHER_SIMD))
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_SIMD);
    if (!a->base) /* gf_scratch_size() does not know the base */
        return 1;
    if (pxr_gf_head(a->base)->w != a->w / 2)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_BASE);
    if (a->poly == 0 && pxr_gf_composite_poly(a->base) == 0)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_NO_POLY);
    return 1;
}

static int check_method(const struct arguments *a)
{
    switch (a->mult_type) {
    case GF_MULT_SHIFT:
        return refuse(a, PXR_GF_E_SHIFT_ALTMAP, PXR_GF_E_SHIFT_SIMD);
    case GF_MULT_CARRY_FREE:
    case GF_MULT_CARRY_FREE_GK:
        return check_carry_free(a);
    case GF_MULT_BYTWO_p:
    case GF_MULT_BYTWO_b:
        return check_bytwo(a);
    case GF_MULT_LOG_TABLE:
    case GF_MULT_LOG_ZERO:
    case GF_MULT_LOG_ZERO_EXT:
        return check_log(a);
    case GF_MULT_GROUP:
        return check_group(a);
    case GF_MULT_TABLE:
        return check_table(a);
    case GF_MULT_SPLIT_TABLE:
        return check_split(a);
    case GF_MULT_COMPOSITE:
        return check_composite(a);
    default:
        return pxr_gf_fail(PXR_GF_E_UNKNOWN_METHOD);
    }
}

static int check_all(const struct arguments *a)
{
    if (a->divide_type < GF_DIVIDE_DEFAULT || a->divide_type > GF_DIVIDE_EUCLID)
        return pxr_gf_fail(PXR_GF_E_UNKNOWN_DIVIDE);
    if (has(a, ~REGIONS))
        return pxr_gf_fail(PXR_GF_E_UNKNOWN_REGION);
    if (a->w < 1 || (a->w > 32 && a->w != 64 && a->w != 128))
        return pxr_gf_fail(PXR_GF_E_W);
    if (a->mult_type != GF_MULT_COMPOSITE && a->w < 64 && a->poly >> (a->w + 1) != 0)
        return pxr_gf_fail(PXR_GF_E_POLY);
    if (a->mult_type == GF_MULT_DEFAULT)
        return check_default(a);
    if (!check_common(a))
        return 0;
    if (has(a, GF_REGION_DOUBLE_TABLE))
        return check_double(a);
    if (has(a, GF_REGION_QUAD_TABLE))
        return check_quad(a);
    if (has(a, GF_REGION_LAZY))
        return pxr_gf_fail(PXR_GF_E_LAZY_ALONE);
    return check_method(a);
}

int pxr_gf_check(int w, int mult_type, int region_type, int divide_type, int arg1, int arg2,
                 uint64_t poly, gf_t *base)
{
    const struct arguments a = {w, mult_type, region_type, divide_type, arg1, arg2, poly, base};
    return check_all(&a);
}
