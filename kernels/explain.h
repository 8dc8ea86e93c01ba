/* SPDX-License-Identifier: BSD-3-Clause */
/* The message of a call that fails. */
#ifndef PXR_EXPLAIN_H
#define PXR_EXPLAIN_H

#include "permxor.h"

/* Formats a message into *why, which may be NULL. */
__attribute__((format(printf, 2, 3))) void pxr_explain(struct pxr_error *why,
                                                       const char *format, ...);

#endif
