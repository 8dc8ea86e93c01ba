/* SPDX-License-Identifier: BSD-3-Clause */
#include "encode.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "call.h"
#include "groups.h"
#include "permxor.h"

/* One call, as its passes see it. */
struct call {
    const struct pxr_kernels *kernels;
    unsigned k, count;
    enum pxr_special special; /* of the first rows; they are in the first pass */
    enum pxr_form form;       /* the form of `rows` */
    uint32_t flags;
    const uint8_t *rows;
};

/* --------------------------------------------------------------- passes -- */

static inline void run(const struct call *c, enum pxr_special special, unsigned general,
                       size_t len, const uint8_t *rows, const uint8_t *const *src,
                       uint8_t *const *dst)
{
    if (special == PXR_SPECIAL_NONE && c->form != c->kernels->form)
        c->kernels->plain[c->form][general](len, c->k, rows, src, dst, 0);
    else
        c->kernels->dot[special][general](len, c->k, rows, src, dst, c->flags);
}

/*
 * ISA-L's tables in a kernel set that multiplies by matrices.  A pass over long shards looks up
 * the matrices of its rows once, into a room of its own, instead of once in every block.  There
 * are two sizes of room, so that calls of ordinary codes take little of the stack.
 */
#define SMALL_ROOM 256

static inline void run_in_room(struct call c, enum pxr_special special, unsigned general,
                               size_t len, const uint8_t *tables, const uint8_t *const *src,
                               uint8_t *const *dst, uint64_t *room)
{
    pxr_look_up_matrices((size_t)c.k * general, tables, room);
    c.form = PXR_MATRICES;
    run(&c, special, general, len, (const uint8_t *)room, src, dst);
}

static __attribute__((noinline)) void run_small(const struct call *c, enum pxr_special special,
                                                unsigned general, size_t len,
                                                const uint8_t *tables,
                                                const uint8_t *const *src, uint8_t *const *dst)
{
    uint64_t room[SMALL_ROOM];
    run_in_room(*c, special, general, len, tables, src, dst, room);
}

static __attribute__((noinline)) void run_large(const struct call *c, enum pxr_special special,
                                                unsigned general, size_t len,
                                                const uint8_t *tables,
                                                const uint8_t *const *src, uint8_t *const *dst)
{
    uint64_t room[PXR_MAX_SHARDS * PXR_MAX_ROWS];
    run_in_room(*c, special, general, len, tables, src, dst, room);
}

/* Runs the pass of n rows from row r on, of which the first are the `special` ones. */
static void run_pass(const struct call *c, enum pxr_special special, unsigned r, unsigned n,
                     size_t len, const uint8_t *const *src, uint8_t *const *dst)
{
    const unsigned general = n - special;
    const uint8_t *const rows =
        c->rows + pxr_form_bytes(c->form) * c->k * (size_t)(r + special);
    if (c->form == c->kernels->form || general == 0 || c->k > PXR_MAX_SHARDS)
        run(c, special, general, len, rows, src, dst + r);
    else if (general * c->k <= SMALL_ROOM)
        run_small(c, special, general, len, rows, src, dst + r);
    else
        run_large(c, special, general, len, rows, src, dst + r);
}

static void run_passes(const struct call *c, size_t len, const uint8_t *const *src,
                       uint8_t *const *dst)
{
    enum pxr_special special = c->special;
    for (unsigned r = 0, n; r < c->count; r += n, special = PXR_SPECIAL_NONE) {
        n = pxr_rows_of_pass(c->count - r);
        run_pass(c, special, r, n, len, src, dst);
    }
}

/* --------------------------------------------------------------- pieces -- */

/* The pointers of a call, from a later byte on. */
struct later {
    const uint8_t *src[PXR_MAX_SHARDS];
    uint8_t *dst[PXR_MAX_SHARDS];
};

static void later_of(size_t pos, unsigned k, unsigned count, const uint8_t *const *src,
                     uint8_t *const *dst, struct later *later)
{
    for (unsigned j = 0; j < k; j++)
        later->src[j] = src[j] + pos;
    for (unsigned r = 0; r < count; r++)
        later->dst[r] = dst[r] + pos;
}

