/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes of the dot product, included by kernel_set.inc.h: blocks, one behind the other, in the
   ways that the flags ask for. */

/*
 * Streaming stores need aligned addresses.  Returns the number of bytes before the first vector
 * boundary that all outputs share, or VEC_BYTES if they share none.
 */
PXR_INLINE size_t bytes_to_boundary(unsigned rows, uint8_t *const *dst)
{
    const size_t head = -(uintptr_t)dst[0] % VEC_BYTES;
    for (unsigned row = 1; row < rows; row++)
        if (-(uintptr_t)dst[row] % VEC_BYTES != head)
            return VEC_BYTES;
    return head;
}

/* Runs blocks of general rows, of which each loads the first sources of the next one.  There
   are at least two sources, and room for at least two blocks. */
PXR_INLINE size_t blocks_ahead(const int general, const enum manner manner, const int vectors,
                               const struct pass *pass, size_t pos, size_t len)
{
    const size_t bytes = (size_t)vectors * VEC_BYTES;
    struct handover handover;
    load_ahead(vectors, pass->src, pos, manner & FLAGGED ? pass->flags : 0, &handover);
    do {
        handover.more = len - pos >= 2 * bytes;
        if (block_of(PXR_SPECIAL_NONE, general, SINK_STORE, manner | AHEAD, vectors, pass, pos,
                     0, &handover))
            break;
        pos += bytes;
    } while (handover.more);
    return pos;
}

/* Whether blocks load ahead.  A pass with flags does so only if it has enough sources, and not
   if it prefetches these within the caches: they arrive in time there, and loading ahead as
   well takes a twentieth longer.  Only passes from memory stream. */
PXR_INLINE bool loads_ahead(const int special, const enum sink sink, const enum manner manner,
                            const int vectors, const struct pass *pass, size_t len)
{
    enum { LEAST = 2, LEAST_FLAGGED = 5 };
    if (!VERBS_AHEAD || special != PXR_SPECIAL_NONE || sink != SINK_STORE ||
        (manner & ~(ALL_PRESENT | FLAGGED)) != FROM_MATRICES ||
        len < (size_t)vectors * VEC_BYTES * 2)
        return false;
    if (manner & FLAGGED && (pass->k < LEAST_FLAGGED ||
                             (PXR_SOURCE_LINES(pass->flags) && !(pass->flags & PXR_STREAM))))
        return false;
    return pass->k >= LEAST && pass->src[0] && pass->src[1];
}

/* Runs blocks of `vectors` from pos on, while they fit and none differs.  Returns where they
   ended. */
PXR_INLINE size_t blocks(const int special, const int general, const enum sink sink,
                         const enum manner manner, const int vectors, const struct pass *pass,
                         size_t pos, size_t len)
{
    if (loads_ahead(special, sink, manner, vectors, pass, len - pos))
        return blocks_ahead(general, manner, vectors, pass, pos, len);
    for (; len - pos >= (size_t)vectors * VEC_BYTES; pos += (size_t)vectors * VEC_BYTES)
        if (block(special, general, sink, manner, vectors, pass, pos, 0))
            break;
    return pos;
}

/* Runs the largest blocks, or smaller ones where the flags ask for these.  Only these blocks
   prefetch.  Into L2 it is always by the largest blocks, upwards.  Testing that flag at every
   source would make calls of fifteen and sixteen sources from memory up to 1.4 times as long on
   a Zen 4. */
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
    if (pass->flags & PXR_AHEAD_L2)
        return blocks(special, general, sink, manner | INTO_L2, vectors, pass, pos, len);
    if (pass->flags & PXR_DOWNWARDS)
        pos = blocks(special, general, sink, manner | DOWNWARDS, few, pass, pos, len);
    else if (few < vectors && pass->flags & PXR_SMALL_BLOCKS)
        pos = blocks(special, general, sink, manner, few, pass, pos, len);
    return blocks(special, general, sink, manner, vectors, pass, pos, len);
}

/*
 * Computes what is left of every output behind the largest blocks, as one block of at least
 * `least` vectors.  So the sources are visited once for it, however many vectors it has.  More
 * than such a block is left only where the largest blocks met a NULL pointer.
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

/* Returns the number of bytes before the vector boundary that all streamed outputs share.  If
   they share none, or the pass is too short to reach it, the pass does not stream. */
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

/* Runs the largest blocks with flags.  Behind them all stores are in order again, and nothing
   more is prefetched. */
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

/* The next functions return what block() returns. */

/* A pass of up to a vector.  A whole vector is handled apart from a part of one: a later load
   of the result is faster when it was stored as a whole. */
PXR_INLINE bool up_to_vector(const int general, const enum manner manner,
                             const struct pass *pass, size_t pos, size_t len)
{
    if (len == VEC_BYTES)
        return block(PXR_SPECIAL_NONE, general, SINK_STORE, manner, 1, pass, pos, 0);
    return len > 0 && block(PXR_SPECIAL_NONE, general, SINK_STORE, manner, 1, pass, pos, len);
}

