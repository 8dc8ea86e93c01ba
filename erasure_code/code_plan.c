/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How lost shards follow from surviving ones, and the cache of the answers.
 *
 * Let C be the m by k coding matrix, L the t lost data shards, S the k-t data
 * shards that survive, and P some t parity shards that survive.  Write C[P,L]
 * for the submatrix of rows P and columns L.  Parity splits into what comes
 * from surviving and what comes from lost data,
 *
 *     p = C[P,S] s + C[P,L] l        so        l = A^-1 (p + B s)
 *     with A = C[P,L], B = C[P,S]    (plus and minus are the same).
 *
 * Only the t by t matrix A is inverted, not the k by k matrix of all survivors.
 * Any wanted shard w is g s + h l for some row (g, h): a unit vector for data,
 * C's row of w for parity.  With x = h A^-1 that is
 *
 *     w = (g + x B) s + x p,
 *
 * so a wanted parity shard takes the same k products as a wanted data shard,
 * and the data it stems from need not be written.  With t = 0 it is g s.
 */
#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "gf256.h"
#include "matrix.h"

/* -------------------------------------------------------- making a plan -- */

/* What a plan is worked out from; the letters are those of the comment above. */
struct solver {
    const struct pxr_code *code;
    unsigned t;
    uint8_t lost[PXR_MAX_SHARDS]; /* L */
    uint8_t *kept;                /* S, k-t shard numbers */
    uint8_t *helper;              /* P, t shard numbers, after kept */
    uint8_t *inverse;             /* A^-1, t by t */
    uint8_t *influence;           /* B, t by k-t */
    uint8_t *scratch;             /* t by t */
};

/* out = the entries of the generator (identity above C) in `shard`'s row. */
static void gather(const struct pxr_code *code, unsigned shard, const uint8_t *columns,
                   unsigned count, uint8_t *out)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = shard < code->k ? shard == columns[i]
                                 : code->rows[(shard - code->k) * code->k + columns[i]];
}

/* out += x * matrix, where matrix has `inner` rows and `columns` columns: a dot
   product whose sources are the rows of the matrix. */
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

/*
 * Adds `row` (n entries) to a set of `rank` independent rows in echelon form,
 * unless it depends on them.  Each row of the set has its first nonzero entry
 * equal to one; a new row is first cleared at those places.
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

/* Tells lost data from kept data. */
static void split_data(struct solver *s, const struct pxr_shard_set *survivors)
{
    unsigned kept = 0;
    for (unsigned j = 0; j < s->code->k; j++) {
        if (pxr_set_has(survivors, j))
            s->kept[kept++] = (uint8_t)j;
        else
            s->lost[s->t++] = (uint8_t)j;
    }
    s->helper = s->kept + kept;
}

/*
 * Chooses P among the survivors, in order.  Of an MDS code any t will do; of
 * another code a parity shard is passed over when those chosen before say the
 * same about the lost data.
 */
static int choose_helpers(struct solver *s, const struct pxr_shard_set *survivors)
{
    const struct pxr_code *code = s->code;
    uint8_t row[PXR_MAX_SHARDS];
    unsigned chosen = 0;
    for (unsigned i = code->k; i < code->k + code->m && chosen < s->t; i++) {
        if (!pxr_set_has(survivors, i))
            continue;
        gather(code, i, s->lost, s->t, row);
        if (code->mds || extend_basis(s->scratch, chosen, s->t, row))
            s->helper[chosen++] = (uint8_t)i;
    }
    return chosen == s->t ? PXR_OK : PXR_ESINGULAR;
}

/* A^-1 and B. */
static int invert_helpers(struct solver *s)
{
    unsigned t = s->t, kept = s->code->k - t;
    for (unsigned i = 0; i < t; i++) {
        gather(s->code, s->helper[i], s->lost, t, s->scratch + i * t);
        gather(s->code, s->helper[i], s->kept, kept, s->influence + i * kept);
    }
    return pxr_matrix_invert(s->scratch, s->inverse, t) ? PXR_OK : PXR_ESINGULAR;
}

/* The coefficients of a wanted shard: g + x B, then x. */
static void solve_target(const struct solver *s, unsigned wanted, uint8_t *row)
{
    unsigned t = s->t, kept = s->code->k - t;
    uint8_t *x = row + kept;
    gather(s->code, wanted, s->kept, kept, row);
    memset(x, 0, t);
    if (t == 0)
        return;
    uint8_t h[PXR_MAX_SHARDS];
    gather(s->code, wanted, s->lost, t, h);
    add_product(h, s->inverse, t, t, x);
    add_product(x, s->influence, t, kept, row);
}

