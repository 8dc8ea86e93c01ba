/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's names with an x86 instruction set in them.  Each function runs the kernel set of that
 * instruction set, or the best set below it where this CPU lacks it.  It runs base where no
 * such set is built, as for 32 bits.  In ISA-L, too, the _avx functions use SSSE3 (AVX has no
 * 256-bit integer shuffle).
 */
#include "config.h"

#define ISAL_DEPRECATED_INTERNAL

#include <stdatomic.h>

#include "isa-l.h"
#include "isal.h"
#include "isal_raid.h"
#include "registry.h"

/* A set that is not built is not in the registry. */
#ifdef PXR_HAVE_AVX2
#define AVX2_OR_BELOW "avx2"
#else
#define AVX2_OR_BELOW "ssse3"
#endif

typedef _Atomic(const struct pxr_kernels *) kernels_cache;

static const struct pxr_kernels *cached(kernels_cache *cache, const char *name)
{
    const struct pxr_kernels *kernels = atomic_load_explicit(cache, memory_order_acquire);
    if (!kernels) {
        kernels = pxr_kernels_at_most(name);
        atomic_store_explicit(cache, kernels, memory_order_release);
    }
    return kernels;
}

static const struct pxr_kernels *ssse3(void)
{
    static kernels_cache cache;
    return cached(&cache, "ssse3");
}

static const struct pxr_kernels *avx2(void)
{
    static kernels_cache cache;
    return cached(&cache, AVX2_OR_BELOW);
}

#define DOT_PROD_N(n, suffix, set)                                                 \
    void gf_##n##vect_dot_prod_##suffix(int len, int vlen, unsigned char *gftbls,  \
                                        unsigned char **src, unsigned char **dest) \
    {                                                                              \
        pxr_isal_encode(set(), len, vlen, n, gftbls, src, dest);                   \
    }

#define MAD_N(n, suffix, set)                                                          \
    void gf_##n##vect_mad_##suffix(int len, int vec, int vec_i, unsigned char *gftbls, \
                                   unsigned char *src, unsigned char **dest)           \
    {                                                                                  \
        pxr_isal_update(set(), len, vec, n, vec_i, gftbls, src, dest);                 \
    }

#define NAMES(suffix, set)                                                          \
    void ec_encode_data_##suffix(int len, int k, int rows, unsigned char *gftbls,   \
                                 unsigned char **data, unsigned char **coding)      \
    {                                                                               \
        pxr_isal_encode(set(), len, k, rows, gftbls, data, coding);                 \
    }                                                                               \
    void ec_encode_data_update_##suffix(int len, int k, int rows, int vec_i,        \
                                        unsigned char *g_tbls, unsigned char *data, \
                                        unsigned char **coding)                     \
    {                                                                               \
        pxr_isal_update(set(), len, k, rows, vec_i, g_tbls, data, coding);          \
    }                                                                               \
    void gf_vect_dot_prod_##suffix(int len, int vlen, unsigned char *gftbls,        \
                                   unsigned char **src, unsigned char *dest)        \
    {                                                                               \
        pxr_isal_encode(set(), len, vlen, 1, gftbls, src, &dest);                   \
    }                                                                               \
    void gf_vect_mad_##suffix(int len, int vec, int vec_i, unsigned char *gftbls,   \
                              unsigned char *src, unsigned char *dest)              \
    {                                                                               \
        pxr_isal_update(set(), len, vec, 1, vec_i, gftbls, src, &dest);             \
    }                                                                               \
    DOT_PROD_N(2, suffix, set)                                                      \
    DOT_PROD_N(3, suffix, set)                                                      \
    DOT_PROD_N(4, suffix, set)                                                      \
    DOT_PROD_N(5, suffix, set)                                                      \
    DOT_PROD_N(6, suffix, set)                                                      \
    MAD_N(2, suffix, set)                                                           \
    MAD_N(3, suffix, set)                                                           \
    MAD_N(4, suffix, set)                                                           \
    MAD_N(5, suffix, set)                                                           \
    MAD_N(6, suffix, set)

NAMES(sse, ssse3)
NAMES(avx, ssse3)
NAMES(avx2, avx2)

int gf_vect_mul_sse(int len, unsigned char *gftbl, void *src, void *dest)
{
    return pxr_isal_mul(ssse3(), len, gftbl, src, dest);
}

int gf_vect_mul_avx(int len, unsigned char *gftbl, void *src, void *dest)
{
    return pxr_isal_mul(ssse3(), len, gftbl, src, dest);
}

#define RAID(name, work, set, form)                              \
    int name(int vects, int len, void **array)                   \
    {                                                            \
        return pxr_isal_##work(set(), &form, vects, len, array); \
    }

RAID(xor_gen_sse, gen, ssse3, pxr_isal_xor_gen)
RAID(xor_gen_avx, gen, ssse3, pxr_isal_xor_gen)
RAID(xor_check_sse, check, ssse3, pxr_isal_xor_check)
RAID(pq_gen_sse, gen, ssse3, pxr_isal_pq_of_16)
RAID(pq_gen_avx, gen, ssse3, pxr_isal_pq_of_16)
RAID(pq_gen_avx2, gen, avx2, pxr_isal_pq_of_32)
RAID(pq_check_sse, check, ssse3, pxr_isal_pq_of_16)
