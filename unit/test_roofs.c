/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which roof is the nearest, and how high it is, on a machine with invented rates.  Every
 * expected figure was computed by hand from perf/roofs.h.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../perf/operations.h"
#include "../perf/shape_roofs.h"
#include "check.h"

/* Every way to access memory has the same rates, so the best way has these rates, too. */
static struct bandwidth bandwidth_of(double read, double write, double modify, double copy,
                                     double nt_write, double nt_copy)
{
    const double gbs[BANDWIDTH_KINDS] = {read, write, modify, copy, nt_write, nt_copy};
    struct bandwidth b;
    for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
        for (int way = 0; way < BANDWIDTH_WAYS; way++)
            b.gbs[kind][way] = gbs[kind];
    return b;
}

static void set_rates(struct roofs *roofs, const char *name, const struct port_rates *rates)
{
    const struct port_set *set = port_set_find(name);
    if (set == NULL) /* the set is of another architecture */
        return;
    roofs->known[set - port_sets] = true;
    roofs->rates[set - port_sets] = *rates;
}

/* A machine with caches of 32 KiB, 992 KiB and 31 MiB, and without rates of ssse3. */
static struct roofs made_up(void)
{
    struct roofs roofs = {
        .levels = 4,
        .level = {{"L1", 32 << 10, 0, bandwidth_of(400, 200, 200, 200, 20, 16)},
                  {"L2", 1 << 20, 0, bandwidth_of(100, 50, 40, 40, 20, 16)},
                  {"L3", 32 << 20, 0, bandwidth_of(30, 20, 25, 15, 18, 16)},
                  {"memory", SIZE_MAX, 0, bandwidth_of(16, 8, 9, 6, 20, 10)}}};
    set_rates(&roofs, "avx2", &(struct port_rates){{8, 8, 8, 4}});
    set_rates(&roofs, "avx512", &(struct port_rates){{4, 8, 8, 2}});
    set_rates(&roofs, "avx512_gfni", &(struct port_rates){{8, 8, 8, 2}});
    return roofs;
}

static struct shape shape_of(const char *operation, enum matrix_kind matrix, int k, int m,
                             int len, enum walk_mode mode)
{
    return (struct shape){.operation = operation_find(operation, strlen(operation)),
                          .k = k,
                          .m = m,
                          .len = len,
                          .matrix = {.kind = matrix},
                          .mode = mode};
}

/* In MB/s, rounded. */
static long long mbs(double gbs)
{
    return (long long)(1000 * gbs + 0.5);
}

static void expect(const struct roofs *roofs, const struct shape *shape, const char *set,
                   const char *name, double gbs)
{
    struct roof nearest = {"none", 0};
    CHECK(roofs_nearest(roofs, shape, set, &nearest));
    CHECK_STR(nearest.name, name);
    CHECK_INT(mbs(nearest.gbs), mbs(gbs));
}

/* Data in L1, where only the ports limit the speed. */
static void expect_port(const char *operation, enum matrix_kind matrix, int k, int m,
                        const char *set, const char *name, double gbs)
{
    const struct roofs roofs = made_up();
    const struct shape shape = shape_of(operation, matrix, k, m, 1024, WALK_WARM);
    expect(&roofs, &shape, set, name, gbs);
}

static void expect_cold(const char *operation, int k, int m, const char *name, double gbs)
{
    const struct roofs roofs = made_up();
    const struct shape shape = shape_of(operation, MATRIX_CAUCHY, k, m, 4096, WALK_COLD);
    expect(&roofs, &shape, "base", name, gbs);
}

