/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether shards agree with one another, and which one does not.
 */
#include "code.h"

#include <string.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"
#include "gf256.h"
#include "plan_cache.h"
#include "scan.h"

/* ------------------------------------------------------------- compare -- */

/* Shards that ought to be these dot products of these sources. */
struct comparison {
    size_t len;
    unsigned k, rows;
    const struct pxr_rows *ready; /* what they are made with */
    const uint8_t *source[PXR_MAX_SHARDS];
    const uint8_t *expected[PXR_MAX_SHARDS]; /* NULL where it is not to be looked at */
    size_t *first; /* NULL, or per row the first difference so far, or len */
};

/* Bytes of each shard at a time: a group of rows of them is recomputed on the
   stack, and with its sources stays in the nearest caches. */
#define CHUNK ((size_t)4096)

/* How many rows from r on to compute in one go: balanced groups of rows that
   are to be looked at; 0 when row r is not. */
static unsigned group_size(const struct comparison *c, unsigned r)
{
    unsigned run = 0;
    while (r + run < c->rows && c->expected[r + run])
        run++;
    return pxr_rows_of_pass(run);
}

/* Compares the rows of the group at r in the n bytes from offset on. */
static bool group_agrees(const struct comparison *c, unsigned r, unsigned rows,
                         const uint8_t *const *source, size_t offset, size_t n)
{
    const struct pxr_kernels *kernels = pxr_kernels();
    uint8_t computed[PXR_MAX_ROWS][CHUNK];
    uint8_t *dst[PXR_MAX_ROWS] = {NULL};
    const struct pxr_rows group = pxr_rows_slice(c->ready, r, rows);
    for (unsigned g = 0; g < rows; g++)
        dst[g] = computed[g];
    pxr_encode_rows(kernels, n, &group, source, dst);
    bool agrees = true;
    for (unsigned g = 0; g < rows; g++) {
        size_t at = pxr_scan_difference(kernels, dst[g], c->expected[r + g] + offset, n);
        if (at == n)
            continue;
        agrees = false;
        if (c->first && c->first[r + g] == c->len)
            c->first[r + g] = offset + at;
    }
    return agrees;
}

/* Compares all rows in the chunk at offset. */
static bool chunk_agrees(const struct comparison *c, size_t offset)
{
    size_t n = c->len - offset < CHUNK ? c->len - offset : CHUNK;
    const uint8_t *source[PXR_MAX_SHARDS];
    for (unsigned j = 0; j < c->k; j++)
        source[j] = c->source[j] + offset;
    bool agrees = true;
    for (unsigned r = 0; r < c->rows;) {
        unsigned rows = group_size(c, r);
        if (rows == 0) {
            r++;
            continue;
        }
        agrees &= group_agrees(c, r, rows, source, offset, n);
        r += rows;
    }
    return agrees;
}

/* The first chunk from offset on that does not agree; len or more when all do. */
static size_t skip_agreeing(const struct comparison *c, size_t offset)
{
    while (offset < c->len && chunk_agrees(c, offset))
        offset += CHUNK;
    return offset;
}

/* The stored shards against the code's own equations. */
static struct comparison compare_parity(const struct pxr_code *code, size_t len,
                                        uint8_t *const *shards, size_t *first)
{
    struct comparison c = {
        .len = len, .k = code->k, .rows = code->m, .ready = &code->ready, .first = first};
    for (unsigned j = 0; j < code->k; j++)
        c.source[j] = shards[j];
    for (unsigned r = 0; r < code->m; r++)
        c.expected[r] = shards[code->k + r];
    for (unsigned r = 0; first && r < code->m; r++)
        first[r] = len;
    return c;
}

/* -------------------------------------------------------------- verify -- */

int pxr_verify(const pxr_code *code, size_t len, pxr_inputs shards, size_t *first)
{
    if (!code || !pxr_all_present(code->k, pxr_read_only(shards)))
        return PXR_EINVAL;
    struct comparison c = compare_parity(code, len, shards, first);
    size_t wrong = skip_agreeing(&c, 0);
    if (wrong >= len)
        return PXR_OK;
    /* The caller may want to know where the other rows begin to differ. */
    while (first && (wrong += CHUNK) < len)
        chunk_agrees(&c, wrong);
    return PXR_EMISMATCH;
}

/* -------------------------------------------------------------- locate -- */

/*
 * The syndrome of byte i is s[r] = stored parity r + recomputed parity r.  It
 * is zero where everything agrees.  Otherwise, if one shard alone is wrong, by
 * e != 0 at this byte, then
 *
 *     s[r] = C[r,j] * e for all r           when it is data shard j,
 *     s[q] = e, s[r] = 0 for all r != q     when it is parity shard q.
 *
 * The syndromes that data shard j can cause are the multiples of column j, and
 * those of parity q the multiples of a unit vector; when all 2 by 2 minors of
 * the generator's columns are nonzero (MDS, m >= 2), two such lines meet in
 * zero only, and one nonzero syndrome leaves at most one suspect.
 *
 * Whether a suspect explains all the other bytes as well is the same question
 * as whether the other k+m-1 shards agree with one another, which is asked at
 * full speed: without parity q, compare as before but leave q out; without
 * data shard j, let one parity shard stand in for it, as if j had been lost,
 * and compare every parity shard with what follows from these k survivors.
 */
