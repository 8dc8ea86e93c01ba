/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How lost shards of bytes follow from surviving ones.
 *
 * Let C be the m by k coding matrix, L the t lost data shards, S the k-t data shards that
 * survive, and P some t parity shards that survive.  C[P,L] is the submatrix of rows P and
 * columns L. Parity is the sum of what surviving data and lost data contribute,
 *
 *     p = C[P,S] s + C[P,L] l        so        l = A^-1 (p + B s)
 *     with A = C[P,L], B = C[P,S]    (plus and minus are the same).
 *
 * Only the t by t matrix A is inverted, not the k by k matrix of all survivors.  Any wanted
 * shard w is g s + h l for some row (g, h): a unit vector for data, and C's row of w for
 * parity.  With x = h A^-1 that is
 *
 *     w = (g + x B) s + x p,
 *
 * so a wanted parity shard takes the same k products as a wanted data shard, and the lost data
 * that it depends on need not be written.  With t = 0 it is g s.
 *
 * Then a survivor whose coefficients are zero in every wanted row is dropped: nobody has to
 * read it.  For a lost data shard, an MDS code has no such survivor, but a matrix with rows
 * over local groups of the data has.
 */
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"
#include "gf256.h"
#include "matrix.h"

/* The data from which a plan is worked out.  The letters are those of the comment above. */
struct solver {
    const struct pxr_code *code;
    unsigned t;
    uint16_t lost[PXR_MAX_SHARDS];   /* L */
    uint16_t source[PXR_MAX_SHARDS]; /* S and then P, k shard numbers, ascending */
    uint8_t *inverse;                /* A^-1, t by t */
    uint8_t *influence;              /* B, t by k-t */
    uint8_t *scratch;                /* t by t; later the rows: targets by k */
};

/* out = the entries of `shard`'s row in the generator (the identity above C). */
static void gather(const struct pxr_code *code, unsigned shard, const uint16_t *columns,
                   unsigned count, uint8_t *out)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = shard < code->k ? shard == columns[i]
                                 : code->rows[(shard - code->k) * code->k + columns[i]];
}

/* out += x * matrix.  The matrix has `inner` rows and `columns` columns.  This is a dot product
   whose sources are the rows of the matrix. */
static void add_product(const uint8_t *x, const uint8_t *matrix, unsigned inner,
                        unsigned columns, uint8_t *out)
{
    uint8_t tables[PXR_MAX_SHARDS * PXR_TABLE];
    const uint8_t *source[PXR_MAX_SHARDS];
    uint8_t product[PXR_MAX_SHARDS];
    pxr_expand_tables(inner, x, tables);
    for (unsigned i = 0; i < inner; i++)
        source[i] = matrix + i * columns;
    pxr_encode_tables(pxr_kernels(), columns, inner, 1, tables, source, (uint8_t *[]){product});
    for (unsigned i = 0; i < columns; i++)
        out[i] ^= product[i];
}

/* ----------------------------------------------------- choosing sources -- */

/*
 * Adds `row` (n entries) to a set of `rank` independent rows in echelon form, unless it depends
 * on them.  In each row of the set the first nonzero entry is one.  A new row is first cleared
 * at these places.  Returns whether the row was added.
 */
static bool extend_basis(uint8_t *basis, unsigned rank, unsigned n, const uint8_t *row)
{
    uint8_t *reduced = basis + rank * n;
    memcpy(reduced, row, n);
    for (unsigned i = 0; i < rank; i++) {
        const uint8_t *other = basis + i * n;
        uint8_t factor = reduced[(const uint8_t *)memchr(other, 1, n) - other];
        for (unsigned j = 0; j < n; j++)
            reduced[j] ^= pxr_mul(factor, other[j]);
    }
    unsigned lead = 0;
    while (lead < n && !reduced[lead])
        lead++;
    if (lead == n)
        return false;
    uint8_t scale = pxr_inverse[reduced[lead]];
    for (unsigned j = 0; j < n; j++)
        reduced[j] = pxr_mul(scale, reduced[j]);
    return true;
}

/* Separates lost data from surviving data. */
static void split_data(struct solver *s, const struct pxr_shard_set *survivors)
{
    unsigned kept = 0;
    for (unsigned j = 0; j < s->code->k; j++) {
        if (pxr_set_has(survivors, j))
            s->source[kept++] = (uint16_t)j;
        else
            s->lost[s->t++] = (uint16_t)j;
    }
}

/* Returns the number of data shards that a parity shard depends on. */
static unsigned weight(const struct pxr_code *code, unsigned shard)
{
    const uint8_t *row = code->rows + (size_t)(shard - code->k) * code->k;
    unsigned count = 0;
    for (unsigned j = 0; j < code->k; j++)
        count += row[j] != 0;
    return count;
}

/*
 * Chooses P among the survivors.  For an MDS code, any t parity shards are suitable.  For
 * another code, a parity shard is skipped when the shards chosen before it already say the same
 * about the lost data.
 */
