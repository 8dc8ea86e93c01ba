/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the parts of a member are. */
#include "config.h"

#include "disk.h"

#include "bytes.h"
#include "mask.h"
#include "why.h"

#include <inttypes.h>
#include <string.h>

enum { MAP_AT = 4 * CORE_BLOCK, LEAST_LOG = 8 };

static const uint64_t default_region = UINT64_C(64) << 20, most_regions = UINT64_C(1) << 20,
                      most_log = UINT64_C(256) << 20, mebibyte = UINT64_C(1) << 20;

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return divide_up(value, unit) * unit;
}

static int check_shape(const struct core_shape *shape, struct pxr_error *why)
{
    const uint32_t chunk = shape->chunk;
    if (!width_is_possible(shape->data, shape->parity))
        return pxa_because(why, PXR_EINVAL, "k=%u, m=%u: an array has 2 to %d members",
                           shape->data, shape->parity, PXA_MAX_MEMBERS);
    if (chunk < CORE_BLOCK || chunk > 64 * CORE_BLOCK || (chunk & (chunk - 1)) != 0)
        return pxa_because(why, PXR_EINVAL,
                           "chunk=%" PRIu32 ": it must be a power of two from 4096 to 262144",
                           chunk);
    if (shape->region % chunk != 0 || shape->region > PXA_MAX_MEMBER_SIZE)
        return pxa_because(why, PXR_EINVAL,
                           "a region of %" PRIu64 " bytes is not whole chunks, or is too large",
                           shape->region);
    if (shape->log != 0 &&
        (shape->log % CORE_BLOCK != 0 || shape->log < LEAST_LOG * CORE_BLOCK))
        return pxa_because(why, PXR_EINVAL,
                           "a log of %" PRIu64 " bytes is not whole blocks, or is too small",
                           shape->log);
    if (shape->name[sizeof shape->name - 1] != 0 || all_zero(shape->uuid, 16))
        return pxa_because(why, PXR_EINVAL, "the name is too long, or the uuid is zero");
    for (unsigned i = 0; i < shape->data + shape->parity; i++)
        for (unsigned j = 0; j <= i; j++)
            if (j < i ? memcmp(shape->member_uuid[i], shape->member_uuid[j], 16) == 0
                      : all_zero(shape->member_uuid[i], 16))
                return pxa_because(why, PXR_EINVAL,
                                   "two members have the same uuid, or a uuid is zero");
    return PXR_OK;
}

/* What a member with so many stripes has.  Returns where it ends, before the last superblock.
 */
static uint64_t place_parts(struct disk_layout *layout, uint64_t stripes, uint32_t chunk,
                            uint64_t region, uint64_t align)
{
    const uint64_t blocks = stripes * (chunk / CORE_BLOCK);
    const uint64_t regions = divide_up(stripes * chunk, region);
    layout->stripes = stripes;
    layout->map_at = MAP_AT;
    layout->map_pages = divide_up(regions, DISK_MAP_ENTRIES);
    layout->log_at = layout->map_at + layout->map_pages * 2 * CORE_BLOCK;
    layout->sums_at = layout->log_at + layout->log_blocks * CORE_BLOCK;
    layout->sums_pages = divide_up(blocks, DISK_SUMS_ENTRIES);
    layout->data_at = round_up(layout->sums_at + layout->sums_pages * 2 * CORE_BLOCK, align);
    return layout->data_at + stripes * chunk;
}

int disk_layout_make(const struct core_shape *shape, uint64_t member_size, uint64_t *region,
                     struct disk_layout *layout, struct pxr_error *why)
{
    const int status = check_shape(shape, why);
    if (status != PXR_OK)
        return status;
    if (member_size > PXA_MAX_MEMBER_SIZE)
        return pxa_because(why, PXR_EINVAL, "a member has %" PRIu64 " bytes: at most %" PRIu64,
                           member_size, PXA_MAX_MEMBER_SIZE);
    const uint64_t limit = member_size >= 8 * CORE_BLOCK ? disk_super_at(2, member_size) : 0;
    const uint64_t align = member_size >= 256 * mebibyte ? mebibyte : CORE_BLOCK;
    *region = shape->region != 0 ? shape->region : default_region;
    while (shape->region == 0 && member_size / *region > most_regions)
        *region *= 2;
    uint64_t log = shape->log != 0 ? shape->log : member_size / 100;
    if (shape->log == 0 && log > most_log)
        log = most_log;
    if (shape->log == 0 && log < 64 * CORE_BLOCK)
        log = 64 * CORE_BLOCK;
    if (log / CORE_BLOCK > UINT32_MAX)
        return pxa_because(why, PXR_EINVAL, "a log of %" PRIu64 " bytes is too large", log);
    layout->log_blocks = log / CORE_BLOCK;
    uint64_t low = 0, high = limit / shape->chunk + 1; /* `low` stripes fit, `high` do not */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (place_parts(layout, middle, shape->chunk, *region, align) <= limit)
            low = middle;
        else
            high = middle;
    }
    if (low == 0)
        return pxa_because(why, PXR_EINVAL, "a member of %" PRIu64 " bytes is too small",
                           member_size);
    place_parts(layout, low, shape->chunk, *region, align);
    return PXR_OK;
}

/*
 * The offsets of a superblock are not believed: they must be what the sizes give.  Of the place
 * of the data only its order is checked.
 */
bool disk_layout_fits(struct disk_super *super, uint64_t member_size)
{
    struct disk_layout *have = &super->layout;
    const uint64_t most = PXA_MAX_MEMBER_SIZE;
    if (have->stripes == 0 || have->stripes > most / super->chunk || super->region > most ||
        have->log_blocks < LEAST_LOG || have->log_blocks > UINT32_MAX || have->data_at > most ||
        member_size < 8 * CORE_BLOCK)
        return false;
    struct disk_layout want = {.log_blocks = have->log_blocks};
    place_parts(&want, have->stripes, super->chunk, super->region, CORE_BLOCK);
    have->map_pages = want.map_pages;
    have->sums_pages = want.sums_pages;
    return have->map_at == want.map_at && have->log_at == want.log_at &&
           have->sums_at == want.sums_at && have->data_at >= want.data_at &&
           have->data_at % CORE_BLOCK == 0 &&
           have->data_at + have->stripes * super->chunk <= disk_super_at(2, member_size);
}
