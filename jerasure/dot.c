/* SPDX-License-Identifier: BSD-3-Clause */
#include "dot.h"

#include <stdlib.h>

#include "dispatch.h"
#include "encode.h"
#include "field.h"
#include "units.h"
#include "rows.h"
#include "statistics.h"
#include "words.h"

bool jer_dot_is_sum(int w, int size, const int *numbers, size_t count)
{
    bool sum = (w == 16 || w == 32) && size > 0 && size % (w / 8) != 0;
    for (size_t i = 0; sum && i < count; i++)
        sum = numbers[i] == 0 || numbers[i] == 1;
    return sum;
}

bool jer_dot_valid(const char *function, int w, int size, int packetsize)
{
    struct jer_units units;
    return packetsize ? jer_units_of(&units, function, w, size, packetsize)
                      : jer_region_valid(function, w, size);
}

bool jer_dot_open(struct jer_dot *dot, const char *function, int w, int packetsize, int k,
                  int rows)
{
    *dot = (struct jer_dot){.w = w, .packetsize = packetsize, .k = (unsigned)k};
    dot->src = malloc(sizeof *dot->src * (size_t)k);
    dot->row = malloc(sizeof *dot->row * (size_t)rows);
    dot->dst = malloc(sizeof *dot->dst * (size_t)rows);
    dot->ones = malloc(sizeof *dot->ones * (size_t)k);
    dot->column = malloc(sizeof *dot->column * (size_t)k);
    if (dot->src && dot->row && dot->dst && dot->ones && dot->column)
        return true;
    jer_dot_close(dot);
    jer_complain(function, "out of memory");
    return false;
}

void jer_dot_close(struct jer_dot *dot)
{
    free(dot->src);
    free(dot->row);
    free(dot->dst);
    free(dot->ones);
    free(dot->column);
}

/* ----------------------------------------------------------- numbers ---- */

/* Counts a row: the first 1 is a copy, each further 1 is an xor, and each other number but 0 is
   a multiplication. */
static void count_row(const int *row, unsigned k, size_t size)
{
    unsigned ones = 0, others = 0;
    for (unsigned j = 0; j < k; j++) {
        ones += row[j] == 1;
        others += row[j] != 1 && row[j] != 0;
    }
    if (ones > 0) {
        jer_count(JER_COPIED, size);
        jer_count(JER_XORED, (uint64_t)(ones - 1) * size);
    }
    jer_count(JER_MULTIPLIED, (uint64_t)others * size);
}

/* Returns the number by which row r multiplies a source that is used. */
static int number_at(const struct jer_dot *dot, unsigned r, unsigned j)
{
    return dot->row[r][dot->column[j]];
}

/* Computes a row: first the sum of all sources with the number 1 in one pass, then the products
   one after the other. */
static void run_row(const struct jer_dot *dot, unsigned r, size_t size)
{
    unsigned ones = 0;
    for (unsigned j = 0; j < dot->used; j++)
        if (number_at(dot, r, j) == 1)
            dot->ones[ones++] = dot->src[j];
    if (ones > 0)
        jer_region_sum(ones, dot->ones, dot->dst[r], size);
    bool add = ones > 0;
    for (unsigned j = 0; j < dot->used; j++) {
        const int number = number_at(dot, r, j);
        const uint32_t c = jer_number(number, dot->w);
        if (number != 1 && c != 0 && dot->w > 1) {
            jer_region_multiply(dot->w, c, dot->src[j], dot->dst[r], size, add);
            add = true;
        }
    }
}

/* Computes all rows by the kernels for bytes.  Returns false when memory ran out. */
static bool run_bytes(const struct jer_dot *dot, size_t size)
{
    const unsigned k = dot->used, n = dot->rows * k;
    uint8_t *const coefficients = malloc(n);
    uint64_t *const room = malloc(pxr_rows_bytes(k, dot->rows));
    if (coefficients && room) {
        for (unsigned i = 0; i < n; i++)
            coefficients[i] = (uint8_t)number_at(dot, i / k, i % k);
        const struct pxr_rows rows = pxr_rows_expand(k, dot->rows, coefficients, room);
        pxr_encode_rows(pxr_kernels(), size, &rows, dot->src, dot->dst);
    }
    free(room);
    free(coefficients);
    return coefficients && room;
}

