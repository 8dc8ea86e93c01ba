/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading arrays: with lost members, with errors, and with wrong bytes. */
#include "check.h"
#include "memory_array.h"

#include <stdlib.h>
#include <string.h>

static struct memory_array m;
static uint8_t *buffer;

static void make(unsigned data, unsigned parity, enum pxa_layout layout, uint32_t chunk,
                 unsigned rows, enum pxr_matrix matrix)
{
    const struct pxa_geometry geometry = {data, parity, layout, chunk, (uint64_t)rows * chunk};
    memory_array_make(&m, &geometry, matrix);
    buffer = malloc((size_t)pxa_capacity(&geometry));
    CHECK(buffer != NULL);
}

static void drop(void)
{
    memory_array_free(&m);
    free(buffer);
}

/* Reads a range from an array of the present members, and compares it if the read succeeds. */
static int read_range(uint64_t offset, size_t len, enum pxa_trust trust,
                      struct pxa_report *report)
{
    pxa_array *array;
    struct pxr_error why = {""};
    int status =
        pxa_array_create(&array, &m.geometry, m.matrix, m.member, sizeof m.member[0], &why);
    if (!CHECK(status == PXR_OK)) {
        CHECK_STR(why.text, "");
        return status;
    }
    *report = (struct pxa_report){0};
    memset(buffer, 0x5a, len);
    status = pxa_read(array, offset, len, buffer, trust, report, sizeof *report);
    if (status == PXR_OK)
        CHECK_BYTES(buffer, m.data + offset, len);
    pxa_array_free(array);
    return status;
}

static int read_all(enum pxa_trust trust, struct pxa_report *report)
{
    return read_range(0, (size_t)pxa_capacity(&m.geometry), trust, report);
}

static uint64_t reads(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < m.geometry.data + m.geometry.parity; i++)
        sum += m.store[i].reads;
    return sum;
}

static unsigned count(pxa_mask mask)
{
    unsigned bits = 0;
    for (; mask != 0; mask &= mask - 1)
        bits++;
    return bits;
}

/* ----------------------------------------------------------------- losses -- */

/* Every set of lost members, the whole array and random ranges. */
static void every_loss(void)
{
    const unsigned n = m.geometry.data + m.geometry.parity;
    struct pxa_report report;
    for (pxa_mask lost = 0; lost < (pxa_mask)1 << n; lost++) {
        if (count(lost) > m.geometry.parity)
            continue;
        memory_array_heal(&m);
        memory_array_lose(&m, lost);
        check_at("lost %lx", (long)lost, 0, 0, 0);
        for (unsigned trust = PXA_TRUST; trust <= PXA_CORRECT; trust++) {
            CHECK_INT(read_all((enum pxa_trust)trust, &report), PXR_OK);
            CHECK(report.errors == 0 && report.disagreeing == 0);
            CHECK((report.unchecked > 0) ==
                  (trust != PXA_TRUST && count(lost) == m.geometry.parity));
            CHECK(lost != 0 || report.rebuilt == 0);
        }
        for (unsigned round = 0; round < 3; round++) {
            const size_t capacity = (size_t)pxa_capacity(&m.geometry);
            const size_t offset = check_below(capacity), len = check_below(capacity - offset);
            check_at("lost %lx offset %ld len %ld", (long)lost, (long)offset, (long)len, 0);
            CHECK_INT(read_range(offset, len, (enum pxa_trust)(round % 3), &report), PXR_OK);
        }
    }
}

static void test_layout(enum pxa_layout layout)
{
    static const uint32_t chunks[] = {1, 5, 64, 700};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++)
        for (unsigned parity = layout <= PXA_PARITY_LAST ? 1 : 2;
             parity <= (layout <= PXA_PARITY_LAST ? 3u : 2u); parity++) {
            make(3, parity, layout, chunks[i], 7, PXR_ISAL_VAND);
            every_loss();
            drop();
        }
}

/* Chunks that are longer than the slices in which rows are computed. */
static void test_long_chunks(void)
{
    make(2, 2, PXA_LEFT_SYMMETRIC, 300 << 10, 3, PXR_ISAL_CAUCHY);
    every_loss();
    drop();
}

