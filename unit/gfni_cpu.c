/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPU as it is, with GFNI added.  The library sees it in a program that is linked with
 * --wrap=pxr_cpu_detect.  Nothing but the wrapped name refers to this file, so other programs
 * are linked without it.
 *
 * At its end the program adds a line to the file that $PXR_GFNI_LOG names: its name, the set
 * that PERMXOR_KERNELS forces (or -) and how many instructions were emulated.  A run with none
 * proves nothing.
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

/* Everything that uses the instructions asks for the CPU first, and the library does when it
   is loaded: before the test harness takes the signals that it reports as crashes, of which
   it leaves those that are taken. */
uint32_t __wrap_pxr_cpu_detect(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const uint32_t cpu = __real_pxr_cpu_detect();
    pthread_once(&once, start);
    return cpu | PXR_CPU_GFNI;
}