static void syndrome_at(const struct pxr_code *code, uint8_t *const *shards, size_t i,
                        uint8_t *s)
{
    for (unsigned r = 0; r < code->m; r++) {
        s[r] = shards[code->k + r][i];
        for (unsigned j = 0; j < code->k; j++)
            s[r] ^= pxr_mul(code->rows[r * code->k + j], shards[j][i]);
    }
}

/* Whether an error in `shard` alone can cause the nonzero syndrome s. */
static bool is_suspect(const struct pxr_code *code, unsigned shard, const uint8_t *s)
{
    unsigned k = code->k, m = code->m, q = 0;
    if (shard >= k) {
        for (unsigned r = 0; r < m; r++)
            if (s[r] && r != shard - k)
                return false;
        return true;
    }
    const uint8_t *column = code->rows + shard;
    while (q < m && !column[q * k])
        q++;
    if (q == m) /* a custom matrix that makes no use of this shard */
        return false;
    uint8_t e = pxr_mul(s[q], pxr_inverse[column[q * k]]);
    for (unsigned r = 0; r < m; r++)
        if (s[r] != pxr_mul(column[r * k], e))
            return false;
    return true;
}

/* Whether the shards other than data shard j agree, from offset on. */
static int agree_without_data(const struct pxr_code *code, size_t len, uint8_t *const *shards,
                              unsigned j, size_t offset, bool *agree)
{
    struct pxr_plan_key key = {{{0}}, {{0}}};
    for (unsigned i = 0; i < code->k + code->m; i++)
        if (i != j)
            pxr_set_add(&key.survivors, i);
    for (unsigned i = code->k; i < code->k + code->m; i++)
        pxr_set_add(&key.wanted, i);
    struct pxr_plan_lease lease;
    int status = pxr_plan_borrow(code, &key, &lease);
    if (status != PXR_OK)
        return status;
    const struct pxr_plan *plan = lease.plan;
    struct comparison c = {
        .len = len, .k = plan->sources, .rows = plan->targets, .ready = &plan->rows};
    for (unsigned i = 0; i < plan->sources; i++)
        c.source[i] = shards[plan->source[i]];
    for (unsigned i = 0; i < plan->targets; i++)
        c.expected[i] = shards[plan->target[i]];
    *agree = skip_agreeing(&c, offset) >= len;
    pxr_plan_give_back(&lease);
    return PXR_OK;
}

static int agree_without(const struct pxr_code *code, const struct comparison *all,
                         uint8_t *const *shards, unsigned shard, size_t offset, bool *agree)
{
    if (shard < code->k)
        return agree_without_data(code, all->len, shards, shard, offset, agree);
    struct comparison c = *all;
    c.first = NULL;
    c.expected[shard - code->k] = NULL;
    *agree = skip_agreeing(&c, offset) >= c.len;
    return PXR_OK;
}

/* The one shard that explains every difference from the chunk at offset on;
   first[] holds where the rows differ in that chunk, *index is k+m. */
static int find_culprit(const struct pxr_code *code, const struct comparison *all,
                        uint8_t *const *shards, size_t offset, unsigned *index)
{
    size_t at = all->len;
    for (unsigned r = 0; r < code->m; r++)
        at = all->first[r] < at ? all->first[r] : at;
    uint8_t s[PXR_MAX_SHARDS];
    syndrome_at(code, shards, at, s);

    unsigned none = code->k + code->m, culprit = none;
    for (unsigned i = 0; i < none; i++) {
        bool agree = false;
        int status = is_suspect(code, i, s)
                         ? agree_without(code, all, shards, i, offset, &agree)
                         : PXR_OK;
        if (status != PXR_OK)
            return status;
        if (agree && culprit != none)
            return PXR_EAMBIGUOUS;
        if (agree)
            culprit = i;
    }
    *index = culprit;
    return culprit == none ? PXR_EAMBIGUOUS : PXR_EMISMATCH;
}

int pxr_locate(const pxr_code *code, size_t len, pxr_inputs shards, unsigned *index)
{
    if (!code || !index || code->m < 2 ||
        !pxr_all_present(code->k + code->m, pxr_read_only(shards)))
        return PXR_EINVAL;
    size_t first[PXR_MAX_SHARDS];
    struct comparison all = compare_parity(code, len, shards, first);
    size_t offset = skip_agreeing(&all, 0);
    unsigned found = code->k + code->m;
    int status = offset < len ? find_culprit(code, &all, shards, offset, &found) : PXR_OK;
    if (status != PXR_ENOMEM)
        *index = found;
    return status;
}
