/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's names.  Each function checks its arguments, because the ABI has int lengths and no
 * errors.  When a call cannot be done, it touches nothing.
 */
#include "isal.h"

#include <string.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"
#include "gf256.h"
#include "isa-l.h"
#include "matrix.h"
#include "registry.h"

/* ------------------------------------------------- with a kernel set given -- */

/* Handles all calls that are not brief.  It is a function apart from them, so that they save no
   registers. */
static __attribute__((noinline)) void
encode_long(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned rows,
            const uint8_t *tables, const uint8_t *const *src, uint8_t *const *dst)
{
    if (pxr_call_present(k, src, rows, dst))
        pxr_encode_tables_long(kernels, len, k, rows, tables, src, dst);
}

/* Without sources, when there may be no tables either, the sums are zero.  In any other case in
   which something is missing, nothing is done. */
static __attribute__((noinline)) void encode_nothing(int len, int k, int rows,
                                                     uint8_t *const *dst)
{
    if (len <= 0 || k != 0 || rows <= 0 || !pxr_all_present((unsigned)rows, pxr_read_only(dst)))
        return;
    for (int r = 0; r < rows; r++)
        memset(dst[r], 0, (size_t)len);
}

/* Looking at every pointer takes a tenth of the shortest calls, so these test the pointers
   while they code. */
PXR_INLINE void encode(const struct pxr_kernels *kernels, int len, int k, int rows,
                       unsigned char *tables, unsigned char **src, unsigned char **dst)
{
    const uint8_t *const *const from = pxr_read_only(src);
    if (len <= 0 || k <= 0 || rows <= 0 || !tables || !src || !dst)
        encode_nothing(len, k, rows, dst);
    else if (pxr_is_brief_tables(kernels, (size_t)len, (unsigned)k, (unsigned)rows, tables))
        kernels->plain[PXR_TABLES][rows]((size_t)len, (unsigned)k, tables, from, dst, 0);
    else
        encode_long(kernels, (size_t)len, (unsigned)k, (unsigned)rows, tables, from, dst);
}

void pxr_isal_encode(const struct pxr_kernels *kernels, int len, int k, int rows,
                     unsigned char *tables, unsigned char **src, unsigned char **dst)
{
    encode(kernels, len, k, rows, tables, src, dst);
}

/* Apart from the brief calls, like encode_long(). */
static __attribute__((noinline)) void update_long(const struct pxr_kernels *kernels, int len,
                                                  int k, int rows, int index,
                                                  const uint8_t *tables, const uint8_t *src,
                                                  uint8_t *const *dst)
{
    if (len > 0 && rows > 0 && index >= 0 && index < k && tables && src &&
        pxr_all_present((unsigned)rows, pxr_read_only(dst)))
        pxr_update_rows(kernels, (size_t)len, (unsigned)k, (unsigned)rows, (unsigned)index,
                        tables, src, NULL, dst);
}

/* A brief update itself tests for outputs that are NULL. */
PXR_INLINE void update(const struct pxr_kernels *kernels, int len, int k, int rows, int index,
                       unsigned char *tables, unsigned char *src, unsigned char **dst)
{
    if (pxr_is_brief_update((size_t)len, (unsigned)rows) && index >= 0 && index < k && tables &&
        src && dst)
        kernels->add[rows]((size_t)len, (unsigned)k, (unsigned)rows, (unsigned)index, tables,
                           src, dst);
    else
        update_long(kernels, len, k, rows, index, tables, src, dst);
}

void pxr_isal_update(const struct pxr_kernels *kernels, int len, int k, int rows, int index,
                     unsigned char *tables, unsigned char *src, unsigned char **dst)
{
    update(kernels, len, k, rows, index, tables, src, dst);
}

int pxr_isal_mul(const struct pxr_kernels *kernels, int len, unsigned char *table, void *src,
                 void *dst)
{
    if (len < 0 || len % 32 != 0)
        return -1;
    if (len == 0)
        return 0;
    if (!table || !src || !dst)
        return -1;
    uint8_t *const to = dst;
    kernels->mad[PXR_SPECIAL_NONE][1]((size_t)len, (struct pxr_mad_mode){1, 0}, table, src,
                                      NULL, &to);
    return 0;
}

/* --------------------------------------------------------------- the names -- */

/* Handles calls before a kernel set was chosen, and calls that are not brief.  It is a function
   apart for the same reason. */
static __attribute__((noinline)) void encode_any(int len, int k, int rows,
                                                 unsigned char *gftbls, unsigned char **data,
                                                 unsigned char **coding)
{
    pxr_isal_encode(pxr_kernels(), len, k, rows, gftbls, data, coding);
}

void ec_encode_data(int len, int k, int rows, unsigned char *gftbls, unsigned char **data,
                    unsigned char **coding)
{
    const struct pxr_kernels *const kernels = pxr_kernels_if_chosen();
    if (kernels)
        encode(kernels, len, k, rows, gftbls, data, coding);
    else
        encode_any(len, k, rows, gftbls, data, coding);
}

static __attribute__((noinline)) void update_any(int len, int k, int rows, int vec_i,
                                                 unsigned char *g_tbls, unsigned char *data,
                                                 unsigned char **coding)
{
    pxr_isal_update(pxr_kernels(), len, k, rows, vec_i, g_tbls, data, coding);
}

void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *g_tbls,
                           unsigned char *data, unsigned char **coding)
{
    const struct pxr_kernels *const kernels = pxr_kernels_if_chosen();
    if (kernels)
        update(kernels, len, k, rows, vec_i, g_tbls, data, coding);
    else
        update_any(len, k, rows, vec_i, g_tbls, data, coding);
}

