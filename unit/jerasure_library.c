/* SPDX-License-Identifier: BSD-3-Clause */
#include "jerasure_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define OURS(name) .name = name,
const struct jerasure_library jerasure_ours = {JERASURE_FUNCTIONS(OURS)};

static void *open_first(const char *pattern)
{
    glob_t files;
    void *handle = NULL;
    if (glob(pattern, 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc && handle == NULL; i++)
            handle = dlopen(files.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
        globfree(&files);
    }
    return handle;
}

bool jerasure_open_theirs(struct jerasure_library *theirs)
{
    const char *const given = getenv("PXR_JERASURE");
    void *handle = NULL;
    if (given != NULL && *given != '\0')
        handle = dlopen(given, RTLD_NOW | RTLD_LOCAL);
    else
        handle = open_first("/usr/lib/*-linux-gnu/libJerasure.so.2");
    if (handle == NULL) {
        check_skip("comparison with jerasure", "no libJerasure.so.2 of the system");
        return false;
    }
    bool all = true;
    void *address;
#define FIND(name)                                                                    \
    address = dlsym(handle, #name);                                                   \
    all = all && address != NULL && address != (void *)(uintptr_t)jerasure_ours.name; \
    memcpy(&theirs->name, &address, sizeof address);
    JERASURE_FUNCTIONS(FIND)
    if (check_case("the system's jerasure is another library than ours"))
        CHECK(all);
    return all;
}
