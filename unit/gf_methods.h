/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All combinations of arguments that ask gf_complete/ for a field, for tests that go through
 * them.
 */
#ifndef PXR_UNIT_GF_METHODS_H
#define PXR_UNIT_GF_METHODS_H

#include "gf_complete.h"

/* The arguments of gf_init_hard() except the base, which is the default field of w/2. */
struct gf_method {
    int w, mult, region, divide, arg1, arg2;
    uint64_t poly;
};

/* Describes the method, for check_case() and check_at().  The next call overwrites the text. */
const char *gf_method_name(const struct gf_method *m);

/* Calls `visit` for each combination of arguments of this w, also for combinations that make no
   field.  These are all multiplications, sets of region flags and divisions, and one value more
   of each. */
void gf_each_arguments(int w, void (*visit)(const struct gf_method *));

/* Makes each field that such a combination makes, and calls `visit` with it. */
void gf_each_method(int w, void (*visit)(const struct gf_method *, gf_t *gf));

/* Calls `visit` for each w: 1 to 32, 64, 128. */
void gf_each_w(void (*visit)(int w));

/* Makes a field, with its base.  Exits when there is none.  gf_free(gf, 1) and then free(gf)
   free it. */
gf_t *gf_method_new(const struct gf_method *m);

/* Allocates the base of a method with malloc().  Returns NULL if the method takes no base, or
   if there is none. */
gf_t *gf_method_base(const struct gf_method *m);

#endif
