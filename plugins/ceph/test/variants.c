/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plugins that only tests use.  They consist of the real plugin's objects, but their calls of
 * the codec come here (ld's --wrap; variant.sh).
 *
 *   idle     codes nothing.  The rest of a benchmark's time is what Ceph's buffers, the
 *            benchmark and the plugin's adapter take.
 *   damaged  makes every change of parity wrong in one byte.  A test of overwrites that does
 *            not find this either calls no update or checks no parity.
 */
#include "permxor.h"

__typeof__(pxr_encode_iov) __wrap_pxr_encode_iov;
__typeof__(pxr_reconstruct_iov) __wrap_pxr_reconstruct_iov;
__typeof__(pxr_update) __wrap_pxr_update, __real_pxr_update;

#ifdef IDLE
int __wrap_pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                          const struct pxr_iov *parity)
{
    (void)code, (void)len, (void)data, (void)parity;
    return PXR_OK;
}

int __wrap_pxr_reconstruct_iov(const pxr_code *code, size_t len, const struct pxr_iov *have,
                               const struct pxr_iov *want)
{
    (void)code, (void)len, (void)have, (void)want;
    return PXR_OK;
}
#endif

#ifdef DAMAGED
int __wrap_pxr_update(const pxr_code *code, size_t len, unsigned index, const uint8_t *old_data,
                      const uint8_t *new_data, uint8_t *const *parity)
{
    int status = __real_pxr_update(code, len, index, old_data, new_data, parity);

    for (unsigned i = 0; len > 0 && i < pxr_code_m(code); i++)
        if (parity[i])
            parity[i][len / 2] ^= 1;
    return status;
}
#endif