/* Fills in the plan for its key.  `workspace` has room for three matrices of k
   by m, and t is at most either, as each lost data shard has its helper. */
static int fill_plan(const struct pxr_code *code, struct pxr_plan *plan, uint8_t *workspace)
{
    size_t matrix = (size_t)code->k * code->m;
    struct solver s = {
        .code = code,
        .kept = plan->source,
        .inverse = workspace,
        .influence = workspace + matrix,
        .scratch = workspace + 2 * matrix,
    };
    split_data(&s, &plan->key.survivors);
    int status = choose_helpers(&s, &plan->key.survivors);
    if (status == PXR_OK)
        status = invert_helpers(&s);
    if (status != PXR_OK)
        return status;
    uint8_t *const rows = s.scratch; /* targets*k, which A's room is for as well */
    for (unsigned i = 0; i < plan->targets; i++)
        solve_target(&s, plan->target[i], rows + (size_t)i * code->k);
    plan->rows = pxr_rows_expand(code->k, plan->targets, rows, plan->room);
    return PXR_OK;
}

static int make_plan(const struct pxr_code *code, const struct pxr_plan_key *key,
                     struct pxr_plan **made)
{
    uint8_t target[PXR_MAX_SHARDS];
    unsigned targets = 0;
    for (unsigned i = 0; i < code->k + code->m; i++)
        if (pxr_set_has(&key->wanted, i))
            target[targets++] = (uint8_t)i;

    size_t bytes = sizeof(struct pxr_plan) + pxr_rows_bytes(code->k, targets);
    struct pxr_plan *plan = malloc(bytes);
    uint8_t *workspace = malloc((size_t)3 * code->k * code->m);
    int status = PXR_ENOMEM;
    if (plan && workspace) {
        *plan = (struct pxr_plan){.key = *key, .bytes = bytes, .targets = targets};
        atomic_init(&plan->users, 1);
        memcpy(plan->target, target, targets);
        status = fill_plan(code, plan, workspace);
    }
    free(workspace);
    if (status == PXR_OK)
        *made = plan;
    else
        free(plan);
    return status;
}

/* --------------------------------------------------------------- cache -- */

struct pxr_plan_cache *pxr_plan_cache_create(void)
{
    struct pxr_plan_cache *cache = calloc(1, sizeof *cache);
    if (cache && pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        cache = NULL;
    }
    return cache;
}

void pxr_plan_cache_free(struct pxr_plan_cache *cache)
{
    if (!cache)
        return;
    while (cache->newest) {
        struct pxr_plan *plan = cache->newest;
        cache->newest = plan->older;
        pxr_plan_release(plan);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

void pxr_plan_release(struct pxr_plan *plan)
{
    if (atomic_fetch_sub_explicit(&plan->users, 1, memory_order_acq_rel) == 1)
        free(plan);
}

/* Multiplying by an odd constant carries every bit upwards; the top bits, which
   depend on all words, choose the bucket. */
static struct pxr_plan **bucket_of(struct pxr_plan_cache *cache, const struct pxr_plan_key *key)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof key->wanted.word / sizeof key->wanted.word[0]; i++) {
        hash = (hash ^ key->survivors.word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ hash >> 32 ^ key->wanted.word[i]) * UINT64_C(0xd6e8feb86659fd93);
    }
    return &cache->bucket[(hash ^ hash >> 32) % PXR_PLAN_BUCKETS];
}

static void unlink_use(struct pxr_plan_cache *cache, struct pxr_plan *plan)
{
    *(plan->newer ? &plan->newer->older : &cache->newest) = plan->older;
    *(plan->older ? &plan->older->newer : &cache->oldest) = plan->newer;
}

static void link_newest(struct pxr_plan_cache *cache, struct pxr_plan *plan)
{
    plan->newer = NULL;
    plan->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = plan;
    cache->newest = plan;
}

/* The plan of this key, counted as used once more, or NULL.  Locked. */
static struct pxr_plan *find(struct pxr_plan_cache *cache, const struct pxr_plan_key *key)
{
    struct pxr_plan *plan = *bucket_of(cache, key);
    while (plan && memcmp(&plan->key, key, sizeof *key) != 0)
        plan = plan->chain;
    if (plan) {
        unlink_use(cache, plan);
        link_newest(cache, plan);
        atomic_fetch_add_explicit(&plan->users, 1, memory_order_relaxed);
    }
    return plan;
}

