/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parity brought up to date after changes of the data, without the data that stay.
 */
#include "code.h"

#include "call.h"
#include "dispatch.h"
#include "encode.h"

/* The parity shards from *first on that stand side by side; 0 when none is left. */
static unsigned next_run(const struct pxr_code *code, uint8_t *const *parity, unsigned *first)
{
    while (*first < code->m && !parity[*first])
        ++*first;
    unsigned end = *first;
    while (end < code->m && parity[end])
        end++;
    return end - *first;
}

int pxr_update(const pxr_code *code, size_t len, unsigned index, const uint8_t *old_data,
               const uint8_t *new_data, uint8_t *const *parity)
{
    if (!code || index >= code->k || !new_data || !parity)
        return PXR_EINVAL;
    unsigned first = 0;
    for (unsigned n; (n = next_run(code, parity, &first)) > 0; first += n)
        pxr_update_rows(pxr_kernels(), len, code->k, n, index,
                        pxr_row_tables(&code->ready, first), new_data, old_data,
                        parity + first);
    return PXR_OK;
}

/* ----------------------------------------------------- several data shards -- */

/*
 * The change of several data shards is a dot product that is added to the parity: its
 * sources are the new contents and the old ones, both with the coefficient of their shard.
 * t changed shards move 2t + 2m shards so, where t updates move t(2 + 2m).
 */

/* Changed shards of one pass: its coefficients lie on the stack. */
#define MOST_CHANGES 32

struct changes {
    unsigned sources;
    const uint8_t *source[2 * MOST_CHANGES];
    unsigned index[2 * MOST_CHANGES]; /* the shard that the source belongs to */
};

static void add_source(struct changes *c, const uint8_t *source, unsigned index)
{
    c->source[c->sources] = source;
    c->index[c->sources++] = index;
}

static void update_pass(const struct pxr_code *code, size_t len, const struct changes *c,
                        unsigned first, unsigned rows, uint8_t *const *parity)
{
    const struct pxr_kernels *kernels = pxr_kernels();
    uint8_t coefficients[PXR_MAX_ROWS * 2 * MOST_CHANGES], *n = coefficients;
    uint64_t room[sizeof coefficients * PXR_TABLE / sizeof(uint64_t)];
    uint8_t *dst[2 * PXR_MAX_ROWS];
    for (unsigned r = 0; r < rows; r++) {
        dst[r] = dst[rows + r] = parity[first + r];
        for (unsigned i = 0; i < c->sources; i++)
            *n++ = code->rows[(size_t)(first + r) * code->k + c->index[i]];
    }
    kernels->dot[PXR_SPECIAL_NONE][rows](
        len, c->sources,
        pxr_expand(kernels->form, (size_t)(n - coefficients), coefficients, room), c->source,
        dst, PXR_ACCUMULATE | pxr_update_way(len, c->sources + rows));
}

static void update_all(const struct pxr_code *code, size_t len, const struct changes *c,
                       uint8_t *const *parity)
{
    unsigned first = 0;
    for (unsigned run; (run = next_run(code, parity, &first)) > 0;) {
        const unsigned rows = pxr_rows_of_pass(run);
        update_pass(code, len, c, first, rows, parity);
        first += rows;
    }
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
    if (!code || !parity || (count > 0 && (!index || !new_data)) ||
        !are_shards(code, count, index, new_data))
        return PXR_EINVAL;
    for (unsigned i = 0; i < count;) {
        struct changes c = {.sources = 0};
        for (unsigned n = 0; n < MOST_CHANGES && i < count; n++, i++) {
            add_source(&c, new_data[i], index[i]);
            if (old_data && old_data[i])
                add_source(&c, old_data[i], index[i]);
        }
        update_all(code, len, &c, parity);
    }
    return PXR_OK;
}
