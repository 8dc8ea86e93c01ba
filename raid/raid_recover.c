/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recovers lost blocks into their buffers.
 *
 * One pass over the remaining data, with zeros for the lost blocks, gives the partial sums P'
 * and Q'.  Together with the remaining parity blocks these give what the lost data blocks x and
 * y alone would give:
 *
 *     p = P + P' = D[x] + D[y]           q = Q + Q' = 2^x * D[x] + 2^y * D[y]
 *
 * With one lost data block, D[x] = p, or D[x] = 2^-x * q if P is lost too.  With two lost data
 * blocks, 2^x * p + q = (2^x + 2^y) * D[y], hence
 *
 *     D[y] = (2^x * p + q) / (2^x + 2^y)          D[x] = p + D[y]
 *
 * which takes two multiplications per byte.  A lost parity block is the sum of what the
 * remaining data gave and of what the recovered block adds.  All of these are of the form
 *
 *     second = c * first + d * second,   and then, or not,   first = first + second
 *
 * which the pass does with its sums before it writes them (kernels.h: PXR_MIX).
 */
#include <stdbool.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"
#include "gf256.h"
#include "permxor_raid.h"

struct recovery {
    const struct pxr_kernels *kernels;
    unsigned n;
    size_t len;
    uint8_t *const *data;
    uint8_t *p, *q;
    bool lost[PXR_RAID_MAX_DATA + 2]; /* also true for a parity block that does not exist */
    unsigned lost_data, x, y;         /* how many data blocks are lost, and which */
};

/* Returns block `index` of the stripe: P has number n, and Q n+1. */
static uint8_t *block(const struct recovery *r, unsigned index)
{
    return index < r->n ? r->data[index] : index == r->n ? r->p : r->q;
}

/* -------------------------------------------------------------- the passes -- */

/* At most two blocks are lost, so one of the first three blocks is left; it is the one that is
   looked at. */
static uint32_t way_of(const struct recovery *r, enum pxr_work work, unsigned outputs)
{
    unsigned left = 0;
    while (r->lost[left])
        left++;
    const uint8_t *const one = block(r, left);
    const size_t buffers = (size_t)r->n + outputs;
    return pxr_way(work, pxr_place(r->len, buffers, (struct pxr_sources){&one, 1, outputs}),
                   r->n);
}

/* What happens to the sums of the pass: c, d and the flags. */
struct mix {
    uint8_t c, d;
    unsigned flags;
};

/* Runs the pass into two buffers. old_p and old_q are added to its sums; NULL stands for zeros.
 */
static void pass(const struct recovery *r, uint8_t *first, uint8_t *second,
                 const uint8_t *old_p, const uint8_t *old_q, struct mix mix)
{
    const uint8_t *data[PXR_RAID_MAX_DATA];
    uint8_t tables[2 * PXR_TABLE];
    uint8_t *const dst[] = {first, second, (uint8_t *)old_p, (uint8_t *)old_q};
    pxr_expand_tables(2, (const uint8_t[]){mix.c, mix.d}, tables);
    for (unsigned i = 0; i < r->n; i++)
        data[i] = r->lost[i] ? NULL : r->data[i];
    r->kernels->dot[PXR_SPECIAL_PQ][0](r->len, r->n, tables, data, dst,
                                       PXR_ACCUMULATE | PXR_MIX | mix.flags |
                                           way_of(r, PXR_WORK_PQ, 2));
}

/* -------------------------------------------------------------- the cases -- */

static void two_data(const struct recovery *r)
{
    const uint8_t to_x = pxr_pow2(r->x), divide = pxr_inverse[to_x ^ pxr_pow2(r->y)];
    pass(r, r->data[r->x], r->data[r->y], r->p, r->q,
         (struct mix){pxr_mul(divide, to_x), divide, PXR_FOLD});
}

static void data_and_p(const struct recovery *r)
{
    pass(r, r->p, r->data[r->x], NULL, r->q,
         (struct mix){0, pxr_inverse[pxr_pow2(r->x)], PXR_FOLD});
}

