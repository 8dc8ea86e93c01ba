/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor.h and permxor_hash.h when memory runs out.  A call that allocates is repeated until
 * it succeeds, and each time one more of its allocations succeeds.  A call that fails must
 * write nothing and leak nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge.h"
#include "permxor_hash.h"
#include "stripe.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

/* The malloc() below replaces the C library's.  It must not replace a sanitizer's. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(thread_sanitizer)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void __libc_free(void *memory);

/* They are volatile, because compilers assume that malloc() changes no variable. */
static volatile bool armed;
static volatile long allowed; /* allocations that still succeed while armed */
static volatile long live;    /* number of allocations that are not freed yet */

static bool refuse(void)
{
    return armed && allowed-- <= 0;
}

void *malloc(size_t size)
{
    void *memory = refuse() ? NULL : __libc_malloc(size);
    live += memory != NULL;
    return memory;
}

void *calloc(size_t count, size_t size)
{
    void *memory = refuse() ? NULL : __libc_calloc(count, size);
    live += memory != NULL;
    return memory;
}

void free(void *memory)
{
    live -= memory != NULL;
    __libc_free(memory);
}

/* ------------------------------------------------------- calls that fail -- */

static const uint8_t rows[] = {1, 1, 1, 1, 2, 4};

static struct {
    pxr_code *code; /* a code of 3+2, from one of the functions below */
    struct stripe full, out;
} now;

static int create(void)
{
    return pxr_code_create(&now.code, 3, 2, PXR_ISAL_CAUCHY, NULL);
}

static int create_custom(void)
{
    return pxr_code_create_custom(&now.code, 3, 2, rows, 0, NULL);
}

static int create_words(void)
{
    return pxr_code_create_words(&now.code, 3, 2, PXR_JERASURE_VAN, 16, NULL);
}

static int create_packets(void)
{
    return pxr_code_create_bits(&now.code, 3, 2, PXR_JERASURE_LIBERATION, 5, 10, 0, NULL);
}

static void no_code(void)
{
    CHECK(now.code == NULL);
}

static int reconstruct(void)
{
    uint8_t *have[] = {NULL, now.full.shard[1], now.full.shard[2], now.full.shard[3], NULL};
    uint8_t *want[] = {now.out.shard[0], NULL, NULL, NULL, now.out.shard[4]};
    return pxr_reconstruct(now.code, now.full.len, have, want);
}

static void nothing_written(void)
{
    CHECK(stripe_intact(&now.out, NULL));
}

static pxr_plan *made;

static int create_plan(void)
{
    static const uint8_t have[] = {0, 1, 1, 1, 0}, want[] = {1, 0, 0, 0, 1};
    struct pxr_error why = {""};
    const int status = pxr_plan_create(&made, now.code, have, want, &why);
    CHECK_STR(why.text, status == PXR_OK ? "" : "out of memory");
    return status;
}

static void no_plan(void)
{
    CHECK(made == NULL);
}

static unsigned located;

static int locate(void)
{
    return pxr_locate(now.code, now.full.len, stripe_in(&now.full), &located);
}

static void nothing_located(void)
{
    CHECK_INT(located, 999);
}

/* Repeats the call until it succeeds.  Each time one more allocation succeeds. */
static void run_out(int (*call)(void), int success, void (*check_failed)(void))
{
    for (long count = 0;; count++) {
        long before = live;
        allowed = count;
        armed = true;
        int status = call();
        armed = false;
        check_at("%ld allocations succeed", count, 0, 0, 0);
        if (status == success) {
            CHECK(count > 0);
            return;
        }
        CHECK_INT(status, PXR_ENOMEM);
        CHECK_INT(live, before);
        check_failed();
    }
}

static void test_create(const char *name, int (*call)(void))
{
    if (!check_case("%s when memory runs out", name))
        return;
    long before = live;
    run_out(call, PXR_OK, no_code);
    pxr_code_free(now.code);
    CHECK_INT(live, before);
}

static void test_message(void)
{
    if (!check_case("the error's text when memory runs out"))
        return;
    for (long count = 0; count < 2; count++) {
        struct pxr_error why = {""};
        allowed = count;
        armed = true;
        int status = pxr_code_create_custom(&now.code, 3, 2, rows, 0, &why);
        armed = false;
        CHECK_INT(status, PXR_ENOMEM);
        CHECK_STR(why.text, "out of memory");
    }
}

