/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which level of ISA-L's interface this library answers for, and the mark of the names
 * that ISA-L has deprecated.
 */
#ifndef PXR_ISAL_API_H
#define PXR_ISAL_API_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* configure reads these three, for libisal.pc. */
#define ISAL_MAJOR_VERSION 2
#define ISAL_MINOR_VERSION 32
#define ISAL_PATCH_VERSION 1

#define ISAL_MAKE_VERSION(maj, min, patch) ((maj)*0x10000 + (min)*0x100 + (patch))
#define ISAL_VERSION \
    ISAL_MAKE_VERSION(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)

/* "MAJOR.MINOR.PATCH"; the first macro has its arguments replaced by the numbers. */
#define PXR_ISAL_DOTTED(maj, min, patch) PXR_ISAL_QUOTED(maj, min, patch)
#define PXR_ISAL_QUOTED(maj, min, patch) #maj "." #min "." #patch
#define ISAL_VERSION_STR \
    PXR_ISAL_DOTTED(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)

/*
 * Stands before the names that ISA-L has deprecated since 2.32, so that a compiler warns
 * of their use and says what to call instead.  Like ISA-L's, it does nothing in a file
 * that defines ISAL_UNIT_TEST or ISAL_DEPRECATED_INTERNAL before it includes a header.
 */
#if defined(__GNUC__) && !defined(ISAL_UNIT_TEST) && !defined(ISAL_DEPRECATED_INTERNAL)
#define ISAL_LIB_DEPRECATED(message) __attribute__((deprecated(message)))
#else
#define ISAL_LIB_DEPRECATED(message)
#endif

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
