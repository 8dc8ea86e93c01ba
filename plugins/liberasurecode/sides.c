/* SPDX-License-Identifier: BSD-3-Clause */
#include "sides.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

void die_at(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

const struct backend *backend_find(const char *name)
{
    static const struct backend backends[] = {
        {"isa_l_rs_vand", EC_BACKEND_ISA_L_RS_VAND, 8, 32, false},
        {"isa_l_rs_cauchy", EC_BACKEND_ISA_L_RS_CAUCHY, 8, 32, true},
        {"isa_l_rs_vand_inv", (ec_backend_id_t)ISA_L_RS_VAND_INV, 8, 32, true},
        {"isa_l_rs_lrc", (ec_backend_id_t)ISA_L_RS_LRC, 8, 32, false},
        {"jerasure_rs_vand", EC_BACKEND_JERASURE_RS_VAND, 16, 32, true},
        {"jerasure_rs_vand_8", EC_BACKEND_JERASURE_RS_VAND, 8, 32, true},
        {"jerasure_rs_vand_32", EC_BACKEND_JERASURE_RS_VAND, 32, 32, true},
        {"jerasure_rs_cauchy", EC_BACKEND_JERASURE_RS_CAUCHY, 4, 16, true},
        {"jerasure_rs_cauchy_8", EC_BACKEND_JERASURE_RS_CAUCHY, 8, 32, true},
    };
    for (size_t i = 0; i < sizeof(backends) / sizeof(*backends); i++)
        if (strcmp(name, backends[i].name) == 0)
            return &backends[i];
    return NULL;
}

/* ------------------------------------------------------------- namespaces -- */

static void *load(Lmid_t namespace, const char *file)
{
    void *handle = dlmopen(namespace, file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        die("%s", dlerror());
    return handle;
}

static void *symbol(const struct side *side, const char *name)
{
    void *address = dlsym(side->handle, name);
    if (address == NULL)
        die("%s", dlerror());
    return address;
}

/* liberasurecode logs each call that it refuses.  Where no daemon takes the messages, the C
   library writes them to the console, which takes longer than all calls.  Each namespace has a
   C library of its own, so the mask must be set in each. */
static void keep_off_log(const struct side *side)
{
    int (*set_mask)(int) = symbol(side, "setlogmask");
    set_mask(LOG_MASK(LOG_EMERG));
}

void side_open(struct side *side, const char *codec, const char *library)
{
    Lmid_t namespace;
    if (dlinfo(load(LM_ID_NEWLM, library), RTLD_DI_LMID, &namespace) != 0)
        die("%s", dlerror());
    side->library = library;
    side->handle = load(namespace, codec);
    keep_off_log(side);
    side->create = symbol(side, "liberasurecode_instance_create");
    side->destroy = symbol(side, "liberasurecode_instance_destroy");
    side->encode = symbol(side, "liberasurecode_encode");
    side->encode_cleanup = symbol(side, "liberasurecode_encode_cleanup");
    side->decode = symbol(side, "liberasurecode_decode");
    side->decode_cleanup = symbol(side, "liberasurecode_decode_cleanup");
    side->rebuild = symbol(side, "liberasurecode_reconstruct_fragment");
    side->is_invalid = symbol(side, "is_invalid_fragment");
    side->verify = symbol(side, "liberasurecode_verify_stripe_metadata");
    side->metadata = symbol(side, "liberasurecode_get_fragment_metadata");
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

/* Returns whether a file is some version of the side's library, judged by the beginning of its
   name. */
static bool is_version(const struct side *side, const char *file)
{
    const char *name = base_name(side->library);
    return strncmp(base_name(file), name, strcspn(name, "-.")) == 0;
}

static void check_loaded(const struct side *side)
{
    struct link_map *map;
    if (dlinfo(side->handle, RTLD_DI_LINKMAP, &map) != 0)
        die("%s", dlerror());
    while (map->l_prev != NULL)
        map = map->l_prev;
    int loaded = 0;
    for (; map != NULL; map = map->l_next) {
        if (!is_version(side, map->l_name))
            continue;
        loaded++;
        if (strcmp(map->l_name, side->library) != 0)
            die("%s is loaded, not %s", map->l_name, side->library);
    }
    if (loaded != 1)
        die("%d versions are loaded, not %s alone", loaded, side->library);
}

/* ------------------------------------------------------------------ calls -- */

int side_try_create(const struct side *side, const struct code *code)
{
    struct ec_args args = {.k = code->k, .m = code->m, .w = code->backend->w, .hd = code->m};
    args.ct = code->checksum;
    if ((int)code->backend->id == ISA_L_RS_LRC)
        args.priv_args1.reserved.x = 2; /* number of local groups */
    return side->create(code->backend->id, &args);
}

int side_create(const struct side *side, const struct code *code)
{
    const int desc = side_try_create(side, code);
    if (desc <= 0)
        die("%s %d+%d with %s: %d", code->backend->name, code->k, code->m, side->library, desc);
    check_loaded(side);
    return desc;
}

void side_encode(const struct side *side, int desc, const struct code *code, const char *bytes,
                 uint64_t size, struct stripe *stripe)
{
    const int status =
        side->encode(desc, bytes, size, &stripe->data, &stripe->parity, &stripe->len);
    if (status != 0)
        die("encode %d+%d with %s: %d", code->k, code->m, side->library, status);
    for (int i = 0; i < code->k; i++)
        stripe->fragment[i] = stripe->data[i];
    for (int i = 0; i < code->m; i++)
        stripe->fragment[code->k + i] = stripe->parity[i];
}