static void test_too_many_lost(void)
{
    make(3, 2, PXA_LEFT_SYMMETRIC, 64, 7, PXR_ISAL_VAND);
    memory_array_lose(&m, 7);
    pxa_array *array;
    struct pxr_error why;
    CHECK_INT(
        pxa_array_create(&array, &m.geometry, m.matrix, m.member, sizeof m.member[0], &why),
        PXR_ETOOFEW);
    CHECK(array == NULL && strstr(why.text, "3 of 5 members are missing") != NULL);
    drop();
}

/* How much is read from members: one read for a block that is there, k for one that is lost. */
static void test_counted_reads(void)
{
    struct pxa_report report;
    make(6, 3, PXA_PARITY_LAST, 4096, 2, PXR_ISAL_CAUCHY);
    CHECK_INT(read_range(4096, 512, PXA_TRUST, &report), PXR_OK);
    CHECK_INT((long long)reads(), 1);
    memory_array_heal(&m);
    memory_array_lose(&m, 2);
    CHECK_INT(read_range(4096, 512, PXA_TRUST, &report), PXR_OK);
    CHECK_INT((long long)reads(), 6);
    CHECK_INT((long long)report.rebuilt, 512);
    memory_array_heal(&m);
    memory_array_lose(&m, 2);
    CHECK_INT(read_all(PXA_TRUST, &report), PXR_OK);
    CHECK_INT((long long)reads(), 2 * 6); /* blocks that are wanted anyway are read once */
    drop();
}

/* ----------------------------------------------------------------- errors -- */

static void test_read_errors(void)
{
    struct pxa_report report;
    make(4, 2, PXA_LEFT_SYMMETRIC, 8192, 6, PXR_ISAL_VAND);
    m.store[1].bad_begin = 0;
    m.store[1].bad_end = UINT64_MAX;
    m.store[4].bad_begin = 20000;
    m.store[4].bad_end = 30000;
    CHECK_INT(read_all(PXA_TRUST, &report), PXR_OK);
    CHECK(report.errors > 0 && (report.failed & ~(pxa_mask)0x12) == 0);
    CHECK_INT(read_all(PXA_VERIFY, &report), PXR_OK);
    CHECK(report.unchecked > 0 && report.disagreeing == 0);
    m.store[2].bad_begin = 25000;
    m.store[2].bad_end = 25001;
    CHECK_INT(read_all(PXA_TRUST, &report), PXA_EIO);
    CHECK_INT(read_all(PXA_CORRECT, &report), PXA_EIO);
    drop();
}

/* Three members have bad sectors in one chunk, but not at the same place. */
static void test_scattered_errors(void)
{
    struct pxa_report report;
    make(4, 2, PXA_PARITY_LAST, 64 << 10, 1, PXR_ISAL_VAND);
    for (unsigned i = 0; i < 6; i++) {
        m.store[i].bad_begin = m.member[i].start + 4096 + 512 * i;
        m.store[i].bad_end = m.store[i].bad_begin + 512;
    }
    CHECK_INT(read_all(PXA_TRUST, &report), PXR_OK);
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_OK);
    CHECK_INT((long long)report.failed, 0x3f);
    for (unsigned i = 0; i < 3; i++) {
        m.store[i].bad_begin = m.member[i].start + 4096;
        m.store[i].bad_end = m.store[i].bad_begin + 512;
    }
    CHECK_INT(read_all(PXA_TRUST, &report), PXA_EIO);
    CHECK_INT(read_range(0, 4096, PXA_TRUST, &report), PXR_OK);
    CHECK_INT(read_range(4096, 1, PXA_TRUST, &report), PXA_EIO);
    CHECK_INT(read_range(4096 + 512, 100, PXA_TRUST, &report), PXR_OK);
    drop();
}

/* What md knows to be out of date or bad is not read, although it could be. */
static void test_known_bad(void)
{
    struct pxa_report report;
    make(3, 1, PXA_LEFT_SYMMETRIC, 512, 8, PXR_ISAL_VAND);
    memset(m.store[0].bytes + m.member[0].start + 1000, 0xee, 3096);
    m.member[0].valid = 1000;
    CHECK_INT(read_all(PXA_TRUST, &report), PXR_OK);
    CHECK_INT((long long)report.errors, 0);
    drop();
    make(3, 1, PXA_LEFT_SYMMETRIC, 512, 8, PXR_ISAL_VAND);
    const struct pxa_range bad[] = {{100, 101}, {m.member[2].start + 1024, 2500}};
    memset(m.store[2].bytes + bad[1].begin, 0xee, (size_t)(bad[1].end - bad[1].begin));
    m.member[2].bad = bad;
    m.member[2].bad_count = 2;
    CHECK_INT(read_all(PXA_TRUST, &report), PXR_OK);
    CHECK_INT((long long)report.errors, 0);
    CHECK_INT((long long)report.rebuilt, 4 * 512); /* of rows 0, 2, 3 and 4 */
    drop();
}

