/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether shards agree with one another, and which one does not. */
#include "arithmetic.h"
#include "call.h"
#include "plan_cache.h"

/* ------------------------------------------------------------- compare -- */

/* Returns the bytes of a chunk, in whole units. */
static size_t chunk_bytes(const struct pxr_map *map)
{
    return map->unit < PXR_CHUNK ? PXR_CHUNK / map->unit * map->unit : map->unit;
}

/* Compares all shards in the chunk at offset. */
static bool chunk_agrees(const struct pxr_comparison *c, size_t offset)
{
    const size_t chunk = chunk_bytes(c->map), left = c->len - offset;
    return c->map->arithmetic->agrees(c, offset, left < chunk ? left : chunk);
}

/* Returns the first chunk from offset on that does not agree, or len or more when all agree. */
static size_t skip_agreeing(const struct pxr_comparison *c, size_t offset)
{
    while (offset < c->len && chunk_agrees(c, offset))
        offset += chunk_bytes(c->map);
    return offset;
}

/* Sets up the comparison of stored shards with the result of a map. */
static struct pxr_comparison compare(const struct pxr_map *map, size_t len,
                                     const uint8_t *const *data, const uint8_t *const *parity,
                                     size_t *first)
{
    for (unsigned r = 0; first && r < map->count; r++)
        first[r] = len;
    return (struct pxr_comparison){
        .len = len,
        .map = map,
        .source = data,
        .expected = parity,
        .left_out = map->count,
        .first = first,
    };
}

/* -------------------------------------------------------------- verify -- */

static int verify(const struct pxr_comparison *c)
{
    size_t wrong = skip_agreeing(c, 0);
    if (wrong >= c->len)
        return PXR_OK;
    /* The caller may want to know where the other rows begin to differ. */
    while (c->first && (wrong += chunk_bytes(c->map)) < c->len)
        chunk_agrees(c, wrong);
    return PXR_EMISMATCH;
}

int pxr_verify(const pxr_code *code, size_t len, pxr_inputs shards, size_t *first)
{
    if (!code || !pxr_whole_units(&code->map, len) ||
        !pxr_all_present(code->k, pxr_read_only(shards)))
        return PXR_EINVAL;
    const struct pxr_comparison c =
        compare(&code->map, len, pxr_read_only(shards), pxr_read_only(shards) + code->k, first);
    return verify(&c);
}

int pxr_verify_tables(size_t len, unsigned k, unsigned rows, const uint8_t *gftbls,
                      pxr_inputs data, pxr_inputs coding, size_t *first)
{
    if (k - 1 >= PXR_MAX_SHARDS || rows - 1 >= PXR_MAX_SHARDS || !gftbls || !coding ||
        !pxr_all_present(k, pxr_read_only(data)))
        return PXR_EINVAL;
    const struct pxr_map map = {.arithmetic = &pxr_byte_arithmetic,
                                .k = k,
                                .count = rows,
                                .unit = 1,
                                .rows = pxr_rows_of_tables(k, rows, gftbls)};
    const struct pxr_comparison c =
        compare(&map, len, pxr_read_only(data), pxr_read_only(coding), first);
    return verify(&c);
}

/* -------------------------------------------------------------- locate -- */

/*
 * One wrong shard explains all differences if and only if the other k+m-1 shards agree with one
 * another.  This can be tested at full speed.  Without parity q: compare as before, but leave q
 * out.  Without data shard j: rebuild j from parity shards, as if it had been lost, and compare
 * every parity shard with what follows from these survivors.
 */

/* Plans of packets may read all shards but one, and write up to all but one. */
_Static_assert(2 * PXR_MAX_SHARDS <= PXR_MAX_ANY_SHARDS, "the shards of a plan have room");

