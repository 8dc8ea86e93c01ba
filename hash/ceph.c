/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sketch of Ceph's pull request 71721, as permxor_hash.h defines it.
 *
 * Byte i of a shard has the number v(i) = i*STEP + FIRST.  Its coefficient in lane l is the
 * byte of v(i) + l*LANE that begins at bit 33.  Write v as a high part, its bits from 33 on,
 * and a low part f below 2^33.  The lanes add little: LANE is about a third of 2^33.  So the
 * coefficients are the high part plus a few carries, and the carries depend on f alone:
 *
 *     lane 2 carries once when f >= 2^33 - 2*LANE
 *     lane 1 carries once when f >= 2^33 - LANE
 *     lane 3 carries once for each f, and twice when f >= 2^34 - 3*LANE
 *
 * These bounds grow from line to line, so they cut the values of f into four ranges.  All bytes
 * of a shard with the same high byte and the same range have the same four coefficients.  They
 * are added up first, which takes one xor for each byte.  Only the sums are multiplied.
 */
#include "explain.h"
#include "form.h"
#include "gf256.h"

enum { LANES = 4, RANGES = 4, BYTES = 256 };

#define STEP UINT64_C(6364136223846793005)
#define FIRST UINT64_C(1442695040888963407)
#define LANE UINT64_C(2891336453)
#define BIT 33
#define CARRY (UINT64_C(1) << BIT)

/* The first f of each range. */
static const uint64_t start[RANGES] = {0, CARRY - 2 * LANE, CARRY - LANE, 2 * CARRY - 3 * LANE};

static uint8_t high_byte(uint64_t v)
{
    return (uint8_t)(v >> BIT);
}

/* Adds bytes whose sum is x, and which have the number v or the same coefficients. */
static void add_product(uint64_t v, uint8_t x, uint8_t *sum)
{
    for (unsigned l = 0; l < LANES; l++) {
        const uint8_t coefficient = high_byte(v + l * LANE);
        sum[l] ^= pxr_mul(coefficient ? coefficient : 1, x);
    }
}

static void add_each(uint64_t v, size_t len, const uint8_t *piece, uint8_t *sum)
{
    for (size_t i = 0; i < len; i++, v += STEP)
        add_product(v, piece[i], sum);
}

static void add_sorted(uint64_t v, size_t len, const uint8_t *piece, uint8_t *sum)
{
    uint8_t total[RANGES * BYTES] = {0};
    for (size_t i = 0; i < len; i++, v += STEP) {
        const uint64_t f = v & (CARRY - 1);
        const unsigned range = (f >= start[1]) + (f >= start[2]) + (f >= start[3]);
        total[range * BYTES + high_byte(v)] ^= piece[i];
    }
    for (unsigned range = 0; range < RANGES; range++)
        for (uint64_t high = 0; high < BYTES; high++)
            add_product(high * CARRY + start[range], total[range * BYTES + high], sum);
}

static void add(const pxr_hash *hash, uint64_t offset, size_t len, const uint8_t *piece,
                uint8_t *sum)
{
    (void)hash;
    const uint64_t v = offset * STEP + FIRST;
    if (len < RANGES * BYTES) /* as many products as for the sums, or fewer */
        add_each(v, len, piece, sum);
    else
        add_sorted(v, len, piece, sum);
}

static const struct pxr_hash_form sketch = {add, NULL};

int pxr_hash_create_ceph_71721(pxr_hash **hash, struct pxr_error *why)
{
    if (!hash) {
        pxr_explain(why, "hash is NULL: there is no place for the result");
        return PXR_EINVAL;
    }
    *hash = pxr_hash_new(&sketch, LANES, sizeof **hash, why);
    return *hash ? PXR_OK : PXR_ENOMEM;
}
