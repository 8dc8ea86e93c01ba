/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parity brought up to date after changes of the data, without the data that stay.
 */
#include "arithmetic.h"

int pxr_update(const pxr_code *code, size_t len, unsigned index, const uint8_t *old_data,
               const uint8_t *new_data, uint8_t *const *parity)
{
    if (!code || index >= code->k || !new_data || !parity || !pxr_whole_units(&code->map, len))
        return PXR_EINVAL;
    code->map.arithmetic->update(code, len, index, old_data, new_data, parity);
    return PXR_OK;
}

static bool are_shards(const struct pxr_code *code, unsigned count, const unsigned *index,
                       uint8_t *const *new_data)
{
    struct pxr_shard_set seen = {{0}};
    for (unsigned i = 0; i < count; i++) {
        if (index[i] >= code->k || pxr_set_has(&seen, index[i]) || !new_data[i])
            return false;
        pxr_set_add(&seen, index[i]);
    }
    return true;
}

int pxr_update_many(const pxr_code *code, size_t len, unsigned count, const unsigned *index,
                    pxr_inputs old_data, pxr_inputs new_data, uint8_t *const *parity)
{
    if (!code || !parity || !pxr_whole_units(&code->map, len) ||
        (count > 0 && (!index || !new_data)) || !are_shards(code, count, index, new_data))
        return PXR_EINVAL;
    const struct pxr_changes changes = {count, index, old_data, new_data};
    code->map.arithmetic->update_many(code, len, &changes, parity);
    return PXR_OK;
}
