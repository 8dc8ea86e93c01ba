/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which level of ISA-L's interface this library answers for.
 */
#ifndef PXR_ISAL_API_H
#define PXR_ISAL_API_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define ISAL_MAJOR_VERSION 2
#define ISAL_MINOR_VERSION 32
#define ISAL_PATCH_VERSION 0
#define ISAL_MAKE_VERSION(maj, min, patch) ((maj)*0x10000 + (min)*0x100 + (patch))
#define ISAL_VERSION \
    ISAL_MAKE_VERSION(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)
#define ISAL_VERSION_STR "2.32.0"

/* ISAL_VERSION, and as text, of the library at run time. */
unsigned isal_get_version(void);
const char *isal_get_version_str(void);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
