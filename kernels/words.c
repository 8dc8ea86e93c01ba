/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include <string.h>

#include "call.h"
#include "encode.h"

const uint32_t pxr_word_polynomials[PXR_MOST_WORD_BITS + 1] = {
    0,   0x1,  0x3,  0x3,   0x3,  0x5,    0x3, 0x9,  0x1d,     0x11, 0x9,
    0x5, 0x53, 0x1b, 0x443, 0x3,  0x100b, 0x9, 0x81, 0x27,     0x9,  0x5,
    0x3, 0x21, 0x87, 0x9,   0x47, 0x27,   0x9, 0x5,  0x800007, 0x9,  0x400007,
};

uint32_t pxr_word_mul(struct pxr_word_field field, uint32_t a, uint32_t b)
{
    const uint32_t top = UINT32_C(1) << (field.w - 1), mask = top | (top - 1);
    uint32_t sum = 0;
    for (; b != 0; b >>= 1) {
        sum ^= b & 1 ? a : 0;
        a = (a << 1 & mask) ^ (a & top ? field.polynomial : 0);
    }
    return sum;
}

/* ------------------------------------------------------------- maps ---- */

/* The sources of a group share a pass, and the maps of a pass are stored together: the maps of
   group 0 for all rows, then those of group 1, and so on. */
#define GROUP 16
/* The number of rows of words that share a tile. */
#define TILE_ROWS 8
#define MOST_PLANES 4
#define MOST_COLUMNS (8 * MOST_PLANES)

static void put_bytes(uint8_t *to, uint64_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(to, &bytes, sizeof bytes);
}

/*
 * Writes the nibble table of a map.  Byte j of `images` is the image of 2^j, and entry n is the
 * sum of the images of the bits of n.  Eight entries are computed at once, in the bytes of a
 * word: byte n of a factor is 1 if n has the bit.
 */
static void put_table(uint8_t *table, uint64_t images)
{
    for (unsigned half = 0; half < 2; half++, images >>= 32) {
        const uint64_t low = (images & 0xff) * UINT64_C(0x0100010001000100) ^
                             (images >> 8 & 0xff) * UINT64_C(0x0101000001010000) ^
                             (images >> 16 & 0xff) * UINT64_C(0x0101010100000000);
        put_bytes(table + 16 * half, low);
        put_bytes(table + 16 * half + 8,
                  low ^ (images >> 24 & 0xff) * UINT64_C(0x0101010101010101));
    }
}

/* Exchanges the bits of x that the mask names with the bits that are `shift` above them. */
static uint64_t exchange(uint64_t x, unsigned shift, uint64_t mask)
{
    const uint64_t differing = (x ^ x >> shift) & mask;
    return x ^ differing ^ differing << shift;
}

/*
 * Makes the matrix of the map for gf2p8affineqb.  Byte 7 - b is the row for bit b of the
 * result, and its bit j says whether the image of 2^j has that bit.  So the matrix is the
 * transpose of the images, with the last row first.  The transposition exchanges the corners of
 * squares of 2 by 2 bits, then of 4 by 4 and of 8 by 8.
 */
static uint64_t matrix_of(uint64_t images)
{
    images = exchange(images, 7, UINT64_C(0x00aa00aa00aa00aa));
    images = exchange(images, 14, UINT64_C(0x0000cccc0000cccc));
    images = exchange(images, 28, UINT64_C(0x00000000f0f0f0f0));
    return __builtin_bswap64(images);
}

void pxr_byte_map(enum pxr_form form, uint64_t images, uint8_t *to)
{
    if (form == PXR_TABLES) {
        put_table(to, images);
    } else {
        const uint64_t matrix = matrix_of(images);
        memcpy(to, &matrix, sizeof matrix);
    }
}

/* Makes the columns of a map of whole bytes from the first w columns, those of one word: the
   word in the high nibble is mapped like the word in the low one. */