static void test_ports(void)
{
    if (port_set_count == 0) {
        check_skip("ports", "no port rates are measured on this architecture");
        return;
    }
    /* W = 64.  2m = 8 permutes at rate 4 take 2; (8 + 3 + 4) instructions at rate 8 take
       less. */
    if (check_case("permutes"))
        expect_port("encode", MATRIX_CAUCHY, 10, 4, "avx512", "permute avx512", 64 / 2.0);
    /* W = 32.  (2 + 3 + 2) instructions at rate 8 take more than 2 permutes at rate 8. */
    if (check_case("instructions"))
        expect_port("encode", MATRIX_CAUCHY, 10, 1, "avx2", "instructions avx2", 32 * 8 / 7.0);
    /* A row of ones: a load takes 1 / 8.  0.5 xors at rate 8 take less, and so do 0.1 stores at
       rate 2. */
    if (check_case("loads"))
        expect_port("encode", MATRIX_VAND, 10, 1, "avx512", "L1 load", 64 * 8);
    /* One target that is as long as the one source. */
    if (check_case("stores"))
        expect_port("encode", MATRIX_VAND, 1, 1, "avx512", "L1 store", 64 * 2);
    /* Three targets are loaded with the source, and (1 + 3) / 8 is less than 3 stores at rate
       2. */
    if (check_case("update stores"))
        expect_port("update", MATRIX_CAUCHY, 10, 3, "avx512_gfni", "L1 store", 64 * 2 / 3.0);
    /* Rows of 1 and of 2^j: a permute, an addition and a xor, and half a xor for the row of
       ones. */
    if (check_case("powers of two"))
        expect_port("encode", MATRIX_VAND, 4, 2, "avx512", "instructions avx512", 64 * 8 / 3.5);
    /* 4 permutes, 3 splits and 2 xors. */
    if (check_case("no powers of two"))
        expect_port("encode", MATRIX_CAUCHY, 4, 2, "avx512", "instructions avx512",
                    64 * 8 / 9.0);
    /* A decode has general rows, whatever the generator matrix is. */
    if (check_case("decode"))
        expect_port("decode", MATRIX_VAND, 4, 2, "avx512", "instructions avx512", 64 * 8 / 9.0);
    /* With a single parity row of ones, the lost shard is the sum of the others. */
    if (check_case("decode by a row of ones"))
        expect_port("decode", MATRIX_VAND, 10, 1, "avx512", "L1 load", 64 * 8);
    if (check_case("dot product by a row of ones"))
        expect_port("dot", MATRIX_VAND, 10, 1, "avx512", "L1 load", 64 * 8);
    if (check_case("dot product by a general row"))
        expect_port("dot", MATRIX_VAND, 10, 2, "avx2", "instructions avx2", 32 * 8 / 7.0);
    /* One store of 64 bytes for each load of the source; two loads at rate 8 take less. */
    if (check_case("multiply-add by one"))
        expect_port("mad", MATRIX_VAND, 10, 1, "avx512", "L1 store", 64 * 2);
    /* 0.5 xors for the row of ones, 1.5 xors for three products, and 3 transforms. */
    if (check_case("the fastest set"))
        expect_port("encode", MATRIX_VAND, 10, 4, NULL, "instructions avx512_gfni",
                    64 * 8 / (3 + 2.0));
    if (check_case("a variant's name"))
        expect_port("encode", MATRIX_CAUCHY, 10, 4, "avx512_x4", "permute avx512", 64 / 2.0);
}

static void test_absent(void)
{
    const struct roofs roofs = made_up();
    struct shape shape = shape_of("encode", MATRIX_CAUCHY, 10, 4, 1024, WALK_WARM);
    struct roof nearest;
    if (port_set_count == 0)
        check_skip("absent set", "no port rates are measured on this architecture");
    else if (check_case("absent set")) {
        CHECK(!roofs_nearest(&roofs, &shape, "ssse3", &nearest));
        CHECK(roofs_nearest(&roofs, &shape, "avx2", &nearest));
    }
    if (check_case("an operation that is not on shards")) {
        const struct shape tables = shape_of("tables", MATRIX_CAUCHY, 10, 4, 64, WALK_WARM);
        CHECK(!roofs_nearest(&roofs, &tables, NULL, &nearest));
    }
    /* A set without rates: the limits are L1's read 400, and its write 200 / 0.4 or 200 / 3. */
    if (check_case("unknown set")) {
        expect(&roofs, &shape, "base", "L1 load", 400);
        shape = shape_of("encode", MATRIX_CAUCHY, 2, 6, 1024, WALK_WARM);
        expect(&roofs, &shape, "base", "L1 store", 200 / 3.0);
    }
}

static void test_names(void)
{
    if (!check_case("the set that a subject names"))
        return;
    CHECK_STR(entry_kernels(&(struct entry){.set = "avx2", .suffix = ""}), "avx2");
    CHECK_STR(entry_kernels(&(struct entry){.set = "", .suffix = "avx512"}), "avx512");
    CHECK_STR(entry_kernels(&(struct entry){.set = "", .suffix = "avx"}), "ssse3");
    CHECK(entry_kernels(&(struct entry){.set = "", .suffix = ""}) == NULL);
}

static void expect_warm(int k, int m, int len, const char *name, double gbs)
{
    const struct roofs roofs = made_up();
    const struct shape shape = shape_of("encode", MATRIX_CAUCHY, k, m, len, WALK_WARM);
    expect(&roofs, &shape, "base", name, gbs);
}

