/* SPDX-License-Identifier: BSD-3-Clause */
/* Dot products of words, by the passes that suit the kernel set. */
#include <string.h>

#include "call.h"
#include "encode.h"
#include "words.h"

/* ----------------------------------------------------------- passes ---- */

/* Computes dot products of bytes, in as few passes as possible.  The flags are those of
   kernels.h.  With PXR_ACCUMULATE the results are added to the outputs. */
static void run_passes(const struct pxr_kernels *kernels, size_t len, unsigned k,
                       const uint8_t *maps, unsigned rows, const uint8_t *const *src,
                       uint8_t *const *dst, uint32_t flags)
{
    uint8_t *twice[2 * PXR_MAX_ROWS];
    for (unsigned n; rows > 0; rows -= n) {
        n = pxr_rows_of_pass(rows);
        for (unsigned r = 0; flags & PXR_ACCUMULATE && r < n; r++)
            twice[r] = twice[n + r] = dst[r];
        kernels->dot[PXR_SPECIAL_NONE][n](len, k, maps, src,
                                          flags & PXR_ACCUMULATE ? twice : dst, flags);
        maps += pxr_form_bytes(kernels->form) * k * n;
        dst += n;
    }
}

/* A call, or some of its rows. */
struct call {
    const struct pxr_kernels *kernels;
    const struct pxr_words *words;
    unsigned row, rows; /* which of the rows of `words` */
    const uint8_t *const *src;
    uint8_t *const *dst; /* the outputs of these rows */
    bool add;            /* add to the outputs */
};

/* Returns whether the first of the rows is the row of ones. */
static bool has_ones(const struct call *call)
{
    return call->row == 0 && call->rows > 0 && call->words->ones;
}

static enum pxr_word_length length_of(const struct pxr_words *words)
{
    return words->planes == 2 ? PXR_WORDS_16 : PXR_WORDS_32;
}

/* The bytes of a call from `begin` on, before `end`. */
struct span {
    size_t begin, end;
};

/* -------------------------------------------------------- registers ---- */

/*
 * Most kernel sets compute dot products of words in registers.  A pass keeps all its sums
 * there, a vector for each byte of a word of each row.  Words of 4 bytes need many of them.
 * They are as fast as in tiles where there are 32 registers and maps take one of them, and
 * otherwise with a single source, or with a single row beside a row of ones.
 */
static bool fits_registers(const struct call *call)
{
    const struct pxr_kernels *const kernels = call->kernels;
    const bool is_large =
        kernels->transform_levels == PXR_MAX_LEVELS && kernels->form == PXR_MATRICES;
    const bool is_small = call->words->k == 1 || call->rows - has_ones(call) <= 1;
    return kernels->words[length_of(call->words)][PXR_SPECIAL_NONE][1] &&
           (call->words->planes == 2 || is_large || is_small);
}

/* Computes the whole blocks of a span, and returns where they end. */
static size_t run_word_passes(const struct call *call, struct span span, uint32_t way)
{
    const struct pxr_words *const words = call->words;
    const enum pxr_form form = call->kernels->form;
    size_t done = span.begin;
    for (unsigned first = 0; first < words->k; first += PXR_WORDS_GROUP) {
        const uint32_t flags = way | (call->add || first > 0 ? PXR_ACCUMULATE : 0);
        unsigned ones = has_ones(call);
        for (unsigned r = 0, n; r < call->rows; r += ones + n, ones = 0) {
            n = pxr_balanced_rows(call->rows - r - ones, PXR_MAX_WORD_ROWS);
            pxr_words_fn *const pass =
                call->kernels
                    ->words[length_of(words)][ones ? PXR_SPECIAL_P : PXR_SPECIAL_NONE][n];
            const size_t before = pxr_words_before(words, first, call->row + r + ones);
            done = pass(pxr_words_group(words, first),
                        words->form[form] + pxr_form_bytes(form) * before, call->src + first,
                        call->dst + r, span.begin, span.end, flags);
        }
    }
    return done;
}

