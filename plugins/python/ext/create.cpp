/* SPDX-License-Identifier: BSD-3-Clause */
#include "create.h"

#include "errors.h"

/* The numbers that have been read. */
struct Shape {
    unsigned k, m, w, packetsize;
    unsigned flags;
};

/* packetsize is limited to INT32_MAX because it is an int in jerasure, which has these codes,
   too. */
static Shape shape_of(const Asked &asked)
{
    return {number(asked.k, "k", PXR_MAX_WORD_SHARDS),
            number(asked.m, "m", PXR_MAX_WORD_SHARDS), number(asked.w, "w", INT32_MAX),
            number(asked.packetsize, "packetsize", INT32_MAX),
            asked.assume_mds ? PXR_ASSUME_MDS : 0};
}

static bool is_of_packets(enum pxr_matrix matrix)
{
    return matrix >= PXR_JERASURE_CAUCHY_ORIG;
}

static int create_named(pxr_code **code, const Shape &shape, nb::handle name,
                        struct pxr_error *why)
{
    enum pxr_matrix matrix;
    const char *known_as = text(name, "matrix");
    if (pxr_matrix_parse(known_as, &matrix) != PXR_OK)
        raise_invalid("there is no matrix called '%.100s'", known_as);
    if (is_of_packets(matrix) != (shape.packetsize != 0))
        raise_invalid("packetsize=%u: '%s' is a matrix of %s", shape.packetsize, known_as,
                      is_of_packets(matrix) ? "packets, which needs a packetsize above 0"
                                            : "bytes or words, which has no packets");
    if (shape.packetsize)
        return pxr_code_create_bits(code, shape.k, shape.m, matrix, shape.w, shape.packetsize,
                                    shape.flags, why);
    if (shape.flags)
        raise_invalid("assume_mds works only with rows or with packets");
    if (shape.w != 8)
        return pxr_code_create_words(code, shape.k, shape.m, matrix, shape.w, why);
    return pxr_code_create(code, shape.k, shape.m, matrix, why);
}

/* The lock is released because the proof that the rows are MDS may take a while. */
static int create_custom(pxr_code **code, const Shape &shape, nb::handle rows,
                         struct pxr_error *why)
{
    Buffers buffers;
    const uint8_t *bytes = buffers.read(rows);
    const size_t w = shape.packetsize ? shape.w : 1;
    if (!shape.packetsize && shape.w != 8)
        raise_invalid("w=%u: rows need w=8 or a packetsize", shape.w);
    if (buffers.length() != shape.k * w * shape.m * w)
        raise_invalid("rows has %zu bytes instead of %s = %zu", buffers.length(),
                      shape.packetsize ? "m * w * k * w" : "m * k", shape.k * w * shape.m * w);
    Unlocked unlocked(Unlocked::always);
    if (shape.packetsize)
        return pxr_code_create_bits_custom(code, shape.k, shape.m, shape.w, shape.packetsize,
                                           bytes, shape.flags, why);
    return pxr_code_create_custom(code, shape.k, shape.m, bytes, shape.flags, why);
}

pxr_code *create_code(const Asked &asked)
{
    const Shape shape = shape_of(asked);
    struct pxr_error why = {};
    pxr_code *code;
    const int status = asked.rows.is_none() ? create_named(&code, shape, asked.matrix, &why)
                                            : create_custom(&code, shape, asked.rows, &why);
    if (status != PXR_OK)
        raise_status(status, why.text);
    return code;
}
