/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The body of the multi-output dot product, included by kernel_set.inc.h:
 *
 *     dst[s+g] = sum over j < k of coefficient(tbl[g], j) * src[j]
 *
 * behind s special rows: P, the plain sum, and Q, the sum of 2^j * src[j].
 */

/*
 * Sources are prefetched this far ahead of their use, from the start, unless
 * they are so short that little of them is ahead.  Measured on an Emerald
 * Rapids Xeon, 10+4, 32+4 and 64+4, avx512_gfni, against no prefetch: from
 * memory 1.2 (4 KiB shards) to 1.9 times (64+4, 1 MiB), in cache 0.97 to 1.14;
 * 256 and 1024 bytes are within 5 % of 512, 2048 loses in cache.
 * A set whose processors want it otherwise says so; 0 is no prefetch.
 */
#ifndef PREFETCH_BYTES
#define PREFETCH_BYTES 512
#endif
#ifndef PREFETCH_FROM
#define PREFETCH_FROM 1024
#endif
/* Outputs are prefetched this far ahead where they are written through the caches; 0: not. */
#ifndef PREFETCH_OUTPUT_BYTES
#define PREFETCH_OUTPUT_BYTES 0
#endif
/* Whether the pass of P and Q alone prefetches in k sources of len bytes. */
#ifndef PREFETCH_PQ
#define PREFETCH_PQ(k, len) true
#endif
/* Vectors that one prefetch is enough for: a cache line, of 64 bytes. */
#ifndef LINE_VECTORS
#define LINE_VECTORS (VEC_BYTES < 64 ? 64 / VEC_BYTES : 1)
#endif

/* Those of any code; ISA-L's interface allows longer dot products. */
#define PREPARED_SOURCES 255

/* What a pass works on. */
struct pass {
    size_t k;
    const uint8_t *const *tbl;
    const uint8_t *const *src;
    uint8_t *const *dst;
    unsigned flags;           /* of kernels.h */
    const prepared *prepared; /* coefficient (row g, source j) at j * general + g */
};

/* The pass that takes NULL for zeros, and the flags of its own. */
#define PQ_ALONE(special, general) ((special) == PXR_SPECIAL_PQ && (general) == 0)

/* What a block does with its results. */
enum sink {
    SINK_STORE,  /* write them, as the pass's flags say */
    SINK_COMPARE /* compare them with the outputs, which are only read */
};

PXR_INLINE void finish(uint8_t *dst, vec result, size_t part, unsigned flags)
{
    if (VERBS_STREAM && !part && flags & PXR_STREAM)
        vec_stream(dst, result);
    else
        store(dst, result, part);
}

PXR_INLINE void prefetch_source(const uint8_t *s, int vectors)
{
    for (int v = 0; v < vectors; v += LINE_VECTORS)
        __builtin_prefetch(s + PREFETCH_BYTES + v * VEC_BYTES, 0, 3);
}

/* Where a vector goes. */
PXR_INLINE uint8_t *output_at(const struct pass *pass, unsigned row, size_t pos, bool ahead)
{
    uint8_t *const dst = pass->dst[row] + pos;
    if (PREFETCH_OUTPUT_BYTES && ahead && !(pass->flags & PXR_STREAM))
        __builtin_prefetch(dst + PREFETCH_OUTPUT_BYTES, 1, 3);
    return dst;
}

/* The first PREFETCH_BYTES of every source, which no block is ahead of. */
PXR_INLINE void prefetch_heads(const struct pass *pass)
{
    for (size_t j = pass->k; j-- > 0;) {
        if (!pass->src[j])
            continue;
#pragma GCC unroll 8
        for (int line = 0; line < PREFETCH_BYTES; line += 64)
            __builtin_prefetch(pass->src[j] + line, 0, 3);
    }
}

/*
 * One block: `vectors` (1, 2 or 4) of them at pos of every output.  special,
 * general, sink, vectors and ahead are constants wherever this is expanded, so
 * each `if` on them vanishes.  The accumulators, a<row>_<vector>, are named one by
 * one instead of standing in an array because vectors of scalable instruction sets
 * cannot.  Returns whether a result differs from what the sink compares it with.
 *
 * Sources are walked from the last to the first for Horner's rule:
 *     Q = x0 + 2*(x1 + 2*(x2 + ... + 2*x[k-1]))
 * and upwards without Q, since hardware prefetchers follow ascending addresses, and shards
 * often lie one behind the other.
 * All sources of a block are read before any output is written, so an output
 * may be one of the sources.
 */
