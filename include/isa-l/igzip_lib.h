/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of ISA-L's header of this name the checksum alone: this library does not compress.
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

/*
 * The Adler-32 checksum (RFC 1950) of len bytes at buf that follow those whose checksum
 * is init; 1 is that of none.  Any len and alignment; NULL adds nothing.  Thread-safe.
 */
uint32_t isal_adler32(uint32_t init, const unsigned char *buf, uint64_t len);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
