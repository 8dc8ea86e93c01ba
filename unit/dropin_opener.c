/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that is not linked with ISA-L.  It opens libisal.so.2 by its name when it runs, as
 * liberasurecode and libhadoop do.  It prints the file that ec_encode_data comes from.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    Dl_info info;
    void *const library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
    void *const address = library ? dlsym(library, "ec_encode_data") : NULL;
    if (address == NULL || dladdr(address, &info) == 0) {
        puts(library ? "a library without ec_encode_data" : dlerror());
        return 1;
    }
    puts(info.dli_fname);
    return 0;
}
