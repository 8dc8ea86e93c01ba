/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The body of the multi-output dot product, included by kernel_set.inc.h:
 *
 *     dst[s+g] = sum over j < k of coefficient(tbl[g], j) * src[j]
 *
 * behind s special rows: P, the plain sum, and Q, the sum of 2^j * src[j].
 */

/* Vectors that one prefetch is enough for: a cache line, of 64 bytes. */
#ifndef LINE_VECTORS
#define LINE_VECTORS (VEC_BYTES < 64 ? 64 / VEC_BYTES : 1)
#endif

/* What a pass works on. */
struct pass {
    size_t k;
    const uint8_t *rows; /* of general rows, one behind the other */
    const uint8_t *const *src;
    uint8_t *const *dst;
    uint32_t flags;
};

/*
 * How a pass goes about it, a constant wherever a body is expanded: the form of its
 * coefficients, whether it looks at the flags at all, and at its pointers, and in which order
 * it visits its sources.
 */
enum manner {
    FROM_TABLES = PXR_TABLES,
    FROM_MATRICES = PXR_MATRICES,
    FLAGGED = 2,
    ALL_PRESENT = 4, /* somebody has seen that no pointer is NULL */
    DOWNWARDS = 8    /* sources from the last to the first; without Q, one by one */
};
/* The form that dot takes. */
#define OWN_FORM (VERBS_MATRICES ? FROM_MATRICES : FROM_TABLES)
#define COEF_BYTES(manner) ((manner)&FROM_MATRICES ? sizeof(uint64_t) : (size_t)PXR_TABLE)

/* The pass that takes NULL for zeros, and the flags of its own. */
#define PQ_ALONE(special, general) ((special) == PXR_SPECIAL_PQ && (general) == 0)

/* What a block does with its results. */
enum sink {
    SINK_STORE,  /* write them, as the pass's flags say */
    SINK_COMPARE /* compare them with the outputs, which are only read */
};

/*
 * No load or store is moved across this by the compiler.  Vectors of two sources, loaded by
 * turns, make a loop over 2 KiB in an L1 cache now and then a fifth slower, for as long as it
 * lasts; one source behind the other never does.  Measured on a Granite Rapids Xeon, 8+4.
 * Passes that prefetch lose a fifth by turns always (6+3 of 16 and 64 KiB).  Where a source
 * takes no more than its loads, as in P, the order is left to the compiler.
 */
#define IN_THIS_ORDER() __asm__ volatile("" ::: "memory")

/* A vector of results goes to dst, and what comes behind is prefetched. */
PXR_INLINE void finish(uint8_t *dst, vec result, size_t part, uint32_t flags)
{
    if (PXR_OUTPUT_LINES(flags))
        __builtin_prefetch(dst + PXR_OUTPUT_LINES(flags) * 64, 1, 3);
    if (VERBS_STREAM && !part && flags & PXR_STREAM)
        vec_stream(dst, result);
    else
        store(dst, result, part);
}

/* The lines of the next block of a source but so many. */
PXR_INLINE void prefetch_source(const uint8_t *s, int vectors, uint32_t flags)
{
    s += PXR_SOURCE_LINES(flags) * 64;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v += LINE_VECTORS)
        __builtin_prefetch(s + v * VEC_BYTES, 0, 3);
}

#if VERBS_MATRICES
PXR_INLINE uint64_t matrix_at(const uint8_t *matrices, size_t j)
{
    uint64_t m;
    memcpy(&m, matrices + j * sizeof m, sizeof m);
    return m;
}
#endif

/* The first lines of every source, which no block is ahead of. */
PXR_INLINE void prefetch_heads(const struct pass *pass)
{
    for (size_t j = pass->k; j-- > 0;) {
        if (!pass->src[j])
            continue;
        for (unsigned line = 0; line < PXR_SOURCE_LINES(pass->flags); line++)
            __builtin_prefetch(pass->src[j] + line * 64, 0, 3);
    }
}