static void test_warm(void)
{
    /* 14 * 2340 bytes are 8 bytes less than L1. */
    if (check_case("fits L1"))
        expect_warm(10, 4, 2340, "L1 load", 400);
    /* 14 * 64 KiB are 28 times L1, so 27 / 28 of the bytes come from L2, at 0.4 / 40 + 0.6 /
       100. */
    if (check_case("L2"))
        expect_warm(10, 4, 65536, "L2", 28 / 27.0 / 0.016);
    /* 14 times L1 and L2: 13 / 14 of the bytes, at 0.4 / 16 + 0.6 / 30.  Ordinary stores would
       take 0.4 / 15 + 0.6 / 30. */
    if (check_case("L3"))
        expect_warm(10, 4, 1 << 20, "L3 NT", 14 / 13.0 / 0.045);
    /* 7 times the caches: 6 / 7 of the bytes, at 0.4 / 10 + 0.6 / 16. */
    if (check_case("beyond L3"))
        expect_warm(10, 4, 16 << 20, "memory NT", 7 / 6.0 / 0.0775);
}

static void test_cold(void)
{
    if (check_case("cold encode"))
        expect_cold("encode", 10, 4, "memory NT", 1 / (0.4 / 10 + 0.6 / 16));
    /* c = 1, and two more bytes are written for each byte of source. */
    if (check_case("m > k"))
        expect_cold("encode", 2, 6, "memory NT", 1 / (1 / 10.0 + 2 / 20.0));
    /* Around the caches 5 bytes are read and 4 are written.  Ordinary stores take 1 / 6 + 3 /
       9, which is more. */
    if (check_case("cold update"))
        expect_cold("update", 10, 4, "memory NT", 1 / (4 / 10.0 + 1 / 16.0));
    if (check_case("cold multiply"))
        expect_cold("mul", 10, 4, "memory NT", 10);
    /* 2 bytes are read and 1 is written around the caches, compared with 1 / 6 for ordinary
       stores. */
    if (check_case("cold multiply-add"))
        expect_cold("mad", 10, 4, "memory NT", 1 / (1 / 10.0 + 1 / 16.0));
}

static void test_ways_to_write(void)
{
    struct roofs roofs = made_up();
    struct bandwidth *memory = &roofs.level[3].bandwidth;
    const struct shape encode = shape_of("encode", MATRIX_CAUCHY, 10, 4, 4096, WALK_COLD);
    const struct shape update = shape_of("update", MATRIX_CAUCHY, 10, 4, 4096, WALK_COLD);
    if (check_case("ordinary stores")) {
        *memory = bandwidth_of(16, 8, 9, 6, 0, 0);
        expect(&roofs, &encode, "base", "memory", 1 / (0.4 / 6 + 0.6 / 16));
        expect(&roofs, &update, "base", "memory", 1 / (1 / 6.0 + 3 / 9.0));
    }
    if (check_case("writing beats modifying")) {
        *memory = bandwidth_of(16, 12, 9, 8, 0, 0);
        expect(&roofs, &update, "base", "memory", 1 / (1 / 8.0 + 3 / 12.0));
    }
    if (check_case("copying is slower than its halves")) {
        *memory = bandwidth_of(16, 8, 9, 5, 0, 0);
        expect(&roofs, &encode, "base", "memory", 1 / (1 / 16.0 + 0.4 / 9));
    }
    if (check_case("the best of the ways")) {
        *memory = bandwidth_of(16, 8, 9, 8, 0, 0);
        memory->gbs[BANDWIDTH_READ][BANDWIDTH_WAYS - 1] = 24;
        expect(&roofs, &encode, "base", "memory", 1 / (0.4 / 8 + 0.6 / 24));
    }
}

/* Without invented rates: every machine must have some rates. */
static void test_measured(void)
{
    if (!check_case("measured bandwidth"))
        return;
    struct arena arena = {0};
    struct bandwidth b;
    CHECK(bandwidth_measure(&arena, 16 << 10, 1e-3, &b));
    for (int kind = 0; kind < BANDWIDTH_NT_WRITE; kind++)
        CHECK(bandwidth_best(&b, (enum bandwidth_kind)kind) > 0);
    arena_close(&arena);
}

int main(int argc, char **argv)
{
    check_start("test_roofs", argc, argv);
    unsetenv("PERMXOR_KERNELS");
    test_ports();
    test_absent();
    test_names();
    test_warm();
    test_cold();
    test_ways_to_write();
    test_measured();
    return check_finish();
}
