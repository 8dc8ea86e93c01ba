/* SPDX-License-Identifier: BSD-3-Clause */
#include "cpu.h"

struct pxr_cpu pxr_cpu_detect(void)
{
    return (struct pxr_cpu){0};
}