static void fill_bytes(unsigned w, uint32_t *column)
{
    for (unsigned n = w; n < 8; n++)
        column[n] = column[n - w] << w;
}

/* Writes the maps between planes that together are a map of words.  Column n of the map of
   words is its image of 2^n.  The map from plane i to plane o is written at to + (o * stride +
   i) maps. */
static void put_maps(enum pxr_form form, unsigned planes, const uint32_t *column, uint8_t *to,
                     size_t stride)
{
    for (unsigned i = 0; i < planes; i++) {
        for (unsigned o = 0; o < planes; o++) {
            uint64_t images = 0;
            for (unsigned j = 0; j < 8; j++)
                images |= (uint64_t)(column[8 * i + j] >> 8 * o & 0xff) << 8 * j;
            const size_t at = pxr_plane_of(o, planes) * stride + pxr_plane_of(i, planes);
            pxr_byte_map(form, images, to + pxr_form_bytes(form) * at);
        }
    }
}

/* Makes multiplication by c as a map of words. */
static void columns_of(struct pxr_word_field field, uint32_t c, uint32_t *column)
{
    const uint32_t top = UINT32_C(1) << (field.w - 1), mask = top | (top - 1);
    for (unsigned n = 0; n < field.w; n++) {
        column[n] = c;
        c = (c << 1 & mask) ^ (c & top ? field.polynomial : 0);
    }
    fill_bytes(field.w, column);
}

size_t pxr_words_bytes(struct pxr_word_field field, unsigned k, unsigned count,
                       enum pxr_form form)
{
    const size_t planes = pxr_word_bytes(field.w);
    return pxr_form_bytes(form) * planes * planes * k * count;
}

/* Returns how many sources from `first` on share a pass.  It is all of them when there are no
   tiles. */
static unsigned group_from(const struct pxr_words *words, unsigned first)
{
    const unsigned left = words->k - first;
    return words->planes > 1 && left > GROUP ? GROUP : left;
}

/* Returns where the maps of a row begin within the maps of its group. */
static size_t maps_before(const struct pxr_words *words, unsigned first, unsigned row)
{
    return (size_t)words->planes * words->planes *
           ((size_t)first * words->count + (size_t)row * group_from(words, first));
}

void pxr_words_expand(struct pxr_words *words, struct pxr_word_field field, unsigned k,
                      unsigned count, const uint32_t *coefficients, enum pxr_form form,
                      uint64_t *room)
{
    words->k = k;
    words->count = count;
    words->planes = pxr_word_bytes(field.w);
    words->ones = k > 0 && count > 0;
    for (unsigned j = 0; j < k && words->ones; j++)
        words->ones = coefficients[j] == 1;
    uint8_t *const maps = (uint8_t *)room;
    for (unsigned first = 0, sources; first < k; first += sources) {
        sources = group_from(words, first);
        for (unsigned r = 0; r < count; r++) {
            for (unsigned j = 0; j < sources; j++) {
                const size_t at = maps_before(words, first, r) + (size_t)j * words->planes;
                uint32_t column[MOST_COLUMNS];
                columns_of(field, coefficients[(size_t)r * k + first + j], column);
                put_maps(form, words->planes, column, maps + pxr_form_bytes(form) * at,
                         (size_t)sources * words->planes);
            }
        }
    }
    words->form[form] = maps;
}

size_t pxr_words_room(struct pxr_word_field field, unsigned k, unsigned count)
{
    return pxr_words_bytes(field, k, count, PXR_TABLES) +
           pxr_words_bytes(field, k, count, PXR_MATRICES);
}

struct pxr_words pxr_words_expand_both(struct pxr_word_field field, unsigned k, unsigned count,
                                       const uint32_t *coefficients, uint64_t *room)
{
    const size_t tables = pxr_words_bytes(field, k, count, PXR_TABLES);
    struct pxr_words words = {.k = 0};
    pxr_words_expand(&words, field, k, count, coefficients, PXR_TABLES, room);
    pxr_words_expand(&words, field, k, count, coefficients, PXR_MATRICES,
                     room + tables / sizeof *room);
    return words;
}

