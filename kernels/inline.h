/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXR_INLINE_H
#define PXR_INLINE_H

/* For functions whose inlining must not be left to the compiler.  A verb that is called instead
   of expanded costs more than its work, and vzeroupper may be lost around the call. */
#define PXR_INLINE static inline __attribute__((always_inline))

#endif
