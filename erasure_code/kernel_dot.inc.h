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
 */
#define PREFETCH_BYTES 512
#define PREFETCH_FROM 1024

/* What a pass works on. */
struct pass {
    size_t k;
    const uint8_t *const *tbl;
    const uint8_t *const *src;
    uint8_t *const *dst;
    bool stream; /* write whole vectors around the caches */
};

PXR_INLINE void finish(const struct pass *pass, unsigned row, size_t pos, size_t part, vec v)
{
    if (!part && pass->stream)
        vec_stream(pass->dst[row] + pos, v);
    else
        store(pass->dst[row] + pos, v, part);
}

PXR_INLINE void prefetch_source(const uint8_t *s, int vectors)
{
    for (int line = 0; line < vectors * VEC_BYTES; line += 64)
        __builtin_prefetch(s + PREFETCH_BYTES + line, 0, 3);
}

/* The first PREFETCH_BYTES of every source, which no block is ahead of. */
PXR_INLINE void prefetch_heads(const struct pass *pass)
{
    for (size_t j = pass->k; j-- > 0;)
        for (int line = 0; line < PREFETCH_BYTES; line += 64)
            __builtin_prefetch(pass->src[j] + line, 0, 3);
}

/*
 * One block: `vectors` (1 or 2) of them at pos of every output.  special,
 * general, vectors and prefetch are constants wherever this is expanded, so each
 * `if` on them vanishes.  The accumulators are named one by one instead of
 * standing in an array because vectors of scalable instruction sets cannot.
 *
 * Sources are walked from the last to the first for Horner's rule:
 *     Q = x0 + 2*(x1 + 2*(x2 + ... + 2*x[k-1]))
 * All sources of a block are read before any output is written, so an output
 * may be one of the sources.
 */
PXR_INLINE void block(const int special, const int general, const int vectors,
                      const int prefetch, const struct pass *pass, size_t pos, size_t part)
{
    const unsigned first = (unsigned)special;

#define SECOND(statement) \
    if (vectors == 2) {   \
        statement;        \
    }
#define DECLARE(g)                            \
    vec a##g = vec_zero(), b##g = vec_zero(); \
    const uint8_t *const tbl##g = general > g ? pass->tbl[g] : NULL;

    vec p = vec_zero(), p2 = vec_zero();
    vec q = horner_open(vec_zero()), q2 = q;
    EACH_ROW(DECLARE)

    for (size_t j = pass->k; j-- > 0;) {
        const uint8_t *const s = pass->src[j] + pos;
        if (prefetch)
            prefetch_source(s, vectors);
        const vec x = load(s, part);
        const vec x2 = vectors == 2 ? vec_load(s + VEC_BYTES) : vec_zero();
        const terms t = terms_of(x), t2 = terms_of(x2);
        if (special >= PXR_SPECIAL_P) {
            p = vec_xor(p, x);
            SECOND(p2 = vec_xor(p2, x2))
        }
        if (special >= PXR_SPECIAL_PQ) {
            q = double_add(q, x);
            SECOND(q2 = double_add(q2, x2))
        }
#define MULTIPLY(g)                                       \
    if (general > g) {                                    \
        const coef c = coef_load(tbl##g + PXR_TABLE * j); \
        a##g = mul_add(a##g, t, c);                       \
        SECOND(b##g = mul_add(b##g, t2, c))               \
    }
        EACH_ROW(MULTIPLY)
#undef MULTIPLY
    }

#define FINISH(row, v, v2)           \
    finish(pass, row, pos, part, v); \
    SECOND(finish(pass, row, pos + VEC_BYTES, part, v2))
#define FINISH_GENERAL(g)             \
    if (general > g) {                \
        FINISH(first + g, a##g, b##g) \
    }
    if (special >= PXR_SPECIAL_P) {
        FINISH(0, p, p2)
    }
    if (special >= PXR_SPECIAL_PQ) {
        FINISH(1, horner_close(q), horner_close(q2))
    }
    EACH_ROW(FINISH_GENERAL)
#undef FINISH_GENERAL
#undef FINISH
#undef DECLARE
#undef SECOND
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

/* The pass: an unaligned head when streaming, blocks of two vectors, at most
   one block of one vector, and the bytes that are left. */
PXR_INLINE void dot(const int special, const int general, size_t len, struct pass pass)
{
    size_t pos = 0;
    if (pass.stream) {
        const size_t head = bytes_to_boundary((unsigned)(special + general), pass.dst);
        if (head >= VEC_BYTES || head >= len) {
            pass.stream = false;
        } else if (head) {
            block(special, general, 1, 0, &pass, 0, head);
            pos = head;
        }
    }
    if (len >= PREFETCH_FROM) {
        prefetch_heads(&pass);
        for (; len - pos >= 2 * VEC_BYTES; pos += 2 * VEC_BYTES)
            block(special, general, 2, 1, &pass, pos, 0);
    } else {
        for (; len - pos >= 2 * VEC_BYTES; pos += 2 * VEC_BYTES)
            block(special, general, 2, 0, &pass, pos, 0);
    }
    if (len - pos >= VEC_BYTES) {
        block(special, general, 1, 0, &pass, pos, 0);
        pos += VEC_BYTES;
    }
    if (pass.stream)
        stream_fence();
    if (len > pos)
        block(special, general, 1, 0, &pass, pos, len - pos);
}

#define DOT(special, name, general)                                                       \
    static void dot_##name##_##general(size_t len, unsigned k, const uint8_t *const *tbl, \
                                       const uint8_t *const *src, uint8_t *const *dst,    \
                                       unsigned flags)                                    \
    {                                                                                     \
        const bool stream = flags & PXR_STREAM;                                           \
        dot(special, general, len, (struct pass){k, tbl, src, dst, stream});              \
    }

#ifdef DOT_BULK
/* Assembly for the whole vectors; the bytes that are left go through block().
   It has no streaming form, which is missed only where streaming is possible. */
#define DOT_GENERAL(general)                                                             \
    DOT(PXR_SPECIAL_NONE, c, general)                                                    \
    static void dot_general_##general(size_t len, unsigned k, const uint8_t *const *tbl, \
                                      const uint8_t *const *src, uint8_t *const *dst,    \
                                      unsigned flags)                                    \
    {                                                                                    \
        const size_t whole = len - len % VEC_BYTES;                                      \
        const struct pass pass = {k, tbl, src, dst, false};                              \
        if ((flags & PXR_STREAM && bytes_to_boundary(general, dst) < VEC_BYTES) ||       \
            whole == 0 || k == 0) {                                                      \
            dot_c_##general(len, k, tbl, src, dst, flags);                               \
            return;                                                                      \
        }                                                                                \
        DOT_BULK(general)(whole, k, tbl, src, dst);                                      \
        if (len > whole)                                                                 \
            block(PXR_SPECIAL_NONE, general, 1, 0, &pass, whole, len - whole);           \
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
#if HORNER_GENERAL >= 0
DOT(PXR_SPECIAL_PQ, pq, 0)
#endif
#if HORNER_GENERAL >= 4
DOT(PXR_SPECIAL_PQ, pq, 1)
DOT(PXR_SPECIAL_PQ, pq, 2)
DOT(PXR_SPECIAL_PQ, pq, 3)
DOT(PXR_SPECIAL_PQ, pq, 4)
#endif