/* ------------------------------------------------------------------- rot -- */

static void spoil(unsigned member, uint64_t offset)
{
    m.store[member].bytes[m.member[member].start + offset] ^= (uint8_t)(1 + check_below(255));
}

/* One wrong byte on each member in turn, in every row. */
static void test_one_wrong(enum pxa_layout layout, unsigned parity, pxa_mask lost)
{
    struct pxa_report report;
    make(3, parity, layout, 100, 6, PXR_ISAL_VAND);
    const unsigned n = 3 + parity;
    for (unsigned member = 0; member < n; member++)
        for (unsigned row = 0; row < 6; row++) {
            const uint64_t at = row * 100 + check_below(100);
            const uint8_t before = m.store[member].bytes[m.member[member].start + at];
            if (lost >> member & 1)
                continue;
            memory_array_lose(&m, lost);
            spoil(member, at);
            check_at("member %ld row %ld lost %lx", member, row, (long)lost, 0);
            CHECK_INT(read_all(PXA_VERIFY, &report), PXR_EMISMATCH);
            CHECK_INT(read_all(PXA_CORRECT, &report), PXR_OK);
            CHECK(report.disagreeing == 1 && report.located == 1);
            CHECK_INT((long long)report.wrong, 1 << member);
            CHECK_INT((long long)report.last_row, row);
            m.store[member].bytes[m.member[member].start + at] = before;
        }
    drop();
}

static void test_wrong_in_degraded(void)
{
    for (pxa_mask lost = 1; lost < 64; lost <<= 1)
        test_one_wrong(PXA_LEFT_SYMMETRIC, 3, lost);
    struct pxa_report report;
    make(3, 2, PXA_LEFT_SYMMETRIC, 100, 5, PXR_ISAL_VAND);
    memory_array_lose(&m, 1);
    spoil(2, 250);
    CHECK_INT(read_all(PXA_VERIFY, &report), PXR_EMISMATCH);
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_EAMBIGUOUS);
    CHECK(report.disagreeing == 1 && report.located == 0);
    drop();
}

/* Several pages of one chunk are wrong, on several members: each page is corrected by itself.
 */
static void test_wrong_pages(void)
{
    struct pxa_report report;
    make(4, 2, PXA_PARITY_LAST, 32 << 10, 1, PXR_ISAL_VAND);
    for (unsigned i = 0; i < 6; i++)
        spoil(i, 4096 * i + check_below(4096));
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_OK);
    CHECK(report.disagreeing == 6 && report.located == 6 && report.wrong == 0x3f);
    spoil(1, 7000); /* another byte of the same page of that member */
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_OK);
    memset(m.store[3].bytes + m.member[3].start + 4096, 0x77, 4096);
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_EAMBIGUOUS);
    CHECK_INT((long long)report.located, 5);
    drop();
}

/* Around a sector that cannot be read, parity is compared and wrong bytes are corrected. */
static void test_wrong_beside_errors(void)
{
    struct pxa_report report;
    make(3, 1, PXA_PARITY_LAST, 256 << 10, 1, PXR_ISAL_VAND);
    m.store[1].bad_begin = m.member[1].start + 100000;
    m.store[1].bad_end = m.store[1].bad_begin + 1;
    CHECK_INT(read_all(PXA_VERIFY, &report), PXR_OK);
    CHECK_INT((long long)report.unchecked, 3 * 512);
    CHECK_INT((long long)report.rebuilt, 512);
    spoil(0, 200000);
    CHECK_INT(read_all(PXA_VERIFY, &report), PXR_EMISMATCH);
    drop();
    make(4, 2, PXA_PARITY_LAST, 256 << 10, 1, PXR_ISAL_VAND);
    m.store[1].bad_begin = m.member[1].start + 100000;
    m.store[1].bad_end = m.store[1].bad_begin + 1;
    spoil(0, 200000);
    spoil(2, 100000 / 512 * 512 + 512); /* in the next sector */
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_OK);
    CHECK_INT((long long)report.wrong, 5);
    CHECK_INT((long long)report.disagreeing, 2);
    CHECK_INT((long long)report.unchecked, 0);
    spoil(3, 100000);
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_EAMBIGUOUS);
    drop();
}

