/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "why.h"

#include <stdarg.h>
#include <stdio.h>

int pxa_because(struct pxr_error *why, int status, const char *format, ...)
{
    if (why == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return status;
}

const char *pxa_strerror(int status)
{
    switch (status) {
    case PXA_EIO:
        return "too many members have failed or could not be read";
    case PXA_ENONE:
        return "there is no superblock of md";
    case PXA_EDAMAGED:
        return "the superblock of md is damaged";
    case PXA_EREFUSED:
        return "the members do not make an array that can be read";
    default:
        return pxr_strerror(status);
    }
}