/* A pass of more than a vector: the largest blocks, and behind them either two vectors that are
   stored as whole vectors, or a block of more than one vector. *pos becomes the place from
   which at most a vector is left. */
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

/* Whether assembly handles a pass of more than a vector.  In shorter passes, looking at all
   pointers first takes longer than assembly gains. */
#ifdef DOT_BULK
#define ASSEMBLY_FROM 256
#define IF_ASSEMBLED(general)          \
    if (k > 0 && len >= ASSEMBLY_FROM) \
        return assembled_##general(len, k, rows, src, dst, pos, false);
#else
#define IF_ASSEMBLED(general)
#endif

/*
 * Whether the first block of a pass keeps the matrices of its tables, and the other blocks use
 * these.  A look-up loads from the table and then from 2 KiB of matrices, which lie at half the
 * places of a page, so it often waits for a store (see struct handover).  Keeping costs a store
 * for each coefficient.  From these lengths on it was a gain on a Zen 4, on average over places
 * of the buffers; doc/machine-looks.md has the figures.  A pass of one row has few look-ups.
 */
#if VERBS_MATRICES
enum { KEPT_MOST = 128 };
#define KEPT_FROM(general) ((general) > 2 ? 12 * VEC_BYTES : 768)
#define IF_KEPT_tables(general)                                                 \
    if ((general) > 1 && len >= KEPT_FROM(general) && (general)*k <= KEPT_MOST) \
        return kept_##general(len, k, rows, src, dst, pos);
#define KEPT_GENERAL(general)                                                            \
    static __attribute__((noinline)) int kept_##general(PASS_ARGUMENTS, size_t pos)      \
    {                                                                                    \
        enum { MOST = VECTORS(PXR_SPECIAL_NONE, general), BYTES = MOST * VEC_BYTES };    \
        uint64_t kept[KEPT_MOST];                                                        \
        const struct pass pass = {k, rows, src, dst, 0};                                 \
        if (block_of(PXR_SPECIAL_NONE, general, SINK_STORE, FROM_TABLES | KEEPING, MOST, \
                     &pass, pos, 0, &(struct handover){.kept = kept}))                   \
            return true;                                                                 \
        return plain_matrices_##general(len - BYTES, k, (const uint8_t *)kept, src, dst, \
                                        pos + BYTES);                                    \
    }
#else
#define IF_KEPT_tables(general)
#endif
#define IF_KEPT_matrices(general)

/* Passes without a flag.  A pass of up to a vector is a function apart from longer ones,
   because it needs hardly any register that has to be saved. */
#define PLAIN(name, manner, general)                                                        \
    static int plain_##name##_##general(PASS_ARGUMENTS, size_t pos);                        \
    static __attribute__((noinline)) int plain_##name##_long_##general(PASS_ARGUMENTS,      \
                                                                       size_t pos)          \
    {                                                                                       \
        IF_ASSEMBLED(general)                                                               \
        const struct pass pass = {k, rows, src, dst, 0};                                    \
        const size_t end = pos + len;                                                       \
        const bool null = beyond_vector(general, manner, &pass, &pos, end);                 \
        if (pos < end)                                                                      \
            return plain_##name##_##general(end - pos, k, rows, src, dst, pos);             \
        return null;                                                                        \
    }                                                                                       \
    static int plain_##name##_##general(PASS_ARGUMENTS, size_t pos)                         \
    {                                                                                       \
        const struct pass pass = {k, rows, src, dst, 0};                                    \
        if (len > VEC_BYTES) {                                                              \
            IF_KEPT_##name(general) return plain_##name##_long_##general(len, k, rows, src, \
                                                                         dst, pos);         \
        }                                                                                   \
        return up_to_vector(general, manner, &pass, pos, len);                              \
    }

#if VERBS_MATRICES
#define PLAIN_OWN(general) plain_matrices_##general
#define PLAIN_GENERAL(general)              \
    PLAIN(matrices, FROM_MATRICES, general) \
    KEPT_GENERAL(general)                   \
    PLAIN(tables, FROM_TABLES, general)
#else
#define PLAIN_OWN(general) plain_tables_##general
#ifdef DOT_BULK
/* The assembly handles the whole vectors of at least one source, and takes its pointers
   unchecked. */
#define PLAIN_GENERAL(general)                                                      \
    static int plain_tables_##general(PASS_ARGUMENTS, size_t pos);                  \
    static int assembled_##general(PASS_ARGUMENTS, size_t pos, bool ahead)          \
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

/* Passes without a flag, or with DOWNWARDS alone.  They differ from a plain pass only in not
   checking the pointers. */
#define UNFLAGGED_GENERAL(how, order, name, general)                               \
    static __attribute__((noinline)) void how##_##name##_##general(PASS_ARGUMENTS) \
    {                                                                              \
        const struct pass pass = {k, rows, src, dst, 0};                           \
        const size_t pos = bulk(PXR_SPECIAL_NONE, general, SINK_STORE,             \
                                OWN_FORM | ALL_PRESENT | (order), &pass, 0, len);  \
        PLAIN_OWN(general)(len - pos, k, rows, src, dst, pos);                     \
    }