/* Shorter slices do not help where a member has nothing. */
static void test_no_vain_tries(void)
{
    struct pxa_report report;
    make(3, 1, PXA_PARITY_LAST, 256 << 10, 1, PXR_ISAL_VAND);
    m.member[1].valid = 0;
    CHECK_INT(read_all(PXA_VERIFY, &report), PXR_OK);
    CHECK_INT((long long)reads(), 3);
    CHECK_INT((long long)report.unchecked, 3 * (256 << 10));
    const struct pxa_range bad = {m.member[1].start, UINT64_MAX};
    m.member[1].valid = UINT64_MAX;
    m.member[1].bad = &bad;
    m.member[1].bad_count = 1;
    CHECK_INT(read_all(PXA_VERIFY, &report), PXR_OK);
    CHECK_INT((long long)reads(), 6);
    drop();
}

/* With one parity a wrong byte is noticed, but nothing says where it is. */
static void test_single_parity(void)
{
    struct pxa_report report;
    make(3, 1, PXA_LEFT_SYMMETRIC, 100, 5, PXR_ISAL_VAND);
    spoil(0, 0);
    CHECK_INT(read_all(PXA_VERIFY, &report), PXR_EMISMATCH);
    CHECK_INT(read_all(PXA_CORRECT, &report), PXR_EAMBIGUOUS);
    memory_array_lose(&m, 2);
    CHECK_INT(read_range(300, 300, PXA_VERIFY, &report), PXR_OK);
    CHECK_INT((long long)report.unchecked, 300);
    drop();
}

/* -------------------------------------------------------------- arguments -- */

static void test_arguments(void)
{
    make(3, 2, PXA_LEFT_SYMMETRIC, 64, 2, PXR_ISAL_VAND);
    const uint64_t capacity = pxa_capacity(&m.geometry);
    const struct pxa_member_calls short_calls = {sizeof(size_t), NULL};
    struct pxr_error why;
    pxa_array *array, *other;
    CHECK_INT(
        pxa_array_create(&array, &m.geometry, m.matrix, m.member, sizeof m.member[0], &why),
        PXR_OK);
    CHECK_INT(pxa_read(array, capacity, 0, buffer, PXA_TRUST, NULL, 0), PXR_OK);
    CHECK_INT(pxa_read(array, 0, 0, NULL, PXA_TRUST, NULL, 0), PXR_OK);
    CHECK_INT(pxa_read(array, 5, 20, buffer, PXA_TRUST, NULL, 0), PXR_OK);
    CHECK_INT(pxa_read(array, capacity, 1, buffer, PXA_TRUST, NULL, 0), PXR_EINVAL);
    CHECK_INT(pxa_read(array, UINT64_MAX, 2, buffer, PXA_TRUST, NULL, 0), PXR_EINVAL);
    CHECK_INT(pxa_read(array, 0, 1, NULL, PXA_TRUST, NULL, 0), PXR_EINVAL);
    CHECK_INT(pxa_read(NULL, 0, 1, buffer, PXA_TRUST, NULL, 0), PXR_EINVAL);
    CHECK_INT(pxa_read(array, 0, 1, buffer, (enum pxa_trust)3, NULL, 0), PXR_EINVAL);
    pxa_array_free(array);
    pxa_array_free(NULL);
    CHECK_INT(pxa_array_create(&other, NULL, m.matrix, m.member, sizeof m.member[0], &why),
              PXR_EINVAL);
    CHECK_INT(
        pxa_array_create(&other, &m.geometry, PXR_CUSTOM, m.member, sizeof m.member[0], &why),
        PXR_EINVAL);
    CHECK_INT(pxa_array_create(&other, &m.geometry, PXR_JERASURE_LIBERATION, m.member,
                               sizeof m.member[0], NULL),
              PXR_EINVAL);
    m.member[0].calls = &short_calls;
    CHECK_INT(
        pxa_array_create(&other, &m.geometry, m.matrix, m.member, sizeof m.member[0], &why),
        PXR_EINVAL);
    CHECK(strstr(why.text, "member 0") != NULL);
    drop();
}

