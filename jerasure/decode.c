/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoding by matrices of numbers and of bits.  First the lost data are computed by the inverse
 * of the rows that make the survivors, and then the lost coding devices from the data.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dot.h"
#include "erasures.h"
#include "jerasure.h"

/* ---------------------------------------------------------- matrices ---- */

/* Makes the rows that compute the survivors from the data: rows of the identity and of the
   matrix.  `bits` is w for bit matrices and 1 for other matrices.  Returns NULL when too few
   devices survive, or when there is no memory. */
static int *survivors_rows(int k, int m, int bits, const int *matrix, const int *erased,
                           int *ids)
{
    const size_t w = (size_t)bits, columns = (size_t)k * w;
    if (k < 1 || m < 1 || bits < 1 || columns > INT_MAX)
        return NULL;
    int *const rows = calloc(columns * columns, sizeof *rows);
    if (!rows || jer_survivors(k, m, erased, ids) != 0) {
        free(rows);
        return NULL;
    }
    for (int i = 0; i < k; i++) {
        int *const block = rows + (size_t)i * w * columns;
        if (ids[i] >= k)
            memcpy(block, matrix + (size_t)(ids[i] - k) * w * columns,
                   sizeof *rows * w * columns);
        else
            for (size_t x = 0; x < w; x++)
                block[x * columns + (size_t)ids[i] * w + x] = 1;
    }
    return rows;
}

int jerasure_make_decoding_matrix(int k, int m, int w, int *matrix, int *erased,
                                  int *decoding_matrix, int *dm_ids)
{
    int *const rows = survivors_rows(k, m, 1, matrix, erased, dm_ids);
    const int status = rows ? jerasure_invert_matrix(rows, decoding_matrix, k, w) : -1;
    free(rows);
    return status;
}

int jerasure_make_decoding_bitmatrix(int k, int m, int w, int *matrix, int *erased,
                                     int *decoding_matrix, int *dm_ids)
{
    int *const rows = survivors_rows(k, m, w, matrix, erased, dm_ids);
    const int status = rows ? jerasure_invert_bitmatrix(rows, decoding_matrix, k * w) : -1;
    free(rows);
    return status;
}

/* ---------------------------------------------------------- decoding ---- */

struct decoding {
    int k, m, w, packetsize;
    int *matrix;
    int *erased;
    int *inverse; /* needed when lost data do not follow from row 0 alone */
    int *ids;     /* ids of the survivors that the inverse multiplies */
    int last;     /* the data device that row 0 gives after all others, or k */
    char **data, **coding;
};

static size_t row_numbers(const struct decoding *d)
{
    return jer_row_numbers(d->k, d->w, d->packetsize);
}

static int make_inverse(const struct decoding *d)
{
    return d->packetsize ? jerasure_make_decoding_bitmatrix(d->k, d->m, d->w, d->matrix,
                                                            d->erased, d->inverse, d->ids)
                         : jerasure_make_decoding_matrix(d->k, d->m, d->w, d->matrix, d->erased,
                                                         d->inverse, d->ids);
}

/* Decodes the lost data devices before `last`, all from the survivors. */
static bool decode_data(const struct decoding *d, struct jer_dot *dot, size_t size)
{
    for (int i = 0; i < d->k; i++)
        dot->src[i] = (uint8_t *)jer_device(d->k, d->data, d->coding, d->ids[i]);
    for (int i = 0; i < d->last; i++)
        if (d->erased[i])
            jer_dot_add(dot, d->inverse + (size_t)i * row_numbers(d), d->data[i]);
    return jer_dot_run(dot, size);
}

/* Row 0 is ones, so the last device is the xor of coding device 0 and all other data devices.
 */
static bool decode_last(const struct decoding *d, struct jer_dot *dot, size_t size)
{
    jer_dot_use(dot, d->data);
    dot->src[d->last] = (uint8_t *)d->coding[0];
    jer_dot_add(dot, d->matrix, d->data[d->last]);
    return jer_dot_run(dot, size);
}

static bool encode_lost(const struct decoding *d, struct jer_dot *dot, size_t size)
{
    jer_dot_use(dot, d->data);
    for (int r = 0; r < d->m; r++)
        if (d->erased[d->k + r])
            jer_dot_add(dot, d->matrix + (size_t)r * row_numbers(d), d->coding[r]);
    return jer_dot_run(dot, size);
}

/* Returns the data device that row 0 gives, or k if there is none. */
static int last_by_ones(const struct decoding *d, int row_k_ones)
{
    int last = d->k;
    if (row_k_ones && !d->erased[d->k])
        for (int j = 0; j < d->k; j++)
            if (d->erased[j])
                last = j;
    return last;
}

/* Nothing is written before the inverse is known to exist. */
static int decode_regions(const struct decoding *d, size_t size)
{
    struct jer_dot dot;
    const bool by_inverse = jer_count_erased(d->erased, 0, d->last) > 0;
    if (by_inverse && make_inverse(d) != 0)
        return -1;
    if (!jer_dot_open(&dot, "decoding", d->w, d->packetsize, d->k, d->k > d->m ? d->k : d->m))
        return -1;
    const bool done = (!by_inverse || decode_data(d, &dot, size)) &&
                      (d->last == d->k || decode_last(d, &dot, size)) &&
                      encode_lost(d, &dot, size);
    jer_dot_close(&dot);
    return done ? 0 : -1;
}

static int decode(struct decoding d, int row_k_ones, int *erasures, int size)
{
    if (d.k < 1 || d.m < 1)
        return -1;
    int status = -1;
    d.erased = jerasure_erasures_to_erased(d.k, d.m, erasures);
    d.inverse = malloc(sizeof(int) * (size_t)d.k * row_numbers(&d));
    d.ids = malloc(sizeof(int) * (size_t)d.k);
    if (d.erased && d.inverse && d.ids) {
        d.last = last_by_ones(&d, row_k_ones);
        status = decode_regions(&d, (size_t)size);
    }
    free(d.erased);
    free(d.inverse);
    free(d.ids);
    return status;
}

int jerasure_matrix_decode(int k, int m, int w, int *matrix, int row_k_ones, int *erasures,
                           char **data_ptrs, char **coding_ptrs, int size)
{
    struct decoding d = {
        .k = k, .m = m, .w = w, .matrix = matrix, .data = data_ptrs, .coding = coding_ptrs};
    /* The inverse of a matrix of zeros and ones also has only these numbers, in any field. */
    if (k > 0 && m > 0 && jer_dot_is_sum(w, size, matrix, (size_t)m * (size_t)k))
        d.w = 1;
    else if (!jer_dot_valid(__func__, w, size, 0))
        return -1;
    return decode(d, row_k_ones, erasures, size);
}

int jerasure_bitmatrix_decode(int k, int m, int w, int *bitmatrix, int row_k_ones,
                              int *erasures, char **data_ptrs, char **coding_ptrs, int size,
                              int packetsize)
{
    const struct decoding d = {.k = k,
                               .m = m,
                               .w = w,
                               .packetsize = packetsize,
                               .matrix = bitmatrix,
                               .data = data_ptrs,
                               .coding = coding_ptrs};
    if (packetsize < 1 || !jer_dot_valid(__func__, w, size, packetsize))
        return -1;
    /* With bits, jerasure takes the promise from no number but 1. */
    return decode(d, row_k_ones == 1, erasures, size);
}