struct pxr_words pxr_words_of_columns(unsigned w, const uint32_t *column, enum pxr_form form,
                                      uint64_t *room)
{
    struct pxr_words words = {.k = 1, .count = 1, .planes = pxr_word_bytes(w)};
    uint32_t all[MOST_COLUMNS];
    memcpy(all, column, w * sizeof *all);
    fill_bytes(w, all);
    put_maps(form, words.planes, all, (uint8_t *)room, words.planes);
    words.form[form] = (const uint8_t *)room;
    return words;
}

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

/* Computes some rows of words that are a single plane: the kernels multiply the shards
   themselves. */
static void run_plane(const struct pxr_kernels *kernels, size_t len,
                      const struct pxr_words *words, unsigned first, unsigned count,
                      const uint8_t *const *src, uint8_t *const *dst, bool add)
{
    struct pxr_rows rows = {.k = words->k, .count = words->count};
    rows.special = words->ones ? PXR_SPECIAL_P : PXR_SPECIAL_NONE;
    memcpy(rows.form, words->form, sizeof rows.form);
    rows = pxr_rows_slice(&rows, first, count);
    if (add)
        run_passes(kernels, len, rows.k, rows.form[kernels->form], count, src, dst,
                   PXR_ACCUMULATE | pxr_update_way(len, rows.k + count));
    else
        pxr_encode_rows(kernels, len, &rows, src, dst);
}

/* ------------------------------------------------------------ tiles ---- */

/* SCRATCH is the size of all planes, which stay in L1 beside the data that they are made from.
   TILE is the most bytes of a tile. */
#define SCRATCH ((size_t)20 << 10)
#define TILE ((size_t)2 << 10)
/* Tiles are whole vectors of every kernel set. */
#define TILE_STEP ((size_t)256)

/* Some rows on some sources, tile by tile. */
struct job {
    const struct pxr_kernels *kernels;
    const struct pxr_words *words;
    unsigned first, sources;   /* the sources of the group */
    unsigned row, rows;        /* which of the rows of `words` */
    size_t tile;               /* bytes of a tile */
    const uint8_t *const *src; /* all sources of the call */
    uint8_t *const *dst;       /* the outputs of these rows */
    bool add;                  /* add to the outputs */
    uint8_t *planes;           /* SCRATCH bytes: the sources' planes, and behind them the sums'
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
    const struct pxr_words *const words = job->words;
    const enum pxr_form form = job->kernels->form;
    const uint8_t *const maps =
        words->form[form] + pxr_form_bytes(form) * maps_before(words, job->first, job->row);
    run_passes(job->kernels, bytes, job->sources * words->planes, maps,
               job->rows * words->planes, planes, sums, 0);
}

static void run_tile(const struct job *job, size_t at, size_t len)
{
    const struct pxr_kernels *const kernels = job->kernels;
    const unsigned planes = job->words->planes, log = planes == 2 ? 0 : 1;
    const size_t words = len / planes, stride = job->tile / planes;
    const uint8_t *from[GROUP * MOST_PLANES];
    uint8_t *sums[TILE_ROWS * MOST_PLANES];
    uint8_t *const out = job->planes + job->sources * job->tile;
    uint8_t *const joined = job->planes; /* nobody reads the sources' planes by then */
    for (unsigned j = 0; j < job->sources; j++)
        kernels->split[log](words, job->src[job->first + j] + at, job->planes + j * job->tile,
                            stride);
    for (unsigned p = 0; p < job->sources * planes; p++)
        from[p] = job->planes + p * stride;
    for (unsigned p = 0; p < job->rows * planes; p++)
        sums[p] = out + p * stride;
    multiply(job, words, from, sums);
    for (unsigned r = 0; r < job->rows; r++) {
        uint8_t *const dst = job->dst[r] + at;
        if (!job->add) {
            kernels->join[log](words, out + r * job->tile, stride, dst);
            continue;
        }
        kernels->join[log](words, out + r * job->tile, stride, joined);
        kernels->dot[PXR_SPECIAL_P][0](len, 2, NULL, (const uint8_t *[]){joined, dst},
                                       (uint8_t *const[]){dst}, 0);
    }
}