/* Bytes of a member behind its last whole chunk belong to no row. */
static void test_tail(void)
{
    struct pxa_report report;
    for (uint32_t tail = 1; tail < 100; tail += 7) {
        const struct pxa_geometry whole = {3, 2, PXA_LEFT_SYMMETRIC, 100, 700};
        struct pxa_geometry geometry = whole;
        geometry.member_size += tail;
        CHECK(pxa_rows(&geometry) == 7 && pxa_capacity(&geometry) == pxa_capacity(&whole));
        memory_array_make(&m, &geometry, PXR_ISAL_VAND);
        buffer = malloc((size_t)pxa_capacity(&geometry));
        CHECK(buffer != NULL);
        m.member[4].valid = 700; /* the tail need not be there */
        CHECK_INT(read_all(PXA_VERIFY, &report), PXR_OK);
        CHECK(report.unchecked == 0 && report.rebuilt == 0);
        memory_array_lose(&m, 5);
        CHECK_INT(read_all(PXA_TRUST, &report), PXR_OK);
        pxa_array *array;
        CHECK_INT(
            pxa_array_create(&array, &geometry, m.matrix, m.member, sizeof m.member[0], NULL),
            PXR_OK);
        CHECK_INT(pxa_read(array, pxa_capacity(&geometry), 1, buffer, PXA_TRUST, NULL, 0),
                  PXR_EINVAL);
        pxa_array_free(array);
        drop();
    }
}

/* Programs that were compiled with newer headers have larger structures. */
static void test_sizes(void)
{
    struct {
        struct pxa_member member;
        uint64_t later;
    } members[5];
    struct {
        struct pxa_report report;
        uint64_t later;
    } report = {{0}, 7};
    pxa_array *array;
    make(3, 2, PXA_LEFT_SYMMETRIC, 64, 2, PXR_ISAL_VAND);
    memory_array_lose(&m, 2);
    for (unsigned i = 0; i < 5; i++) {
        memset(&members[i], 0x55, sizeof members[i]);
        members[i].member = m.member[i];
    }
    CHECK_INT(pxa_array_create(&array, &m.geometry, m.matrix, &members[0].member,
                               sizeof members[0], NULL),
              PXR_OK);
    const size_t capacity = (size_t)pxa_capacity(&m.geometry);
    CHECK_INT(pxa_read(array, 0, capacity, buffer, PXA_TRUST, &report.report, sizeof report),
              PXR_OK);
    CHECK_BYTES(buffer, m.data, capacity);
    CHECK(report.report.rebuilt > 0 && report.later == 7);
    uint64_t rebuilt = 1; /* an older program knows only the first number */
    struct pxa_report *const old = (void *)&rebuilt;
    CHECK_INT(pxa_read(array, 0, capacity, buffer, PXA_TRUST, old, sizeof rebuilt), PXR_OK);
    CHECK_INT((long long)rebuilt, (long long)report.report.rebuilt + 1);
    pxa_array_free(array);
    struct pxr_error why;
    CHECK_INT(pxa_array_create(&array, &m.geometry, m.matrix, m.member, 8, &why), PXR_EINVAL);
    CHECK_STR(why.text, "the size of a member is wrong");
    drop();
}

int main(int argc, char **argv)
{
    check_start("test_array_read", argc, argv);
    for (unsigned i = 0; i < PXA_LAYOUTS; i++) {
        if (check_case("losses %s", pxa_layout_name((enum pxa_layout)i)))
            test_layout((enum pxa_layout)i);
        if (check_case("one wrong byte %s", pxa_layout_name((enum pxa_layout)i)))
            test_one_wrong((enum pxa_layout)i, 2, 0);
    }
    if (check_case("long chunks"))
        test_long_chunks();
    if (check_case("too many lost"))
        test_too_many_lost();
    if (check_case("counted reads"))
        test_counted_reads();
    if (check_case("read errors"))
        test_read_errors();
    if (check_case("scattered read errors"))
        test_scattered_errors();
    if (check_case("known bad ranges"))
        test_known_bad();
    if (check_case("wrong bytes with a member missing"))
        test_wrong_in_degraded();
    if (check_case("wrong pages"))
        test_wrong_pages();
    if (check_case("wrong bytes beside errors"))
        test_wrong_beside_errors();
    if (check_case("no vain tries"))
        test_no_vain_tries();
    if (check_case("one parity"))
        test_single_parity();
    if (check_case("members with a tail"))
        test_tail();
    if (check_case("sizes of structures"))
        test_sizes();
    if (check_case("arguments"))
        test_arguments();
    return check_finish();
}
