/* SPDX-License-Identifier: BSD-3-Clause */
#include "encode.h"

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

/* Compares only outputs that have the same hash as a source, which hardly any has.  Comparing
   all would take longer than a short call of a wide code. */
static bool any_by_hash(unsigned k, unsigned count, const uint8_t *const *src,
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

/* Often all outputs lie on one side of the sources.  Finding that takes a third of the time. */
bool pxr_any_in_place(unsigned k, unsigned count, const uint8_t *const *src,
                      uint8_t *const *dst)
{
    uintptr_t least = UINTPTR_MAX, most = 0;
    unsigned between = 0;
    for (unsigned r = 0; r < count; r++) {
        const uintptr_t output = (uintptr_t)dst[r];
        least = output < least ? output : least;
        most = output > most ? output : most;
    }
#pragma GCC unroll 4
    for (unsigned j = 0; j < k; j++)
        between += (uintptr_t)src[j] >= least && (uintptr_t)src[j] <= most;
    return between > 0 && any_by_hash(k, count, src, dst);
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

/* Encodes the bytes from pos on by plain passes, one after the other.  Returns false, and does
   nothing, if one may overwrite what a later one reads, or if there are more rows or sources
   than a code has. */
static bool run_plain_passes(const struct pxr_kernels *kernels, size_t pos, size_t len,
                             const struct pxr_rows *rows, const uint8_t *const *src,
                             uint8_t *const *dst)
{
    const enum pxr_form form = rows->form[kernels->form] ? kernels->form : PXR_TABLES;
    const uint8_t *row = rows->form[form];
    if (rows->k > PXR_MAX_SHARDS || rows->count > PXR_MAX_SHARDS ||
        (rows->count > PXR_MAX_ROWS && pxr_any_in_place(rows->k, rows->count, src, dst)))
        return false;
    for (unsigned r = 0, n; r < rows->count; r += n) {
        n = pxr_rows_of_pass(rows->count - r);
        kernels->plain[form][n](len - pos, rows->k, row, src, dst + r, pos);
        row += pxr_form_bytes(form) * rows->k * n;
    }
    return true;
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
    if (done < len && !run_plain_passes(kernels, done, len, rows, src, dst))
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
 * outweigh that.  doc/machine-measured-amd.md has the measurements ("Crowded sets").
 */
enum { CROWDED_OUTPUTS = 4 };

static bool is_hindered(enum pxr_place place, const struct pxr_rows *rows,
                        const uint8_t *const *src)
{
    const bool own = place == PXR_PLACE_OWN || place == PXR_PLACE_UNALIGNED;
    return own && rows->count <= CROWDED_OUTPUTS &&
           pxr_is_crowded((struct pxr_sources){src, rows->k, 0});
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

void pxr_encode_long(const struct pxr_kernels *kernels, size_t len, const struct pxr_rows *rows,
                     const uint8_t *const *src, uint8_t *const *dst)
{
    const size_t structured_from =
        rows->count > PXR_MAX_ROWS ? PXR_STRUCTURED_FROM_WIDE : PXR_STRUCTURED_FROM;
    if (len == 0 || rows->count == 0)
        return;
    if (len >= structured_from && rows->structure)
        encode_structured(kernels, len, rows, src, dst);
    else if (len >= structured_from && rows->wide &&
             (rows->wide->shared <= 1 || !pxr_any_in_place(rows->k, rows->count, src, dst)))
        pxr_wide_encode(kernels, len, rows->wide, src, dst);
    else if (len > PXR_BRIEF_BYTES || !run_plain_passes(kernels, 0, len, rows, src, dst))
        encode_matrix(kernels, len, place_of(len, rows, src), rows, src, dst);
}

/* -------------------------------------------------------------- tables -- */

static void encode_code(const struct pxr_kernels *kernels, size_t len,
                        const struct pxr_cauchy *code, const uint8_t *tables,
                        const uint8_t *const *src, uint8_t *const *dst)
{
    const struct pxr_rows rows = {.k = code->k,
                                  .count = code->count,
                                  .form = {[PXR_TABLES] = tables},
                                  .structure = code->pass.levels ? &code->pass : NULL,
                                  .wide = code->steps.levels ? &code->steps : NULL};
    pxr_encode_long(kernels, len, &rows, src, dst);
}

/* A function of its own, because the room takes much of the stack. */
static __attribute__((noinline)) void
encode_new_code(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned count,
                const uint8_t *tables, const uint8_t *const *src, uint8_t *const *dst)
{
    struct pxr_cauchy_room room;
    encode_code(kernels, len, pxr_cauchy_work_out(kernels, k, count, tables, &room), tables,
                src, dst);
}

/* Returns whether the tables of a call were those of the Cauchy matrix, and its structure pays.
   If so, the call is done. */
static bool encode_as_cauchy(const struct pxr_kernels *kernels, size_t len, unsigned k,
                             unsigned count, const uint8_t *tables, const uint8_t *const *src,
                             uint8_t *const *dst)
{
    const struct pxr_cauchy *const code = pxr_cauchy_known(kernels, k, count);
    if (code && !code->pass.levels && !code->steps.levels)
        return false;
    if (code ? !pxr_is_code(code, tables) : !pxr_is_cauchy(k, count, tables))
        return false;
    if (code)
        encode_code(kernels, len, code, tables, src, dst);
    else
        encode_new_code(kernels, len, k, count, tables, src, dst);
    return true;
}

/* Encodes without looking at the rows, if that can be done in plain passes. */
static bool encode_brief_tables(const struct pxr_kernels *kernels, size_t len, unsigned k,
                                unsigned count, const uint8_t *tables,
                                const uint8_t *const *src, uint8_t *const *dst)
{
    const struct pxr_rows rows = {.k = k, .count = count, .form = {[PXR_TABLES] = tables}};
    return run_plain_passes(kernels, 0, len, &rows, src, dst);
}

void pxr_encode_tables_long(const struct pxr_kernels *kernels, size_t len, unsigned k,
                            unsigned count, const uint8_t *tables, const uint8_t *const *src,
                            uint8_t *const *dst)
{
    if (len >= PXR_STRUCTURED_FROM && pxr_may_be_cauchy(k, count, tables) &&
        encode_as_cauchy(kernels, len, k, count, tables, src, dst))
        return;
    if (len <= PXR_BRIEF_BYTES && encode_brief_tables(kernels, len, k, count, tables, src, dst))
        return;
    const struct pxr_rows rows = pxr_rows_of_tables(k, count, tables);
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