/* Takes the least recently used plan out.  Locked. */
static void evict(struct pxr_plan_cache *cache)
{
    struct pxr_plan *plan = cache->oldest;
    struct pxr_plan **link = bucket_of(cache, &plan->key);
    while (*link != plan)
        link = &(*link)->chain;
    *link = plan->chain;
    unlink_use(cache, plan);
    cache->plans--;
    cache->bytes -= plan->bytes;
    pxr_plan_release(plan);
}

/* Puts a plan in, in the place of the oldest where there is no room.  Locked. */
static void insert(struct pxr_plan_cache *cache, struct pxr_plan *plan)
{
    struct pxr_plan **bucket = bucket_of(cache, &plan->key);
    while (cache->plans == PXR_PLANS_MAX || cache->bytes + plan->bytes > PXR_PLAN_BYTES_MAX)
        evict(cache);
    plan->chain = *bucket;
    *bucket = plan;
    link_newest(cache, plan);
    cache->plans++;
    cache->bytes += plan->bytes;
    atomic_fetch_add_explicit(&plan->users, 1, memory_order_relaxed);
}

/*
 * Which survivors make a difference: the data, and as many parity shards as
 * data shards are lost.  (Of a code that is not MDS, any parity shard may turn
 * out to be needed.)  Patterns of losses that differ in the rest share a plan.
 */
static struct pxr_shard_set relevant(const struct pxr_code *code,
                                     const struct pxr_shard_set *survivors)
{
    struct pxr_shard_set set = {{0}};
    unsigned lost = 0;
    for (unsigned j = 0; j < code->k; j++) {
        if (pxr_set_has(survivors, j))
            pxr_set_add(&set, j);
        else
            lost++;
    }
    unsigned most = code->mds || lost == 0 ? lost : code->m;
    for (unsigned i = code->k; i < code->k + code->m && most > 0; i++) {
        if (pxr_set_has(survivors, i)) {
            pxr_set_add(&set, i);
            most--;
        }
    }
    return set;
}

int pxr_plan_get(const struct pxr_code *code, const struct pxr_shard_set *survivors,
                 const struct pxr_shard_set *wanted, struct pxr_plan **plan)
{
    struct pxr_plan_cache *cache = code->cache;
    struct pxr_plan_key key = {relevant(code, survivors), *wanted};
    pthread_mutex_lock(&cache->lock);
    *plan = find(cache, &key);
    pthread_mutex_unlock(&cache->lock);
    if (*plan)
        return PXR_OK;

    struct pxr_plan *made;
    int status = make_plan(code, &key, &made);
    if (status != PXR_OK)
        return status;
    /* Another thread may have made the same plan meanwhile: keep the first. */
    pthread_mutex_lock(&cache->lock);
    *plan = find(cache, &key);
    if (!*plan) {
        insert(cache, made);
        *plan = made;
    }
    pthread_mutex_unlock(&cache->lock);
    if (*plan != made)
        pxr_plan_release(made);
    return PXR_OK;
}

/* --------------------------------------------------------- reconstruct -- */

/* Looks at the arguments and tells what survives and what is wanted. */
static int survey(const struct pxr_code *code, const uint8_t *const *have, uint8_t *const *want,
                  struct pxr_shard_set *survivors, struct pxr_shard_set *wanted,
                  unsigned *targets)
{
    unsigned present = 0;
    for (unsigned i = 0; i < code->k + code->m; i++) {
        if (have[i] && want[i])
            return PXR_EINVAL;
        if (have[i]) {
            pxr_set_add(survivors, i);
            present++;
        } else if (want[i]) {
            pxr_set_add(wanted, i);
            ++*targets;
        }
    }
    return present < code->k ? PXR_ETOOFEW : PXR_OK;
}

int pxr_reconstruct(const pxr_code *code, size_t len, const uint8_t *const *have,
                    uint8_t *const *want)
{
    if (!code || !have || !want)
        return PXR_EINVAL;
    struct pxr_shard_set survivors = {{0}}, wanted = {{0}};
    unsigned targets = 0;
    int status = survey(code, have, want, &survivors, &wanted, &targets);
    if (status != PXR_OK || targets == 0 || len == 0)
        return status;
    struct pxr_plan *plan;
    status = pxr_plan_get(code, &survivors, &wanted, &plan);
    if (status != PXR_OK)
        return status;

    const uint8_t *src[PXR_MAX_SHARDS];
    uint8_t *dst[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < code->k; i++)
        src[i] = have[plan->source[i]];
    for (unsigned i = 0; i < plan->targets; i++)
        dst[i] = want[plan->target[i]];
    pxr_encode_rows(pxr_kernels(), len, &plan->rows, src, dst);
    pxr_plan_release(plan);
    return PXR_OK;
}
