/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AT_HWCAP: the kernel reports the vector facility where it also saves the
 * vector registers.
 */
#include <sys/auxv.h>

#include "cpu.h"

struct pxr_cpu pxr_cpu_detect(void)
{
    return (struct pxr_cpu){.vx = getauxval(AT_HWCAP) & HWCAP_S390_VX};
}