/*
 * A call of several passes is cut into pieces of its length, for two reasons.  Sources that a
 * core's cache cannot hold would be read from beyond that cache once per pass.  And an output
 * that is also a source must not be written before the last pass has read it; then a piece of
 * every output is computed into a buffer aside.
 */
#define ASIDE_BYTES 16384

static void run_pieces(const struct call *c, size_t len, size_t piece, uint8_t *aside,
                       const uint8_t *const *src, uint8_t *const *dst)
{
    struct later part;
    for (size_t pos = 0; pos < len; pos += piece) {
        const size_t n = len - pos < piece ? len - pos : piece;
        later_of(pos, c->k, c->count, src, dst, &part);
        for (unsigned r = 0; aside && r < c->count; r++)
            part.dst[r] = aside + piece * r;
        run_passes(c, n, part.src, part.dst);
        for (unsigned r = 0; aside && r < c->count; r++)
            memcpy(dst[r] + pos, part.dst[r], n);
    }
}

/* Fibonacci hashing: hashes an address to ten bits. */
static inline unsigned slot(const uint8_t *p)
{
    return (unsigned)((uint64_t)(uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

/* Comparing each output with each source would cost short calls of wide codes more than their
   coding.  Nearly always, no output has the same hash as a source. */
bool pxr_any_in_place(unsigned k, unsigned count, const uint8_t *const *src,
                      uint8_t *const *dst)
{
    bool is_source[1024] = {false};
    for (unsigned j = 0; j < k; j++)
        is_source[slot(src[j])] = true;
    for (unsigned r = 0; r < count; r++)
        for (unsigned j = 0; is_source[slot(dst[r])] && j < k; j++)
            if (dst[r] == src[j])
                return true;
    return false;
}

static size_t piece_bytes(const struct call *c)
{
    const size_t piece = PXR_MACHINE(piece_bytes) / (c->k + c->count) / 64 * 64;
    return piece > 1024 ? piece : 1024;
}

static __attribute__((noinline)) void
run_several_passes(struct call *c, size_t len, const uint8_t *const *src, uint8_t *const *dst)
{
    if (pxr_any_in_place(c->k, c->count, src, dst)) {
        uint8_t aside[ASIDE_BYTES] __attribute__((aligned(64)));
        c->flags &= ~(uint32_t)PXR_STREAM; /* the buffer aside is read again at once */
        run_pieces(c, len, ASIDE_BYTES / c->count / 64 * 64, aside, src, dst);
    } else if (len > piece_bytes(c)) {
        run_pieces(c, len, piece_bytes(c), NULL, src, dst);
    } else {
        run_passes(c, len, src, dst);
    }
}

/* ------------------------------------------------------------- the call -- */

/*
 * P saves its products.  Horner's rule computes P and Q together.  It pays only where the
 * kernel set says so for the number of general rows that would share the pass.  Codes have at
 * most 255 sources.  Tables of more sources, for which there is no room, go through plain
 * passes.
 */
static enum pxr_special choose_special(const struct pxr_kernels *kernels, enum pxr_form form,
                                       const struct pxr_rows *rows, unsigned first_pass)
{
    const enum pxr_special special = rows->special;
    if (form != kernels->form && rows->k > PXR_MAX_SHARDS)
        return PXR_SPECIAL_NONE;
    if (special == PXR_SPECIAL_PQ && !kernels->dot[PXR_SPECIAL_PQ][first_pass - PXR_SPECIAL_PQ])
        return PXR_SPECIAL_P;
    return special;
}

static enum pxr_place place_of(size_t len, const struct pxr_rows *rows,
                               const uint8_t *const *src)
{
    return pxr_place(len, (size_t)rows->k + rows->count,
                     (struct pxr_sources){src, rows->k, rows->count});
}

static void encode_matrix(const struct pxr_kernels *kernels, size_t len, enum pxr_place place,
                          const struct pxr_rows *rows, const uint8_t *const *src,
                          uint8_t *const *dst)
{
    const unsigned first_pass = pxr_rows_of_pass(rows->count);
    const enum pxr_form form = rows->form[kernels->form] ? kernels->form : PXR_TABLES;
    const enum pxr_work work = pxr_dot_work(rows->k, rows->count);
    struct call c = {.kernels = kernels,
                     .k = rows->k,
                     .count = rows->count,
                     .special = choose_special(kernels, form, rows, first_pass),
                     .form = form,
                     .flags = pxr_way(work, place, rows->k),
                     .rows = rows->form[form]};
    const struct pxr_group_way way = {
        pxr_sources_of_group(work, place, len, rows->k, rows->count), c.flags};
    if (way.most > 0 && !pxr_any_in_place(rows->k, rows->count, src, dst))
        pxr_encode_in_groups(kernels, len, rows, form, way, src, dst);
    else if (first_pass == rows->count)
        run_pass(&c, c.special, 0, rows->count, len, src, dst);
    else if (rows->count <= PXR_MAX_SHARDS && rows->k <= PXR_MAX_SHARDS)
        run_several_passes(&c, len, src, dst);
    else
        run_passes(&c, len, src, dst);
}

/* Encodes the bytes from pos on by the matrix. */
static __attribute__((noinline)) void encode_end(const struct pxr_kernels *kernels, size_t len,
                                                 const struct pxr_rows *rows,
                                                 const uint8_t *const *src, uint8_t *const *dst,
                                                 size_t pos)
{
    struct later end;
    later_of(pos, rows->k, rows->count, src, dst, &end);
    encode_matrix(kernels, len - pos, PXR_NO_PLACE, rows, end.src, end.dst);
}

/* Encodes by the structure, in the way of the call. */
static void run_structured(const struct pxr_kernels *kernels, size_t len, uint32_t way,
                           const struct pxr_rows *rows, const uint8_t *const *src,
                           uint8_t *const *dst)
{
    const struct pxr_structure *const s = rows->structure;
    const enum pxr_form form = kernels->form;
    const size_t done = kernels->structured[s->levels][s->cosets](
        len, s->shape, s->constants[form], src, dst, way);
    if (done == len)
        return;
    const enum pxr_form end = rows->form[form] ? form : PXR_TABLES;
    if (rows->count <= PXR_MAX_ROWS)
        kernels->plain[end][rows->count](len - done, rows->k, rows->form[end], src, dst, done);
    else
        encode_end(kernels, len, rows, src, dst, done);
}

/* Returns the number of bytes before the first line that all outputs share, or 0 if they share
   none.  No vector is longer than a line, so from there on a structured pass can stream. */
static size_t bytes_to_line(unsigned count, uint8_t *const *dst)
{
    const size_t bytes = -(uintptr_t)dst[0] % 64;
    for (unsigned r = 1; r < count; r++)
        if (-(uintptr_t)dst[r] % 64 != bytes)
            return 0;
    return bytes;
}

static __attribute__((noinline)) void
stream_from(size_t line, const struct pxr_kernels *kernels, size_t len, uint32_t way,
            const struct pxr_rows *rows, const uint8_t *const *src, uint8_t *const *dst)
{
    struct later streamed;
    encode_matrix(kernels, line, PXR_NO_PLACE, rows, src, dst);
    later_of(line, rows->k, rows->count, src, dst, &streamed);
    run_structured(kernels, len - line, way, rows, streamed.src, streamed.dst);
}

/*
 * Whether the structure would be slower than the matrix because sources crowd L1.  A structured
 * pass takes less of each source at a time, so more of what was prefetched into L1 is pushed
 * out before it is used.  With more outputs, or beyond a core's own cache, its fewer products
 * outweigh that.  doc/machine-measured.md has the measurements ("Crowded sets").
 */
enum { CROWDED_OUTPUTS = 4, CROWDED_EARLIER = 2 /* sources fewer than from memory */ };

static bool is_hindered(enum pxr_place place, const struct pxr_rows *rows,
                        const uint8_t *const *src)
{
    return place == PXR_PLACE_OWN && rows->count <= CROWDED_OUTPUTS &&
           pxr_is_crowded((struct pxr_sources){src, rows->k, 0},
                          PXR_MACHINE(crowd_from) - CROWDED_EARLIER);
}

static void encode_structured(const struct pxr_kernels *kernels, size_t len,
                              const struct pxr_rows *rows, const uint8_t *const *src,
                              uint8_t *const *dst)
{
    const enum pxr_place place = place_of(len, rows, src);
    const uint32_t way = pxr_way(PXR_WORK_STRUCTURED, place, rows->k);
    const size_t line = way & PXR_STREAM ? bytes_to_line(rows->count, dst) : 0;
    if (way & PXR_BY_MATRIX || is_hindered(place, rows, src) ||
        pxr_sources_of_group(PXR_WORK_STRUCTURED, place, len, rows->k, rows->count))
        encode_matrix(kernels, len, place, rows, src, dst);
    else if (line > 0 && line < len)
        stream_from(line, kernels, len, way, rows, src, dst);
    else
        run_structured(kernels, len, way, rows, src, dst);
}

/* Encodes more rows than one pass has, of short shards, by plain passes one after the other. */
static void run_brief_passes(const struct pxr_kernels *kernels, size_t len,
                             const struct pxr_rows *rows, const uint8_t *const *src,
                             uint8_t *const *dst)
{
    const enum pxr_form form = rows->form[kernels->form] ? kernels->form : PXR_TABLES;
    const uint8_t *row = rows->form[form];
    for (unsigned r = 0, n; r < rows->count; r += n) {
        n = pxr_rows_of_pass(rows->count - r);
        kernels->plain[form][n](len, rows->k, row, src, dst + r, 0);
        row += pxr_form_bytes(form) * rows->k * n;
    }
}

void pxr_encode_long(const struct pxr_kernels *kernels, size_t len, const struct pxr_rows *rows,
                     const uint8_t *const *src, uint8_t *const *dst)
{
    if (len == 0 || rows->count == 0)
        return;
    if (len >= PXR_STRUCTURED_FROM && rows->structure)
        encode_structured(kernels, len, rows, src, dst);
    else if (len >= PXR_STRUCTURED_FROM && rows->wide &&
             (rows->wide->shared <= 1 || !pxr_any_in_place(rows->k, rows->count, src, dst)))
        pxr_wide_encode(kernels, len, rows->wide, src, dst);
    else if (len <= PXR_BRIEF_BYTES && rows->k <= PXR_MAX_SHARDS &&
             rows->count <= PXR_MAX_SHARDS && !pxr_any_in_place(rows->k, rows->count, src, dst))
        run_brief_passes(kernels, len, rows, src, dst);
    else
        encode_matrix(kernels, len, place_of(len, rows, src), rows, src, dst);
}

/*
 * Tables of ISA-L's Cauchy matrix.  They are recognised by looking at every coefficient.  The
 * constants of its structure are worked out once in each call, into a room of its own.
 */
#define CONSTANTS_ROOM 256
#define WIDE_CONSTANTS_ROOM 512
/* With fewer rows, no wide structure is the cheapest. */
#define WIDE_ROWS 9
/* The bytes of a shard from which it pays to find the constants anew in every call.  Calls of
   few rows come here only with longer shards than PXR_BRIEF_BYTES. */
#define PASS_OF_TABLES_FROM 512
#define STEPS_OF_TABLES_FROM 1024

static __attribute__((noinline)) void
encode_cauchy(const struct pxr_kernels *kernels, size_t len, struct pxr_rows rows,
              struct pxr_structure structure, const uint8_t *const *src, uint8_t *const *dst)
{
    uint8_t constants[CONSTANTS_ROOM];
    uint64_t room[CONSTANTS_ROOM * PXR_TABLE / sizeof(uint64_t)];
    pxr_structure_fill(&structure, rows.k, 0, NULL, constants);
    structure.constants[kernels->form] =
        pxr_expand(kernels->form, pxr_structure_constants(&structure), constants, room);
    rows.structure = &structure;
    encode_structured(kernels, len, &rows, src, dst);
}

static __attribute__((noinline)) void encode_wide_cauchy(const struct pxr_kernels *kernels,
                                                         size_t len, struct pxr_wide *wide,
                                                         const uint8_t *const *src,
                                                         uint8_t *const *dst)
{
    const struct pxr_wide_matrix matrix = {.k = wide->k, .count = wide->count};
    uint8_t constants[WIDE_CONSTANTS_ROOM];
    uint64_t room[WIDE_CONSTANTS_ROOM * PXR_TABLE / sizeof(uint64_t)];
    pxr_wide_fill(wide, &matrix, constants);
    wide->constants[kernels->form] =
        pxr_expand(kernels->form, pxr_wide_constants(wide), constants, room);
    pxr_wide_encode(kernels, len, wide, src, dst);
}

/* Returns whether the Cauchy matrix is cheaper by the three steps of wide.h than by `pass`, and
   finds these steps if so.  For codes of few rows, a negative answer is remembered, because
   finding the steps takes longer than a short call. */
static bool takes_steps(const struct pxr_kernels *kernels, unsigned k, unsigned count,
                        const struct pxr_structure *pass, struct pxr_wide *wide)
{
    enum { MOST_ROWS = 16 };
    static _Atomic(bool) passes[PXR_MAX_SHARDS][MOST_ROWS + 1];
    if (count < WIDE_ROWS)
        return false;
    _Atomic(bool) *const place = count <= MOST_ROWS ? &passes[k][count] : NULL;
    if (place && atomic_load_explicit(place, memory_order_relaxed))
        return false;
    pxr_wide_find(&(struct pxr_wide_matrix){.k = k, .count = count}, kernels->transform_levels,
                  wide);
    const bool steps = wide->cost < pass->cost;
    if (place && !steps)
        atomic_store_explicit(place, true, memory_order_relaxed);
    return steps;
}

/* Returns whether the tables of a call were those of the Cauchy matrix.  If so, the call is
   done. */
static bool encode_as_cauchy(const struct pxr_kernels *kernels, size_t len,
                             const struct pxr_rows *rows, const uint8_t *const *src,
                             uint8_t *const *dst)
{
    const unsigned k = rows->k, count = rows->count;
    if (len < PASS_OF_TABLES_FROM || count > PXR_MAX_SHARDS || k > PXR_MAX_SHARDS - count)
        return false;
    const struct pxr_structure structure = pxr_structure_of_cauchy(k, count);
    struct pxr_wide wide;
    const bool is_wide =
        len >= STEPS_OF_TABLES_FROM && takes_steps(kernels, k, count, &structure, &wide);
    if (is_wide ? pxr_wide_constants(&wide) > WIDE_CONSTANTS_ROOM
                : structure.levels == 0 || pxr_structure_constants(&structure) > CONSTANTS_ROOM)
        return false;
    if (!pxr_is_cauchy(k, count, rows->form[PXR_TABLES]))
        return false;
    if (is_wide)
        encode_wide_cauchy(kernels, len, &wide, src, dst);
    else
        encode_cauchy(kernels, len, *rows, structure, src, dst);
    return true;
}

void pxr_encode_tables_long(const struct pxr_kernels *kernels, size_t len, unsigned k,
                            unsigned count, const uint8_t *tables, const uint8_t *const *src,
                            uint8_t *const *dst)
{
    const struct pxr_rows rows = pxr_rows_of_tables(k, count, tables);
    if (!encode_as_cauchy(kernels, len, &rows, src, dst))
        pxr_encode_long(kernels, len, &rows, src, dst);
}

void pxr_update_long(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned count,
                     const uint8_t *tables, const uint8_t *src, const uint8_t *old,
                     uint8_t *const *dst)
{
    const struct pxr_mad_mode mode = {k, PXR_ACCUMULATE |
                                             pxr_update_way(len, 1 + !!old + (size_t)count)};
    for (unsigned n; count > 0; count -= n, dst += n) {
        n = pxr_rows_of_pass(count);
        kernels->mad[PXR_SPECIAL_NONE][n](len, mode, tables, src, old, dst);
        tables += (size_t)PXR_TABLE * k * n;
    }
}
