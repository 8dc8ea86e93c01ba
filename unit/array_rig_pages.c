/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of checksums of the members of a rig, as faults and crashes leave them. */
#include "array_rig.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static size_t sums_size(const struct disk_super *super)
{
    return (size_t)(super->layout.data_at - super->layout.sums_at);
}

uint8_t *rig_copy_sums(unsigned role)
{
    const struct disk_super super = rig_super(role);
    uint8_t *copy = malloc(sums_size(&super));
    if (CHECK(copy != NULL))
        memcpy(copy, rig.store[role].bytes + super.layout.sums_at, sums_size(&super));
    return copy;
}

void rig_bring_back_page(unsigned role, const uint8_t *copy, uint64_t page)
{
    const size_t size = 2 * (size_t)CORE_BLOCK, at = (size_t)page * size;
    memcpy(rig.store[role].bytes + rig_super(role).layout.sums_at + at, copy + at, size);
}

void rig_bring_back_sums(unsigned role, const uint8_t *copy)
{
    const struct disk_super super = rig_super(role);
    memcpy(rig.store[role].bytes + super.layout.sums_at, copy, sums_size(&super));
}

bool rig_make_page_newer(unsigned role)
{
    const struct disk_super super = rig_super(role);
    uint8_t *slots = rig.store[role].bytes + super.layout.sums_at, *newest = NULL;
    struct disk_page page = {DISK_SUMS, role, super.uuid, 0, 0};
    uint64_t sequence = 0;
    for (unsigned slot = 0; slot < 2; slot++)
        if (disk_page_get(slots + slot * CORE_BLOCK, &page, super.sequence) == PXR_OK &&
            page.sequence > sequence) {
            sequence = page.sequence;
            newest = slots + slot * CORE_BLOCK;
        }
    page.sequence = super.sequence + 2;
    CHECK(sequence < page.sequence);
    if (newest != NULL)
        disk_page_put(newest, &page);
    return newest != NULL;
}