/* A function of its own, so that its room is not on the stack while a single plane is coded. */
static __attribute__((noinline)) void run_job(struct job *job, size_t len)
{
    uint8_t planes[SCRATCH] __attribute__((aligned(64)));
    job->planes = planes;
    job->tile = tile_of(job->sources + job->rows);
    for (size_t at = 0; at < len; at += job->tile)
        run_tile(job, at, len - at < job->tile ? len - at : job->tile);
}

/* Row 0 is ones: it is the sum of all sources, whatever their words are. */
static void add_up(const struct pxr_kernels *kernels, size_t len, unsigned k,
                   const uint8_t *const *src, uint8_t *dst, bool add)
{
    if (!add) {
        kernels->dot[PXR_SPECIAL_P][0](len, k, NULL, src, &dst, 0);
        return;
    }
    uint8_t *const to[] = {dst, dst};
    kernels->dot[PXR_SPECIAL_P][0](len, k, NULL, src, to, PXR_ACCUMULATE);
}

static void run_tiles(const struct pxr_kernels *kernels, size_t len,
                      const struct pxr_words *words, unsigned first, unsigned rows,
                      const uint8_t *const *src, uint8_t *const *dst, bool add)
{
    struct job job = {.kernels = kernels, .words = words, .src = src, .dst = dst};
    for (unsigned done = 0; done < rows; done += job.rows, job.dst += job.rows) {
        job.row = first + done;
        job.rows = rows - done < TILE_ROWS ? rows - done : TILE_ROWS;
        for (unsigned source = 0; source < words->k; source += job.sources) {
            job.first = source;
            job.sources = group_from(words, source);
            job.add = add || source > 0;
            run_job(&job, len);
        }
    }
}

/* One product alone is computed in registers, and only what is left of it in tiles. */
static void run_alone(const struct pxr_kernels *kernels, size_t len,
                      const struct pxr_words *words, unsigned row, const uint8_t *src,
                      uint8_t *dst, bool add)
{
    pxr_product_fn *const product = kernels->product[words->planes == 2 ? 0 : 1];
    const enum pxr_form form = kernels->form;
    const size_t before = pxr_form_bytes(form) * maps_before(words, 0, row);
    const size_t done = product ? product(len, words->form[form] + before, src, dst, add) : 0;
    const uint8_t *const from[] = {src + done};
    uint8_t *const to[] = {dst + done};
    if (done < len)
        run_tiles(kernels, len - done, words, row, 1, from, to, add);
}

void pxr_words_dot_rows(const struct pxr_kernels *kernels, size_t len,
                        const struct pxr_words *words, unsigned first, unsigned rows,
                        const uint8_t *const *src, uint8_t *const *dst, bool add)
{
    const unsigned ones = first == 0 && rows > 0 && words->ones;
    if (words->planes == 1) {
        run_plane(kernels, len, words, first, rows, src, dst, add);
        return;
    }
    if (ones)
        add_up(kernels, len, words->k, src, dst[0], add);
    if (words->k == 1 && rows == 1 && !ones)
        run_alone(kernels, len, words, first, src[0], dst[0], add);
    else
        run_tiles(kernels, len, words, first + ones, rows - ones, src, dst + ones, add);
}

void pxr_words_dot(const struct pxr_kernels *kernels, size_t len, const struct pxr_words *words,
                   const uint8_t *const *src, uint8_t *const *dst, bool add)
{
    pxr_words_dot_rows(kernels, len, words, 0, words->count, src, dst, add);
}