PXR_INLINE bool block(const int special, const int general, const enum sink sink,
                      const int vectors, const bool ahead, const struct pass *pass, size_t pos,
                      size_t part)
{
    const unsigned first = (unsigned)special;
    size_t j = pass->k;

#define DECLARE_GENERAL(v, g) vec a##g##_##v = vec_zero();
#define DECLARE_ROW(g, ...)         \
    EACH_VECTOR(DECLARE_GENERAL, g) \
    const uint8_t *const tbl##g = general > g ? pass->tbl[g] : NULL;
#define DECLARE_SPECIAL(v, ...) vec p##v = vec_zero(), q##v = horner_open(vec_zero());
    EACH_ROW(DECLARE_ROW)
    EACH_VECTOR(DECLARE_SPECIAL)

    /* Source j: its vectors x0, x1, ..., and what they are multiplied as, tx0... */
#define LOAD(v, x, s)                           \
    vec x##v = vec_zero();                      \
    if (vectors > v)                            \
        x##v = load((s) + (v)*VEC_BYTES, part); \
    const terms t##x##v = terms_of(x##v);
#define SOURCE(x, j)                                                     \
    const uint8_t *s##x = pass->src[j];                                  \
    s##x = PQ_ALONE(special, general) && !s##x ? pxr_zeros : s##x + pos; \
    if (ahead)                                                           \
        prefetch_source(s##x, vectors);                                  \
    EACH_VECTOR(LOAD, x, s##x)

    const bool backwards = special >= PXR_SPECIAL_PQ;
#define AT(left) (backwards ? (left)-1 : pass->k - (left))
#if VERBS_PREPARE
#define COEF(g, j)                                                      \
    (ahead ? coef_prepared(pass->prepared[(j) * (size_t)general + (g)]) \
           : coef_load(tbl##g + PXR_TABLE * (j)))
#else
#define COEF(g, j) coef_load(tbl##g + PXR_TABLE * (j))
#endif
    for (; PAIR_SOURCES(general, ahead) && j >= 2; j -= 2) {
        SOURCE(x, AT(j))
        SOURCE(y, AT(j - 1))
#define ADD_SPECIAL(v, ...)                       \
    if (special >= PXR_SPECIAL_P && vectors > v)  \
        p##v = vec_xor3(p##v, x##v, y##v);        \
    if (special >= PXR_SPECIAL_PQ && vectors > v) \
        q##v = double_add_pair(q##v, x##v, y##v);
#define ADD_PRODUCT(v, g) \
    if (vectors > v)      \
        a##g##_##v = mul_add_pair(a##g##_##v, tx##v, c, ty##v, d);
#define ADD_ROW(g, ...)                    \
    if (general > g) {                     \
        const coef c = COEF(g, AT(j));     \
        const coef d = COEF(g, AT(j - 1)); \
        EACH_VECTOR(ADD_PRODUCT, g)        \
    }
        EACH_VECTOR(ADD_SPECIAL)
        EACH_ROW(ADD_ROW)
#undef ADD_SPECIAL
#undef ADD_PRODUCT
#undef ADD_ROW
    }
    for (; j > 0; j--) {
        SOURCE(x, AT(j))
#define ADD_SPECIAL(v, ...)                       \
    if (special >= PXR_SPECIAL_P && vectors > v)  \
        p##v = vec_xor(p##v, x##v);               \
    if (special >= PXR_SPECIAL_PQ && vectors > v) \
        q##v = double_add(q##v, x##v);
#define ADD_PRODUCT(v, g) \
    if (vectors > v)      \
        a##g##_##v = mul_add(a##g##_##v, tx##v, c);
#define ADD_ROW(g, ...)                \
    if (general > g) {                 \
        const coef c = COEF(g, AT(j)); \
        EACH_VECTOR(ADD_PRODUCT, g)    \
    }
        EACH_VECTOR(ADD_SPECIAL)
        EACH_ROW(ADD_ROW)
    }

#define CLOSE(v, ...)                             \
    if (special >= PXR_SPECIAL_PQ && vectors > v) \
        q##v = horner_close(q##v);
    EACH_VECTOR(CLOSE)

    /* F(result, its row, its vector) for all results */
#define RESULT_P(v, F)                           \
    if (special >= PXR_SPECIAL_P && vectors > v) \
        F(p##v, 0, v);
#define RESULT_Q(v, F)                            \
    if (special >= PXR_SPECIAL_PQ && vectors > v) \
        F(q##v, 1, v);
#define RESULT_GENERAL(v, g, F)     \
    if (general > g && vectors > v) \
        F(a##g##_##v, first + g, v);
#define RESULT_ROW(g, F) EACH_VECTOR(RESULT_GENERAL, g, F)
#define EACH_RESULT(F) EACH_VECTOR(RESULT_P, F) EACH_VECTOR(RESULT_Q, F) EACH_ROW(RESULT_ROW, F)
#define ADD_OLD(result, row, v)           \
    if (sink == SINK_COMPARE || old[row]) \
    result = vec_xor(result, load(old[row] + pos + (v)*VEC_BYTES, part))
#define COLLECT(result, row, v) difference = vec_or(difference, result)
#define SHIFT(v, ...) q##v = mul_add(vec_zero(), terms_of(q##v), c);
#define MIX(v, ...) q##v = mul_add_pair(vec_zero(), terms_of(p##v), c, terms_of(q##v), d);
#define FOLD(v, ...) p##v = vec_xor(p##v, q##v);

    if (sink == SINK_COMPARE) {
        uint8_t *const *const old = pass->dst;
        vec difference = vec_zero();
        EACH_RESULT(ADD_OLD)
        EACH_RESULT(COLLECT)
        return vec_any(difference);
    }
    if (__builtin_expect(pass->flags & ~(unsigned)PXR_STREAM, 0)) {
        if (PQ_ALONE(special, general) && pass->flags & PXR_SHIFT) {
            const coef c = coef_load(pass->tbl[0]);
            EACH_VECTOR(SHIFT)
        }
        if (pass->flags & PXR_ACCUMULATE) {
            uint8_t *const *const old = pass->dst + first + general;
            EACH_RESULT(ADD_OLD)
        }
        if (PQ_ALONE(special, general) && pass->flags & PXR_MIX) {
            const coef c = coef_load(pass->tbl[0]), d = coef_load(pass->tbl[1]);
            EACH_VECTOR(MIX)
        }
        if (PQ_ALONE(special, general) && pass->flags & PXR_FOLD) {
            EACH_VECTOR(FOLD)
        }
    }
#define FINISH(result, row, v) \
    finish(output_at(pass, row, pos + (v)*VEC_BYTES, ahead), result, part, pass->flags)
    EACH_RESULT(FINISH)
    return false;
#undef DECLARE_GENERAL
#undef DECLARE_ROW
#undef DECLARE_SPECIAL
#undef LOAD
#undef SOURCE
#undef AT
#undef COEF
#undef ADD_SPECIAL
#undef ADD_PRODUCT
#undef ADD_ROW
#undef CLOSE
#undef SHIFT
#undef RESULT_P
#undef RESULT_Q
#undef RESULT_GENERAL
#undef RESULT_ROW
#undef EACH_RESULT
#undef ADD_OLD
#undef COLLECT
#undef MIX
#undef FOLD
#undef FINISH
}

/*
 * Streaming stores need aligned addresses: the bytes before the first vector
 * boundary that all outputs share, or VEC_BYTES where they share none.
 */
PXR_INLINE size_t bytes_to_boundary(unsigned rows, uint8_t *const *dst)
{
    const size_t head = -(uintptr_t)dst[0] % VEC_BYTES;
    for (unsigned row = 1; row < rows; row++)
        if (-(uintptr_t)dst[row] % VEC_BYTES != head)
            return VEC_BYTES;
    return head;
}

/*
 * Whether a pass works ahead of its blocks: sources are prefetched, and coefficients
 * prepared.  P alone does little but load, which a prefetch is as well.  Measured on an
 * Emerald Rapids Xeon, checking P of 8 to 96 sources, with prefetch against without: in L1
 * 0.63, in L2 0.5 (96 sources) to 0.95, in L3 0.87 to 1.01.
 */
PXR_INLINE bool works_ahead(const int special, const int general, size_t len,
                            const struct pass *pass)
{
    const bool only_p = special == PXR_SPECIAL_P && general == 0;
    if (!PREFETCH_BYTES || only_p || len < PREFETCH_FROM)
        return false;
    if (general > 0)
        return !VERBS_PREPARE || pass->k <= PREPARED_SOURCES;
    return pass->flags & PXR_STREAM || PREFETCH_PQ(pass->k, len);
}

/* Blocks of `vectors` from pos on while they fit and none differs; returns how far
   they got. */
PXR_INLINE size_t blocks(const int special, const int general, const enum sink sink,
                         const int vectors, const bool ahead, const struct pass *pass,
                         size_t pos, size_t len)
{
    for (; len - pos >= (size_t)vectors * VEC_BYTES; pos += (size_t)vectors * VEC_BYTES)
        if (block(special, general, sink, vectors, ahead, pass, pos, 0))
            break;
    return pos;
}

/* The coefficients of the general rows, in the order in which blocks need them. */
PXR_INLINE void prepare(const int general, const struct pass *pass, prepared *to)
{
    for (size_t j = 0; j < pass->k; j++)
        for (int g = 0; g < general; g++)
            *to++ = coef_prepare(pass->tbl[g] + PXR_TABLE * j);
}

/* The largest blocks, the only ones that work ahead. */
PXR_INLINE size_t bulk(const int special, const int general, const enum sink sink, bool ahead,
                       struct pass pass, size_t pos, size_t len)
{
    enum { PREPARED = VERBS_PREPARE ? PREPARED_SOURCES * PXR_MAX_ROWS : 1 };
    const int vectors = VECTORS(special, general);
    if (PREFETCH_BYTES && ahead) {
        prepared coefficients[PREPARED];
        if (VERBS_PREPARE)
            prepare(general, &pass, coefficients);
        pass.prepared = coefficients;
        prefetch_heads(&pass);
        return blocks(special, general, sink, vectors, true, &pass, pos, len);
    }
    return blocks(special, general, sink, vectors, false, &pass, pos, len);
}

/* One block of `vectors` where it fits, and none if it is not smaller than `limit`. */
PXR_INLINE size_t rest(const int special, const int general, const int vectors, const int limit,
                       const struct pass *pass, size_t pos, size_t len)
{
    if (vectors >= limit || len - pos < (size_t)vectors * VEC_BYTES)
        return pos;
    block(special, general, SINK_STORE, vectors, false, pass, pos, 0);
    return pos + (size_t)vectors * VEC_BYTES;
}

/* The pass: an unaligned head when streaming, the largest blocks, at most one
   block of each smaller size, and the bytes that are left. */
PXR_INLINE void dot(const int special, const int general, size_t len, struct pass pass)
{
    const int vectors = VECTORS(special, general);
    const bool ahead = works_ahead(special, general, len, &pass);
    size_t pos = 0;
    if (VERBS_STREAM && pass.flags & PXR_STREAM) {
        const size_t head = bytes_to_boundary((unsigned)(special + general), pass.dst);
        if (head >= VEC_BYTES || head >= len) {
            pass.flags &= ~(unsigned)PXR_STREAM;
        } else if (head) {
            block(special, general, SINK_STORE, 1, false, &pass, 0, head);
            pos = head;
        }
    }
    pos = bulk(special, general, SINK_STORE, ahead, pass, pos, len);
    pos = rest(special, general, 2, vectors, &pass, pos, len);
    pos = rest(special, general, 1, vectors, &pass, pos, len);
    if (VERBS_STREAM && pass.flags & PXR_STREAM)
        stream_fence();
    if (len > pos)
        block(special, general, SINK_STORE, 1, false, &pass, pos, len - pos);
}

#define DOT(special, name, general)                                                       \
    static void dot_##name##_##general(size_t len, unsigned k, const uint8_t *const *tbl, \
                                       const uint8_t *const *src, uint8_t *const *dst,    \
                                       unsigned flags)                                    \
    {                                                                                     \
        dot(special, general, len, (struct pass){k, tbl, src, dst, flags, NULL});         \
    }

#ifdef DOT_BULK
/* Assembly for the whole vectors; the bytes that are left go through block().
   It has no streaming form, which is missed only where streaming is possible. */
#define DOT_GENERAL(general)                                                                   \
    DOT(PXR_SPECIAL_NONE, c, general)                                                          \
    static void dot_general_##general(size_t len, unsigned k, const uint8_t *const *tbl,       \
                                      const uint8_t *const *src, uint8_t *const *dst,          \
                                      unsigned flags)                                          \
    {                                                                                          \
        const size_t whole = len - len % VEC_BYTES;                                            \
        const struct pass pass = {k, tbl, src, dst, 0, NULL};                                  \
        if ((flags & PXR_STREAM && bytes_to_boundary(general, dst) < VEC_BYTES) ||             \
            flags & PXR_ACCUMULATE || whole == 0 || k == 0) {                                  \
            dot_c_##general(len, k, tbl, src, dst, flags);                                     \
            return;                                                                            \
        }                                                                                      \
        DOT_BULK(general)(whole, k, tbl, src, dst);                                            \
        if (len > whole)                                                                       \
            block(PXR_SPECIAL_NONE, general, SINK_STORE, 1, false, &pass, whole, len - whole); \
    }
#else
#define DOT_GENERAL(count) DOT(PXR_SPECIAL_NONE, general, count)
#endif

DOT_GENERAL(1)
DOT_GENERAL(2)
DOT_GENERAL(3)
DOT_GENERAL(4)
DOT_GENERAL(5)
DOT_GENERAL(6)
DOT(PXR_SPECIAL_P, p, 0)
DOT(PXR_SPECIAL_P, p, 1)
DOT(PXR_SPECIAL_P, p, 2)
DOT(PXR_SPECIAL_P, p, 3)
DOT(PXR_SPECIAL_P, p, 4)
DOT(PXR_SPECIAL_P, p, 5)
DOT(PXR_SPECIAL_PQ, pq, 0)
#if HORNER_GENERAL >= 4
DOT(PXR_SPECIAL_PQ, pq, 1)
DOT(PXR_SPECIAL_PQ, pq, 2)
DOT(PXR_SPECIAL_PQ, pq, 3)
DOT(PXR_SPECIAL_PQ, pq, 4)
#endif
