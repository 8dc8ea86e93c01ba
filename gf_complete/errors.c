/* SPDX-License-Identifier: BSD-3-Clause */
#include "errors.h"

#include <stdio.h>

#include "gf_complete.h"

int _gf_errno = PXR_GF_E_NONE;

int pxr_gf_fail(enum pxr_gf_error error)
{
    _gf_errno = (int)error;
    return 0;
}

void gf_error(void)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {PXR_GF_ERRORS(TEXT)};
    const int error = _gf_errno;
    const char *text = "unknown error";
    if (error >= 0 && error < PXR_GF_ERROR_COUNT)
        text = texts[error];
    fprintf(stderr, "%s\n", text);
}