/*
 * With one output, a brief call takes the output pointer in a register instead of in an array.
 * So all code that needs the address of this pointer is in a function of its own.
 */
static __attribute__((noinline)) void dot_prod_any(int len, int vlen, unsigned char *gftbls,
                                                   unsigned char **src, unsigned char *dest)
{
    pxr_isal_encode(pxr_kernels(), len, vlen, 1, gftbls, src, &dest);
}

void gf_vect_dot_prod(int len, int vlen, unsigned char *gftbls, unsigned char **src,
                      unsigned char *dest)
{
    const struct pxr_kernels *const kernels = pxr_kernels_if_chosen();
    if (kernels && len > 0 && vlen > 0 &&
        pxr_is_brief(kernels, (size_t)len, (unsigned)vlen, 1) && gftbls && src)
        kernels->plain_one((size_t)len, (unsigned)vlen, gftbls, pxr_read_only(src), dest);
    else
        dot_prod_any(len, vlen, gftbls, src, dest);
}

static __attribute__((noinline)) void mad_any(int len, int vec, int vec_i,
                                              unsigned char *gftbls, unsigned char *src,
                                              unsigned char *dest)
{
    pxr_isal_update(pxr_kernels(), len, vec, 1, vec_i, gftbls, src, &dest);
}

void gf_vect_mad(int len, int vec, int vec_i, unsigned char *gftbls, unsigned char *src,
                 unsigned char *dest)
{
    const struct pxr_kernels *const kernels = pxr_kernels_if_chosen();
    if (kernels && pxr_is_brief_update((size_t)len, 1) && vec_i >= 0 && vec_i < vec && gftbls &&
        src)
        kernels->add_one((size_t)len, (unsigned)vec, (unsigned)vec_i, gftbls, src, dest);
    else
        mad_any(len, vec, vec_i, gftbls, src, dest);
}

int gf_vect_mul(int len, unsigned char *gftbl, void *src, void *dest)
{
    return pxr_isal_mul(pxr_kernels(), len, gftbl, src, dest);
}

void gf_vect_mul_init(unsigned char c, unsigned char *gftbl)
{
    if (gftbl)
        memcpy(gftbl, pxr_nibble[c], PXR_TABLE);
}

void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *gftbls)
{
    if (k > 0 && rows > 0 && a && gftbls)
        pxr_expand_tables((size_t)k * (size_t)rows, a, gftbls);
}

unsigned char gf_mul(unsigned char a, unsigned char b)
{
    return pxr_mul(a, b);
}

unsigned char gf_inv(unsigned char a)
{
    return pxr_inverse[a];
}

/* Writes the identity on top, as in ISA-L's generator matrices, which have m rows in all. */
static unsigned char *put_identity(unsigned char *a, unsigned m, unsigned k)
{
    const unsigned rows = m < k ? m : k;
    memset(a, 0, (size_t)rows * k);
    for (unsigned i = 0; i < rows; i++)
        a[(size_t)i * k + i] = 1;
    return a + (size_t)rows * k;
}

void gf_gen_rs_matrix(unsigned char *a, int m, int k)
{
    if (!a || m <= 0 || k <= 0)
        return;
    unsigned char *coding = put_identity(a, (unsigned)m, (unsigned)k);
    if (m > k)
        pxr_matrix_rs(coding, (unsigned)(m - k), (unsigned)k);
}

void gf_gen_cauchy1_matrix(unsigned char *a, int m, int k)
{
    if (!a || m <= 0 || k <= 0)
        return;
    unsigned char *coding = put_identity(a, (unsigned)m, (unsigned)k);
    if (m > k)
        pxr_matrix_cauchy(coding, (unsigned)(m - k), (unsigned)k);
}

int gf_invert_matrix(unsigned char *in, unsigned char *out, const int n)
{
    if (n == 0)
        return 0;
    if (n < 0 || n > PXR_MATRIX_MAX || !in || !out)
        return -1;
    return pxr_matrix_invert(in, out, (unsigned)n) ? 0 : -1;
}

/* ------------------------------------------------- the portable reference -- */

void ec_encode_data_base(int len, int srcs, int dests, unsigned char *v, unsigned char **src,
                         unsigned char **dest)
{
    pxr_isal_encode(&pxr_kernels_base, len, srcs, dests, v, src, dest);
}

void ec_encode_data_update_base(int len, int k, int rows, int vec_i, unsigned char *v,
                                unsigned char *data, unsigned char **dest)
{
    pxr_isal_update(&pxr_kernels_base, len, k, rows, vec_i, v, data, dest);
}

void gf_vect_dot_prod_base(int len, int vlen, unsigned char *v, unsigned char **src,
                           unsigned char *dest)
{
    pxr_isal_encode(&pxr_kernels_base, len, vlen, 1, v, src, &dest);
}

void gf_vect_mad_base(int len, int vec, int vec_i, unsigned char *v, unsigned char *src,
                      unsigned char *dest)
{
    pxr_isal_update(&pxr_kernels_base, len, vec, 1, vec_i, v, src, &dest);
}

int gf_vect_mul_base(int len, unsigned char *a, unsigned char *src, unsigned char *dest)
{
    return pxr_isal_mul(&pxr_kernels_base, len, a, src, dest);
}

void gf_vect_mul_init_base(unsigned char c, unsigned char *gftbl)
{
    gf_vect_mul_init(c, gftbl);
}

void ec_init_tables_base(int k, int rows, unsigned char *a, unsigned char *gftbls)
{
    ec_init_tables(k, rows, a, gftbls);
}

/* ----------------------------------------------------------------- version -- */

unsigned isal_get_version(void)
{
    return ISAL_VERSION;
}

const char *isal_get_version_str(void)
{
    return ISAL_VERSION_STR;
}
