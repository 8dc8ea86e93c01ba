/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fields of the process under jerasure's names.
 *
 * Default fields are made once and then kept.  A thread may still compute in a default field
 * when another thread calls galois_uninit_field(): liberasurecode does so whenever one of its
 * instances is destroyed.  Fields that the program has supplied are freed, as it expects.
 */
#include "galois.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "field.h"

/* The following variables are part of jerasure's interface, though no header declares them. */
#define EXPORTED __attribute__((visibility("default")))
extern EXPORTED gf_t *gfp_array[64];
extern EXPORTED int gfp_is_composite[64];
gf_t *gfp_array[64];
int gfp_is_composite[64];

static gf_t *default_fields[JER_MOST_BITS + 1];

void jer_complain(const char *function, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    flockfile(stderr);
    fprintf(stderr, "%s: ", function);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
    va_end(arguments);
}

static bool is_width(int w)
{
    return w >= 1 && w <= JER_MOST_BITS;
}

/* Puts `made` into the place if that is empty.  Returns what is in the place afterwards. */
static gf_t *settle(gf_t **place, gf_t *made)
{
    gf_t *there = NULL;
    if (__atomic_compare_exchange_n(place, &there, made, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    return there;
}

static gf_t *default_field(int w)
{
    gf_t *const there = __atomic_load_n(&default_fields[w], __ATOMIC_ACQUIRE);
    if (there)
        return there;
    gf_t *const made = malloc(sizeof *made);
    if (!made || !gf_init_easy(made, w)) {
        free(made);
        return NULL;
    }
    gf_t *const settled = settle(&default_fields[w], made);
    if (settled != made) {
        gf_free(made, 1);
        free(made);
    }
    return settled;
}

gf_t *jer_field(int w)
{
    gf_t *const there = __atomic_load_n(&gfp_array[w], __ATOMIC_ACQUIRE);
    if (there)
        return there;
    gf_t *const made = default_field(w);
    return made ? settle(&gfp_array[w], made) : NULL;
}

bool jer_field_is_default(int w)
{
    const gf_t *const field = jer_field(w);
    return field && field == __atomic_load_n(&default_fields[w], __ATOMIC_ACQUIRE);
}

/* ------------------------------------------------------------ fields ---- */

int galois_init_default_field(int w)
{
    if (!is_width(w))
        return EINVAL;
    return jer_field(w) ? 0 : ENOMEM;
}

int galois_uninit_field(int w)
{
    if (!is_width(w))
        return 0;
    gf_t *const field = __atomic_exchange_n(&gfp_array[w], NULL, __ATOMIC_ACQ_REL);
    if (field && field != default_fields[w]) {
        gf_free(field, 1);
        free(field);
    }
    return 0;
}

/* Makes a field from arguments that may be wrong. */
static gf_t *make_field(int w, int mult_type, int region_type, int divide_type,
                        uint64_t prim_poly, int arg1, int arg2, gf_t *base)
{
    gf_t *const field = malloc(sizeof *field);
    if (field && gf_init_hard(field, w, mult_type, region_type, divide_type, prim_poly, arg1,
                              arg2, base, NULL))
        return field;
    free(field);
    return NULL;
}

gf_t *galois_init_field(int w, int mult_type, int region_type, int divide_type,
                        uint64_t prim_poly, int arg1, int arg2)
{
    gf_t *const field = is_width(w) ? make_field(w, mult_type, region_type, divide_type,
                                                 prim_poly, arg1, arg2, NULL)
                                    : NULL;
    if (field)
        gfp_is_composite[w] = 0;
    else
        jer_complain(__func__, "cannot make a field of %d bits with these arguments", w);
    return field;
}

gf_t *galois_init_composite_field(int w, int region_type, int divide_type, int degree,
                                  gf_t *base_gf)
{
    gf_t *const field = is_width(w) && base_gf ? make_field(w, GF_MULT_COMPOSITE, region_type,
                                                            divide_type, 0, degree, 0, base_gf)
                                               : NULL;
    if (field)
        gfp_is_composite[w] = 1;
    else
        jer_complain(__func__, "cannot make a composite field of %d bits with these arguments",
                     w);
    return field;
}

void galois_change_technique(gf_t *gf, int w)
{
    if (!is_width(w) || !gf || !gf->multiply.w32 || !gf->divide.w32 || !gf->inverse.w32 ||
        !gf->multiply_region.w32 || !gf->extract_word.w32) {
        jer_complain(__func__,
                     "cannot use this field for %d bits: it is incomplete, or w is not 1 to 32",
                     w);
        return;
    }
    gf_t *const before = __atomic_exchange_n(&gfp_array[w], gf, __ATOMIC_ACQ_REL);
    if (before && before != default_fields[w] && before != gf)
        gf_free(before, gfp_is_composite[w]);
}

gf_t *galois_get_field_ptr(int w)
{
    return is_width(w) ? __atomic_load_n(&gfp_array[w], __ATOMIC_ACQUIRE) : NULL;
}

/* ----------------------------------------------------------- numbers ---- */

/* Returns the field for a call of this name, or NULL after a message. */
static gf_t *field_for(const char *function, int w)
{
    gf_t *const field = is_width(w) ? jer_field(w) : NULL;
    if (!field)
        jer_complain(function, "there is no field of %d bits", w);
    return field;
}

int galois_single_multiply(int a, int b, int w)
{
    gf_t *const field = field_for(__func__, w);
    if (!field || a == 0 || b == 0)
        return 0;
    return (int)field->multiply.w32(field, (gf_val_32_t)a, (gf_val_32_t)b);
}

int galois_single_divide(int a, int b, int w)
{
    gf_t *const field = field_for(__func__, w);
    if (field && a == 0)
        return 0;
    if (!field || b == 0)
        return -1;
    return (int)field->divide.w32(field, (gf_val_32_t)a, (gf_val_32_t)b);
}

int galois_inverse(int x, int w)
{
    return galois_single_divide(1, x, w);
}

/* ----------------------------------------------------------- regions ---- */

static void multiply_region(const char *function, int w, char *region, int multby, int nbytes,
                            char *r2, int add)
{
    const uint32_t c = jer_number(multby, w);
    /* Products with 0 and 1 need no whole words. */
    if (!region || !jer_region_valid(function, c > 1 ? w : 8, nbytes))
        return;
    jer_region_multiply(w, c, (const uint8_t *)region, (uint8_t *)(r2 ? r2 : region),
                        (size_t)nbytes, add != 0);
}

void galois_w08_region_multiply(char *region, int multby, int nbytes, char *r2, int add)
{
    multiply_region(__func__, 8, region, multby, nbytes, r2, add);
}

void galois_w16_region_multiply(char *region, int multby, int nbytes, char *r2, int add)
{
    multiply_region(__func__, 16, region, multby, nbytes, r2, add);
}

void galois_w32_region_multiply(char *region, int multby, int nbytes, char *r2, int add)
{
    multiply_region(__func__, 32, region, multby, nbytes, r2, add);
}

void galois_region_xor(char *src, char *dest, int nbytes)
{
    if (!src || !dest || nbytes <= 0)
        return;
    const uint8_t *const sources[] = {(uint8_t *)src, (uint8_t *)dest};
    jer_region_sum(2, sources, (uint8_t *)dest, (size_t)nbytes);
}

/* The same as galois_region_xor().  No header declares these names. */
EXPORTED void galois_w8_region_xor(void *src, void *dest, int nbytes);
EXPORTED void galois_w16_region_xor(void *src, void *dest, int nbytes);
EXPORTED void galois_w32_region_xor(void *src, void *dest, int nbytes);

void galois_w8_region_xor(void *src, void *dest, int nbytes)
{
    galois_region_xor(src, dest, nbytes);
}

void galois_w16_region_xor(void *src, void *dest, int nbytes)
{
    galois_region_xor(src, dest, nbytes);
}

void galois_w32_region_xor(void *src, void *dest, int nbytes)
{
    galois_region_xor(src, dest, nbytes);
}