/* A pass that takes flags.  Each kind of pass is a function of its own.  Otherwise every call
   saves the registers that the largest of them needs, which takes as long as P of two sources
   of 512 bytes. */
#define BY_FLAGS(name, general)                                        \
    static void name##_##general(PASS_ARGUMENTS, uint32_t flags)       \
    {                                                                  \
        if (!flags)                                                    \
            upwards_##name##_##general(len, k, rows, src, dst);        \
        else if (flags == PXR_DOWNWARDS)                               \
            downwards_##name##_##general(len, k, rows, src, dst);      \
        else                                                           \
            flagged_##name##_##general(len, k, rows, src, dst, flags); \
    }

/* With flags, the ends are plain passes.  The exception is a pass that adds to its outputs:
   such passes are rare and do not stream, and they handle their ends a vector at a time. */
#define FLAGGED_GENERAL(name, general)                                                      \
    UNFLAGGED_GENERAL(upwards, 0, name, general)                                            \
    UNFLAGGED_GENERAL(downwards, DOWNWARDS, name, general)                                  \
    static __attribute__((noinline)) void flagged_##name##_##general(PASS_ARGUMENTS,        \
                                                                     uint32_t flags)        \
    {                                                                                       \
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
    }                                                                                       \
    BY_FLAGS(name, general)

#ifdef DOT_BULK
/* The assembly has no streaming form, which matters only where streaming is possible.  It does
   not add to outputs, and it visits the sources upwards. */
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

/* A pass without flags does not test the flags at every source: P does so little work that
   xor_gen of 4 KiB takes a tenth longer with these tests.  It looks at no pointer in either
   case. */
#define UNFLAGGED_SPECIAL(how, order, special, name, general)                      \
    static __attribute__((noinline)) void how##_##name##_##general(PASS_ARGUMENTS) \
    {                                                                              \
        const struct pass pass = {k, rows, src, dst, 0};                           \
        const size_t pos =                                                         \
            bulk(special, general, SINK_STORE, OWN_FORM | (order), &pass, 0, len); \
        if (len > pos)                                                             \
            rest_##name##_##general(len - pos, k, rows, src, dst, pos);            \
    }
#define DOT_SPECIAL(special, name, general)                                                    \
    static __attribute__((noinline)) void rest_##name##_##general(PASS_ARGUMENTS, size_t pos)  \
    {                                                                                          \
        rest(special, general, OWN_FORM, 1, &(struct pass){k, rows, src, dst, 0}, pos, len);   \
    }                                                                                          \
    UNFLAGGED_SPECIAL(upwards, 0, special, name, general)                                      \
    UNFLAGGED_SPECIAL(downwards, DOWNWARDS, special, name, general)                            \
    static __attribute__((noinline)) void changed_##name##_##general(const struct pass *pass,  \
                                                                     size_t pos, size_t left)  \
    {                                                                                          \
        rest(special, general, OWN_FORM | FLAGGED, 1, pass, pos, left);                        \
    }                                                                                          \
    static __attribute__((noinline)) void flagged_##name##_##general(PASS_ARGUMENTS,           \
                                                                     uint32_t flags)           \
    {                                                                                          \
        struct pass pass = {k, rows, src, dst, flags};                                         \
        size_t pos = head(special, general, len, &pass);                                       \
        if (!pass.flags) {                                                                     \
            upwards_##name##_##general(len, k, rows, src, dst);                                \
            return;                                                                            \
        }                                                                                      \
        if (pos > 0)                                                                           \
            changed_##name##_##general(&(struct pass){k, rows, src, dst, flags & PXR_CHANGES}, \
                                       0, pos);                                                \
        pos = flagged(special, general, &pass, pos, len);                                      \
        if (len > pos)                                                                         \
            changed_##name##_##general(&pass, pos, len - pos);                                 \
    }                                                                                          \
    BY_FLAGS(name, general)

DOT_GENERAL(1)
DOT_GENERAL(2)
DOT_GENERAL(3)
DOT_GENERAL(4)
DOT_GENERAL(5)
DOT_GENERAL(6)
DOT_SPECIAL(PXR_SPECIAL_P, dot_p, 0)
DOT_SPECIAL(PXR_SPECIAL_P, dot_p, 1)
DOT_SPECIAL(PXR_SPECIAL_P, dot_p, 2)
DOT_SPECIAL(PXR_SPECIAL_P, dot_p, 3)
DOT_SPECIAL(PXR_SPECIAL_P, dot_p, 4)
DOT_SPECIAL(PXR_SPECIAL_P, dot_p, 5)
DOT_SPECIAL(PXR_SPECIAL_PQ, dot_pq, 0)
#if HORNER_GENERAL >= 4
DOT_SPECIAL(PXR_SPECIAL_PQ, dot_pq, 1)
DOT_SPECIAL(PXR_SPECIAL_PQ, dot_pq, 2)
DOT_SPECIAL(PXR_SPECIAL_PQ, dot_pq, 3)
DOT_SPECIAL(PXR_SPECIAL_PQ, dot_pq, 4)
#endif
