/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and freeing fields. */
#include <stdlib.h>
#include <string.h>

#include "field.h"

int gf_scratch_size(int w, int mult_type, int region_type, int divide_type, int arg1, int arg2)
{
    if (!pxr_gf_check(w, mult_type, region_type, divide_type, arg1, arg2, 0, NULL))
        return 0;
    const size_t tables = mult_type == GF_MULT_COMPOSITE ? 0 : pxr_gf_tables_bytes(w);
    return (int)(sizeof(struct pxr_gf_head) + tables);
}

int gf_size(gf_t *gf)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const int size =
        (int)sizeof *gf + gf_scratch_size(head->w, head->mult_type, head->region_type,
                                          head->divide_type, head->arg1, head->arg2);
    return head->mult_type == GF_MULT_COMPOSITE ? size + gf_size(head->base) : size;
}

int gf_init_hard(gf_t *gf, int w, int mult_type, int region_type, int divide_type,
                 uint64_t prim_poly, int arg1, int arg2, gf_t *base_gf, void *scratch_memory)
{
    if (!gf ||
        !pxr_gf_check(w, mult_type, region_type, divide_type, arg1, arg2, prim_poly, base_gf))
        return 0;
    struct pxr_gf_head *head = scratch_memory;
    if (!head)
        head =
            malloc((size_t)gf_scratch_size(w, mult_type, region_type, divide_type, arg1, arg2));
    if (!head)
        return 0;
    *head = (struct pxr_gf_head){.mult_type = mult_type,
                                 .region_type = region_type,
                                 .divide_type = divide_type,
                                 .w = w,
                                 .poly = prim_poly,
                                 .free_me = !scratch_memory,
                                 .arg1 = arg1,
                                 .arg2 = arg2,
                                 .base = base_gf,
                                 .tables = head + 1};
    *gf = (gf_t){.scratch = head};
    if (pxr_gf_complete(gf))
        return 1;
    if (head->free_me)
        free(head);
    *gf = (gf_t){.scratch = NULL};
    return 0;
}

int gf_init_easy(gf_t *gf, int w)
{
    return gf_init_hard(gf, w, GF_MULT_DEFAULT, GF_REGION_DEFAULT, GF_DIVIDE_DEFAULT, 0, 0, 0,
                        NULL, NULL);
}

int gf_free(gf_t *gf, int recursive)
{
    struct pxr_gf_head *const head = gf ? pxr_gf_head(gf) : NULL;
    if (!head)
        return 0;
    if (recursive && head->base) {
        gf_free(head->base, 1);
        free(head->base);
    }
    if (head->free_me)
        free(head);
    return 0;
}
