/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXR_INLINE_H
#define PXR_INLINE_H

/* For functions whose inlining must not be left to the compiler.  A verb that is called instead
   of expanded costs more than its work, and vzeroupper may be lost around the call.  Without
   optimisation nothing of an expansion is left out: a kernel set would become 90 MB of code,
   and would take the compiler 8 GB of memory.  So there they are functions that a debugger can
   step into. */
#ifdef __OPTIMIZE__
#define PXR_INLINE static inline __attribute__((always_inline))
#else
#define PXR_INLINE static inline __attribute__((unused))
#endif

#endif
