/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file igzip_lib.h Only the checksum of ISA-L's header with this name: this library does not
 * compress.
 */
#ifndef PXR_ISAL_IGZIP_LIB_H
#define PXR_ISAL_IGZIP_LIB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Returns the Adler-32 checksum (RFC 1950) of a text whose last len bytes are at buf. init is
 * the checksum of the bytes before them, and 1 is the checksum of no bytes.  Any length and
 * alignment is allowed.  NULL adds nothing.  The call is thread-safe.
 */
uint32_t isal_adler32(uint32_t init, const unsigned char *buf, uint64_t len);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
