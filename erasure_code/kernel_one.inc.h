/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brief passes of one row, included by kernel_set.inc.h.  They take their output in a register:
 * the caller stores no pointer, and this pass waits for none.
 */

static void add_one(size_t len, const uint8_t *table, const uint8_t *src, uint8_t *dst)
{
    uint8_t *const outputs[] = {dst};
    mad(PXR_SPECIAL_NONE, 1, MAD_ADD, false, len, 0, table, src, NULL, outputs, 0);
}

static __attribute__((noinline)) void mul_one(size_t len, const uint8_t *table,
                                              const uint8_t *src, uint8_t *dst)
{
    uint8_t *const outputs[] = {dst};
    mad(PXR_SPECIAL_NONE, 1, MAD_REPLACE, false, len, 0, table, src, NULL, outputs, 0);
}

/* Apart, since it needs registers to be saved. */
static __attribute__((noinline)) void plain_sum_long(size_t len, unsigned k,
                                                     const uint8_t *tables,
                                                     const uint8_t *const *src, uint8_t *dst)
{
#ifdef DOT_BULK
    if (k > 0 && len >= ASSEMBLY_FROM) {
        uint8_t *const array[] = {dst};
        assembled_1(len, k, tables, src, array, 0, false);
        return;
    }
#endif
    uint8_t *const outputs[] = {dst};
    const struct pass pass = {k, tables, src, outputs, 0};
    size_t pos = 0;
    beyond_vector(1, FROM_TABLES, &pass, &pos, len);
    up_to_vector(1, FROM_TABLES, &pass, pos, len - pos);
}

PXR_INLINE void plain_sum(size_t len, unsigned k, const uint8_t *tables,
                          const uint8_t *const *src, uint8_t *dst)
{
    uint8_t *const outputs[] = {dst};
    if (len <= VEC_BYTES)
        up_to_vector(1, FROM_TABLES, &(struct pass){k, tables, src, outputs, 0}, 0, len);
    else
        plain_sum_long(len, k, tables, src, dst);
}

/* The product of one source needs none of what the loop over sources does. */
static void plain_one(size_t len, unsigned k, const uint8_t *tables, const uint8_t *const *src,
                      uint8_t *dst)
{
    if (k == 1 && src[0])
        mul_one(len, tables, src[0], dst);
    else
        plain_sum(len, k, tables, src, dst);
}
