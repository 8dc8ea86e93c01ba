/* SPDX-License-Identifier: BSD-3-Clause */
/* From addresses to blocks and members, and back. */
#include "config.h"

#include "layout.h"
#include "mask.h"
#include "why.h"

#include <inttypes.h>

static unsigned width(const struct pxa_geometry *geometry)
{
    return geometry->data + geometry->parity;
}

int pxa_geometry_check(const struct pxa_geometry *geometry, struct pxr_error *why)
{
    if (geometry == NULL)
        return pxa_because(why, PXR_EINVAL, "there is no geometry");
    const unsigned k = geometry->data, m = geometry->parity;
    if (!width_is_possible(k, m))
        return pxa_because(
            why, PXR_EINVAL,
            "k=%u, m=%u: both are at least 1, and an array has at most %d members", k, m,
            PXA_MAX_MEMBERS);
    const struct pxa_layout_rule *rule = pxa_layout_rule(geometry->layout);
    if (rule == NULL)
        return pxa_because(why, PXR_EINVAL, "layout %d: there is no such layout",
                           (int)geometry->layout);
    if (rule->only_two && m != 2)
        return pxa_because(why, PXR_EINVAL, "layout %s is for m=2, not for m=%u", rule->name,
                           m);
    if (geometry->chunk < 1 || geometry->chunk > PXA_MAX_CHUNK)
        return pxa_because(why, PXR_EINVAL, "chunk=%" PRIu32 ": it has 1 to %" PRIu32 " bytes",
                           geometry->chunk, PXA_MAX_CHUNK);
    if (geometry->member_size > PXA_MAX_MEMBER_SIZE)
        return pxa_because(why, PXR_EINVAL,
                           "members of %" PRIu64 " bytes: they have at most %" PRIu64,
                           geometry->member_size, PXA_MAX_MEMBER_SIZE);
    return PXR_OK;
}

uint64_t pxa_rows(const struct pxa_geometry *geometry)
{
    return geometry->member_size / geometry->chunk;
}

uint64_t pxa_capacity(const struct pxa_geometry *geometry)
{
    return pxa_rows(geometry) * geometry->chunk * geometry->data;
}

void pxa_row(const struct pxa_geometry *geometry, uint64_t number, struct pxa_row *row)
{
    row->offset = number * geometry->chunk;
    pxa_layout_place(pxa_layout_rule(geometry->layout), geometry->data, geometry->parity,
                     number, row);
}

int pxa_place_of(const struct pxa_geometry *geometry, uint64_t address, struct pxa_place *place)
{
    if (address >= pxa_capacity(geometry))
        return PXR_EINVAL;
    const uint64_t block = address / geometry->chunk;
    struct pxa_row row;
    place->row = block / geometry->data;
    place->block = (unsigned)(block % geometry->data);
    place->within = (uint32_t)(address % geometry->chunk);
    pxa_row(geometry, place->row, &row);
    place->member = row.member[place->block];
    place->offset = row.offset + place->within;
    return PXR_OK;
}

int pxa_place_on(const struct pxa_geometry *geometry, unsigned member, uint64_t offset,
                 struct pxa_place *place, uint64_t *address)
{
    if (member >= width(geometry) || offset >= pxa_rows(geometry) * geometry->chunk)
        return PXR_EINVAL;
    struct pxa_row row;
    place->row = offset / geometry->chunk;
    place->within = (uint32_t)(offset % geometry->chunk);
    place->member = member;
    place->offset = offset;
    pxa_row(geometry, place->row, &row);
    for (place->block = 0; row.member[place->block] != member; place->block++)
        ;
    *address = UINT64_MAX;
    if (place->block < geometry->data)
        *address =
            (place->row * geometry->data + place->block) * geometry->chunk + place->within;
    return PXR_OK;
}