static void test_plans(const char *kind, int (*call)(void))
{
    if (!check_case("plans of %s when memory runs out", kind))
        return;
    CHECK_INT(call(), PXR_OK);
    now.full = stripe_blank(3, 2, 50);
    now.out = stripe_blank(3, 2, 50);
    for (unsigned j = 0; j < 3; j++)
        check_fill(now.full.shard[j], 50);
    CHECK_INT(pxr_encode(now.code, 50, stripe_in(&now.full), stripe_parity(&now.full)), PXR_OK);
    run_out(reconstruct, PXR_OK, nothing_written);
    CHECK_BYTES(now.out.shard[0], now.full.shard[0], 50);
    located = 999;
    now.full.shard[1][17] ^= 1;
    run_out(locate, PXR_EMISMATCH, nothing_located);
    CHECK_INT(located, 1);
    run_out(create_plan, PXR_OK, no_plan);
    pxr_plan_free(made);
    stripe_free(&now.full);
    stripe_free(&now.out);
    pxr_code_free(now.code);
}

/* ---------------------------------------------------- hashes of packets -- */

/* The hashes of a stripe of zeros in a code of packets, and those of its parity, computed. */
static struct {
    pxr_hash *hash;
    uint8_t sum[5][5 * PXR_MAX_HASH], parity[2][5 * PXR_MAX_HASH];
} hashes;

static int locate_hash(void)
{
    uint8_t *sums[5];
    for (unsigned i = 0; i < 5; i++)
        sums[i] = hashes.sum[i];
    return pxr_hash_locate(hashes.hash, now.code, sums, &located);
}

/* Encoding and checking make nothing, so that a program may do so for each stripe. */
static void encode_and_check(void)
{
    uint8_t *sums[5], *const parity[2] = {hashes.parity[0], hashes.parity[1]};
    for (unsigned i = 0; i < 5; i++)
        sums[i] = hashes.sum[i];
    memset(hashes.parity, 1, sizeof hashes.parity);
    allowed = 0;
    armed = true;
    const int encoded = pxr_hash_encode(hashes.hash, now.code, sums, parity);
    const int checked = pxr_hash_check(hashes.hash, now.code, sums);
    armed = false;
    CHECK_INT(encoded, PXR_OK);
    CHECK_INT(checked, PXR_OK);
    for (unsigned r = 0; r < 2; r++)
        CHECK_BYTES(parity[r], sums[3 + r], pxr_hash_bytes(hashes.hash, now.code));
}

static void test_hashes(void)
{
    if (!check_case("hashes of packets when memory runs out"))
        return;
    const long before = live;
    CHECK_INT(create_packets(), PXR_OK);
    CHECK_INT(pxr_hash_create(&hashes.hash, 8, NULL, NULL), PXR_OK);
    encode_and_check();
    located = 999;
    hashes.sum[1][17] ^= 1;
    run_out(locate_hash, PXR_EMISMATCH, nothing_located);
    CHECK_INT(located, 1);
    pxr_hash_free(hashes.hash);
    pxr_code_free(now.code);
    CHECK_INT(live, before);
}

/* Whether malloc() is the one above.  Valgrind replaces it again. */
static bool malloc_is_ours(void)
{
    allowed = 0;
    armed = true;
    void *volatile memory = malloc(1);
    armed = false;
    free(memory);
    return memory == NULL;
}

int main(int argc, char **argv)
{
    check_start("test_code_memory", argc, argv);
    judge_start();
    if (!malloc_is_ours()) {
        check_skip("running out of memory", "malloc is replaced by another program");
        return check_finish();
    }
    test_create("pxr_code_create", create);
    test_create("pxr_code_create_custom", create_custom);
    test_create("pxr_code_create_words", create_words);
    test_create("pxr_code_create_bits", create_packets);
    test_message();
    test_plans("bytes", create);
    test_plans("words", create_words);
    test_hashes();
    return check_finish();
}

#else

int main(int argc, char **argv)
{
    check_start("test_code_memory", argc, argv);
    check_skip("running out of memory", "malloc cannot be replaced in this build");
    return check_finish();
}

#endif
