/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The body of structured encoding, included by kernel_set.inc.h.  doc/structured.md derives
 * what it does; in short: sources and outputs stand for points of the field, and where they
 * are taken in cosets, groups of `size` = 2^levels neighbours, a Cauchy matrix is a product
 * of sparse ones,
 *
 *     outputs of coset y = F_y ( sum over groups B of  c(y, B) * T_B (sources of group B) )
 *
 * T_B is done once for all cosets, and F_y once for all groups.  Both are `levels` levels of
 * butterflies: level h takes pairs of lanes that are 2^h apart, of which a run, 2^(h+1) lanes
 * that lie one behind the other, shares one constant, its twiddle t:
 *
 *     T:  hi += lo,  lo += t*hi      levels upwards
 *     F:  lo += t*hi,  hi += lo      levels downwards, which undoes T of the same point
 */

/*
 * F(i, ...) for the lanes of a group; F(lanes of a pair, their run, their level, ...) for the
 * butterflies of a transform, upwards and downwards; and F(q, most, ...) for each coset of
 * outputs, of at most so many lanes.
 */
/* clang-format off */
#define LANES_2(F, ...)  F(0, __VA_ARGS__) F(1, __VA_ARGS__)
#define LANES_4(F, ...)  LANES_2(F, __VA_ARGS__) F(2, __VA_ARGS__) F(3, __VA_ARGS__)
#define LANES_8(F, ...)  LANES_4(F, __VA_ARGS__) \
    F(4, __VA_ARGS__) F(5, __VA_ARGS__) F(6, __VA_ARGS__) F(7, __VA_ARGS__)
#define LANES_16(F, ...) LANES_8(F, __VA_ARGS__) \
    F(8, __VA_ARGS__) F(9, __VA_ARGS__) F(10, __VA_ARGS__) F(11, __VA_ARGS__) \
    F(12, __VA_ARGS__) F(13, __VA_ARGS__) F(14, __VA_ARGS__) F(15, __VA_ARGS__)

#define LEVEL_0_OF_2(F, ...)  F(0, 1, 0, 0, __VA_ARGS__)
#define LEVEL_0_OF_4(F, ...)  LEVEL_0_OF_2(F, __VA_ARGS__) F(2, 3, 1, 0, __VA_ARGS__)
#define LEVEL_0_OF_8(F, ...)  LEVEL_0_OF_4(F, __VA_ARGS__) \
    F(4, 5, 2, 0, __VA_ARGS__) F(6, 7, 3, 0, __VA_ARGS__)
#define LEVEL_0_OF_16(F, ...) LEVEL_0_OF_8(F, __VA_ARGS__) \
    F(8, 9, 4, 0, __VA_ARGS__) F(10, 11, 5, 0, __VA_ARGS__) \
    F(12, 13, 6, 0, __VA_ARGS__) F(14, 15, 7, 0, __VA_ARGS__)
#define LEVEL_1_OF_4(F, ...)  F(0, 2, 0, 1, __VA_ARGS__) F(1, 3, 0, 1, __VA_ARGS__)
#define LEVEL_1_OF_8(F, ...)  LEVEL_1_OF_4(F, __VA_ARGS__) \
    F(4, 6, 1, 1, __VA_ARGS__) F(5, 7, 1, 1, __VA_ARGS__)
#define LEVEL_1_OF_16(F, ...) LEVEL_1_OF_8(F, __VA_ARGS__) \
    F(8, 10, 2, 1, __VA_ARGS__) F(9, 11, 2, 1, __VA_ARGS__) \
    F(12, 14, 3, 1, __VA_ARGS__) F(13, 15, 3, 1, __VA_ARGS__)
#define LEVEL_2_OF_8(F, ...)  F(0, 4, 0, 2, __VA_ARGS__) F(1, 5, 0, 2, __VA_ARGS__) \
    F(2, 6, 0, 2, __VA_ARGS__) F(3, 7, 0, 2, __VA_ARGS__)
#define LEVEL_2_OF_16(F, ...) LEVEL_2_OF_8(F, __VA_ARGS__) \
    F(8, 12, 1, 2, __VA_ARGS__) F(9, 13, 1, 2, __VA_ARGS__) \
    F(10, 14, 1, 2, __VA_ARGS__) F(11, 15, 1, 2, __VA_ARGS__)
