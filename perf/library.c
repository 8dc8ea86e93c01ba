/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the interfaces of ISA-L, jerasure, gf-complete and xxHash each, a function that every
   library with this interface has. */
static const char *const witnesses[] = {"ec_encode_data", "jerasure_matrix_encode",
                                        "gf_init_hard", "XXH3_64bits", NULL};

void library_lookup(const struct library *library, const char *name, const char *suffix,
                    void *function)
{
    char full[96];
    snprintf(full, sizeof(full), "%s%s%s", name, *suffix ? "_" : "", suffix);
    *(void **)function = dlsym(library->handle, full);
}

static void read_version(struct library *library)
{
    const char *(*version)(void);
    library_lookup(library, "isal_get_version_str", "", &version);
    snprintf(library->version, sizeof(library->version), "%s%s",
             version != NULL ? "says version " : "does not tell its version",
             version != NULL ? version() : "");
}

static void *find_witness(void *handle)
{
    void *found = NULL;
    for (size_t i = 0; found == NULL && witnesses[i] != NULL; i++)
        found = dlsym(handle, witnesses[i]);
    return found;
}

/*
 * Returns whether the program carries no libisal already (LD_PRELOAD), which would take the
 * internal calls of all libraries that are measured.
 */
static bool alone(void)
{
    Dl_info info;
    void *already = find_witness(RTLD_DEFAULT);
    if (already == NULL)
        return true;
    fprintf(stderr, "%s is loaded already and would mix with the measured libraries\n",
            dladdr(already, &info) ? info.dli_fname : "another library");
    return false;
}

static bool loaded_from(struct library *library)
{
    Dl_info info;
    char real[PATH_MAX];
    void *witness = find_witness(library->handle);
    if (witness == NULL) {
        fprintf(stderr, "%s: has no %s, %s, %s or %s\n", library->path, witnesses[0],
                witnesses[1], witnesses[2], witnesses[3]);
        return false;
    }
    if (!dladdr(witness, &info) || realpath(info.dli_fname, real) == NULL ||
        strcmp(real, library->path) != 0) {
        fprintf(stderr, "%s: the system loaded another file in its place\n", library->path);
        return false;
    }
    library->base = info.dli_fbase;
    return true;
}

/* Load the same file in a namespace of its own.  Returns NULL with a message on failure. */
static void *load_apart(void *handle, const char *path)
{
    dlclose(handle);
#ifdef LM_ID_NEWLM
    handle = dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return handle;
#else
    fprintf(stderr, "%s: needs a namespace of its own, but this system has no dlmopen()\n",
            path);
    return NULL;
#endif
}

/* Returns NULL with a message on failure. */
static void *load(const char *path)
{
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    else if (dlsym(handle, witnesses[0]) == NULL && find_witness(handle) != NULL)
        return load_apart(handle, path);
    return handle;
}

bool library_open(struct library *library, const char *path)
{
    *library = (struct library){0};
    if (!alone())
        return false;
    if (realpath(path, library->path) == NULL) {
        perror(path);
        return false;
    }
    library->handle = load(library->path);
    if (library->handle == NULL)
        return false;
    if (!loaded_from(library)) {
        library_close(library);
        return false;
    }
    read_version(library);
    return true;
}

void library_close(struct library *library)
{
    if (library->handle != NULL)
        dlclose(library->handle);
    library->handle = NULL;
}

/* The form of tables that such functions take. */
static const char *table_suffix(const char *suffix)
{
    return *suffix == '\0' ? "" : strstr(suffix, "gfni") != NULL ? "gfni" : "base";
}

void library_functions(const struct library *library, const char *suffix, struct functions *f)
{
#define FIND(name) library_lookup(library, #name, "", &f->name);
    MATRIX_FUNCTIONS(FIND)
#define FIND_VARIANT(name) library_lookup(library, #name, suffix, &f->name);
    VARIANT_FUNCTIONS(FIND_VARIANT)
    library_lookup(library, "ec_init_tables", table_suffix(suffix), &f->ec_init_tables);
    if (f->ec_init_tables == NULL) /* before 2.31 there was only one form */
        library_lookup(library, "ec_init_tables", "", &f->ec_init_tables);
}
