/* SPDX-License-Identifier: BSD-3-Clause */
#include "jerasure_library.h"

#include <dlfcn.h>
#include <string.h>

#include "check.h"
#include "system_library.h"

#define OURS(name) .name = name,
const struct jerasure_library jerasure_ours = {JERASURE_FUNCTIONS(OURS)};

/* jerasure itself leaks the memory of fields that a program gives it.  LeakSanitizer ignores
   leaks in libJerasure.so.2 and reports all others. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libJerasure.so.2";
}

bool jerasure_open_theirs(struct jerasure_library *theirs)
{
    void *const handle = system_library_open("PXR_JERASURE", "libJerasure.so.2", "jerasure");
    if (handle == NULL)
        return false;
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
