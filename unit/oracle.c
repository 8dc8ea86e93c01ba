/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "oracle.h"

#include <dlfcn.h>
#include <string.h>

#include "check.h"
#include "isa-l/erasure_code.h"
#include "system_library.h"

static void *oracle;

isal_code *oracle_find(const char *name)
{
    isal_code *code;
    void *address = dlsym(oracle, name);
    memcpy(&code, &address, sizeof code);
    return code;
}

bool oracle_name_ends(const char *name, const char *suffix)
{
    const size_t length = strlen(name), tail = strlen(suffix);
    return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

const char *oracle_lacks(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (oracle_name_ends(name, "_avx2") && !__builtin_cpu_supports("avx2"))
        return "avx2";
    if (oracle_name_ends(name, "_avx") && !__builtin_cpu_supports("avx"))
        return "avx";
    if (oracle_name_ends(name, "_sse") && !__builtin_cpu_supports("sse4.1"))
        return "sse4.1";
#else
    (void)name;
#endif
    return NULL;
}

/* Checks that the oracle is another library than ours.  Only the real one has crc32_ieee. */
static void test_identity(void)
{
    Dl_info info;
    if (!check_case("the oracle is the real one"))
        return;
    CHECK(oracle_find("crc32_ieee") != NULL);
    isal_code *theirs = oracle_find("ec_encode_data"), *ours = (isal_code *)ec_encode_data;
    void *address;
    memcpy(&address, &theirs, sizeof address);
    CHECK(theirs != NULL && theirs != ours);
    if (CHECK(dladdr(address, &info) != 0))
        CHECK(strstr(info.dli_fname, "libisal") != NULL);
}

bool oracle_open(void)
{
    oracle = system_library_open("PXR_ORACLE", "libisal.so.2", "ISA-L");
    if (oracle != NULL)
        test_identity();
    return oracle != NULL;
}
