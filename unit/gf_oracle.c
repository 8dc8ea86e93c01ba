/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "gf_oracle.h"

#include <dlfcn.h>
#include <string.h>

#include "check.h"
#include "system_library.h"

struct gf_oracle gf_oracle;

static unsigned missing;

/* Sets *pointer, a pointer of any type, to the address of a name. */
static void find(void *library, const char *name, void *pointer)
{
    void *const address = dlsym(library, name);
    missing += address == NULL;
    memcpy(pointer, &address, sizeof address);
}

static void find_all(void *library)
{
    find(library, "_gf_errno", &gf_oracle.error);
    find(library, "gf_init_hard", &gf_oracle.init_hard);
    find(library, "gf_scratch_size", &gf_oracle.scratch_size);
    find(library, "gf_w4_get_mult_table", &gf_oracle.table_8[0]);
    find(library, "gf_w4_get_div_table", &gf_oracle.table_8[1]);
    find(library, "gf_w8_get_mult_table", &gf_oracle.table_8[2]);
    find(library, "gf_w8_get_div_table", &gf_oracle.table_8[3]);
    find(library, "gf_w16_get_log_table", &gf_oracle.table_16[0]);
    find(library, "gf_w16_get_mult_alog_table", &gf_oracle.table_16[1]);
    find(library, "gf_w16_get_div_alog_table", &gf_oracle.table_16[2]);
    find(library, "MOA_Seed", &gf_oracle.seed);
    find(library, "MOA_Random_W", &gf_oracle.random_w);
    find(library, "MOA_Random_128", &gf_oracle.random_128);
    find(library, "MOA_Fill_Random_Region", &gf_oracle.fill);
    find(library, "gf_general_val_to_s", &gf_oracle.val_to_s);
    find(library, "gf_general_s_to_val", &gf_oracle.s_to_val);
}

bool gf_oracle_open(void)
{
    void *const library =
        system_library_open("PXR_GF_ORACLE", "libgf_complete.so.1", "gf-complete");
    Dl_info info;
    if (library == NULL)
        return false;
    find_all(library);
    if (!check_case("the oracle is the real one"))
        return missing == 0;
    CHECK_INT(missing, 0);
    CHECK(gf_oracle.error != &_gf_errno);
    if (CHECK(dladdr(gf_oracle.error, &info) != 0))
        CHECK(strstr(info.dli_fname, "libgf_complete") != NULL);
    return missing == 0;
}
