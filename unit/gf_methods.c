/* SPDX-License-Identifier: BSD-3-Clause */
#include "gf_methods.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

const char *gf_method_name(const struct gf_method *m)
{
    static char name[120];
    snprintf(name, sizeof name, "w=%d mult=%d region=%#x divide=%d args=%d,%d poly=%#llx", m->w,
             m->mult, (unsigned)m->region, m->divide, m->arg1, m->arg2,
             (unsigned long long)m->poly);
    return name;
}

void gf_each_w(void (*visit)(int w))
{
    for (int w = 1; w <= 32; w++)
        visit(w);
    visit(64);
    visit(128);
}

static void each_region(struct gf_method m, void (*visit)(const struct gf_method *))
{
    for (m.region = 0; m.region <= 2 * GF_REGION_CAUCHY; m.region++)
        for (m.divide = 0; m.divide <= GF_DIVIDE_EUCLID + 1; m.divide++)
            visit(&m);
}

void gf_each_arguments(int w, void (*visit)(const struct gf_method *))
{
    const int arguments[] = {0, 2, 4, 8, 16, w};
    const size_t count = sizeof arguments / sizeof *arguments;
    struct gf_method m = {.w = w};
    for (m.mult = 0; m.mult <= GF_MULT_COMPOSITE + 1; m.mult++)
        for (size_t i = 0; i < count * count; i++) {
            m.arg1 = arguments[i % count];
            m.arg2 = arguments[i / count];
            each_region(m, visit);
        }
}

gf_t *gf_method_base(const struct gf_method *m)
{
    gf_t *const base = malloc(sizeof *base);
    if (base && m->mult == GF_MULT_COMPOSITE && gf_init_easy(base, m->w / 2))
        return base;
    free(base);
    return NULL;
}

gf_t *gf_method_new(const struct gf_method *m)
{
    gf_t *const gf = malloc(sizeof *gf);
    if (gf && gf_init_hard(gf, m->w, m->mult, m->region, m->divide, m->poly, m->arg1, m->arg2,
                           gf_method_base(m), NULL))
        return gf;
    fprintf(stderr, "no field: %s\n", gf_method_name(m));
    exit(1);
}

static void (*visit_field)(const struct gf_method *, gf_t *gf);

static void visit_if_there(const struct gf_method *m)
{
    if (!gf_scratch_size(m->w, m->mult, m->region, m->divide, m->arg1, m->arg2))
        return;
    gf_t *const gf = gf_method_new(m);
    visit_field(m, gf);
    gf_free(gf, 1);
    free(gf);
}

void gf_each_method(int w, void (*visit)(const struct gf_method *, gf_t *gf))
{
    visit_field = visit;
    gf_each_arguments(w, visit_if_there);
}