/* Does the same for words of 2 bytes and of 4 bytes. */
static bool run_words(const struct jer_dot *dot, size_t size)
{
    const struct pxr_word_field field = pxr_word_field_of((unsigned)dot->w);
    const struct pxr_kernels *const kernels = pxr_kernels();
    const unsigned k = dot->used, n = dot->rows * k;
    uint32_t *const coefficients = malloc(sizeof *coefficients * n);
    uint64_t *const room = malloc(pxr_words_bytes(field, k, dot->rows, kernels->form));
    if (coefficients && room) {
        struct pxr_words words = {.k = 0};
        for (unsigned i = 0; i < n; i++)
            coefficients[i] = jer_number(number_at(dot, i / k, i % k), dot->w);
        pxr_words_expand(&words, field, k, dot->rows, coefficients, kernels->form, room);
        pxr_words_dot(kernels, size, &words, dot->src, dot->dst, false);
    }
    free(room);
    free(coefficients);
    return coefficients && room;
}

/* Computes all rows at once, if the field is a default field and there is memory.  Returns
   whether it did. */
static bool run_rows(const struct jer_dot *dot, size_t size)
{
    if (dot->w == 1 || !jer_field_is_default(dot->w))
        return false;
    return dot->w == 8 ? run_bytes(dot, size) : run_words(dot, size);
}

/* Removes the rows of zeros. */
static void drop_zeros(struct jer_dot *dot)
{
    unsigned kept = 0;
    for (unsigned r = 0; r < dot->rows; r++) {
        bool zero = true;
        for (unsigned j = 0; j < dot->k; j++)
            zero = zero && dot->row[r][j] == 0;
        if (zero)
            continue;
        dot->row[kept] = dot->row[r];
        dot->dst[kept++] = dot->dst[r];
    }
    dot->rows = kept;
}

/* Lists the columns that some row uses, and moves their sources to the front.  The other
   sources may not exist at all, so the kernels must not load them. */
static void use_columns(struct jer_dot *dot)
{
    dot->used = 0;
    for (unsigned j = 0; j < dot->k; j++) {
        bool used = false;
        for (unsigned r = 0; r < dot->rows; r++)
            used = used || dot->row[r][j] != 0;
        if (!used)
            continue;
        dot->src[dot->used] = dot->src[j];
        dot->column[dot->used++] = j;
    }
}

void jer_dot_compute(struct jer_dot *dot, size_t size)
{
    drop_zeros(dot);
    use_columns(dot);
    if (dot->rows > 0 && !run_rows(dot, size))
        for (unsigned r = 0; r < dot->rows; r++)
            run_row(dot, r, size);
    dot->rows = 0;
}

/* -------------------------------------------------------------- bits ---- */

/* Lists the addresses of the packets of regions. */
static void spread(uint8_t **packets, const uint8_t *const *regions, unsigned count,
                   struct jer_units units)
{
    for (unsigned i = 0; i < count; i++)
        for (int x = 0; x < units.w; x++)
            *packets++ =
                (uint8_t *)(uintptr_t)regions[i] + (size_t)x * (size_t)units.packetsize;
}

static bool run_bits(const struct jer_dot *dot, struct jer_units units)
{
    bool run = false;
    const unsigned w = (unsigned)dot->w, columns = dot->k * w;
    struct pxr_bits bits = jer_bits_new(dot->rows * w, columns);
    uint8_t **const src = malloc(sizeof *src * columns);
    uint8_t **const dst = malloc(sizeof *dst * dot->rows * w);
    if (bits.word && src && dst) {
        for (unsigned r = 0; r < bits.rows; r++)
            jer_bits_read(&bits, r, dot->row[r / w] + (size_t)(r % w) * columns);
        spread(src, dot->src, dot->k, units);
        spread(dst, (const uint8_t *const *)dot->dst, dot->rows, units);
        jer_units_count(&bits, units);
        run = jer_units_run(&bits, units, src, dst);
    } else {
        jer_complain("coding by bits", "out of memory");
    }
    free(bits.word);
    free(src);
    free(dst);
    return run;
}

bool jer_dot_run(struct jer_dot *dot, size_t size)
{
    struct jer_units units;
    bool run = true;
    if (dot->rows == 0)
        return true;
    if (dot->packetsize == 0) {
        for (unsigned r = 0; r < dot->rows; r++)
            count_row(dot->row[r], dot->k, size);
        jer_dot_compute(dot, size);
    } else {
        run = jer_units_of(&units, "coding by bits", dot->w, (int)size, dot->packetsize) &&
              run_bits(dot, units);
        dot->rows = 0;
    }
    return run;
}
