/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "array.h"

#include "layout.h"
#include "why.h"

#include <stdlib.h>
#include <string.h>

/* A caller that was compiled with a newer header has larger members. */
static int take_members(pxa_array *array, const struct pxa_member *members, size_t size,
                        struct pxr_error *why)
{
    for (unsigned i = 0; i < array_width(array); i++) {
        struct pxa_member *member = &array->member[i];
        memcpy(member, (const uint8_t *)members + i * size, sizeof *member);
        if (member->calls == NULL)
            array->missing |= mask_of(i);
        else if (member->calls->size < sizeof *member->calls)
            return pxa_because(why, PXR_EINVAL, "member %u: the size of its calls is wrong", i);
    }
    if (mask_count(array->missing) <= array->geometry.parity)
        return PXR_OK;
    return pxa_because(why, PXR_ETOOFEW,
                       "%u of %u members are missing, but the parity replaces at most %u",
                       mask_count(array->missing), array_width(array), array->geometry.parity);
}

int pxa_array_create(pxa_array **array, const struct pxa_geometry *geometry,
                     enum pxr_matrix matrix, const struct pxa_member *members, size_t size,
                     struct pxr_error *why)
{
    if (array == NULL || members == NULL)
        return pxa_because(why, PXR_EINVAL, "an argument is NULL");
    *array = NULL;
    if (size < sizeof *members)
        return pxa_because(why, PXR_EINVAL, "the size of a member is wrong");
    int status = pxa_geometry_check(geometry, why);
    if (status != PXR_OK)
        return status;
    pxa_array *made = calloc(1, sizeof *made);
    if (made == NULL)
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    made->geometry = *geometry;
    made->shards =
        pxa_layout_rule(geometry->layout)->by_member ? array_width(made) : geometry->data;
    status = take_members(made, members, size, why);
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