#define LEVEL_3_OF_16(F, ...) F(0, 8, 0, 3, __VA_ARGS__) F(1, 9, 0, 3, __VA_ARGS__) \
    F(2, 10, 0, 3, __VA_ARGS__) F(3, 11, 0, 3, __VA_ARGS__) F(4, 12, 0, 3, __VA_ARGS__) \
    F(5, 13, 0, 3, __VA_ARGS__) F(6, 14, 0, 3, __VA_ARGS__) F(7, 15, 0, 3, __VA_ARGS__)

#define UPWARDS_8(F, ...)    LEVEL_0_OF_8(F, __VA_ARGS__) LEVEL_1_OF_8(F, __VA_ARGS__) \
    LEVEL_2_OF_8(F, __VA_ARGS__)
#define UPWARDS_16(F, ...)   LEVEL_0_OF_16(F, __VA_ARGS__) LEVEL_1_OF_16(F, __VA_ARGS__) \
    LEVEL_2_OF_16(F, __VA_ARGS__) LEVEL_3_OF_16(F, __VA_ARGS__)
#define DOWNWARDS_2(F, ...)  LEVEL_0_OF_2(F, __VA_ARGS__)
#define DOWNWARDS_4(F, ...)  LEVEL_1_OF_4(F, __VA_ARGS__) LEVEL_0_OF_4(F, __VA_ARGS__)
#define DOWNWARDS_8(F, ...)  LEVEL_2_OF_8(F, __VA_ARGS__) LEVEL_1_OF_8(F, __VA_ARGS__) \
    LEVEL_0_OF_8(F, __VA_ARGS__)
#define DOWNWARDS_16(F, ...) LEVEL_3_OF_16(F, __VA_ARGS__) LEVEL_2_OF_16(F, __VA_ARGS__) \
    LEVEL_1_OF_16(F, __VA_ARGS__) LEVEL_0_OF_16(F, __VA_ARGS__)

#define EACH_COSET(F, ...) \
    F(0, 8, __VA_ARGS__) F(1, 8, __VA_ARGS__) F(2, 4, __VA_ARGS__) F(3, 2, __VA_ARGS__)
/* clang-format on */

/* F(v, ...) for the vectors that a block has of lane i: no block of more than four lanes has
   more than one of each. */
#define ONE_VECTOR(F, ...) F(0, __VA_ARGS__)
#define TWO_VECTORS(F, ...) F(0, __VA_ARGS__) F(1, __VA_ARGS__)
#define VECTORS_0 TWO_VECTORS
#define VECTORS_1 TWO_VECTORS
#define VECTORS_2 TWO_VECTORS
#define VECTORS_3 TWO_VECTORS
#define VECTORS_4 ONE_VECTOR
#define VECTORS_5 ONE_VECTOR
#define VECTORS_6 ONE_VECTOR
#define VECTORS_7 ONE_VECTOR

/* Constant number n of those at t. */
PXR_INLINE coef constant_at(const uint8_t *t, size_t n)
{
#if VERBS_MATRICES
    return coef_of_matrix(matrix_at(t, n));
#else
    return coef_load(t + PXR_TABLE * n);
#endif
}
#define CONSTANT_BYTES COEF_BYTES(OWN_FORM)

/*
 * The lines of a block that begins at p.  Distances are added and not asked for, for a block
 * has so many shards that the questions would take longer than what they save; what is
 * prefetched at no distance is there or on its way.
 */
PXR_INLINE void prefetch_lines(const uint8_t *p, int vectors, const bool for_writing)
{
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v += LINE_VECTORS) {
        if (for_writing)
            __builtin_prefetch(p + v * VEC_BYTES, 1, 3);
        else
            __builtin_prefetch(p + v * VEC_BYTES, 0, 3);
    }
}

/* Where a level's twiddles begin among the size - 1 of a transform. */
#define TWIDDLES_OF(level) (size - (size >> (level)))

/* Vectors that a block keeps: its outputs, and one or two groups of sources; whether it takes
   two groups at once, and how many vectors of each shard it has. */
#define KEPT(levels, cosets, groups) (((cosets) + (groups)) << (levels))
#define PAIRS(levels, cosets) (PAIR_GROUPS && KEPT(levels, cosets, 2) <= MOST_KEPT)
#define BLOCK(levels, cosets)                                                              \
    ((levels) <= 2 && 2 * KEPT(levels, cosets, PAIRS(levels, cosets) ? 2 : 1) <= MOST_KEPT \
         ? 2                                                                               \
         : 1)

