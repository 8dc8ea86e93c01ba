/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as a user of ISA-L would write it, valid as C and as C++.  It does not use permxor,
 * includes isa-l.h, and prints a digest of everything that the erasure-coding and RAID
 * functions return.  unit/dropin_test.sh compiles it against the real headers and ours, and
 * runs it on the real library and on ours.
 *
 *   dropin_client          prints the digests
 *   dropin_client --where  prints the file that ec_encode_data comes from
 *   dropin_client --wrong  prints the functions that give wrong results with the library's own
 *                          tables, and gf_vect_mul_init if it does not make nibble tables
 *
 * With WITH_CRC it also uses functions that only the real library has, among them functions of
 * igzip.  With WITH_PERMXOR it is also linked with libpermxor and encodes with both.  With
 * WITH_VERSION it uses a function that ISA-L has since 2.32:
 *
 *   dropin_client --version  prints the version of the library, which must be the version of
 *                            the headers
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <isa-l.h>
#ifdef WITH_PERMXOR
#include <permxor.h>
#endif

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 10
#define M 4
#define LEN 4096

static unsigned char data_bytes[K][LEN], parity_bytes[M][LEN], rebuilt_bytes[M][LEN];
static unsigned char *data[K], *parity[M], *rebuilt[M];
static unsigned char matrix[(K + M) * K], tables[K * M * 32];

/* FNV-1a */
static uint64_t digest(const unsigned char *bytes, size_t len)
{
    uint64_t sum = 0xcbf29ce484222325u;
    while (len-- > 0)
        sum = (sum ^ *bytes++) * 0x100000001b3u;
    return sum;
}

static void show(const char *what, const unsigned char *bytes, size_t len)
{
    printf("%-28s %016llx\n", what, (unsigned long long)digest(bytes, len));
}

static void fill(void)
{
    uint32_t state = 12345;
    int i, j;
    for (j = 0; j < K; j++) {
        data[j] = data_bytes[j];
        for (i = 0; i < LEN; i++) {
            state = state * 1664525u + 1013904223u;
            data_bytes[j][i] = (unsigned char)(state >> 24);
        }
    }
    for (j = 0; j < M; j++) {
        parity[j] = parity_bytes[j];
        rebuilt[j] = rebuilt_bytes[j];
    }
}

static void encode(const char *name, int len)
{
    char what[64];
    int row;
    memset(parity_bytes, 0, sizeof parity_bytes);
    ec_init_tables(K, M, matrix + K * K, tables);
    ec_encode_data(len, K, M, tables, data, parity);
    for (row = 0; row < M; row++) {
        snprintf(what, sizeof what, "%s len=%d row %d", name, len, row);
        show(what, parity[row], LEN);
    }
}

/* Computes the parity again, one source at a time. */
static void update(void)
{
    int j;
    memset(rebuilt_bytes, 0, sizeof rebuilt_bytes);
    for (j = 0; j < K; j++)
        ec_encode_data_update(LEN, K, M, j, tables, data[j], rebuilt);
    show("update", rebuilt_bytes[0], sizeof rebuilt_bytes);
}

/* Loses shards 0, 3, 4 and 9, inverts the matrix of the survivors, rebuilds and compares. */
static int decode(void)
{
    static const int survivors[K] = {1, 2, 5, 6, 7, 8, 10, 11, 12, 13};
    static const int lost[M] = {0, 3, 4, 9};
    unsigned char square[K * K], inverse[K * K], rows[M * K], *sources[K];
    int i, wrong = 0;
    for (i = 0; i < K; i++) {
        memcpy(square + i * K, matrix + survivors[i] * K, K);
        sources[i] = survivors[i] < K ? data[survivors[i]] : parity[survivors[i] - K];
    }
    if (gf_invert_matrix(square, inverse, K) != 0)
        return 1;
    show("gf_invert_matrix", inverse, sizeof inverse);
    for (i = 0; i < M; i++)
        memcpy(rows + i * K, inverse + lost[i] * K, K);
    ec_init_tables(K, M, rows, tables);
    ec_encode_data(LEN, K, M, tables, sources, rebuilt);
    for (i = 0; i < M; i++)
        wrong |= memcmp(rebuilt[i], data[lost[i]], LEN) != 0;
    show("rebuilt", rebuilt_bytes[0], sizeof rebuilt_bytes);
    return wrong;
}

static void small_functions(void)
{
    unsigned char table[32], products[256 * 256], inverses[256];
    unsigned a, b;
    for (a = 0; a < 256; a++) {
        inverses[a] = gf_inv((unsigned char)a);
        for (b = 0; b < 256; b++)
            products[256 * a + b] = gf_mul((unsigned char)a, (unsigned char)b);
    }
    show("gf_mul", products, sizeof products);
    show("gf_inv", inverses, sizeof inverses);
    gf_vect_mul_init(0x8e, table);
    show("gf_vect_mul_init", table, sizeof table);
    gf_vect_dot_prod(LEN, K, tables, data, parity[0]);
    show("gf_vect_dot_prod", parity[0], LEN);
    memset(parity[0], 0, LEN);
    gf_vect_mad(LEN, K, 3, tables, data[3], parity[0]);
    show("gf_vect_mad", parity[0], LEN);
}