/* If a call takes several passes, it is cut into pieces, whose shards stay in the core's cache
   from one pass to the next. */
static size_t piece_of(const struct call *call)
{
    const size_t shards = (size_t)call->words->k + call->rows;
    if (call->words->k <= PXR_WORDS_GROUP && call->rows - has_ones(call) <= PXR_MAX_WORD_ROWS)
        return SIZE_MAX;
    const size_t piece = PXR_MACHINE(piece_bytes) / shards / PXR_WORD_BLOCK * PXR_WORD_BLOCK;
    return piece > PXR_WORD_BLOCK ? piece : PXR_WORD_BLOCK;
}

/* Computes the whole blocks of a call of len bytes, and returns where they end. */
static size_t run_in_registers(const struct call *call, size_t len)
{
    const unsigned k = call->words->k;
    const enum pxr_place place =
        pxr_place(len, (size_t)k + call->rows, (struct pxr_sources){call->src, k, call->rows});
    const uint32_t way = pxr_way(PXR_WORK_DOT, place, k) & PXR_AHEAD;
    const size_t piece = piece_of(call);
    size_t done = 0, begin;
    do {
        begin = done;
        const size_t end = len - begin > piece ? begin + piece : len;
        done = run_word_passes(call, (struct span){begin, end}, way);
    } while (done > begin && done < len);
    return done;
}

/* ------------------------------------------------------------ tiles ---- */

/* SCRATCH is the size of all planes, which stay in L1 beside the data that they are made from.
   TILE is the most bytes of a tile. */
#define SCRATCH ((size_t)20 << 10)
#define TILE ((size_t)2 << 10)
/* The number of rows of words that share a tile. */
#define TILE_ROWS 8
/* Tiles are whole vectors of every kernel set. */
#define TILE_STEP ((size_t)256)

/* Some rows of a call on some of its sources, tile by tile. */
struct job {
    struct call call;
    unsigned first, sources; /* the sources of the group */
    size_t tile;             /* bytes of a tile */
    uint8_t *planes;         /* SCRATCH bytes: the sources' planes, and behind them the sums'
                                planes */
};

static size_t tile_of(unsigned buffers)
{
    const size_t fits = SCRATCH / buffers / TILE_STEP * TILE_STEP;
    return fits < TILE ? fits : TILE;
}

/* Computes all planes of the sums. */
static void multiply(const struct job *job, size_t bytes, const uint8_t *const *planes,
                     uint8_t *const *sums)
{
    const struct call *const call = &job->call;
    const struct pxr_words *const words = call->words;
    const enum pxr_form form = call->kernels->form;
    const uint8_t *const maps =
        words->form[form] +
        pxr_form_bytes(form) * pxr_words_before(words, job->first, call->row);
    run_passes(call->kernels, bytes, job->sources * words->planes, maps,
               call->rows * words->planes, planes, sums, 0);
}

static void run_tile(const struct job *job, size_t at, size_t len)
{
    const struct call *const call = &job->call;
    const struct pxr_kernels *const kernels = call->kernels;
    const unsigned planes = call->words->planes;
    const enum pxr_word_length length = length_of(call->words);
    const size_t words = len / planes, stride = job->tile / planes;
    const uint8_t *from[PXR_WORDS_GROUP * PXR_MOST_WORD_PLANES];
    uint8_t *sums[TILE_ROWS * PXR_MOST_WORD_PLANES];
    uint8_t *const out = job->planes + job->sources * job->tile;
    uint8_t *const joined = job->planes; /* nobody reads the sources' planes by then */
    for (unsigned j = 0; j < job->sources; j++)
        kernels->split[length](words, call->src[job->first + j] + at,
                               job->planes + j * job->tile, stride);
    for (unsigned p = 0; p < job->sources * planes; p++)
        from[p] = job->planes + p * stride;
    for (unsigned p = 0; p < call->rows * planes; p++)
        sums[p] = out + p * stride;
    multiply(job, words, from, sums);
    for (unsigned r = 0; r < call->rows; r++) {
        uint8_t *const dst = call->dst[r] + at;
        if (!call->add) {
            kernels->join[length](words, out + r * job->tile, stride, dst);
            continue;
        }
        kernels->join[length](words, out + r * job->tile, stride, joined);
        kernels->dot[PXR_SPECIAL_P][0](len, 2, NULL, (const uint8_t *[]){joined, dst},
                                       (uint8_t *const[]){dst}, 0);
    }
}

