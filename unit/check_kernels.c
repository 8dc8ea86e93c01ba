/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for tests that use the registry of kernel sets. */
#include "check.h"
#include "dispatch.h"
#include "kernels.h"
#include "permxor.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void check_forced_kernels(void)
{
    const char *forced = getenv("PERMXOR_KERNELS");
    if (forced == NULL || *forced == '\0')
        return;
    if (check_case("forced kernel set %s", forced))
        CHECK_STR(pxr_kernels()->name, forced);
}

void check_each_kernel_set(void (*test)(const struct pxr_kernels *set))
{
    const char *forced = getenv("PERMXOR_KERNELS");
    bool found = forced == NULL || *forced == '\0';
    for (unsigned row = 0; pxr_registry[row] != NULL; row++) {
        const struct pxr_kernels *set = pxr_registry[row];
        if (forced != NULL && *forced != '\0' && strcmp(set->name, forced) != 0)
            continue;
        found = true;
        if (pxr_kernels_usable(set))
            test(set);
        else
            check_skip(set->name, "needs %s", set->needs);
    }
    if (!found && check_case("forced kernel set %s", forced))
        check_true(false, "PERMXOR_KERNELS names no kernel set", __FILE__, __LINE__);
}

void check_stream_outputs(void)
{
    _Static_assert(CHECK_STREAM_BEYOND == 262144, "the text below says so");
    if (pxr_tune_apply("l1 = 4096\nown = 262144\nshared = 262144\nahead-from = 1024\n"
                       "look-from = 1024M\n"
                       "way dot memory = sources 8 outputs 4 stream\n"
                       "way dot-wide memory = sources 4 stream\n"
                       "way one memory = sources 8 outputs 4 stream\n"
                       "way one-wide memory = sources 4 stream\n"
                       "way p memory = sources 8 outputs 4 stream\n"
                       "way p-wide memory = stream\n"
                       "way pq memory = sources 8 outputs 4 stream\n"
                       "way pq-wide memory = stream\n"
                       "way structured memory = sources 8 outputs 4 stream\n") == PXR_OK)
        return;
    fprintf(stderr, "check_stream_outputs: the settings are refused\n");
    exit(2);
}
