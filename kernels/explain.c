/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

#include <stdarg.h>
#include <stdio.h>

void pxr_explain(struct pxr_error *why, const char *format, ...)
{
    if (!why)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
}
