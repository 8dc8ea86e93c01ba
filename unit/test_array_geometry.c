/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the blocks of arrays are: pictures of md's layouts, drawn by hand from md's
 * documentation, and properties of every layout at random shapes.
 */
#include "check.h"
#include "permxor_array.h"

#include <string.h>

/*
 * A picture has a line for each row, and a character for each member: a digit is the number of
 * a block of data in the array (a is 10, and so on).
 */
static const struct picture {
    enum pxa_layout layout;
    unsigned parity;
    const char *rows;
} pictures[] = {
    {PXA_LEFT_ASYMMETRIC, 1, "012P 34P5 6P78 P9ab cdeP"},
    {PXA_RIGHT_ASYMMETRIC, 1, "P012 3P45 67P8 9abP Pcde"},
    {PXA_LEFT_SYMMETRIC, 1, "012P 45P3 8P67 P9ab cdeP"},
    {PXA_RIGHT_SYMMETRIC, 1, "P012 5P34 78P6 9abP Pcde"},
    {PXA_PARITY_FIRST, 1, "P012 P345 P678"},
    {PXA_PARITY_LAST, 1, "012P 345P 678P"},

    {PXA_LEFT_ASYMMETRIC, 2, "Q012P 345PQ 67PQ8 9PQab PQcde QfghP"},
    {PXA_RIGHT_ASYMMETRIC, 2, "PQ012 3PQ45 67PQ8 9abPQ QcdeP PQfgh"},
    {PXA_LEFT_SYMMETRIC, 2, "Q012P 345PQ 78PQ6 bPQ9a PQcde QfghP"},
    {PXA_RIGHT_SYMMETRIC, 2, "PQ012 5PQ34 78PQ6 9abPQ QcdeP PQfgh"},
    {PXA_PARITY_FIRST, 2, "PQ012 PQ345 PQ678"},
    {PXA_PARITY_LAST, 2, "012PQ 345PQ 678PQ"},
    {PXA_DDF_ZERO_RESTART, 2, "PQ012 3PQ45 67PQ8 9abPQ QcdeP PQfgh"},
    {PXA_DDF_N_RESTART, 2, "012PQ 34PQ5 6PQ78 PQ9ab QcdeP fghPQ"},
    {PXA_DDF_N_CONTINUE, 2, "012QP 45QP3 8QP67 QP9ab PcdeQ fghQP"},
    {PXA_LEFT_ASYMMETRIC_6, 2, "012PQ 34P5Q 6P78Q P9abQ cdePQ"},
    {PXA_RIGHT_ASYMMETRIC_6, 2, "P012Q 3P45Q 67P8Q 9abPQ PcdeQ"},
    {PXA_LEFT_SYMMETRIC_6, 2, "012PQ 45P3Q 8P67Q P9abQ cdePQ"},
    {PXA_RIGHT_SYMMETRIC_6, 2, "P012Q 5P34Q 78P6Q 9abPQ PcdeQ"},
    {PXA_PARITY_FIRST_6, 2, "P012Q P345Q P678Q"},
};

/* The exponents of Q's coefficients in some rows of the pictures above. */
static const struct {
    enum pxa_layout layout;
    unsigned row;
    const char *exponents;
} coefficients[] = {
    {PXA_LEFT_ASYMMETRIC, 0, "Q012P"},    {PXA_LEFT_ASYMMETRIC, 2, "12PQ0"},
    {PXA_LEFT_ASYMMETRIC, 3, "2PQ01"},    {PXA_RIGHT_ASYMMETRIC, 1, "2PQ01"},
    {PXA_RIGHT_ASYMMETRIC, 4, "Q012P"},   {PXA_LEFT_SYMMETRIC, 2, "12PQ0"},
    {PXA_RIGHT_SYMMETRIC, 1, "2PQ01"},    {PXA_PARITY_FIRST, 1, "PQ012"},
    {PXA_PARITY_LAST, 1, "012PQ"},        {PXA_DDF_ZERO_RESTART, 1, "0PQ34"},
    {PXA_DDF_N_RESTART, 1, "01PQ4"},      {PXA_DDF_N_CONTINUE, 1, "01QP4"},
    {PXA_DDF_N_CONTINUE, 4, "P123Q"},     {PXA_LEFT_ASYMMETRIC_6, 1, "01P2Q"},
    {PXA_RIGHT_ASYMMETRIC_6, 2, "01P2Q"}, {PXA_LEFT_SYMMETRIC_6, 1, "01P2Q"},
    {PXA_RIGHT_SYMMETRIC_6, 1, "0P12Q"},  {PXA_PARITY_FIRST_6, 1, "P012Q"},
};

static struct pxa_geometry shape(unsigned k, unsigned m, enum pxa_layout layout, uint32_t chunk,
                                 uint64_t rows)
{
    return (struct pxa_geometry){k, m, layout, chunk, rows * chunk};
}

static char letter(uint64_t number)
{
    return "0123456789abcdefghijklmnopqrstuvwxyz"[number];
}