/*
 * One block: `vectors` (1 to 4) of them at pos of every output, of the last one the first
 * `part` bytes alone where part is not 0.  special, general, sink, manner and vectors are
 * constants wherever this is expanded, so each `if` on them vanishes.  The accumulators,
 * a<row>_<vector>, are named one by one instead of standing in an array because vectors of
 * scalable instruction sets cannot.  Returns whether a result differs from what the sink
 * compares it with.
 *
 * Sources are walked from the last to the first for Horner's rule:
 *     Q = x0 + 2*(x1 + 2*(x2 + ... + 2*x[k-1]))
 * and upwards without Q, since hardware prefetchers follow ascending addresses, and shards
 * often lie one behind the other; but downwards where the machine record says that it is the
 * better order.
 * All sources of a block are read before any output is written, so an output
 * may be one of the sources.
 * A block without flags that meets a pointer that is NULL writes nothing, and returns true,
 * but where all are known to be there.
 */
PXR_INLINE bool block(const int special, const int general, const enum sink sink,
                      const enum manner manner, const int vectors, const struct pass *pass,
                      size_t pos, size_t part)
{
    const unsigned first = (unsigned)special;
    const bool flagged = manner & FLAGGED;
    const bool guarded = !flagged && !(manner & ALL_PRESENT) && special == PXR_SPECIAL_NONE &&
                         sink == SINK_STORE;
    const uint32_t flags = flagged ? pass->flags : 0;
    const size_t row_bytes = COEF_BYTES(manner) * pass->k;
    size_t j = pass->k;

#define DECLARE_GENERAL(v, g) vec a##g##_##v = vec_zero();
#define DECLARE_ROW(g, ...)         \
    EACH_VECTOR(DECLARE_GENERAL, g) \
    const uint8_t *const tbl##g = general > g ? pass->rows + g * row_bytes : NULL;
#define DECLARE_SPECIAL(v, ...) vec p##v = vec_zero(), q##v = horner_open(vec_zero());
    EACH_ROW(DECLARE_ROW)
    EACH_VECTOR(DECLARE_SPECIAL)

    /* Source j: its vectors x0, x1, ..., and what they are multiplied as, tx0... */
#define PART(v) ((v) == vectors - 1 ? part : 0)
#define LOAD(v, x, s)                              \
    vec x##v = vec_zero();                         \
    if (vectors > v)                               \
        x##v = load((s) + (v)*VEC_BYTES, PART(v)); \
    const terms t##x##v = terms_of(x##v);
#define SOURCE(x, j)                                                     \
    const uint8_t *s##x = pass->src[j];                                  \
    if (guarded && !s##x)                                                \
        return true;                                                     \
    s##x = PQ_ALONE(special, general) && !s##x ? pxr_zeros : s##x + pos; \
    if (flagged && PXR_SOURCE_LINES(flags))                              \
        prefetch_source(s##x, vectors, flags);                           \
    EACH_VECTOR(LOAD, x, s##x)

    const bool backwards = special >= PXR_SPECIAL_PQ || manner & DOWNWARDS;
#define AT(left) (backwards ? (left)-1 : pass->k - (left))
#if VERBS_MATRICES
#define COEF(g, j)                                                 \
    (manner & FROM_MATRICES ? coef_of_matrix(matrix_at(tbl##g, j)) \
                            : coef_load(tbl##g + PXR_TABLE * (j)))
#else
#define COEF(g, j) coef_load(tbl##g + PXR_TABLE * (j))
#endif
    const bool one_by_one = special < PXR_SPECIAL_PQ && manner & DOWNWARDS;
    for (; PAIR_SOURCES(general) && !one_by_one && j >= 2; j -= 2) {
        SOURCE(x, AT(j))
        if (general > 0)
            IN_THIS_ORDER();
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
    result = vec_xor(result, load(old[row] + pos + (v)*VEC_BYTES, PART(v)))
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
    if (__builtin_expect(flags & PXR_CHANGES, 0)) {
        if (PQ_ALONE(special, general) && flags & PXR_SHIFT) {
            const coef c = coef_load(pass->rows);
            EACH_VECTOR(SHIFT)
        }
        if (flags & PXR_ACCUMULATE) {
            uint8_t *const *const old = pass->dst + first + general;
            EACH_RESULT(ADD_OLD)
        }
        if (PQ_ALONE(special, general) && flags & PXR_MIX) {
            const coef c = coef_load(pass->rows), d = coef_load(pass->rows + PXR_TABLE);
            EACH_VECTOR(MIX)
        }
        if (PQ_ALONE(special, general) && flags & PXR_FOLD) {
            EACH_VECTOR(FOLD)
        }
    }
#define GUARD(g, ...)                            \
    if (guarded && general > g && !pass->dst[g]) \
        return true;
    EACH_ROW(GUARD)
    /* An output's address is loaded once for all its vectors: what is stored might be another
       one, as far as the compiler knows. */
#define OUTPUT(row) uint8_t *const out = pass->dst[row] + pos
#define FINISH(result, row, v) finish(out + (v)*VEC_BYTES, result, PART(v), flags)
#define FINISH_ROW(g, ...)                     \
    if (general > g) {                         \
        OUTPUT(first + g);                     \
        EACH_VECTOR(RESULT_GENERAL, g, FINISH) \
    }
    if (special >= PXR_SPECIAL_P) {
        OUTPUT(0);
        EACH_VECTOR(RESULT_P, FINISH)
    }
    if (special >= PXR_SPECIAL_PQ) {
        OUTPUT(1);
        EACH_VECTOR(RESULT_Q, FINISH)
    }
    EACH_ROW(FINISH_ROW)
    return false;
#undef DECLARE_GENERAL
#undef DECLARE_ROW
#undef DECLARE_SPECIAL
#undef PART
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
#undef GUARD
#undef OUTPUT
#undef FINISH
#undef FINISH_ROW
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

/* Blocks of `vectors` from pos on while they fit and none differs; returns how far
   they got. */
PXR_INLINE size_t blocks(const int special, const int general, const enum sink sink,
                         const enum manner manner, const int vectors, const struct pass *pass,
                         size_t pos, size_t len)
{
    for (; len - pos >= (size_t)vectors * VEC_BYTES; pos += (size_t)vectors * VEC_BYTES)
        if (block(special, general, sink, manner, vectors, pass, pos, 0))
            break;
    return pos;
}

/* The largest blocks, or smaller ones where that is asked for; no others prefetch. */
PXR_INLINE size_t bulk(const int special, const int general, const enum sink sink,
                       const enum manner manner, const struct pass *pass, size_t pos,
                       size_t len)
{
    const int vectors = VECTORS(special, general), few = vectors < 2 ? vectors : 2;
    if (manner & DOWNWARDS)
        return blocks(special, general, sink, manner, few, pass, pos, len);
    if (!(manner & FLAGGED))
        return blocks(special, general, sink, manner, vectors, pass, pos, len);
    prefetch_heads(pass);
    if (pass->flags & PXR_DOWNWARDS)
        pos = blocks(special, general, sink, manner | DOWNWARDS, few, pass, pos, len);
    else if (few < vectors && pass->flags & PXR_SMALL_BLOCKS)
        pos = blocks(special, general, sink, manner, few, pass, pos, len);
    return blocks(special, general, sink, manner, vectors, pass, pos, len);
}

/*
 * What is left of every output behind the largest blocks, as one block of at least `least`
 * vectors: the sources are walked once for it, however many vectors it has.  More is left only
 * where the largest blocks met a pointer that is NULL.
 */
PXR_INLINE bool rest(const int special, const int general, const enum manner manner,
                     const int least, const struct pass *pass, size_t pos, size_t left)
{
    const int most = VECTORS(special, general);
#define REST(vectors)                                                          \
    if (least <= vectors && vectors <= most && left <= vectors * VEC_BYTES) {  \
        return block(special, general, SINK_STORE, manner, vectors, pass, pos, \
                     left - (vectors - 1) * VEC_BYTES);                        \
    }
    REST(1)
    REST(2)
    REST(3)
    REST(4)
    return true;
#undef REST
}

/* The bytes before the vector boundary that outputs to be streamed share.  Where they share
   none, or the pass is too short to reach it, it does not stream. */
PXR_INLINE size_t head(const int special, const int general, size_t len, struct pass *pass)
{
    if (!VERBS_STREAM || !(pass->flags & PXR_STREAM))
        return 0;
    const size_t bytes = bytes_to_boundary((unsigned)(special + general), pass->dst);
    if (bytes < VEC_BYTES && bytes < len)
        return bytes;
    pass->flags &= ~(uint32_t)PXR_STREAM;
    return 0;
}

/* The largest blocks with flags; behind them, all stores are in order again, and nothing is
   prefetched any more. */
PXR_INLINE size_t flagged(const int special, const int general, struct pass *pass, size_t pos,
                          size_t len)
{
    pos = bulk(special, general, SINK_STORE, OWN_FORM | FLAGGED, pass, pos, len);
    if (VERBS_STREAM && pass->flags & PXR_STREAM)
        stream_fence();
    pass->flags &= PXR_CHANGES;
    return pos;
}

/* ------------------------------------------------------------ the functions -- */

#define PASS_ARGUMENTS \
    size_t len, unsigned k, const uint8_t *rows, const uint8_t *const *src, uint8_t *const *dst

/* These return what block() does. */

/* A pass of up to a vector: a whole one apart from a part of one, for whoever reads it next
   gets it faster when it was stored as a whole. */
PXR_INLINE bool up_to_vector(const int general, const enum manner manner,
                             const struct pass *pass, size_t pos, size_t len)
{
    if (len == VEC_BYTES)
        return block(PXR_SPECIAL_NONE, general, SINK_STORE, manner, 1, pass, pos, 0);
    return len > 0 && block(PXR_SPECIAL_NONE, general, SINK_STORE, manner, 1, pass, pos, len);
}

/* A pass of more than a vector: the largest blocks, and behind them two vectors that are stored
   as such, or more than a vector otherwise.  *pos becomes where up to a vector is left. */
PXR_INLINE bool beyond_vector(const int general, const enum manner manner,
                              const struct pass *pass, size_t *pos, size_t end)
{
    const size_t at = bulk(PXR_SPECIAL_NONE, general, SINK_STORE, manner, pass, *pos, end);
    const size_t left = end - at;
    *pos = left <= VEC_BYTES ? at : end;
    if (left <= VEC_BYTES)
        return false;
    if (VECTORS(0, general) > 2 && left == 2 * VEC_BYTES)
        return block(PXR_SPECIAL_NONE, general, SINK_STORE, manner, 2, pass, at, 0);
    return rest(PXR_SPECIAL_NONE, general, manner, 2, pass, at, left);
}

/* Whether a pass of more than a vector is one for assembly: in shorter ones looking at all
   pointers first takes longer than it gains. */
#ifdef DOT_BULK
#define ASSEMBLY_FROM 256
#define IF_ASSEMBLED(general)          \
    if (k > 0 && len >= ASSEMBLY_FROM) \
        return assembled_##general(len, k, rows, src, dst, pos, false);
#else
#define IF_ASSEMBLED(general)
#endif

/* Without a flag.  Up to a vector stands apart from what is longer, for it needs hardly a
   register to be saved. */
#define PLAIN(name, manner, general)                                                    \
    static bool plain_##name##_##general(PASS_ARGUMENTS, size_t pos);                   \
    static __attribute__((noinline)) bool plain_##name##_long_##general(PASS_ARGUMENTS, \
                                                                        size_t pos)     \
    {                                                                                   \
        IF_ASSEMBLED(general)                                                           \
        const struct pass pass = {k, rows, src, dst, 0};                                \
        const size_t end = pos + len;                                                   \
        const bool null = beyond_vector(general, manner, &pass, &pos, end);             \
        if (pos < end)                                                                  \
            return plain_##name##_##general(end - pos, k, rows, src, dst, pos);         \
        return null;                                                                    \
    }                                                                                   \
    static bool plain_##name##_##general(PASS_ARGUMENTS, size_t pos)                    \
    {                                                                                   \
        const struct pass pass = {k, rows, src, dst, 0};                                \
        if (len > VEC_BYTES)                                                            \
            return plain_##name##_long_##general(len, k, rows, src, dst, pos);          \
        return up_to_vector(general, manner, &pass, pos, len);                          \
    }

#if VERBS_MATRICES
#define PLAIN_OWN(general) plain_matrices_##general
#define PLAIN_GENERAL(general)          \
    PLAIN(tables, FROM_TABLES, general) \
    PLAIN(matrices, FROM_MATRICES, general)
#else
#define PLAIN_OWN(general) plain_tables_##general
#ifdef DOT_BULK
/* Assembly takes the whole vectors of at least one source, and its pointers as they are. */
#define PLAIN_GENERAL(general)                                                      \
    static bool plain_tables_##general(PASS_ARGUMENTS, size_t pos);                 \
    static bool assembled_##general(PASS_ARGUMENTS, size_t pos, bool ahead)         \
    {                                                                               \
        const size_t whole = len - len % VEC_BYTES;                                 \
        if (!pxr_call_present(k, src, general, dst))                                \
            return true;                                                            \
        if (ahead)                                                                  \
            DOT_BULK_AHEAD(general)(whole, k, rows, src, dst, pos);                 \
        else                                                                        \
            DOT_BULK(general)(whole, k, rows, src, dst, pos);                       \
        return plain_tables_##general(len - whole, k, rows, src, dst, pos + whole); \
    }                                                                               \
    PLAIN(tables, FROM_TABLES, general)
#else
#define PLAIN_GENERAL(general) PLAIN(tables, FROM_TABLES, general)
#endif
#endif

/* Without a flag, or with DOWNWARDS alone: the pointers are all that sets it apart from a plain
   pass. */
#define UNFLAGGED_GENERAL(how, order, name, general)                               \
    static __attribute__((noinline)) void how##_##name##_##general(PASS_ARGUMENTS) \
    {                                                                              \
        const struct pass pass = {k, rows, src, dst, 0};                           \
        const size_t pos = bulk(PXR_SPECIAL_NONE, general, SINK_STORE,             \
                                OWN_FORM | ALL_PRESENT | (order), &pass, 0, len);  \
        PLAIN_OWN(general)(len - pos, k, rows, src, dst, pos);                     \
    }

/* With flags, the ends are plain passes, but where a pass adds to its outputs, which is rare,
   does not stream, and is done a vector at a time there. */
#define FLAGGED_GENERAL(name, general)                                                      \
    UNFLAGGED_GENERAL(upwards, 0, name, general)                                            \
    UNFLAGGED_GENERAL(downwards, DOWNWARDS, name, general)                                  \
    static void name##_##general(PASS_ARGUMENTS, uint32_t flags)                            \
    {                                                                                       \
        if (!flags) {                                                                       \
            upwards_##name##_##general(len, k, rows, src, dst);                             \
            return;                                                                         \
        }                                                                                   \
        if (flags == PXR_DOWNWARDS) {                                                       \
            downwards_##name##_##general(len, k, rows, src, dst);                           \
            return;                                                                         \
        }                                                                                   \
        if (flags & PXR_ACCUMULATE)                                                         \
            flags &= ~(uint32_t)PXR_STREAM;                                                 \
        struct pass pass = {k, rows, src, dst, flags};                                      \
        size_t pos = head(PXR_SPECIAL_NONE, general, len, &pass);                           \
        if (pos > 0)                                                                        \
            PLAIN_OWN(general)(pos, k, rows, src, dst, 0);                                  \
        pos = flagged(PXR_SPECIAL_NONE, general, &pass, pos, len);                          \
        if (!pass.flags && len > pos)                                                       \
            PLAIN_OWN(general)(len - pos, k, rows, src, dst, pos);                          \
        if (!pass.flags)                                                                    \
            return;                                                                         \
        for (size_t n; pos < len; pos += n) {                                               \
            n = len - pos < VEC_BYTES ? len - pos : VEC_BYTES;                              \
            block(PXR_SPECIAL_NONE, general, SINK_STORE, OWN_FORM | FLAGGED, 1, &pass, pos, \
                  n);                                                                       \
        }                                                                                   \
    }

#ifdef DOT_BULK
/* The assembly has no streaming form, which is missed only where streaming is possible, adds to
   no outputs, and walks the sources upwards. */
#define DOT_GENERAL(general)                                                              \
    PLAIN_GENERAL(general)                                                                \
    FLAGGED_GENERAL(dot_c, general)                                                       \
    static void dot_general_##general(PASS_ARGUMENTS, uint32_t flags)                     \
    {                                                                                     \
        if ((flags & PXR_STREAM && bytes_to_boundary(general, dst) < VEC_BYTES) ||        \
            flags & (PXR_ACCUMULATE | PXR_DOWNWARDS))                                     \
            dot_c_##general(len, k, rows, src, dst, flags);                               \
        else if (k > 0 && len >= ASSEMBLY_FROM)                                           \
            assembled_##general(len, k, rows, src, dst, 0, PXR_SOURCE_LINES(flags) != 0); \
        else                                                                              \
            plain_tables_##general(len, k, rows, src, dst, 0);                            \
    }
#else
#define DOT_GENERAL(general) \
    PLAIN_GENERAL(general)   \
    FLAGGED_GENERAL(dot_general, general)
#endif

/* A pass without flags does not ask for them at every source: P does so little that xor_gen of
   4 KiB takes a tenth longer with the questions.  It looks at no pointer either way. */
#define UNFLAGGED_SPECIAL(how, order, special, name, general)                        \
    static __attribute__((noinline))                                                 \
    size_t how##_##name##_##general(const struct pass *pass, size_t len)             \
    {                                                                                \
        return bulk(special, general, SINK_STORE, OWN_FORM | (order), pass, 0, len); \
    }
#define DOT_SPECIAL(special, name, general)                                                    \
    static __attribute__((noinline)) void rest_##name##_##general(const struct pass *pass,     \
                                                                  size_t pos, size_t left)     \
    {                                                                                          \
        rest(special, general, OWN_FORM | FLAGGED, 1, pass, pos, left);                        \
    }                                                                                          \
    UNFLAGGED_SPECIAL(upwards, 0, special, name, general)                                      \
    UNFLAGGED_SPECIAL(downwards, DOWNWARDS, special, name, general)                            \
    static void dot_##name##_##general(PASS_ARGUMENTS, uint32_t flags)                         \
    {                                                                                          \
        struct pass pass = {k, rows, src, dst, flags};                                         \
        size_t pos = head(special, general, len, &pass);                                       \
        if (pos > 0)                                                                           \
            rest_##name##_##general(&(struct pass){k, rows, src, dst, flags & PXR_CHANGES}, 0, \
                                    pos);                                                      \
        if (pass.flags == PXR_DOWNWARDS)                                                       \
            pos = downwards_##name##_##general(&pass, len);                                    \
        else if (pass.flags)                                                                   \
            pos = flagged(special, general, &pass, pos, len);                                  \
        else                                                                                   \
            pos = upwards_##name##_##general(&pass, len);                                      \
        if (len > pos)                                                                         \
            rest_##name##_##general(&pass, pos, len - pos);                                    \
    }

DOT_GENERAL(1)
DOT_GENERAL(2)
DOT_GENERAL(3)
DOT_GENERAL(4)
DOT_GENERAL(5)
DOT_GENERAL(6)
DOT_SPECIAL(PXR_SPECIAL_P, p, 0)
DOT_SPECIAL(PXR_SPECIAL_P, p, 1)
DOT_SPECIAL(PXR_SPECIAL_P, p, 2)
DOT_SPECIAL(PXR_SPECIAL_P, p, 3)
DOT_SPECIAL(PXR_SPECIAL_P, p, 4)
DOT_SPECIAL(PXR_SPECIAL_P, p, 5)
DOT_SPECIAL(PXR_SPECIAL_PQ, pq, 0)
#if HORNER_GENERAL >= 4
DOT_SPECIAL(PXR_SPECIAL_PQ, pq, 1)
DOT_SPECIAL(PXR_SPECIAL_PQ, pq, 2)
DOT_SPECIAL(PXR_SPECIAL_PQ, pq, 3)
DOT_SPECIAL(PXR_SPECIAL_PQ, pq, 4)
#endif
