/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every way to ask for a field of gf_complete/, for tests that go through all of them.
 */
#ifndef PXR_UNIT_GF_METHODS_H
#define PXR_UNIT_GF_METHODS_H

#include "gf_complete.h"

/* Arguments of gf_init_hard(), but for the base, which is the default field of w/2. */
struct gf_method {
    int w, mult, region, divide, arg1, arg2;
    uint64_t poly;
};

/* The method in words, for check_case() and check_at(); overwritten by the next call. */
const char *gf_method_name(const struct gf_method *m);

/* Calls `visit` for each combination of arguments of this w, those that make no field
   included: all multiplications, sets of region flags and divisions, and one more of each. */
void gf_each_arguments(int w, void (*visit)(const struct gf_method *));

/* The same for those that make a field. */
void gf_each_method(int w, void (*visit)(const struct gf_method *, gf_t *gf));

/* Calls `visit` for each w: 1 to 32, 64, 128. */
void gf_each_w(void (*visit)(int w));

/* A field that has to be there, with its base; gf_free(gf, 1) and free(gf) end it. */
gf_t *gf_method_new(const struct gf_method *m);

/* The base of a method in memory of malloc(), NULL where it takes none or there is none. */
gf_t *gf_method_base(const struct gf_method *m);

#endif
