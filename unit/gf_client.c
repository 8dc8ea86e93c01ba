/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that uses gf-complete as its users do, valid as C and as C++.  It prints what it
 * computes.  With an argument, it prints the file that gf_init_easy() comes from instead.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>

#include <gf_complete.h>
#include <gf_general.h>
#include <gf_method.h>
#include <gf_rand.h>

#define BYTES 4096

/* The original needs regions that are aligned and hold whole words. */
static uint64_t src[BYTES / 8], dst[BYTES / 8];

static void print_region(const char *what, int w)
{
    uint64_t sum = 0;
    for (int i = 0; i < BYTES / 8; i++)
        sum = sum * 31 + dst[i];
    printf("%s w=%d %016llx\n", what, w, (unsigned long long)sum);
}

static void use(const char *what, gf_t *gf, int w)
{
    gf_general_t val, product;
    char text[40];
    gf_general_set_random(&val, w, 0);
    gf_general_inverse(gf, &val, &product);
    gf_general_val_to_s(&product, w, text, 1);
    printf("%s w=%d 1/a = %s\n", what, w, text);
    gf_general_do_region_multiply(gf, &val, src, dst, BYTES, 0);
    print_region(what, w);
    gf_general_do_region_multiply(gf, &val, dst, dst, BYTES, 1);
    print_region(what, w);
}

static int from_words(int w, int count, const char *const *words)
{
    gf_t gf;
    char *copy[8];
    for (int i = 0; i < count; i++)
        copy[i] = strdup(words[i]);
    const int next = create_gf_from_argv(&gf, w, count, copy, 0);
    for (int i = 0; i < count; i++)
        free(copy[i]);
    if (next == 0) {
        gf_error();
        return 1;
    }
    use(words[1], &gf, w);
    gf_free(&gf, 1);
    return 0;
}

int main(int argc, char **argv)
{
    static const int ws[] = {4, 8, 16, 32, 64, 128};
    static const char *const split[] = {"-m", "SPLIT", "16", "4", "-r", "ALTMAP", "-"};
    static const char *const pairs[] = {"-m", "COMPOSITE", "2", "-", "-"};
    (void)argv;
    if (argc > 1) {
        Dl_info info;
        if (dladdr(dlsym(RTLD_DEFAULT, "gf_init_easy"), &info) == 0)
            return 1;
        puts(info.dli_fname);
        return 0;
    }
    MOA_Seed(7);
    MOA_Fill_Random_Region(src, BYTES);
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        gf_t gf;
        if (!gf_init_easy(&gf, ws[i]))
            return 1;
        use("default", &gf, ws[i]);
        gf_free(&gf, 1);
    }
    return from_words(16, 7, split) || from_words(32, 5, pairs);
}