static int multiply(void)
{
    void *from = NULL, *to = NULL;
    unsigned char table[32];
    int status;
    if (posix_memalign(&from, 64, LEN) != 0 || posix_memalign(&to, 64, LEN) != 0)
        return 1;
    memcpy(from, data[5], LEN);
    gf_vect_mul_init(0x1b, table);
    status = gf_vect_mul(LEN, table, from, to);
    show("gf_vect_mul", (unsigned char *)to, LEN);
    printf("gf_vect_mul of 33 bytes %s\n",
           gf_vect_mul(33, table, from, to) ? "fails" : "works");
    free(from);
    free(to);
    return status;
}

/* These functions need aligned buffers, like gf_vect_mul. */
static int raid(void)
{
    void *array[K + 2];
    int i, status = 0;
    for (i = 0; i < K + 2; i++) {
        if (posix_memalign(&array[i], 64, LEN) != 0)
            return 1;
        memcpy(array[i], data[i % K], LEN);
    }
    printf("isal_adler32 %08x\n", (unsigned)isal_adler32(1, data[0], LEN));
    printf("isal_zero_detect %d\n", isal_zero_detect(array[0], LEN) != 0);
    status |= pq_gen(K + 2, LEN, array);
    show("pq_gen, P", (unsigned char *)array[K], LEN);
    show("pq_gen, Q", (unsigned char *)array[K + 1], LEN);
    status |= pq_check(K + 2, LEN, array);
    status |= xor_check(K + 1, LEN, array);
    status |= xor_gen(K + 2, LEN, array);
    show("xor_gen", (unsigned char *)array[K + 1], LEN);
    status |= isal_zero_detect(array[K + 1], LEN); /* P of data and P is 0 */
    for (i = 0; i < K + 2; i++)
        free(array[i]);
    return status;
}

/* Computes one row by ec_encode_data and ec_encode_data_update, and by the functions for a
   single row.  Prints the functions that give another result. */
static int wrong(void)
{
    unsigned char table[32];
    int i, nibbles = 1;
    fill();
    gf_gen_cauchy1_matrix(matrix, K + M, K);
    ec_init_tables(K, 1, matrix + K * K, tables);
    ec_encode_data(LEN, K, 1, tables, data, parity);
    gf_vect_dot_prod(LEN, K, tables, data, rebuilt[0]);
    if (memcmp(parity[0], rebuilt[0], LEN) != 0)
        puts("gf_vect_dot_prod");
    memset(parity[0], 0, LEN);
    memset(rebuilt[0], 0, LEN);
    ec_encode_data_update(LEN, K, 1, 3, tables, data[3], parity);
    gf_vect_mad(LEN, K, 3, tables, data[3], rebuilt[0]);
    if (memcmp(parity[0], rebuilt[0], LEN) != 0)
        puts("gf_vect_mad");
    gf_vect_mul_init(0x8e, table);
    for (i = 0; i < 16; i++)
        nibbles &= table[i] == gf_mul(0x8e, (unsigned char)i);
    if (!nibbles)
        puts("gf_vect_mul_init");
    return 0;
}

static int where(void)
{
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, "ec_encode_data");
    if (address == NULL || dladdr(address, &info) == 0)
        return 1;
    puts(info.dli_fname);
    return 0;
}

#ifdef WITH_CRC
static void others(void)
{
    static unsigned char packed[2 * K * LEN];
    struct isal_zstream stream;
    printf("crc32_ieee %08x\n", crc32_ieee(0, data[0], LEN));
    isal_deflate_stateless_init(&stream);
    stream.next_in = data_bytes[0];
    stream.avail_in = sizeof data_bytes;
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    stream.end_of_stream = 1;
    printf("isal_deflate_stateless %d\n", isal_deflate_stateless(&stream));
    show("deflated", packed, stream.total_out);
}
#endif

#ifdef WITH_PERMXOR
/* Compares the parity that ISA-L's call computes with the parity of a code of permxor.h. */
static int encode_with_permxor(void)
{
    pxr_code *code = NULL;
    int failed;
    ec_init_tables(K, M, matrix + K * K, tables);
    ec_encode_data(LEN, K, M, tables, data, parity);
    failed = pxr_code_create(&code, K, M, PXR_ISAL_CAUCHY, NULL) ||
             pxr_encode(code, LEN, data, rebuilt) ||
             memcmp(parity_bytes, rebuilt_bytes, sizeof parity_bytes) != 0;
    pxr_code_free(code);
    return failed;
}
#endif

#ifdef WITH_VERSION
static int version(void)
{
    puts(isal_get_version_str());
    return isal_get_version() != ISAL_VERSION ||
           strcmp(isal_get_version_str(), ISAL_VERSION_STR) != 0;
}
#endif

int main(int argc, char **argv)
{
    int failed;
    if (argc > 1 && strcmp(argv[1], "--where") == 0)
        return where();
    if (argc > 1 && strcmp(argv[1], "--wrong") == 0)
        return wrong();
#ifdef WITH_VERSION
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        return version();
#endif
    fill();
    gf_gen_rs_matrix(matrix, K + M, K);
    encode("rs", LEN);
    encode("rs", 1000);
    gf_gen_cauchy1_matrix(matrix, K + M, K);
    encode("cauchy", 63);
    encode("cauchy", 1);
    encode("cauchy", LEN);
    update();
    failed = decode();
    small_functions();
    failed |= multiply();
    failed |= raid();
#ifdef WITH_CRC
    others();
#endif
#ifdef WITH_PERMXOR
    failed |= encode_with_permxor();
#endif
    return failed;
}
