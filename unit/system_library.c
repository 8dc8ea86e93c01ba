/* SPDX-License-Identifier: BSD-3-Clause */
#include "system_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

/* Opens the first library that the pattern matches and that can be loaded. */
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

void *system_library_open(const char *variable, const char *name, const char *whose)
{
    static const char *const folders[] = {"/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib"};
    const char *given = getenv(variable);
    void *handle = NULL;
    if (given != NULL && *given != '\0') {
        handle = dlopen(given, RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL && check_case("%s=%s", variable, given))
            check_true(false, dlerror(), __FILE__, __LINE__);
        return handle;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders && handle == NULL; i++) {
        char pattern[100];
        snprintf(pattern, sizeof pattern, "%s/%s", folders[i], name);
        handle = open_first(pattern);
    }
    if (handle == NULL) {
        char comparison[100];
        snprintf(comparison, sizeof comparison, "comparison with %s", whose);
        check_skip(comparison, "the system has no %s", name);
    }
    return handle;
}
