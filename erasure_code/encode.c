/* SPDX-License-Identifier: BSD-3-Clause */
#include "encode.h"

#include <stdbool.h>
#include <string.h>

#include "call.h"
#include "cpu.h"
#include "permxor.h"

/* One call, as its passes see it. */
struct call {
    const struct pxr_kernels *kernels;
    const struct pxr_rows *rows;
    unsigned special; /* how many rows the first pass has no tables for */
    unsigned flags;
};

/*
 * Shorter shards are not worth looking for Q: 4+2 on an Emerald Rapids Xeon, with Horner's
 * rule against without, 64 bytes 0.75 to 0.93, 512 bytes 0.86 (avx512_gfni) to 1.1 (avx2),
 * 1 KiB 1.2 to 1.4 (avx512_gfni, avx512).
 */
#define HORNER_FROM 512

/*
 * Horner's rule yields P and Q together, and pays only where the kernel set says so for the
 * number of general rows that would share the pass.
 */
static unsigned choose_special(const struct pxr_kernels *kernels, const struct pxr_rows *rows,
                               unsigned first_pass, size_t len)
{
    if (rows->p == PXR_NO_ROW)
        return PXR_SPECIAL_NONE;
    if (rows->q == PXR_NO_ROW || len < HORNER_FROM || first_pass < PXR_SPECIAL_PQ ||
        !kernels->dot[PXR_SPECIAL_PQ][first_pass - PXR_SPECIAL_PQ])
        return PXR_SPECIAL_P;
    return PXR_SPECIAL_PQ;
}

/* --------------------------------------------------------------- passes -- */

/* One pass of n rows: the `special` ones, then general ones from row r on.
   Returns the row to go on with. */
static inline unsigned run_pass(const struct call *c, unsigned special, unsigned r, unsigned n,
                                size_t len, const uint8_t *const *src, uint8_t *const *dst)
{
    const uint8_t *tbl[PXR_MAX_ROWS];
    uint8_t *out[PXR_MAX_ROWS];
    const unsigned p = c->special >= PXR_SPECIAL_P ? c->rows->p : PXR_NO_ROW;
    const unsigned q = c->special >= PXR_SPECIAL_PQ ? c->rows->q : PXR_NO_ROW;
    if (special >= PXR_SPECIAL_P)
        out[0] = dst[p];
    if (special >= PXR_SPECIAL_PQ)
        out[1] = dst[q];
    for (unsigned i = special; i < n; r++) {
        if (r == p || r == q)
            continue;
        tbl[i - special] = pxr_row_tables(c->rows, r);
        out[i++] = dst[r];
    }
    c->kernels->dot[special][n - special](len, c->rows->k, tbl, src, out, c->flags);
    return r;
}

static void run_passes(const struct call *c, size_t len, const uint8_t *const *src,
                       uint8_t *const *dst)
{
    unsigned special = c->special; /* the first pass has them */
    unsigned r = 0;
    for (unsigned left = c->rows->count; left > 0; special = PXR_SPECIAL_NONE) {
        const unsigned n = pxr_rows_of_pass(left);
        r = run_pass(c, special, r, n, len, src, dst);
        left -= n;
    }
}

/* --------------------------------------------------------------- pieces -- */

/*
 * A call of several passes is cut into pieces of its length, for two reasons:
 * sources that a core's cache cannot hold would be read from beyond it once
 * per pass; and an output that is also a source must not be written before the
 * last pass has read it, so then a piece of every output is computed aside.
 */
#define ASIDE_BYTES 16384

static void run_pieces(const struct call *c, size_t len, size_t piece, uint8_t *aside,
                       const uint8_t *const *src, uint8_t *const *dst)
{
    const uint8_t *piece_src[PXR_MAX_SHARDS];
    uint8_t *piece_dst[PXR_MAX_SHARDS];

    for (size_t pos = 0; pos < len; pos += piece) {
        const size_t n = len - pos < piece ? len - pos : piece;
        for (unsigned j = 0; j < c->rows->k; j++)
            piece_src[j] = src[j] + pos;
        for (unsigned r = 0; r < c->rows->count; r++)
            piece_dst[r] = aside ? aside + piece * r : dst[r] + pos;
        run_passes(c, n, piece_src, piece_dst);
        for (unsigned r = 0; aside && r < c->rows->count; r++)
            memcpy(dst[r] + pos, piece_dst[r], n);
    }
}

