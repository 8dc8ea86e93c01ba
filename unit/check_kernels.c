/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The case that a forced kernel set is the one in use.
 */
#include "check.h"
#include "kernels.h"

#include <stdlib.h>

void check_forced_kernels(void)
{
    const char *forced = getenv("PERMXOR_KERNELS");
    if (forced == NULL || *forced == '\0')
        return;
    if (check_case("forced kernel set %s", forced))
        CHECK_STR(pxr_kernels()->name, forced);
}
