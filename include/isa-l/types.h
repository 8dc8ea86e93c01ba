/* SPDX-License-Identifier: BSD-3-Clause */
/** \file types.h Macros that programs written for ISA-L expect. */
#ifndef PXR_ISAL_TYPES_H
#define PXR_ISAL_TYPES_H

/** Declares a variable with an alignment of alignval bytes. */
#define DECLARE_ALIGNED(decl, alignval) decl __attribute__((aligned(alignval)))

/** Stands before functions that ISA-L's programs want inline. */
#define __forceinline static inline

/** Frees aligned memory. */
#define aligned_free(x) free(x)

#endif
