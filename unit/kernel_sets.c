/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a line for each kernel set, best first: `usable NAME` or `unusable NAME needs WHAT`,
 * and then `chosen NAME`.  The test runner repeats programs for each usable set.
 */
#include "dispatch.h"
#include "kernels.h"
#include "registry.h"

#include <stdio.h>

int main(void)
{
    for (unsigned row = 0; pxr_registry[row] != NULL; row++)
        if (pxr_kernels_usable(pxr_registry[row]))
            printf("usable %s\n", pxr_registry[row]->name);
        else
            printf("unusable %s needs %s\n", pxr_registry[row]->name, pxr_registry[row]->needs);
    printf("chosen %s\n", pxr_kernels()->name);
    return 0;
}
