/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file isal_api.h The version of ISA-L's interface that this library provides, and the mark of
 * the names that ISA-L has deprecated.
 */
#ifndef PXR_ISAL_API_H
#define PXR_ISAL_API_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* configure reads the next three lines for libisal.pc, so nothing may follow the numbers. */

/** The first number of ISA-L's version. */
#define ISAL_MAJOR_VERSION 2
/** The second number. */
#define ISAL_MINOR_VERSION 32
/** The third number. */
#define ISAL_PATCH_VERSION 1

/** The version as a number, so that versions can be compared. */
#define ISAL_MAKE_VERSION(maj, min, patch) ((maj)*0x10000 + (min)*0x100 + (patch))

/** The version of this header as such a number. */
#define ISAL_VERSION \
    ISAL_MAKE_VERSION(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)

/** Makes the text "MAJOR.MINOR.PATCH".  The first macro exists so that its arguments are
   replaced by the numbers before they are quoted. */
#define PXR_ISAL_DOTTED(maj, min, patch) PXR_ISAL_QUOTED(maj, min, patch)

/** Puts the numbers in quotes. */
#define PXR_ISAL_QUOTED(maj, min, patch) #maj "." #min "." #patch

/** The version of this header as text. */
#define ISAL_VERSION_STR \
    PXR_ISAL_DOTTED(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION)

/**
 * Stands before the names that ISA-L has deprecated since 2.32.  A compiler then warns of their
 * use and says what to call instead.  As in ISA-L, the mark does nothing in a file that defines
 * ISAL_UNIT_TEST or ISAL_DEPRECATED_INTERNAL before it includes a header.
 */
#if defined(__GNUC__) && !defined(ISAL_UNIT_TEST) && !defined(ISAL_DEPRECATED_INTERNAL)
#define ISAL_LIB_DEPRECATED(message) __attribute__((deprecated(message)))
#else
#define ISAL_LIB_DEPRECATED(message)
#endif

/** Returns the ISAL_VERSION of the library at run time. */
unsigned isal_get_version(void);

/** Returns the ISAL_VERSION_STR of the library at run time. */
const char *isal_get_version_str(void);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
