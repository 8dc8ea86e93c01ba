/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recovery of lost blocks, into their place.
 *
 * The data that are left give partial sums, P' and Q', by one pass in which zeros stand
 * for the lost ones.  With the parity blocks that are left they give what the lost data
 * blocks x and y alone would:
 *
 *     p = P + P' = D[x] + D[y]           q = Q + Q' = 2^x * D[x] + 2^y * D[y]
 *
 * One lost data block: D[x] = p, or D[x] = 2^-x * q where P is lost too.  Two:
 * 2^x * p + q = (2^x + 2^y) * D[y], hence
 *
 *     D[y] = (2^x * p + q) / (2^x + 2^y)          D[x] = p + D[y]
 *
 * which is two multiplications per byte.  A lost parity block is the sum of what the
 * data that are left gave and of what the recovered block adds.
 *
 * Where P is lost with D[x], P' and D[x] take the places of p and D[y]: then it is
 * q / 2^x that is added to P'.
 */
#include <string.h>

#include "encode.h"
#include "gf256.h"
#include "permxor.h"
#include "raid.h"

struct recovery {
    const struct pxr_kernels *kernels;
    unsigned n;
    uint8_t *const *blocks;
    bool lost[PXR_RAID_MAX_DATA + 2]; /* a parity block that there is not, too */
    unsigned lost_data, x, y;         /* how many data blocks, and which */
};

/* A piece of a stripe: its pointers, zeros for the lost data. */
struct piece {
    size_t len;
    const uint8_t *data[PXR_RAID_MAX_DATA];
    uint8_t *x, *y, *p, *q; /* NULL where there is none */
};

/*
 * The pass that gives p = P + P' and q = Q + Q'; zeros for a P or Q that is NULL.  With
 * tables, PXR_SOLVE makes of them p + (c*p + d*q) and c*p + d*q.
 */
static void pass(const struct recovery *r, const struct piece *s, uint8_t *to_p, uint8_t *to_q,
                 const uint8_t *old_p, const uint8_t *old_q, const uint8_t *const *tables)
{
    uint8_t *const dst[] = {to_p, to_q, (uint8_t *)(old_p ? old_p : pxr_raid_zeros),
                            (uint8_t *)(old_q ? old_q : pxr_raid_zeros)};
    r->kernels->dot[PXR_SPECIAL_PQ][0](s->len, r->n, tables, s->data, dst,
                                       PXR_ACCUMULATE | (tables ? PXR_SOLVE : 0));
}

/* -------------------------------------------------------------- the cases -- */

static void two_data(const struct recovery *r, const struct piece *s)
{
    const uint8_t to_x = pxr_pow2(r->x), to_y = pxr_pow2(r->y);
    const uint8_t divide = pxr_inverse[to_x ^ to_y];
    const uint8_t *const tables[] = {pxr_nibble[pxr_mul(divide, to_x)], pxr_nibble[divide]};
    pass(r, s, s->x, s->y, s->p, s->q, tables);
}

/* P is lost, or was never there: then what would be in its place goes aside. */
static void data_and_p(const struct recovery *r, const struct piece *s)
{
    uint8_t aside[PXR_RAID_PIECE];
    const uint8_t *const tables[] = {pxr_nibble[0], pxr_nibble[pxr_inverse[pxr_pow2(r->x)]]};
    pass(r, s, s->p ? s->p : aside, s->x, NULL, s->q, tables);
}

static void data_and_q(const struct recovery *r, const struct piece *s)
{
    const uint8_t *const table = pxr_nibble[pxr_pow2(r->x)];
    pass(r, s, s->x, s->q, s->p, NULL, NULL);
    r->kernels->mad[PXR_SPECIAL_NONE][1](s->len, &table, s->x, NULL, &s->q, PXR_ACCUMULATE);
}

/* D[x] alone, P being there: it takes no multiplication. */
static void data_from_p(const struct recovery *r, const struct piece *s)
{
    uint8_t *const dst[] = {s->x, s->p};
    r->kernels->dot[PXR_SPECIAL_P][0](s->len, r->n, NULL, s->data, dst, PXR_ACCUMULATE);
}

/* ------------------------------------------------------------- the stripe -- */

typedef void recover_fn(const struct recovery *r, const struct piece *s);

static recover_fn *method(const struct recovery *r)
{
    if (r->lost_data == 2)
        return two_data;
    if (r->lost[r->n])
        return data_and_p;
    return r->lost[r->n + 1] && r->blocks[r->n + 1] ? data_and_q : data_from_p;
}

static struct piece piece_at(const struct recovery *r, size_t offset, size_t len)
{
    struct piece s = {.len = len};
    for (unsigned i = 0; i < r->n; i++)
        s.data[i] = r->lost[i] ? pxr_raid_zeros : r->blocks[i] + offset;
    s.x = r->blocks[r->x] + offset;
    s.y = r->blocks[r->y] + offset;
    s.p = r->blocks[r->n] ? r->blocks[r->n] + offset : NULL;
    s.q = r->blocks[r->n + 1] ? r->blocks[r->n + 1] + offset : NULL;
    return s;
}

/* Marks what is lost.  PXR_OK, or why it cannot be recovered. */
static int note_losses(struct recovery *r, unsigned lost_count, const unsigned *lost)
{
    for (unsigned i = 0; i < lost_count; i++) {
        if (lost[i] >= r->n + 2 || r->lost[lost[i]] || !r->blocks[lost[i]])
            return PXR_EINVAL;
        r->lost[lost[i]] = true;
    }
    for (unsigned i = 0; i < r->n; i++) {
        if (!r->blocks[i])
            return PXR_EINVAL;
        if (!r->lost[i])
            continue;
        *(r->lost_data == 0 ? &r->x : &r->y) = i;
        r->lost_data++;
    }
    unsigned parities = 0;
    for (unsigned parity = r->n; parity < r->n + 2; parity++) {
        r->lost[parity] |= !r->blocks[parity];
        parities += !r->lost[parity];
    }
    return r->lost_data > parities ? PXR_ETOOFEW : PXR_OK;
}

int pxr_raid_recover(unsigned n, size_t len, uint8_t *const *blocks, unsigned lost_count,
                     const unsigned *lost)
{
    if (n < 1 || n > PXR_RAID_MAX_DATA || !blocks || (lost_count > 0 && !lost))
        return PXR_EINVAL;
    struct recovery r = {.kernels = pxr_kernels(), .n = n, .blocks = blocks};
    const int status = note_losses(&r, lost_count, lost);
    if (status != PXR_OK || lost_count == 0)
        return status;
    if (r.lost_data == 0)
        return pxr_raid_generate(n, len, (const uint8_t *const *)blocks,
                                 r.lost[n] ? blocks[n] : NULL,
                                 r.lost[n + 1] ? blocks[n + 1] : NULL);
    recover_fn *const recover = method(&r);
    for (size_t offset = 0; offset < len; offset += PXR_RAID_PIECE) {
        const size_t left = len - offset;
        const struct piece s =
            piece_at(&r, offset, left < PXR_RAID_PIECE ? left : PXR_RAID_PIECE);
        recover(&r, &s);
    }
    return PXR_OK;
}
