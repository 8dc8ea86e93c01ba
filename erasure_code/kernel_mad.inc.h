/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The body of multiplication by constants, included by kernel_set.inc.h: one
 * source, several outputs,
 *
 *     dst[g] = coefficient(tbl[g]) * src      or      dst[g] += ...
 *
 * It is the dot product of one source with the loops the other way round: the
 * coefficients stay in registers, the outputs stream by.
 */

PXR_INLINE void mad(const int rows, const bool accumulate, size_t len,
                    const uint8_t *const *tbl, const uint8_t *src, uint8_t *const *dst)
{
    /* Loaded before the loop: the compiler could not do it, since an output
       might overlap a table as far as it knows. */
#define DECLARE(g)                                      \
    const coef c##g = coef_load(tbl[rows > g ? g : 0]); \
    uint8_t *const dst##g = dst[rows > g ? g : 0];
    EACH_ROW(DECLARE)

#define ADD(g)              \
    if (rows > g)           \
        store(dst##g + pos, \
              mul_add(accumulate ? load(dst##g + pos, part) : vec_zero(), t, c##g), part);
#define STEP(at, n)                                      \
    do {                                                 \
        const size_t pos = (at), part = (n);             \
        const terms t = terms_of(load(src + pos, part)); \
        EACH_ROW(ADD)                                    \
    } while (0)

    size_t done = 0;
    for (; len - done >= 2 * VEC_BYTES; done += 2 * VEC_BYTES) {
        STEP(done, 0);
        STEP(done + VEC_BYTES, 0);
    }
    if (len - done >= VEC_BYTES) {
        STEP(done, 0);
        done += VEC_BYTES;
    }
    if (len > done)
        STEP(done, len - done);
#undef STEP
#undef ADD
#undef DECLARE
}

#define MAD(rows)                                                                     \
    static void mad_##rows(size_t len, const uint8_t *const *tbl, const uint8_t *src, \
                           uint8_t *const *dst, unsigned flags)                       \
    {                                                                                 \
        if (flags & PXR_ACCUMULATE)                                                   \
            mad(rows, true, len, tbl, src, dst);                                      \
        else                                                                          \
            mad(rows, false, len, tbl, src, dst);                                     \
    }

MAD(1)
MAD(2)
MAD(3)
MAD(4)
MAD(5)
MAD(6)