/*
 * One block at pos of every output; the rows of the pass are its constants, in the order in
 * which they are used.  levels, cosets and flagged are constants wherever this is expanded.
 * The accumulators are a<coset>_<lane>_<vector>.
 * All sources of a block are read before any output is written.
 */
PXR_INLINE void structured(const int levels, const int cosets, const bool flagged,
                           const struct pass *pass, struct pxr_cosets shape, size_t pos)
{
    const int size = 1 << levels, vectors = BLOCK(levels, cosets);
    const bool streams = flagged && VERBS_STREAM && pass->flags & PXR_STREAM;
    const size_t ahead = flagged ? PXR_SOURCE_LINES(pass->flags) * 64 : 0;
    const size_t outputs_ahead = flagged ? PXR_OUTPUT_LINES(pass->flags) * 64 : 0;
    const uint8_t *const *src = pass->src;
    const uint8_t *t = pass->rows;

#define DECLARE(v, i, q) vec a##q##_##i##_##v = vec_zero();
#define DECLARE_LANE(i, q) VECTORS_##i(DECLARE, i, q)
#define DECLARE_COSET(q, most, ...) LANES_##most(DECLARE_LANE, q)
    EACH_COSET(DECLARE_COSET, )

    /* A group: its vectors x<lane>_<vector>, transformed, and t_x, its twiddles and behind them
       its coefficients c(y, B).  The first twiddles of the group at point 0 are zero. */
#define LOAD_VECTOR(v, i, x)     \
    vec x##i##_##v = vec_zero(); \
    if (i < size && v < vectors) \
        x##i##_##v = vec_load(src[i] + pos + v * VEC_BYTES);
#define LOAD_LANE(i, x)                                       \
    if (i < size && flagged)                                  \
        prefetch_lines(src[i] + pos + ahead, vectors, false); \
    VECTORS_##i(LOAD_VECTOR, i, x)
#define IN_HI(v, lo, hi, x) \
    if (v < vectors)        \
        x##hi##_##v = vec_xor(x##hi##_##v, x##lo##_##v);
#define IN_LO(v, lo, hi, x) \
    if (v < vectors)        \
        x##lo##_##v = mul_add(x##lo##_##v, terms_of(x##hi##_##v), c);
#define IN(lo, hi, run, level, x, origin)                                          \
    if (hi < size) {                                                               \
        VECTORS_##hi(IN_HI, lo, hi, x) if (!(origin && run == 0))                  \
        {                                                                          \
            const coef c = constant_at(t_##x, (size_t)(TWIDDLES_OF(level) + run)); \
            VECTORS_##hi(IN_LO, lo, hi, x)                                         \
        }                                                                          \
    }
#define GROUP(x, most, origin)                                 \
    LANES_##most(LOAD_LANE, x) const uint8_t *const t_##x = t; \
    src += size;                                               \
    t += CONSTANT_BYTES * (size_t)(size - 1 + cosets);         \
    UPWARDS_##most(IN, x, origin)
#define ADD(v, i, q, x)          \
    if (i < size && v < vectors) \
        a##q##_##i##_##v = mul_add(a##q##_##i##_##v, terms_of(x##i##_##v), c);
#define ADD_LANE(i, q, x) VECTORS_##i(ADD, i, q, x)
#define ADD_COSET(q, most, x)                                      \
    if (q < cosets) {                                              \
        const coef c = constant_at(t_##x, (size_t)(size - 1 + q)); \
        LANES_##most(ADD_LANE, q, x)                               \
    }
#define ADD_PAIR(v, i, q)        \
    if (i < size && v < vectors) \
        a##q##_##i##_##v =       \
            mul_add_pair(a##q##_##i##_##v, terms_of(x##i##_##v), c, terms_of(z##i##_##v), d);
#define ADD_PAIR_LANE(i, q) VECTORS_##i(ADD_PAIR, i, q)
#define ADD_PAIR_COSET(q, most, ...)                             \
    if (q < cosets) {                                            \
        const coef c = constant_at(t_x, (size_t)(size - 1 + q)); \
        const coef d = constant_at(t_z, (size_t)(size - 1 + q)); \
        LANES_##most(ADD_PAIR_LANE, q)                           \
    }
    size_t groups = shape.groups - 1;
    {
        GROUP(x, 8, true)
        EACH_COSET(ADD_COSET, x)
    }
    for (; PAIRS(levels, cosets) && groups >= 2; groups -= 2) {
        GROUP(x, 8, false)
        GROUP(z, 8, false)
        ADD_PAIR_COSET(0, 8, )
        ADD_PAIR_COSET(1, 8, )
        ADD_PAIR_COSET(2, 4, )
        ADD_PAIR_COSET(3, 2, )
    }
    for (; groups > 0; groups--) {
        GROUP(x, 8, false)
        EACH_COSET(ADD_COSET, x)
    }

#define OUT_LO(v, lo, hi, q) \
    if (v < vectors)         \
        a##q##_##lo##_##v = mul_add(a##q##_##lo##_##v, terms_of(a##q##_##hi##_##v), c);
#define OUT_HI(v, lo, hi, q) \
    if (v < vectors)         \
        a##q##_##hi##_##v = vec_xor(a##q##_##hi##_##v, a##q##_##lo##_##v);
#define OUT(lo, hi, run, level, q)                                         \
    if (hi < size) {                                                       \
        const coef c = constant_at(t, (size_t)(TWIDDLES_OF(level) + run)); \
        VECTORS_##hi(OUT_LO, lo, hi, q) VECTORS_##hi(OUT_HI, lo, hi, q)    \
    }
#define CLOSE_COSET(q, most, ...)                                          \
    if (q < cosets) {                                                      \
        DOWNWARDS_##most(OUT, q) t += CONSTANT_BYTES * (size_t)(size - 1); \
    }
    EACH_COSET(CLOSE_COSET, )

    /* Sources that fill no group, or stand among the outputs' own points. */
#define LOAD_DIRECT(v, ...) \
    vec x##v = vec_zero();  \
    if (v < vectors)        \
        x##v = vec_load(s + v * VEC_BYTES);
#define ADD_DIRECT(v, i, q) \
    if (v < vectors)        \
        a##q##_##i##_##v = mul_add(a##q##_##i##_##v, terms_of(x##v), c);
#define ADD_DIRECT_LANE(i, q)                                  \
    if (i < size) {                                            \
        const coef c = constant_at(t, (size_t)(q * size + i)); \
        VECTORS_##i(ADD_DIRECT, i, q)                          \
    }
#define ADD_DIRECT_COSET(q, most, ...)   \
    if (q < cosets) {                    \
        LANES_##most(ADD_DIRECT_LANE, q) \
    }
    for (size_t j = shape.direct; j > 0; j--) {
        const uint8_t *const s = *src++ + pos;
        if (flagged)
            prefetch_lines(s + ahead, vectors, false);
        TWO_VECTORS(LOAD_DIRECT, )
        EACH_COSET(ADD_DIRECT_COSET, )
        t += CONSTANT_BYTES * (size_t)(size * cosets);
    }

    /* Not every lane is an output. */
#define STORE_VECTOR(v, i, q)                              \
    if (v < vectors && streams)                            \
        vec_stream(out + v * VEC_BYTES, a##q##_##i##_##v); \
    else if (v < vectors)                                  \
        vec_store(out + v * VEC_BYTES, a##q##_##i##_##v);
#define STORE_LANE(i, q)                                                    \
    if (i < size && (unsigned)(q * size + i) - shape.first < shape.count) { \
        uint8_t *const out = pass->dst[q * size + i - shape.first] + pos;   \
        if (flagged)                                                        \
            prefetch_lines(out + outputs_ahead, vectors, true);             \
        VECTORS_##i(STORE_VECTOR, i, q)                                     \
    }
#define STORE_COSET(q, most, ...)   \
    if (q < cosets) {               \
        LANES_##most(STORE_LANE, q) \
    }
    EACH_COSET(STORE_COSET, )
#undef DECLARE
#undef DECLARE_LANE
#undef DECLARE_COSET
#undef LOAD_VECTOR
#undef LOAD_LANE
#undef IN_HI
#undef IN_LO
#undef IN
#undef GROUP
#undef ADD
#undef ADD_LANE
#undef ADD_COSET
#undef ADD_PAIR
#undef ADD_PAIR_LANE
#undef ADD_PAIR_COSET
#undef OUT_LO
#undef OUT_HI
#undef OUT
#undef CLOSE_COSET
#undef LOAD_DIRECT
#undef ADD_DIRECT
#undef ADD_DIRECT_LANE
#undef ADD_DIRECT_COSET
#undef STORE_VECTOR
#undef STORE_LANE
#undef STORE_COSET
}

/* Whole blocks; what is left, a pass of the matrix itself takes. */
PXR_INLINE size_t structured_blocks(const int levels, const int cosets, const bool flagged,
                                    const struct pass *pass, struct pxr_cosets shape,
                                    size_t len)
{
    const size_t step = (size_t)BLOCK(levels, cosets) * VEC_BYTES;
    size_t pos = 0;
    for (; len - pos >= step; pos += step)
        structured(levels, cosets, flagged, pass, shape, pos);
    return pos;
}

#define STRUCTURED(levels, cosets)                                                      \
    static __attribute__((noinline)) size_t structured_flagged_##levels##_##cosets(     \
        struct pass pass, struct pxr_cosets shape, size_t len)                          \
    {                                                                                   \
        if (bytes_to_boundary(shape.count, pass.dst) != 0)                              \
            pass.flags &= ~(uint32_t)PXR_STREAM;                                        \
        prefetch_heads(&pass);                                                          \
        const size_t done = structured_blocks(levels, cosets, true, &pass, shape, len); \
        if (VERBS_STREAM && pass.flags & PXR_STREAM)                                    \
            stream_fence();                                                             \
        return done;                                                                    \
    }                                                                                   \
    static size_t structured_##levels##_##cosets(                                       \
        size_t len, struct pxr_cosets shape, const uint8_t *constants,                  \
        const uint8_t *const *src, uint8_t *const *dst, uint32_t flags)                 \
    {                                                                                   \
        const size_t sources = ((size_t)shape.groups << levels) + shape.direct;         \
        const struct pass pass = {sources, constants, src, dst, flags};                 \
        if (flags & (PXR_STREAM | PXR_AHEAD))                                           \
            return structured_flagged_##levels##_##cosets(pass, shape, len);            \
        return structured_blocks(levels, cosets, false, &pass, shape, len);             \
    }

STRUCTURED(1, 2)
STRUCTURED(1, 3)
STRUCTURED(1, 4)
STRUCTURED(2, 1)
STRUCTURED(2, 2)
STRUCTURED(2, 3)
STRUCTURED(3, 2)

/* ---------------------------------------------------- transforms by themselves -- */

/* One vector of all lanes, or its first `part` bytes where that is not 0: T of a group, or F of
   a coset.  levels and forward are constants wherever this is expanded. */
PXR_INLINE void transform(const int levels, const bool forward, const uint8_t *t,
                          const uint8_t *const *src, uint8_t *const *dst, size_t pos,
                          size_t part)
{
    const int size = 1 << levels;
#define LOAD_LANE(i, ...)  \
    vec x##i = vec_zero(); \
    if (i < size)          \
        x##i = load(src[i] + pos, part);
#define IN(lo, hi, run, level, ...)                                        \
    if (hi < size) {                                                       \
        const coef c = constant_at(t, (size_t)(TWIDDLES_OF(level) + run)); \
        x##hi = vec_xor(x##hi, x##lo);                                     \
        x##lo = mul_add(x##lo, terms_of(x##hi), c);                        \
    }
#define OUT(lo, hi, run, level, ...)                                       \
    if (hi < size) {                                                       \
        const coef c = constant_at(t, (size_t)(TWIDDLES_OF(level) + run)); \
        x##lo = mul_add(x##lo, terms_of(x##hi), c);                        \
        x##hi = vec_xor(x##hi, x##lo);                                     \
    }
#define STORE_LANE(i, ...) \
    if (i < size)          \
        store(dst[i] + pos, x##i, part);
    LANES_16(LOAD_LANE, )
    if (forward) {
        UPWARDS_16(IN, )
    } else {
        DOWNWARDS_16(OUT, )
    }
    LANES_16(STORE_LANE, )
#undef LOAD_LANE
#undef IN
#undef OUT
#undef STORE_LANE
}

#define TRANSFORM(levels, name, forward)                                                    \
    static void transform_##name##_##levels(size_t len, const uint8_t *twiddles,            \
                                            const uint8_t *const *src, uint8_t *const *dst) \
    {                                                                                       \
        size_t pos = 0;                                                                     \
        for (; len - pos >= VEC_BYTES; pos += VEC_BYTES)                                    \
            transform(levels, forward, twiddles, src, dst, pos, 0);                         \
        if (pos < len)                                                                      \
            transform(levels, forward, twiddles, src, dst, pos, len - pos);                 \
    }

TRANSFORM(3, in, true)
TRANSFORM(3, out, false)
TRANSFORM(4, in, true)
TRANSFORM(4, out, false)
