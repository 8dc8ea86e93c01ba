/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's names: include/isa-l/raid.h, mem_routines.h and igzip_lib.h.
 */
#include "isal_raid.h"

#include <stdbool.h>

#include "call.h"
#include "dispatch.h"
#include "groups.h"
#include "isa-l.h"
#include "isa-l/igzip_lib.h"
#include "registry.h"
#include "scan.h"

/* ------------------------------------------------- with a kernel set given -- */

static bool is_valid(const struct pxr_isal_form *form, int vects, int len, void **array)
{
    return vects >= form->least && len >= 0 && (len & (form->multiple - 1)) == 0 &&
           pxr_all_present((unsigned)vects, (const uint8_t *const *)array);
}

int pxr_isal_gen(const struct pxr_kernels *kernels, const struct pxr_isal_form *form, int vects,
                 int len, void **array)
{
    if (!is_valid(form, vects, len, array))
        return 1;
    const unsigned k = (unsigned)vects - form->parity;
    pxr_parity(kernels, (size_t)len, k, form->parity, (const uint8_t *const *)array,
               (uint8_t *const *)array + k);
    return 0;
}

int pxr_isal_check(const struct pxr_kernels *kernels, const struct pxr_isal_form *form,
                   int vects, int len, void **array)
{
    if (!is_valid(form, vects, len, array))
        return 1;
    const unsigned k = (unsigned)vects - form->parity;
    const size_t right =
        pxr_parity_check(kernels, (size_t)len, k, form->parity, (const uint8_t *const *)array,
                         (uint8_t *const *)array + k);
    return right < (size_t)len;
}

const struct pxr_isal_form pxr_isal_xor_gen = {PXR_SPECIAL_P, 3, 1};
const struct pxr_isal_form pxr_isal_xor_check = {PXR_SPECIAL_P, 2, 1};
const struct pxr_isal_form pxr_isal_pq_of_16 = {PXR_SPECIAL_PQ, 4, 16};
const struct pxr_isal_form pxr_isal_pq_of_32 = {PXR_SPECIAL_PQ, 4, 32};

/* ISA-L's portable functions take any length. */
static const struct pxr_isal_form base_pq = {PXR_SPECIAL_PQ, 4, 1};

/* --------------------------------------------------------------- the names -- */

int xor_gen(int vects, int len, void **array)
{
    return pxr_isal_gen(pxr_kernels(), &pxr_isal_xor_gen, vects, len, array);
}

int xor_check(int vects, int len, void **array)
{
    return pxr_isal_check(pxr_kernels(), &pxr_isal_xor_check, vects, len, array);
}

int pq_gen(int vects, int len, void **array)
{
    return pxr_isal_gen(pxr_kernels(), &pxr_isal_pq_of_32, vects, len, array);
}

int pq_check(int vects, int len, void **array)
{
    return pxr_isal_check(pxr_kernels(), &pxr_isal_pq_of_16, vects, len, array);
}

int isal_zero_detect(void *mem, size_t len)
{
    if (!mem)
        return len > 0;
    return pxr_scan_nonzero(pxr_kernels(), mem, len) < len;
}

uint32_t isal_adler32(uint32_t init, const unsigned char *buf, uint64_t len)
{
    return pxr_kernels()->adler32(init, buf, buf ? len : 0);
}

/* ------------------------------------------------- the portable reference -- */

int xor_gen_base(int vects, int len, void **array)
{
    return pxr_isal_gen(&pxr_kernels_base, &pxr_isal_xor_gen, vects, len, array);
}

int xor_check_base(int vects, int len, void **array)
{
    return pxr_isal_check(&pxr_kernels_base, &pxr_isal_xor_check, vects, len, array);
}

int pq_gen_base(int vects, int len, void **array)
{
    return pxr_isal_gen(&pxr_kernels_base, &base_pq, vects, len, array);
}

int pq_check_base(int vects, int len, void **array)
{
    return pxr_isal_check(&pxr_kernels_base, &base_pq, vects, len, array);
}
