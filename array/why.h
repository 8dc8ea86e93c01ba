/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of calls that fail. */
#ifndef PXA_WHY_H
#define PXA_WHY_H

#include "permxor_array.h"

/* Writes the message, unless why is NULL, and returns status. */
int pxa_because(struct pxr_error *why, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