static void data_and_q(const struct recovery *r)
{
    pass(r, r->data[r->x], r->q, r->p, NULL, (struct mix){pxr_pow2(r->x), 1, 0});
}

/* Lists the sources of D[x]: the other data, and a parity block in the place of D[x]. */
static void replace(const struct recovery *r, const uint8_t *parity, const uint8_t **src)
{
    for (unsigned i = 0; i < r->n; i++)
        src[i] = i == r->x ? parity : r->data[i];
}

static void data_from_p(const struct recovery *r)
{
    const uint8_t *src[PXR_RAID_MAX_DATA];
    replace(r, r->p, src);
    r->kernels->dot[PXR_SPECIAL_P][0](r->len, r->n, NULL, src, &r->data[r->x],
                                      way_of(r, PXR_WORK_P, 1));
}

/* Every term of the sum is divided by 2^x: D[i] takes 2^(i-x), and Q takes 2^-x. */
static void data_from_q(const struct recovery *r)
{
    const uint8_t *src[PXR_RAID_MAX_DATA];
    uint8_t coefficient[PXR_RAID_MAX_DATA];
    uint64_t room[PXR_RAID_MAX_DATA * PXR_TABLE / sizeof(uint64_t)];
    replace(r, r->q, src);
    for (unsigned i = 0; i < r->n; i++)
        coefficient[i] = pxr_pow2(255 - r->x + (i == r->x ? 0 : i));
    const uint8_t *const rows = pxr_expand(r->kernels->form, r->n, coefficient, room);
    r->kernels->dot[PXR_SPECIAL_NONE][1](r->len, r->n, rows, src, &r->data[r->x],
                                         way_of(r, PXR_WORK_ONE, 1));
}

static void recover_data(const struct recovery *r)
{
    const bool has_p = !r->lost[r->n], has_q = !r->lost[r->n + 1];
    if (r->lost_data == 2)
        two_data(r);
    else if (!has_p && r->p)
        data_and_p(r);
    else if (!has_p)
        data_from_q(r);
    else if (!has_q && r->q)
        data_and_q(r);
    else
        data_from_p(r);
}

/* ------------------------------------------------------------- the function -- */

/* Marks what is lost.  Returns PXR_OK, or why it cannot be recovered. */
static int note_losses(struct recovery *r, unsigned lost_count, const unsigned *lost)
{
    for (unsigned i = 0; i < lost_count; i++) {
        if (lost[i] >= r->n + 2 || r->lost[lost[i]] || !block(r, lost[i]))
            return PXR_EINVAL;
        r->lost[lost[i]] = true;
    }
    for (unsigned i = 0; i < r->n; i++) {
        if (!r->data[i])
            return PXR_EINVAL;
        if (!r->lost[i])
            continue;
        *(r->lost_data == 0 ? &r->x : &r->y) = i;
        r->lost_data++;
    }
    unsigned parities = 0;
    for (unsigned parity = r->n; parity < r->n + 2; parity++) {
        r->lost[parity] |= !block(r, parity);
        parities += !r->lost[parity];
    }
    return r->lost_data > parities ? PXR_ETOOFEW : PXR_OK;
}

int pxr_raid_recover(unsigned n, size_t len, uint8_t *const *data, uint8_t *p, uint8_t *q,
                     unsigned lost_count, const unsigned *lost)
{
    if (n < 1 || n > PXR_RAID_MAX_DATA || !data || (lost_count > 0 && !lost))
        return PXR_EINVAL;
    struct recovery r = {
        .kernels = pxr_kernels(), .n = n, .len = len, .data = data, .p = p, .q = q};
    const int status = note_losses(&r, lost_count, lost);
    if (status != PXR_OK || lost_count == 0)
        return status;
    if (r.lost_data == 0)
        return pxr_raid_generate(n, len, data, r.lost[n] ? p : NULL, r.lost[n + 1] ? q : NULL);
    recover_data(&r);
    return PXR_OK;
}
