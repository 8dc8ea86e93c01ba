/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lifetime - load and unload libisal many times, and use it from many threads.
 *
 *     lifetime [BACKEND_ID...]
 *
 * 1000 times an instance is made, used and destroyed, which loads and unloads libisal.  Then 8
 * threads do so at the same time, beside an instance that they share.  When an instance cannot
 * be made, the program prints the status and exits with 3.
 */
#include <liberasurecode/erasurecode.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 6, M = 3, SIZE = 50021, TIMES = 1000, THREADS = 8, TIMES_EACH = 100 };

static char source[SIZE];
static ec_backend_id_t backend;
static int shared;
static _Atomic unsigned long round_trips;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "lifetime: %s\n", what);
    exit(1);
}

static int create(void)
{
    struct ec_args args = {.k = K, .m = M, .w = 8, .hd = M};
    args.ct = CHKSUM_CRC32;
    const int desc = liberasurecode_instance_create(backend, &args);
    if (desc <= 0) {
        printf("liberasurecode_instance_create: %d\n", desc);
        exit(3);
    }
    return desc;
}

/* Encode, and decode without M fragments, the first of which has the number `lost`. */
static void round_trip(int desc, int lost)
{
    char **data, **parity, *left[K], *bytes;
    uint64_t len, size;
    int n = 0;
    expect(liberasurecode_encode(desc, source, SIZE, &data, &parity, &len) == 0, "encode");
    for (int i = 0; i < K; i++) {
        const int index = (lost + M + i) % (K + M);
        left[n++] = index < K ? data[index] : parity[index - K];
    }
    expect(liberasurecode_decode(desc, left, n, len, 1, &bytes, &size) == 0, "decode");
    expect(size == SIZE && memcmp(bytes, source, SIZE) == 0, "decoded to other bytes");
    liberasurecode_decode_cleanup(desc, bytes);
    liberasurecode_encode_cleanup(desc, data, parity);
    round_trips++;
}

/* The number of mappings of a libisal in this process. */
static int mappings(void)
{
    char line[4096];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    expect(maps != NULL, "/proc/self/maps");
    while (fgets(line, sizeof(line), maps) != NULL)
        n += strstr(line, "/libisal") != NULL;
    fclose(maps);
    return n;
}

static void come_and_go(void)
{
    for (int i = 0; i < TIMES; i++) {
        const int desc = create();
        round_trip(desc, i % (K + M));
        if (i % 100 == 0)
            expect(mappings() > 0, "not loaded");
        expect(liberasurecode_instance_destroy(desc) == 0, "destroy");
        if (i % 100 == 0)
            expect(mappings() == 0, "not unloaded");
    }
}

static void *work(void *arg)
{
    const int number = *(const int *)arg;
    for (int i = 0; i < TIMES_EACH; i++) {
        const int own = create();
        round_trip(own, (number + i) % (K + M));
        round_trip(shared, (number + i) % (K + M));
        expect(liberasurecode_instance_destroy(own) == 0, "destroy in a thread");
    }
    return NULL;
}

static void all_at_once(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    shared = create();
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        expect(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0, "pthread_create");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    expect(liberasurecode_instance_destroy(shared) == 0, "destroy");
}

int main(int argc, char **argv)
{
    for (int i = 0; i < SIZE; i++)
        source[i] = (char)(i * 131 + i / 257);
    for (int i = 1; i < argc; i++) {
        backend = (ec_backend_id_t)atoi(argv[i]);
        come_and_go();
        all_at_once();
    }
    printf("%d instances one by one, %d in %d threads, %lu round trips of %d bytes\n",
           TIMES * (argc - 1), THREADS * TIMES_EACH * (argc - 1), THREADS, round_trips, SIZE);
    return 0;
}