static int choose_helpers(struct solver *s, const struct pxr_shard_set *survivors)
{
    const struct pxr_code *code = s->code;
    uint16_t list[PXR_MAX_SHARDS];
    uint8_t row[PXR_MAX_SHARDS];
    const unsigned n = pxr_list_helpers(code, survivors, weight, list);
    struct pxr_shard_set chosen;
    unsigned count = 0;
    pxr_set_clear(&chosen, code->k + code->m);
    for (unsigned i = 0; i < n && count < s->t; i++) {
        gather(code, list[i], s->lost, s->t, row);
        if (!code->mds && !extend_basis(s->scratch, count, s->t, row))
            continue;
        pxr_set_add(&chosen, list[i]);
        count++;
    }
    if (count < s->t)
        return PXR_ESINGULAR;
    uint16_t *helper = s->source + code->k - s->t;
    for (unsigned i = code->k; i < code->k + code->m; i++)
        if (pxr_set_has(&chosen, i))
            *helper++ = (uint16_t)i;
    return PXR_OK;
}

/* -------------------------------------------------------------- solving -- */

/* Computes S, L, P, A^-1 and B. */
static int prepare(struct solver *s, const struct pxr_shard_set *survivors)
{
    split_data(s, survivors);
    const int status = choose_helpers(s, survivors);
    if (status != PXR_OK)
        return status;
    const unsigned t = s->t, kept = s->code->k - t;
    const uint16_t *helper = s->source + kept;
    for (unsigned i = 0; i < t; i++) {
        gather(s->code, helper[i], s->lost, t, s->scratch + i * t);
        gather(s->code, helper[i], s->source, kept, s->influence + i * kept);
    }
    return pxr_matrix_invert(s->scratch, s->inverse, t) ? PXR_OK : PXR_ESINGULAR;
}

/* Computes the coefficients of a wanted shard: g + x B, then x. */
static void solve_target(const struct solver *s, unsigned wanted, uint8_t *row)
{
    const unsigned t = s->t, kept = s->code->k - t;
    uint8_t *x = row + kept;
    gather(s->code, wanted, s->source, kept, row);
    memset(x, 0, t);
    if (t == 0)
        return;
    uint8_t h[PXR_MAX_SHARDS];
    gather(s->code, wanted, s->lost, t, h);
    add_product(h, s->inverse, t, t, x);
    add_product(x, s->influence, t, kept, row);
}

/* Removes the columns that are zero in all rows, and their sources.  Returns how many are left.
   No entry moves to a place from which another entry is still to be read. */
static unsigned drop_unread(uint16_t *source, uint8_t *rows, unsigned count, unsigned k)
{
    uint8_t read[PXR_MAX_SHARDS] = {0};
    for (unsigned r = 0; r < count; r++)
        for (unsigned i = 0; i < k; i++)
            read[i] |= rows[(size_t)r * k + i];
    uint8_t *out = rows;
    for (unsigned r = 0; r < count; r++)
        for (unsigned i = 0; i < k; i++)
            if (read[i])
                *out++ = rows[(size_t)r * k + i];
    unsigned left = 0;
    for (unsigned i = 0; i < k; i++)
        if (read[i])
            source[left++] = source[i];
    return left;
}

/* Writes the constants of a plan's structure to `room`. */
static void add_wide(struct pxr_plan *plan, const struct pxr_wide_matrix *matrix, size_t n,
                     uint64_t *room)
{
    uint8_t bytes[PXR_MOST_WIDE_CONSTANTS];
    pxr_wide_fill(&plan->wide, matrix, bytes);
    pxr_expand_both(n, bytes, room, plan->wide.constants);
    plan->map.rows.wide = &plan->wide;
}

/* Makes the plan.  `workspace` has room for three matrices of k by m.  That is enough: each
   lost data shard has its own parity shard, so t is at most k and at most m, and at most m
   shards are wanted. */
static int solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                 uint8_t *workspace, struct pxr_plan **made)
{
    const size_t matrix = (size_t)code->k * code->m;
    struct solver s = {
        .code = code,
        .inverse = workspace,
        .influence = workspace + matrix,
        .scratch = workspace + 2 * matrix,
    };
    uint16_t target[PXR_MAX_SHARDS];
    const unsigned targets = pxr_set_list(&key->wanted, code->k + code->m, target);

    const int status = targets > 0 ? prepare(&s, &key->survivors) : PXR_OK;
    if (status != PXR_OK)
        return status;
    for (unsigned i = 0; i < targets; i++)
        solve_target(&s, target[i], s.scratch + (size_t)i * code->k);
    const unsigned sources = drop_unread(s.source, s.scratch, targets, code->k);

    const struct pxr_wide_matrix solution = {sources, targets, s.scratch, s.source, target};
    struct pxr_wide wide;
    pxr_wide_find(&solution, pxr_kernels()->transform_levels, &wide);
    const size_t constants = wide.levels > 0 ? pxr_wide_constants(&wide) : 0;

    const size_t rows_bytes = pxr_rows_bytes(sources, targets);
    struct pxr_plan *const plan =
        pxr_plan_allocate(code, key, sources, s.source, targets,
                          rows_bytes + pxr_rows_bytes(1, (unsigned)constants));
    if (!plan)
        return PXR_ENOMEM;
    plan->wide = wide;
    plan->map.rows = pxr_rows_expand(sources, targets, s.scratch, plan->room);
    if (constants > 0)
        add_wide(plan, &solution, constants, plan->room + rows_bytes / sizeof *plan->room);
    *made = plan;
    return PXR_OK;
}

int pxr_bytes_solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan **plan)
{
    uint8_t *workspace = malloc((size_t)3 * code->k * code->m);
    if (!workspace)
        return PXR_ENOMEM;
    const int status = solve(code, key, workspace, plan);
    free(workspace);
    return status;
}