/* What the library says about a row, as in a picture. */
static void draw(const struct pxa_geometry *g, uint64_t number, char *line)
{
    struct pxa_row row;
    pxa_row(g, number, &row);
    for (unsigned d = 0; d < g->data; d++)
        line[row.member[d]] = letter(number * g->data + d);
    for (unsigned r = 0; r < g->parity; r++)
        line[row.member[g->data + r]] = "PQ"[r];
    line[g->data + g->parity] = '\0';
}

static void test_picture(const struct picture *picture)
{
    const struct pxa_geometry g = shape(3, picture->parity, picture->layout, 4096, 6);
    const unsigned n = g.data + g.parity;
    uint64_t number = 0;
    for (const char *want = picture->rows; *want != '\0'; number++) {
        char line[16], wanted[16] = {0};
        memcpy(wanted, want, n);
        draw(&g, number, line);
        check_at("row %ld", (long)number, 0, 0, 0);
        CHECK_STR(line, wanted);
        want += n + (want[n] == ' ');
    }
    CHECK(number >= 3);
}

static void test_coefficients(void)
{
    for (size_t i = 0; i < sizeof coefficients / sizeof coefficients[0]; i++) {
        const struct pxa_geometry g = shape(3, 2, coefficients[i].layout, 4096, 6);
        struct pxa_row row;
        char line[16];
        draw(&g, coefficients[i].row, line);
        pxa_row(&g, coefficients[i].row, &row);
        for (unsigned d = 0; d < 3; d++)
            line[row.member[d]] = letter(row.shard[d]);
        check_at("layout %ld row %ld", coefficients[i].layout, coefficients[i].row, 0, 0);
        CHECK_STR(line, coefficients[i].exponents);
    }
}

/* With three blocks of parity, columns count from the member behind the last of them. */
static void test_columns(void)
{
    static const char *const want[] = {"012", "012", "012", "120", "201", "012"};
    const struct pxa_geometry g = shape(3, 3, PXA_LEFT_ASYMMETRIC, 4096, 6);
    for (unsigned number = 0; number < 6; number++) {
        struct pxa_row row;
        char line[4] = "";
        pxa_row(&g, number, &row);
        for (unsigned d = 0; d < 3; d++)
            line[d] = letter(row.shard[d]);
        check_at("row %ld", (long)number, 0, 0, 0);
        CHECK_STR(line, want[number]);
    }
}

/* Every byte of every member has one place, and every address has one; they are inverse. */
static void test_bijection(enum pxa_layout layout)
{
    for (unsigned round = check_effort(200); round > 0; round--) {
        const unsigned m = layout <= PXA_PARITY_LAST ? 1 + (unsigned)check_below(5) : 2;
        const unsigned k = 1 + (unsigned)check_below(round % 8 == 0 ? 64 - m : 9);
        const uint32_t chunk = 1 + (uint32_t)check_below(5);
        const struct pxa_geometry g = shape(k, m, layout, chunk, 1 + check_below(2 * (k + m)));
        uint64_t data = 0;
        check_at("k=%ld m=%ld chunk=%ld rows=%ld", k, m, chunk, (long)pxa_rows(&g));
        CHECK_INT(pxa_geometry_check(&g, NULL), PXR_OK);
        for (unsigned member = 0; member < k + m; member++)
            for (uint64_t offset = 0; offset < g.member_size; offset++) {
                struct pxa_place on, of;
                uint64_t address;
                if (!CHECK(pxa_place_on(&g, member, offset, &on, &address) == PXR_OK))
                    return;
                if (on.block >= k) {
                    CHECK(address == UINT64_MAX && on.block < k + m);
                    continue;
                }
                data++;
                if (!CHECK(pxa_place_of(&g, address, &of) == PXR_OK) ||
                    !CHECK(of.member == member && of.offset == offset && of.row == on.row &&
                           of.block == on.block && of.within == on.within))
                    return;
            }
        CHECK_INT((long long)data, (long long)pxa_capacity(&g));
    }
}

/* Each member holds each block of parity equally often where parity turns over all members. */
static void test_fairness(void)
{
    static const enum pxa_layout turning[] = {PXA_LEFT_ASYMMETRIC, PXA_RIGHT_ASYMMETRIC,
                                              PXA_LEFT_SYMMETRIC, PXA_RIGHT_SYMMETRIC};
    for (size_t i = 0; i < sizeof turning / sizeof turning[0]; i++)
        for (unsigned m = 1; m <= 4; m++) {
            const struct pxa_geometry g = shape(5, m, turning[i], 1, 100);
            unsigned held[PXA_MAX_MEMBERS] = {0};
            for (uint64_t number = 0; number < 5 + m; number++) {
                struct pxa_row row;
                pxa_row(&g, number, &row);
                for (unsigned r = 0; r < m; r++)
                    held[row.member[5 + r]]++;
            }
            for (unsigned member = 0; member < 5 + m; member++)
                CHECK_INT(held[member], m);
        }
}

static void refuse(struct pxa_geometry g, const char *part)
{
    struct pxr_error why = {""};
    CHECK_INT(pxa_geometry_check(&g, &why), PXR_EINVAL);
    CHECK(strstr(why.text, part) != NULL);
}

