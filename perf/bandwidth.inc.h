/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops of bandwidth.c, once for each width of vectors.  The file that includes this one
 * defines
 *
 *     NAME(x)              x with this width's ending
 *     TARGET               attributes that allow the instructions
 *     VECTOR               bytes of a vector
 *     STORE_AROUND(p, v)   store around the caches; undefined: there is no such store
 *
 * which this file undefines at its end, and the macros that all widths share.
 */
typedef unsigned long long NAME(vector) __attribute__((vector_size(VECTOR), may_alias));

LOOP NAME(fetch)(const unsigned char *p, const bool prefetch, const int write)
{
    for (size_t line = 0; prefetch && line < BLOCK; line += 64)
        if (write)
            __builtin_prefetch(p + PREFETCH_BYTES + line, 1);
        else
            __builtin_prefetch(p + PREFETCH_BYTES + line, 0);
}

LOOP NAME(read)(const struct area *area, const bool prefetch)
{
    NAME(vector) a = {0}, b = a, c = a, d = a;
    EACH_BLOCK(area)
    {
        const NAME(vector) *from = (const NAME(vector) *)(area->source + at);
        NAME(fetch)(area->source + at, prefetch, 0);
        a ^= from[0];
        b ^= from[1];
        c ^= from[2];
        d ^= from[3];
        a ^= from[4];
        b ^= from[5];
        c ^= from[6];
        d ^= from[7];
    }
    *(NAME(vector) *)area->scratch = a ^ b ^ c ^ d;
}

LOOP NAME(write)(const struct area *area, const bool prefetch)
{
    const NAME(vector) value = *(const NAME(vector) *)area->scratch;
    EACH_BLOCK(area)
    {
        NAME(vector) *to = (NAME(vector) *)(area->target + at);
        NAME(fetch)(area->target + at, prefetch, 1);
        BARRIER;
        EIGHT(FILL)
    }
}

/* All loads precede the stores, because the compiler cannot know that they do not overlap. */
LOOP NAME(modify)(const struct area *area, const bool prefetch)
{
    const NAME(vector) value = *(const NAME(vector) *)area->scratch;
    EACH_BLOCK(area)
    {
        NAME(vector) *to = (NAME(vector) *)(area->target + at);
        NAME(fetch)(area->target + at, prefetch, 1);
        EIGHT(CHANGE)
        EIGHT(STORE)
    }
}

LOOP NAME(copy)(const struct area *area, const bool prefetch)
{
    EACH_BLOCK(area)
    {
        const NAME(vector) *from = (const NAME(vector) *)(area->source + at);
        NAME(vector) *to = (NAME(vector) *)(area->target + at);
        NAME(fetch)(area->source + at, prefetch, 0);
        NAME(fetch)(area->target + at, prefetch, 1);
        BARRIER;
        EIGHT(LOAD)
        EIGHT(STORE)
    }
}

#ifdef STORE_AROUND

LOOP NAME(nt_write)(const struct area *area, const bool prefetch)
{
    const NAME(vector) value = *(const NAME(vector) *)area->scratch;
    (void)prefetch; /* lines that are not read need no prefetch */
    EACH_BLOCK(area)
    {
        NAME(vector) *to = (NAME(vector) *)(area->target + at);
        EIGHT(FILL_AROUND)
    }
    STORES_DONE;
}

LOOP NAME(nt_copy)(const struct area *area, const bool prefetch)
{
    EACH_BLOCK(area)
    {
        const NAME(vector) *from = (const NAME(vector) *)(area->source + at);
        NAME(vector) *to = (NAME(vector) *)(area->target + at);
        NAME(fetch)(area->source + at, prefetch, 0);
        EIGHT(LOAD)
        EIGHT(COPY_AROUND)
    }
    STORES_DONE;
}

#endif

BOTH(read)
BOTH(write)
BOTH(modify)
BOTH(copy)
#ifdef STORE_AROUND
BOTH(nt_write)
BOTH(nt_copy)
#endif

static const struct loops NAME(loops) = {
    .width = VECTOR,
    .run =
        {
            [BANDWIDTH_READ] = PAIR(read),
            [BANDWIDTH_WRITE] = PAIR(write),
            [BANDWIDTH_MODIFY] = PAIR(modify),
            [BANDWIDTH_COPY] = PAIR(copy),
#ifdef STORE_AROUND
            [BANDWIDTH_NT_WRITE] = PAIR(nt_write),
            [BANDWIDTH_NT_COPY] = PAIR(nt_copy),
#endif
        },
};

#undef NAME
#undef TARGET
#undef VECTOR
#undef STORE_AROUND
