/* SPDX-License-Identifier: BSD-3-Clause */
/** \file types.h Macros that programs written for ISA-L expect. */
#ifndef PXR_ISAL_TYPES_H
#define PXR_ISAL_TYPES_H

#define DECLARE_ALIGNED(decl, alignval) decl __attribute__((aligned(alignval)))
#define __forceinline static inline
#define aligned_free(x) free(x)

#endif