/* Finds out whether `count` parity shards follow from all shards other than data shard j. */
static int follow_without_data(const struct pxr_code *code, size_t len, uint8_t *const *shards,
                               unsigned j, unsigned first, unsigned count, size_t offset,
                               bool *agree)
{
    const uint8_t *address[PXR_MAX_ANY_SHARDS];
    struct pxr_plan_key key;
    pxr_key_clear(&key, code->k + code->m);
    for (unsigned i = 0; i < code->k + code->m; i++)
        if (i != j)
            pxr_set_add(&key.survivors, i);
    for (unsigned i = first; i < first + count; i++)
        pxr_set_add(&key.wanted, code->k + i);
    struct pxr_plan_lease lease;
    int status = pxr_plan_borrow(code, &key, &lease);
    if (status != PXR_OK)
        return status;
    const struct pxr_plan *plan = lease.plan;
    for (unsigned i = 0; i < plan->sources + plan->targets; i++)
        address[i] = shards[plan->shard[i]];
    const struct pxr_comparison c = {.len = len,
                                     .map = &plan->map,
                                     .source = address,
                                     .expected = address + plan->sources,
                                     .left_out = plan->targets};
    *agree = skip_agreeing(&c, offset) >= len;
    pxr_plan_give_back(&lease);
    return PXR_OK;
}

/*
 * A comparison lists the packets that a plan reads and writes.  There is room for those of all
 * k + m shards.  A plan may read all shards but one, so it always has room for one that it
 * writes.
 */
static unsigned parities_at_once(const struct pxr_code *code)
{
    const unsigned most = code->k + 2 * code->m - 1;
    return code->map.packetsize == 0 || most * code->map.w <= PXR_MAX_PACKETS ? code->m : 1;
}

/* Finds out whether all shards other than data shard j agree, from offset on. */
static int agree_without_data(const struct pxr_code *code, size_t len, uint8_t *const *shards,
                              unsigned j, size_t offset, bool *agree)
{
    const unsigned count = parities_at_once(code);
    int status = PXR_OK;
    *agree = true;
    for (unsigned r = 0; r < code->m && status == PXR_OK && *agree; r += count)
        status = follow_without_data(code, len, shards, j, r, count, offset, agree);
    return status;
}

static int agree_without(const struct pxr_code *code, const struct pxr_comparison *all,
                         uint8_t *const *shards, unsigned shard, size_t offset, bool *agree)
{
    if (shard < code->k)
        return agree_without_data(code, all->len, shards, shard, offset, agree);
    struct pxr_comparison c = *all;
    c.least = NULL;
    c.left_out = shard - code->k;
    *agree = skip_agreeing(&c, offset) >= c.len;
    return PXR_OK;
}

/* Finds the one shard that explains every difference from the chunk at offset on. *all->least
   is the first difference. *index is k+m on entry. */
static int find_culprit(const struct pxr_code *code, const struct pxr_comparison *all,
                        uint8_t *const *shards, size_t offset, unsigned *index)
{
    struct pxr_shard_set suspects;
    pxr_set_clear(&suspects, code->k + code->m);
    code->map.arithmetic->find_suspects(code, shards, *all->least, &suspects);

    unsigned none = code->k + code->m, culprit = none;
    for (unsigned i = 0; i < none; i++) {
        bool agree = false;
        int status = pxr_set_has(&suspects, i)
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
    if (!code || !index || code->m < 2 || !pxr_whole_units(&code->map, len) ||
        !pxr_all_present(code->k + code->m, pxr_read_only(shards)))
        return PXR_EINVAL;
    size_t least = len;
    const uint8_t *const *const stored = pxr_read_only(shards);
    struct pxr_comparison all = compare(&code->map, len, stored, stored + code->k, NULL);
    all.least = &least;
    size_t offset = skip_agreeing(&all, 0);
    unsigned found = code->k + code->m;
    int status = offset < len ? find_culprit(code, &all, shards, offset, &found) : PXR_OK;
    if (status != PXR_ENOMEM)
        *index = found;
    return status;
}