static void test_refused(void)
{
    const struct pxa_geometry g = shape(3, 2, PXA_LEFT_SYMMETRIC, 4096, 6);
    struct pxa_place place;
    uint64_t address;
    refuse(shape(0, 2, PXA_LEFT_SYMMETRIC, 4096, 6), "k=0, m=2");
    refuse(shape(3, 0, PXA_LEFT_SYMMETRIC, 4096, 6), "k=3, m=0");
    refuse(shape(63, 2, PXA_LEFT_SYMMETRIC, 4096, 6), "at most 64 members");
    refuse(shape(~0u, 2, PXA_LEFT_SYMMETRIC, 4096, 6), "at most 64 members");
    refuse(shape(3, 2, PXA_LAYOUTS, 4096, 6), "no such layout");
    refuse(shape(3, 3, PXA_DDF_N_CONTINUE, 4096, 6), "ddf-N-continue is for m=2");
    refuse(shape(3, 1, PXA_LEFT_SYMMETRIC_6, 4096, 6), "left-symmetric-6 is for m=2");
    refuse((struct pxa_geometry){3, 2, PXA_LEFT_SYMMETRIC, 0, 1}, "chunk=0");
    refuse((struct pxa_geometry){3, 2, PXA_LEFT_SYMMETRIC, PXA_MAX_CHUNK + 1, 1}, "chunk=");
    refuse((struct pxa_geometry){3, 2, PXA_LEFT_SYMMETRIC, 1, UINT64_MAX}, "at most");
    CHECK_INT(pxa_geometry_check(NULL, NULL), PXR_EINVAL);
    CHECK_INT(pxa_place_of(&g, pxa_capacity(&g), &place), PXR_EINVAL);
    CHECK_INT(pxa_place_on(&g, 5, 0, &place, &address), PXR_EINVAL);
    CHECK_INT(pxa_place_on(&g, 0, g.member_size, &place, &address), PXR_EINVAL);
}

/* The largest array that is possible: no address overflows. */
static void test_largest(void)
{
    const struct pxa_geometry g = {62, 2, PXA_LEFT_SYMMETRIC, 4096, PXA_MAX_MEMBER_SIZE};
    const uint64_t last = pxa_capacity(&g) - 1;
    struct pxa_place of, on;
    uint64_t address;
    CHECK(last == 62 * PXA_MAX_MEMBER_SIZE - 1);
    CHECK_INT(pxa_place_of(&g, last, &of), PXR_OK);
    CHECK(of.offset == PXA_MAX_MEMBER_SIZE - 1);
    CHECK_INT(pxa_place_on(&g, of.member, of.offset, &on, &address), PXR_OK);
    CHECK(address == last);
}

static void test_names(void)
{
    for (unsigned i = 0; i < PXA_LAYOUTS; i++) {
        enum pxa_layout layout = PXA_LAYOUTS;
        CHECK_INT(pxa_layout_parse(pxa_layout_name((enum pxa_layout)i), &layout), PXR_OK);
        CHECK_INT(layout, i);
    }
    enum pxa_layout layout;
    CHECK(pxa_layout_name(PXA_LAYOUTS) == NULL);
    CHECK_INT(pxa_layout_parse("left", &layout), PXR_EINVAL);
    CHECK_INT(pxa_layout_parse(NULL, &layout), PXR_EINVAL);
    CHECK_INT(pxa_layout_of_md(4, 77, &layout), PXR_OK);
    CHECK_INT(layout, PXA_PARITY_LAST);
    CHECK_INT(pxa_layout_of_md(5, 2, &layout), PXR_OK);
    CHECK_INT(layout, PXA_LEFT_SYMMETRIC);
    CHECK_INT(pxa_layout_of_md(6, 20, &layout), PXR_OK);
    CHECK_INT(layout, PXA_PARITY_FIRST_6);
    CHECK_INT(pxa_layout_of_md(5, 18, &layout), PXR_EINVAL);
    CHECK_INT(pxa_layout_of_md(6, 7, &layout), PXR_EINVAL);
    CHECK_INT(pxa_layout_of_md(1, 0, &layout), PXR_EINVAL);
}

int main(int argc, char **argv)
{
    check_start("test_array_geometry", argc, argv);
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (check_case("picture %s m=%u", pxa_layout_name(pictures[i].layout),
                       pictures[i].parity))
            test_picture(&pictures[i]);
    if (check_case("coefficients of Q"))
        test_coefficients();
    if (check_case("columns with three blocks of parity"))
        test_columns();
    for (unsigned i = 0; i < PXA_LAYOUTS; i++)
        if (check_case("bijection %s", pxa_layout_name((enum pxa_layout)i)))
            test_bijection((enum pxa_layout)i);
    if (check_case("parity is spread evenly"))
        test_fairness();
    if (check_case("refused geometries"))
        test_refused();
    if (check_case("the largest array"))
        test_largest();
    if (check_case("names and numbers of layouts"))
        test_names();
    return check_finish();
}