/* Fibonacci hashing of an address to ten bits. */
static inline unsigned slot(const uint8_t *p)
{
    return (unsigned)((uint64_t)(uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

/* Comparing each output with each source would cost short calls of wide codes
   more than their coding; nearly always, no output hashes to a source. */
static bool any_in_place(const struct call *c, const uint8_t *const *src, uint8_t *const *dst)
{
    bool is_source[1024] = {false};
    for (unsigned j = 0; j < c->rows->k; j++)
        is_source[slot(src[j])] = true;
    for (unsigned r = 0; r < c->rows->count; r++)
        for (unsigned j = 0; is_source[slot(dst[r])] && j < c->rows->k; j++)
            if (dst[r] == src[j])
                return true;
    return false;
}

/*
 * The sources and outputs of a piece take half of a core's own cache.
 * Measured on an Emerald Rapids Xeon (L2 of 2 MiB), in pieces against whole,
 * shards of 64 KiB and of 256 KiB: 10+8 1.02 and 1.32, 20+10 0.98 and 1.21,
 * 64+16 1.21 and 1.11, 200+20 1.24 and 1.74, 128+127 1.15 and 1.90.
 */
static size_t piece_bytes(const struct call *c)
{
    const size_t piece = pxr_l2_bytes() / 2 / (c->rows->k + c->rows->count) / 64 * 64;
    return piece > 1024 ? piece : 1024;
}

static void run_several_passes(struct call *c, size_t len, const uint8_t *const *src,
                               uint8_t *const *dst)
{
    if (any_in_place(c, src, dst)) {
        uint8_t aside[ASIDE_BYTES] __attribute__((aligned(64)));
        c->flags &= ~(unsigned)PXR_STREAM; /* what is aside is read again at once */
        run_pieces(c, len, ASIDE_BYTES / c->rows->count / 64 * 64, aside, src, dst);
    } else if (len > piece_bytes(c)) {
        run_pieces(c, len, piece_bytes(c), NULL, src, dst);
    } else {
        run_passes(c, len, src, dst);
    }
}

/* ------------------------------------------------------------- the call -- */

void pxr_encode_rows(const struct pxr_kernels *kernels, size_t len, const struct pxr_rows *rows,
                     const uint8_t *const *src, uint8_t *const *dst)
{
    if (len == 0 || rows->count == 0)
        return;
    const unsigned first_pass = pxr_rows_of_pass(rows->count);
    struct call c = {kernels, rows, choose_special(kernels, rows, first_pass, len),
                     pxr_memory_policy(len, (size_t)rows->k + rows->count)};

    if (first_pass == rows->count) /* most calls, and the short ones count: no loop */
        run_pass(&c, c.special, 0, rows->count, len, src, dst);
    else if (rows->count <= PXR_MAX_SHARDS && rows->k <= PXR_MAX_SHARDS)
        run_several_passes(&c, len, src, dst);
    else
        run_passes(&c, len, src, dst);
}

void pxr_encode_tables(const struct pxr_kernels *kernels, size_t len, unsigned k,
                       unsigned count, const uint8_t *tables, const uint8_t *const *src,
                       uint8_t *const *dst)
{
    const struct pxr_rows rows = pxr_rows_of_tables(k, count, tables);
    pxr_encode_rows(kernels, len, &rows, src, dst);
}

void pxr_update_rows(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned count,
                     unsigned index, const uint8_t *tables, const uint8_t *src,
                     const uint8_t *old, uint8_t *const *dst)
{
    const size_t apart = (size_t)PXR_TABLE * k;
    const uint8_t *table = tables + (size_t)PXR_TABLE * index, *tbl[PXR_MAX_ROWS];
    for (unsigned n; count > 0; count -= n, dst += n) {
        n = pxr_rows_of_pass(count);
#pragma GCC unroll 4
        for (unsigned i = 0; i < n; i++) {
            tbl[i] = table;
            table += apart;
        }
        kernels->mad[PXR_SPECIAL_NONE][n](len, tbl, src, old, dst, PXR_ACCUMULATE);
    }
}
