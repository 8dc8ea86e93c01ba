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

/* What is done with the products. */
enum mad_kind {
    MAD_REPLACE,
    MAD_ADD,
    MAD_ADD_CHANGE /* to the outputs, the products of src + old */
};

/* The lines of two vectors of an output. */
PXR_INLINE void prefetch_output(const uint8_t *dst, uint32_t flags)
{
    for (int v = 0; v < 2; v += LINE_VECTORS)
        __builtin_prefetch(dst + PXR_OUTPUT_LINES(flags) * 64 + v * VEC_BYTES, 1, 3);
}

PXR_INLINE void mad(const int special, const int general, const enum mad_kind kind,
                    const bool ahead, size_t len, size_t apart, const uint8_t *tables,
                    const uint8_t *src, const uint8_t *old, uint8_t *const *dst, uint32_t flags)
{
#define OUTPUT(g, ...)                                            \
    uint8_t *const dst##g = dst[special + (general > g ? g : 0)]; \
    if (!dst##g)                                                  \
        return;
    uint8_t *const dstp = dst[0];
    if (!dstp)
        return;
    EACH_ROW(OUTPUT)
    /* Loaded before the loop: the compiler could not do it, since an output
       might overlap a table as far as it knows. */
#define COEFFICIENT(g, ...) const coef c##g = coef_load(tables + (general > g ? g : 0) * apart);
    EACH_ROW(COEFFICIENT)

/* Outputs are often whole pages apart: a load that follows a store to the same place of another
   page is taken to depend on it, so all loads come first. */
#define OLD(d) (kind == MAD_REPLACE ? vec_zero() : load((d) + pos, part))
#define ADD(g, ...)          \
    vec sum##g = vec_zero(); \
    if (general > g)         \
        sum##g = mul_add(OLD(dst##g), t, c##g);
#define STORE(g, ...) \
    if (general > g)  \
        store(dst##g + pos, sum##g, part);
#define STEP(at, n)                                \
    do {                                           \
        const size_t pos = (at), part = (n);       \
        vec x = load(src + pos, part);             \
        if (kind == MAD_ADD_CHANGE)                \
            x = vec_xor(x, load(old + pos, part)); \
        const terms t = terms_of(x);               \
        vec sump = vec_zero();                     \
        if (special == PXR_SPECIAL_P)              \
            sump = vec_xor(OLD(dstp), x);          \
        EACH_ROW(ADD)                              \
        if (special == PXR_SPECIAL_P)              \
            store(dstp + pos, sump, part);         \
        EACH_ROW(STORE)                            \
    } while (0)
#define FETCH(g, ...) \
    if (general > g)  \
        prefetch_output(dst##g + done, flags);

    /* Two vectors a turn save a single output the work of the loop; several are slower so,
       measured on a Granite Rapids Xeon: 3 outputs of 4 KiB 1.07 times.  Prefetching takes
       lines, which a vector may be half of. */
    const bool both = ahead || special + general == 1;
    const size_t turn = (both ? 2 : 1) * VEC_BYTES;
    size_t done = 0;
    /* What is too short for a turn of two vectors goes straight on: a jump is a part of it. */
    if (__builtin_expect(len >= turn, !both || ahead)) {
        do {
            if (ahead) {
                prefetch_source(src + done, 2, flags);
                if (kind == MAD_ADD_CHANGE)
                    prefetch_source(old + done, 2, flags);
                if (special == PXR_SPECIAL_P)
                    prefetch_output(dstp + done, flags);
                EACH_ROW(FETCH)
            }
            STEP(done, 0);
            if (both)
                STEP(done + VEC_BYTES, 0);
            done += turn;
            len -= turn;
        } while (len >= turn);
    }
    if (both && len >= VEC_BYTES) {
        STEP(done, 0);
        done += VEC_BYTES;
        len -= VEC_BYTES;
    }
    if (len > 0)
        STEP(done, len);
#undef FETCH
#undef STEP
#undef STORE
#undef ADD
#undef OLD
#undef COEFFICIENT
#undef OUTPUT
}

/* Each kind is a function of its own, and so is one that prefetches: what the others would need
   is not saved in short calls. */
#define MAD_KIND(kind, suffix, special, general, ahead)                                      \
    static __attribute__((noinline)) void kind##_##suffix(                                   \
        size_t len, struct pxr_mad_mode mode, const uint8_t *tables, const uint8_t *src,     \
        const uint8_t *old, uint8_t *const *dst)                                             \
    {                                                                                        \
        mad(special, general, kind, ahead, len, (size_t)PXR_TABLE *mode.k, tables, src, old, \
            dst, mode.flags);                                                                \
    }
#define MAD(special, name, general)                                                           \
    MAD_KIND(MAD_REPLACE, name##_##general, special, general, false)                          \
    MAD_KIND(MAD_ADD, ahead_##name##_##general, special, general, true)                       \
    MAD_KIND(MAD_ADD_CHANGE, name##_##general, special, general, false)                       \
    MAD_KIND(MAD_ADD_CHANGE, ahead_##name##_##general, special, general, true)                \
    static void add_##name##_##general(size_t len, unsigned k, unsigned rows, unsigned index, \
                                       const uint8_t *tables, const uint8_t *src,             \
                                       uint8_t *const *dst)                                   \
    {                                                                                         \
        (void)rows;                                                                           \
        mad(special, general, MAD_ADD, false, len, (size_t)PXR_TABLE *k,                      \
            tables + (size_t)PXR_TABLE * index, src, NULL, dst, 0);                           \
    }                                                                                         \
    static void mad_##name##_##general(size_t len, struct pxr_mad_mode mode,                  \
                                       const uint8_t *tables, const uint8_t *src,             \
                                       const uint8_t *old, uint8_t *const *dst)               \
    {                                                                                         \
        const bool ahead = mode.flags & PXR_AHEAD;                                            \
        if (old && ahead)                                                                     \
            MAD_ADD_CHANGE_ahead_##name##_##general(len, mode, tables, src, old, dst);        \
        else if (old)                                                                         \
            MAD_ADD_CHANGE_##name##_##general(len, mode, tables, src, old, dst);              \
        else if (!(mode.flags & PXR_ACCUMULATE))                                              \
            MAD_REPLACE_##name##_##general(len, mode, tables, src, NULL, dst);                \
        else if (ahead)                                                                       \
            MAD_ADD_ahead_##name##_##general(len, mode, tables, src, NULL, dst);              \
        else                                                                                  \
            add_##name##_##general(len, mode.k, special + general, 0, tables, src, dst);      \
    }

MAD(PXR_SPECIAL_NONE, general, 1)
MAD(PXR_SPECIAL_NONE, general, 2)
MAD(PXR_SPECIAL_NONE, general, 3)
MAD(PXR_SPECIAL_NONE, general, 4)
MAD(PXR_SPECIAL_NONE, general, 5)
MAD(PXR_SPECIAL_NONE, general, 6)
MAD(PXR_SPECIAL_P, p, 1)
