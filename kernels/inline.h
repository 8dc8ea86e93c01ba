/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXR_INLINE_H
#define PXR_INLINE_H

/* For what must not be left to the compiler: a verb that is called instead of
   expanded costs more than its work, and vzeroupper may be lost around it. */
#define PXR_INLINE static inline __attribute__((always_inline))

#endif
