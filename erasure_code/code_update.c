/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings parity up to date after changes of the data, without reading the data that stay. */
#include "arithmetic.h"

/* Bytes go straight to their kernels, because every step is noticeable in brief calls. */
int pxr_update(const pxr_code *code, size_t len, unsigned index, const uint8_t *old_data,
               const uint8_t *new_data, uint8_t *const *parity)
{
    if (!code || index >= code->k || !new_data || !parity)
        return PXR_EINVAL;
    if (code->map.rows.count == 0)
        return pxr_update_many(code, len, 1, &index, (uint8_t *[]){(uint8_t *)old_data},
                               (uint8_t *[]){(uint8_t *)new_data}, parity);
    unsigned first = 0;
    for (unsigned n; (n = pxr_next_run(code, parity, &first)) > 0; first += n)
        pxr_update_rows(pxr_kernels(), len, code->k, n, index,
                        pxr_row_tables(&code->map.rows, first), new_data, old_data,
                        parity + first);
    return PXR_OK;
}

/* Returns whether these are different data shards that have new contents.  Only the words of
   the set that are read are cleared. */
static bool are_shards(const struct pxr_code *code, unsigned count, const unsigned *index,
                       uint8_t *const *new_data)
{
    struct pxr_shard_set seen;
    for (unsigned i = 0; i < count; i++) {
        if (index[i] >= code->k || !new_data[i])
            return false;
        seen.word[index[i] / 64] = 0;
    }
    for (unsigned i = 0; i < count; i++) {
        if (pxr_set_has(&seen, index[i]))
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
    code->map.arithmetic->update(code, len, &changes, parity);
    return PXR_OK;
}
