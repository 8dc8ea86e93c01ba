/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The body of checks, included by kernel_set.inc.h.  A check computes the blocks of the dot
 * product for P, or for P and Q, and compares them with the outputs instead of writing them.
 */

/* Checks large blocks first, then smaller ones, which narrow the place down.  Ends at the first
   block that differs. */
PXR_INLINE size_t check(const int special, const enum manner manner, size_t len,
                        const struct pass *pass)
{
    size_t pos = bulk(special, 0, SINK_COMPARE, manner, pass, 0, len);
    pos = blocks(special, 0, SINK_COMPARE, FROM_TABLES, 1, pass, pos, len);
    const size_t left = len - pos;
    if (left < VEC_BYTES && left > 0 &&
        !block(special, 0, SINK_COMPARE, FROM_TABLES, 1, pass, pos, left))
        pos = len;
    return pos;
}

/*
 * k = 0 and k = 1 are frequent enough for loops of their own: they tell whether a buffer is
 * zero, and whether two buffers are equal.  A check of P alone never prefetches: it does little
 * but load, and a prefetch costs as much as a load.
 */
static size_t check_p(size_t len, unsigned k, const uint8_t *const *src, uint8_t *const *dst,
                      uint32_t flags)
{
    (void)flags;
    if (k == 0)
        return check(PXR_SPECIAL_P, FROM_TABLES, len, &(struct pass){0, NULL, src, dst, 0});
    if (k == 1)
        return check(PXR_SPECIAL_P, FROM_TABLES, len, &(struct pass){1, NULL, src, dst, 0});
    return check(PXR_SPECIAL_P, FROM_TABLES, len, &(struct pass){k, NULL, src, dst, 0});
}

static size_t check_pq(size_t len, unsigned k, const uint8_t *const *src, uint8_t *const *dst,
                       uint32_t flags)
{
    const struct pass pass = {k, NULL, src, dst, flags};
    return check(PXR_SPECIAL_PQ, FROM_TABLES | FLAGGED, len, &pass);
}
