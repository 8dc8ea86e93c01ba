/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A test that loads, uses and unloads a library again and again, as plugins do.  Each time the
 * library must really be unloaded, must work even when several threads make its first call, and
 * must leave nothing behind.
 *
 *   dropin_reload LIBRARY    LIBRARY has ISA-L's names or the names of permxor.h
 */
#include "config.h"

#include "check.h"
#include "judge.h"
#include "permxor.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 1000
#define SETTLED 100 /* rounds after which nothing may grow */
#define THREADS 4
#define K 4
#define ROWS 3
#define LEN 333

typedef void encode_fn(int, int, int, uint8_t *, uint8_t **, uint8_t **);
typedef void init_tables_fn(int, int, uint8_t *, uint8_t *);

static struct {
    void *handle;
    encode_fn *encode; /* NULL if the library has the names of permxor.h */
    init_tables_fn *init_tables;
    __typeof__(pxr_code_create_custom) *code_create;
    __typeof__(pxr_encode) *code_encode;
    __typeof__(pxr_code_free) *code_free;
} library;

static uint8_t matrix[ROWS * K], bytes[K][LEN], expected[ROWS][LEN];

struct worker {
    pthread_t thread;
    pthread_barrier_t *barrier;
    bool right;
};

static void make_work(void)
{
    const uint8_t *src[K];
    check_fill(matrix, sizeof matrix);
    check_fill(bytes, sizeof bytes);
    for (unsigned j = 0; j < K; j++)
        src[j] = bytes[j];
    for (unsigned r = 0; r < ROWS; r++)
        judge_dot(LEN, K, matrix + K * r, src, expected[r]);
}

static bool encode(uint8_t **src, uint8_t **dst)
{
    uint8_t tables[ROWS * K * 32];
    if (library.encode != NULL) {
        library.init_tables(K, ROWS, matrix, tables);
        library.encode(LEN, K, ROWS, tables, src, dst);
        return true;
    }
    pxr_code *code;
    if (library.code_create(&code, K, ROWS, matrix, PXR_ASSUME_MDS, NULL) != PXR_OK)
        return false;
    bool done = library.code_encode(code, LEN, src, dst) == PXR_OK;
    library.code_free(code);
    return done;
}

static bool work(void)
{
    uint8_t out[ROWS][LEN], *src[K], *dst[ROWS];
    for (unsigned j = 0; j < K; j++)
        src[j] = bytes[j];
    for (unsigned r = 0; r < ROWS; r++)
        dst[r] = out[r];
    return encode(src, dst) && memcmp(out, expected, sizeof out) == 0;
}

static void *work_in_thread(void *argument)
{
    struct worker *worker = argument;
    pthread_barrier_wait(worker->barrier);
    worker->right = work();
    return NULL;
}

static bool work_in_threads(void)
{
    struct worker workers[THREADS];
    pthread_barrier_t barrier;
    bool right = true;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].barrier = &barrier;
        if (!CHECK(pthread_create(&workers[i].thread, NULL, work_in_thread, &workers[i]) == 0))
            return false;
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        right &= workers[i].right;
    }
    pthread_barrier_destroy(&barrier);
    return right;
}

static bool find(const char *name, void *function)
{
    void *address = dlsym(library.handle, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool find_all(void)
{
    if (find("ec_encode_data", &library.encode))
        return find("ec_init_tables", &library.init_tables);
    return find("pxr_code_create_custom", &library.code_create) &&
           find("pxr_encode", &library.code_encode) &&
           find("pxr_code_free", &library.code_free);
}

static void round_trip(const char *path, unsigned round)
{
    library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    check_at("round %ld", round, 0, 0, 0);
    if (!CHECK(library.handle != NULL)) {
        printf("    %s\n", dlerror());
        return;
    }
    if (CHECK(find_all()))
        CHECK(round % 4 == 0 ? work_in_threads() : work());
    CHECK_INT(dlclose(library.handle), 0);
#ifdef __GLIBC__ /* musl does not unload libraries */
    CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == NULL);
#endif
}

/* The number of mappings of this process. */
static unsigned mappings(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned lines = 0;
    for (int c; maps != NULL && (c = fgetc(maps)) != EOF;)
        lines += c == '\n';
    if (maps != NULL)
        fclose(maps);
    return lines;
}

/* Defined if the C library tells how many bytes of the heap are in use. */
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
#define HEAP_BYTES() mallinfo2().uordblks
#endif
#endif

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[argc - 1] : "";
    size_t heap = 0;
    unsigned maps = 0;
    char *none[] = {argv[0], NULL};
    check_start("dropin_reload", 1, none);
    judge_start();
    make_work();
    if (check_case("%d rounds of %s", ROUNDS, path))
        for (unsigned round = 0; round < ROUNDS; round++) {
            round_trip(path, round);
            if (round == SETTLED) {
                maps = mappings();
#ifdef HEAP_BYTES
                heap = HEAP_BYTES();
#endif
            }
        }
    if (check_case("no mapping left behind"))
        CHECK(maps > 0 && mappings() <= maps + 2);
#ifdef HEAP_BYTES
    if (check_case("no heap left behind"))
        CHECK(HEAP_BYTES() <= heap + 1024);
#else
    (void)heap;
    check_skip("no heap left behind", "needs mallinfo2");
#endif
    return check_finish();
}
