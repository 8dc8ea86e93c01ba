/* SPDX-License-Identifier: BSD-3-Clause */
#include "encode.h"

#include <stdbool.h>
#include <string.h>

#include "call.h"
#include "cpu.h"
#include "gf256.h"
#include "permxor.h"

/* ------------------------------------------------------------ row kinds -- */

/* The coefficients of one row, read back from its nibble tables: entry 1 of
   the table of c is c. */
static inline uint8_t coefficient(const uint8_t *row, unsigned j)
{
    return row[(size_t)PXR_TABLE * j + 1];
}

static bool is_ones(const uint8_t *row, unsigned k)
{
    unsigned j = 0;
    while (j < k && coefficient(row, j) == 1)
        j++;
    return j == k;
}

static bool is_powers_of_two(const uint8_t *row, unsigned k)
{
    unsigned j = 0;
    while (j < k && coefficient(row, j) == pxr_pow2(j))
        j++;
    return j == k;
}

/* No such row. */
#define NO_ROW UINT32_MAX

/* One call, as its passes see it. */
struct call {
    const struct pxr_kernels *kernels;
    unsigned k, rows;
    unsigned p, q;    /* the rows of ones and of powers of two, or NO_ROW */
    unsigned special; /* how many of them there are */
    unsigned flags;
    const uint8_t *tables;
};

static inline const uint8_t *row_tables(const struct call *c, unsigned r)
{
    return c->tables + (size_t)PXR_TABLE * c->k * r;
}

/*
 * Shorter shards are not worth looking for Q: 4+2 on an Emerald Rapids Xeon, with Horner's
 * rule against without, 64 bytes 0.75 to 0.93, 512 bytes 0.86 (avx512_gfni) to 1.1 (avx2),
 * 1 KiB 1.2 to 1.4 (avx512_gfni, avx512).
 */
#define HORNER_FROM 512

/*
 * The tables of a row start with coefficient 1 in both kinds, so a glance at
 * their first bytes rules most rows out.
 */
static void find_special_rows(struct call *c, unsigned first_pass, size_t len)
{
    if (c->k == 0)
        return;
    for (unsigned r = 0; r < c->rows && c->p == NO_ROW; r++)
        if (is_ones(row_tables(c, r), c->k))
            c->p = r;
    if (c->p == NO_ROW)
        return;
    c->special = PXR_SPECIAL_P;

    /* Horner's rule yields P and Q together, and pays only where the kernel
       set says so for the number of general rows that would share the pass. */
    if (len < HORNER_FROM || first_pass < PXR_SPECIAL_PQ ||
        !c->kernels->dot[PXR_SPECIAL_PQ][first_pass - PXR_SPECIAL_PQ])
        return;
    for (unsigned r = 0; r < c->rows && c->q == NO_ROW; r++)
        if (r != c->p && is_powers_of_two(row_tables(c, r), c->k))
            c->q = r;
    if (c->q != NO_ROW)
        c->special = PXR_SPECIAL_PQ;
}

/* --------------------------------------------------------------- passes -- */

/* One pass of n rows: the `special` ones, then general ones from row r on.
   Returns the row to go on with. */
static inline unsigned run_pass(const struct call *c, unsigned special, unsigned r, unsigned n,
                                size_t len, const uint8_t *const *src, uint8_t *const *dst)
{
    const uint8_t *tbl[PXR_MAX_ROWS];
    uint8_t *out[PXR_MAX_ROWS];
    if (special >= PXR_SPECIAL_P)
        out[0] = dst[c->p];
    if (special >= PXR_SPECIAL_PQ)
        out[1] = dst[c->q];
    for (unsigned i = special; i < n; r++) {
        if (r == c->p || r == c->q)
            continue;
        tbl[i - special] = row_tables(c, r);
        out[i++] = dst[r];
    }
    c->kernels->dot[special][n - special](len, c->k, tbl, src, out, c->flags);
    return r;
}

static void run_passes(const struct call *c, size_t len, const uint8_t *const *src,
                       uint8_t *const *dst)
{
    unsigned special = c->special; /* the first pass has them */
    unsigned r = 0;
    for (unsigned left = c->rows; left > 0; special = PXR_SPECIAL_NONE) {
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
        for (unsigned j = 0; j < c->k; j++)
            piece_src[j] = src[j] + pos;
        for (unsigned r = 0; r < c->rows; r++)
            piece_dst[r] = aside ? aside + piece * r : dst[r] + pos;
        run_passes(c, n, piece_src, piece_dst);
        for (unsigned r = 0; aside && r < c->rows; r++)
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
    for (unsigned j = 0; j < c->k; j++)
        is_source[slot(src[j])] = true;
    for (unsigned r = 0; r < c->rows; r++)
        for (unsigned j = 0; is_source[slot(dst[r])] && j < c->k; j++)
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
    const size_t piece = pxr_l2_bytes() / 2 / (c->k + c->rows) / 64 * 64;
    return piece > 1024 ? piece : 1024;
}

static void run_several_passes(struct call *c, size_t len, const uint8_t *const *src,
                               uint8_t *const *dst)
{
    if (any_in_place(c, src, dst)) {
        uint8_t aside[ASIDE_BYTES] __attribute__((aligned(64)));
        c->flags &= ~(unsigned)PXR_STREAM; /* what is aside is read again at once */
        run_pieces(c, len, ASIDE_BYTES / c->rows / 64 * 64, aside, src, dst);
    } else if (len > piece_bytes(c)) {
        run_pieces(c, len, piece_bytes(c), NULL, src, dst);
    } else {
        run_passes(c, len, src, dst);
    }
}

/* ------------------------------------------------------------- the call -- */

void pxr_encode_rows(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned rows,
                     const uint8_t *tables, const uint8_t *const *src, uint8_t *const *dst)
{
    if (len == 0 || rows == 0)
        return;
    struct call c = {kernels, k, rows, NO_ROW, NO_ROW, PXR_SPECIAL_NONE, 0, tables};
    const unsigned first_pass = pxr_rows_of_pass(rows);
    find_special_rows(&c, first_pass, len);
    c.flags = pxr_memory_policy(len, (size_t)k + rows);

    if (first_pass == rows) /* most calls, and the short ones count: no loop */
        run_pass(&c, c.special, 0, rows, len, src, dst);
    else if (rows <= PXR_MAX_SHARDS && k <= PXR_MAX_SHARDS)
        run_several_passes(&c, len, src, dst);
    else
        run_passes(&c, len, src, dst);
}

void pxr_update_rows(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned rows,
                     unsigned index, const uint8_t *tables, const uint8_t *src,
                     const uint8_t *old, uint8_t *const *dst)
{
    const size_t apart = (size_t)PXR_TABLE * k;
    const uint8_t *table = tables + (size_t)PXR_TABLE * index, *tbl[PXR_MAX_ROWS];
    for (unsigned n; rows > 0; rows -= n, dst += n) {
        n = pxr_rows_of_pass(rows);
#pragma GCC unroll 4
        for (unsigned i = 0; i < n; i++) {
            tbl[i] = table;
            table += apart;
        }
        kernels->mad[PXR_SPECIAL_NONE][n](len, tbl, src, old, dst, PXR_ACCUMULATE);
    }
}

void pxr_expand_tables(size_t n, const uint8_t *coefficients, uint8_t *tables)
{
    for (size_t i = 0; i < n; i++)
        memcpy(tables + PXR_TABLE * i, pxr_nibble[coefficients[i]], PXR_TABLE);
}
