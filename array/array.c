/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "array.h"

#include "layout.h"
#include "why.h"

#include <stdlib.h>

static int take_members(pxa_array *array, const struct pxa_member *members,
                        struct pxr_error *why)
{
    for (unsigned i = 0; i < array_width(array); i++) {
        array->member[i] = members[i];
        if (members[i].calls == NULL)
            array->missing |= mask_of(i);
        else if (members[i].calls->size < sizeof *members[i].calls)
            return pxa_because(why, PXR_EINVAL, "member %u: the size of its calls is wrong", i);
    }
    if (mask_count(array->missing) <= array->geometry.parity)
        return PXR_OK;
    return pxa_because(why, PXR_ETOOFEW,
                       "%u of %u members are missing, but the parity replaces at most %u",
                       mask_count(array->missing), array_width(array), array->geometry.parity);
}

int pxa_array_create(pxa_array **array, const struct pxa_geometry *geometry,
                     enum pxr_matrix matrix, const struct pxa_member *members,
                     struct pxr_error *why)
{
    if (array == NULL || members == NULL)
        return pxa_because(why, PXR_EINVAL, "an argument is NULL");
    *array = NULL;
    int status = pxa_geometry_check(geometry, why);
    if (status != PXR_OK)
        return status;
    pxa_array *made = calloc(1, sizeof *made);
    if (made == NULL)
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    made->geometry = *geometry;
    made->shards =
        pxa_layout_rule(geometry->layout)->by_member ? array_width(made) : geometry->data;
    status = take_members(made, members, why);
    if (status == PXR_OK)
        status = pxr_code_create(&made->code, made->shards, geometry->parity, matrix, why);
    if (status == PXR_OK)
        *array = made;
    else
        pxa_array_free(made);
    return status;
}

void pxa_array_free(pxa_array *array)
{
    if (array == NULL)
        return;
    pxr_code_free(array->code);
    free(array);
}