/* A function of its own, so that its room is not on the stack while a single plane is coded. */
static __attribute__((noinline)) void run_job(struct job *job, struct span span)
{
    uint8_t planes[SCRATCH] __attribute__((aligned(64)));
    job->planes = planes;
    job->tile = tile_of(job->sources + job->call.rows);
    for (size_t at = span.begin; at < span.end; at += job->tile)
        run_tile(job, at, span.end - at < job->tile ? span.end - at : job->tile);
}

static void run_tiles(const struct call *call, struct span span)
{
    const struct pxr_words *const words = call->words;
    for (unsigned done = 0, rows; done < call->rows; done += rows) {
        rows = call->rows - done < TILE_ROWS ? call->rows - done : TILE_ROWS;
        struct job job = {*call, .first = 0};
        job.call.row += done;
        job.call.rows = rows;
        job.call.dst += done;
        for (; job.first < words->k; job.first += job.sources) {
            job.sources = pxr_words_group(words, job.first);
            job.call.add = call->add || job.first > 0;
            run_job(&job, span);
        }
    }
}

/* ------------------------------------------------------------- rows ---- */

/* Computes rows of words that are a single plane: the kernels multiply the shards themselves.
 */
static void run_plane(const struct call *call, size_t len)
{
    const struct pxr_kernels *const kernels = call->kernels;
    const struct pxr_words *const words = call->words;
    struct pxr_rows rows = {.k = words->k, .count = words->count};
    rows.special = words->ones ? PXR_SPECIAL_P : PXR_SPECIAL_NONE;
    memcpy(rows.form, words->form, sizeof rows.form);
    rows = pxr_rows_slice(&rows, call->row, call->rows);
    if (call->add)
        run_passes(kernels, len, rows.k, rows.form[kernels->form], call->rows, call->src,
                   call->dst, PXR_ACCUMULATE | pxr_update_way(len, rows.k + call->rows));
    else
        pxr_encode_rows(kernels, len, &rows, call->src, call->dst);
}

/* The row of ones is the sum of all sources, whatever their words are. */
static void add_up(const struct call *call, size_t len)
{
    uint8_t *const to[] = {call->dst[0], call->dst[0]};
    call->kernels->dot[PXR_SPECIAL_P][0](len, call->words->k, NULL, call->src, to,
                                         call->add ? PXR_ACCUMULATE : 0);
}

void pxr_words_dot_rows(const struct pxr_kernels *kernels, size_t len,
                        const struct pxr_words *words, unsigned first, unsigned rows,
                        const uint8_t *const *src, uint8_t *const *dst, bool add)
{
    struct call call = {kernels, words, first, rows, src, dst, add};
    if (words->planes == 1) {
        run_plane(&call, len);
        return;
    }
    const bool registers = fits_registers(&call);
    if (has_ones(&call) && (rows == 1 || !registers)) {
        add_up(&call, len);
        call.row++, call.rows--, call.dst++;
    }
    const size_t done = registers ? run_in_registers(&call, len) : 0;
    if (done < len)
        run_tiles(&call, (struct span){done, len});
}

void pxr_words_dot(const struct pxr_kernels *kernels, size_t len, const struct pxr_words *words,
                   const uint8_t *const *src, uint8_t *const *dst, bool add)
{
    pxr_words_dot_rows(kernels, len, words, 0, words->count, src, dst, add);
}
