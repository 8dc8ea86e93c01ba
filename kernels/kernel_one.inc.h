/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brief passes of one row, included by kernel_set.inc.h.  They take their output pointer in a
 * register, so the caller stores no pointer, and the pass does not wait for one.  For a sum of
 * up to two vectors, the work around the sum takes as long as the sum.  So these functions do
 * as little of that work as possible, and need no register that has to be saved.
 */

/* Tells the compiler what the caller has already checked, so that no code checks it again. */
#define SEEN_TO(condition)           \
    do {                             \
        if (!(condition))            \
            __builtin_unreachable(); \
    } while (0)

static void add_one(size_t len, unsigned k, unsigned index, const uint8_t *tables,
                    const uint8_t *src, uint8_t *dst)
{
    uint8_t *const outputs[] = {dst};
    (void)k;
    mad(PXR_SPECIAL_NONE, 1, MAD_ADD, false, len, 0, tables + (size_t)PXR_TABLE * index, src,
        NULL, outputs, 0);
}

/*
 * One vector, or two vectors of which the last one has `part` bytes where part is not 0.
 * `two`, and whether part is 0, are constants wherever this is expanded.  An odd source goes
 * first, so that nothing is left to test behind the loop.
 */
PXR_INLINE void short_sum(const bool two, size_t part, size_t k, const uint8_t *tables,
                          const uint8_t *const *src, uint8_t *dst)
{
    const size_t part0 = two ? 0 : part;
    vec sum0 = vec_zero(), sum1 = vec_zero();
    if (k % 2) {
        const uint8_t *const s = *src++;
        if (!s)
            return;
        const coef c = coef_load(tables);
        sum0 = mul_add(sum0, terms_of(load(s, part0)), c);
        if (two)
            sum1 = mul_add(sum1, terms_of(load(s + VEC_BYTES, part)), c);
        tables += PXR_TABLE;
    }
    for (k /= 2; k > 0; k--, src += 2, tables += 2 * PXR_TABLE) {
        const uint8_t *const s = src[0], *const t = src[1];
        if (__builtin_expect(!s, 0) || __builtin_expect(!t, 0))
            return;
        const coef c = coef_load(tables), d = coef_load(tables + PXR_TABLE);
        sum0 = mul_add_pair(sum0, terms_of(load(s, part0)), c, terms_of(load(t, part0)), d);
        if (two)
            sum1 = mul_add_pair(sum1, terms_of(load(s + VEC_BYTES, part)), c,
                                terms_of(load(t + VEC_BYTES, part)), d);
    }
    if (!dst)
        return;
    store(dst, sum0, part0);
    if (two)
        store(dst + VEC_BYTES, sum1, part);
}

static __attribute__((noinline)) void two_vectors(size_t part, size_t k, const uint8_t *tables,
                                                  const uint8_t *const *src, uint8_t *dst)
{
    SEEN_TO(part > 0);
    if (part == VEC_BYTES)
        short_sum(true, 0, k, tables, src, dst);
    else
        short_sum(true, part, k, tables, src, dst);
}

/* A separate function, because it needs registers that have to be saved. */
static __attribute__((noinline)) void many_vectors(size_t len, unsigned k,
                                                   const uint8_t *tables,
                                                   const uint8_t *const *src, uint8_t *dst)
{
    uint8_t *const outputs[] = {dst};
#ifdef DOT_BULK
    if (len >= ASSEMBLY_FROM) {
        assembled_1(len, k, tables, src, outputs, 0, false);
        return;
    }
#endif
    const struct pass pass = {k, tables, src, outputs, 0};
    size_t pos = 0;
    beyond_vector(1, FROM_TABLES, &pass, &pos, len);
    up_to_vector(1, FROM_TABLES, &pass, pos, len - pos);
}

static __attribute__((noinline)) void vectors(size_t len, unsigned k, const uint8_t *tables,
                                              const uint8_t *const *src, uint8_t *dst)
{
    if (len > 2 * VEC_BYTES)
        many_vectors(len, k, tables, src, dst);
    else
        two_vectors(len - VEC_BYTES, k, tables, src, dst);
}

/* With one source there is no sum, so the product needs none of the code for sums. */
static void plain_one(size_t len, unsigned k, const uint8_t *tables, const uint8_t *const *src,
                      uint8_t *dst)
{
    SEEN_TO(len > 0 && k > 0);
    if (k == 1) {
        uint8_t *const outputs[] = {dst};
        if (src[0])
            mad(PXR_SPECIAL_NONE, 1, MAD_REPLACE, false, len, 0, tables, src[0], NULL, outputs,
                0);
    } else if (len > VEC_BYTES) {
        vectors(len, k, tables, src, dst);
    } else if (len == VEC_BYTES) {
        short_sum(false, 0, k, tables, src, dst);
    } else {
        short_sum(false, len, k, tables, src, dst);
    }
}
