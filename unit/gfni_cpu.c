/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds GFNI to the features that this CPU has.  The library sees them in a program that is
 * linked with --wrap=pxr_cpu_detect.  Only the wrapped name refers to this file, so other
 * programs are linked without it.
 *
 * When the program ends, it adds a line to the file that $PXR_GFNI_LOG names: the program's
 * name, the set that PERMXOR_KERNELS forces (or -), and the number of emulated instructions.  A
 * run that emulated none proves nothing.
 */
#include "config.h"

#include "cpu.h"
#include "gfni_emulator.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t __real_pxr_cpu_detect(void);
uint32_t __wrap_pxr_cpu_detect(void);

static void report(void)
{
    const char *name = getenv("PXR_GFNI_LOG"), *set = getenv("PERMXOR_KERNELS");
    FILE *log = name != NULL ? fopen(name, "a") : NULL;
    if (log == NULL)
        return;
    fprintf(log, "%s %s %lu\n", program_invocation_short_name, set != NULL ? set : "-",
            gfni_emulated());
    fclose(log);
}

static void start(void)
{
    gfni_emulate();
    atexit(report);
}

/* All code that uses the instructions first asks for the CPU, so the emulator starts here.  The
   library asks when it is loaded.  This is before the test harness takes the signals that it
   reports as crashes, and the harness leaves a signal that already has a handler. */
uint32_t __wrap_pxr_cpu_detect(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const uint32_t cpu = __real_pxr_cpu_detect();
    pthread_once(&once, start);
    return cpu | PXR_CPU_GFNI;
}
