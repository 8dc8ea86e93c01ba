/* SPDX-License-Identifier: BSD-3-Clause */
#define ISAL_DEPRECATED_INTERNAL
#include "isal_functions.h"

#include "isa-l/erasure_code.h"
#include "isa-l/gf_vect_mul.h"

#include <stddef.h>

#define ENTRY(function, kind, rows)                  \
    {                                                \
#function, kind, rows, (isal_code *)function \
    }
#define PORTABLE(function, kind, rows) \
    ENTRY(function, kind, rows), ENTRY(function##_base, kind, rows)
#define X86(function, kind, rows)                                         \
    ENTRY(function##_sse, kind, rows), ENTRY(function##_avx, kind, rows), \
        ENTRY(function##_avx2, kind, rows)

const struct isal_function isal_functions[] = {
    PORTABLE(ec_encode_data, ISAL_ENCODE, 0),
    PORTABLE(ec_encode_data_update, ISAL_UPDATE, 0),
    PORTABLE(gf_vect_dot_prod, ISAL_DOT, 1),
    PORTABLE(gf_vect_mad, ISAL_MAD, 1),
    PORTABLE(gf_vect_mul, ISAL_MUL, 1),
#if defined(__x86_64__) || defined(__i386__)
    X86(ec_encode_data, ISAL_ENCODE, 0),
    X86(ec_encode_data_update, ISAL_UPDATE, 0),
    X86(gf_vect_dot_prod, ISAL_DOT, 1),
    X86(gf_vect_mad, ISAL_MAD, 1),
    ENTRY(gf_vect_mul_sse, ISAL_MUL, 1),
    ENTRY(gf_vect_mul_avx, ISAL_MUL, 1),
    X86(gf_2vect_dot_prod, ISAL_DOTS, 2),
    X86(gf_3vect_dot_prod, ISAL_DOTS, 3),
    X86(gf_4vect_dot_prod, ISAL_DOTS, 4),
    X86(gf_5vect_dot_prod, ISAL_DOTS, 5),
    X86(gf_6vect_dot_prod, ISAL_DOTS, 6),
    X86(gf_2vect_mad, ISAL_MADS, 2),
    X86(gf_3vect_mad, ISAL_MADS, 3),
    X86(gf_4vect_mad, ISAL_MADS, 4),
    X86(gf_5vect_mad, ISAL_MADS, 5),
    X86(gf_6vect_mad, ISAL_MADS, 6),
#endif
    {NULL, ISAL_ENCODE, 0, NULL},
};

typedef void encode_fn(int, int, int, uint8_t *, uint8_t **, uint8_t **);
typedef void update_fn(int, int, int, int, uint8_t *, uint8_t *, uint8_t **);
typedef void dot_fn(int, int, uint8_t *, uint8_t **, uint8_t *);
typedef void dots_fn(int, int, uint8_t *, uint8_t **, uint8_t **);
typedef void mad_fn(int, int, int, uint8_t *, uint8_t *, uint8_t *);
typedef void mads_fn(int, int, int, uint8_t *, uint8_t *, uint8_t **);
typedef int mul_fn(int, uint8_t *, void *, void *);

/* src[index], or src[0] if the index is wrong. */
static uint8_t *updating(const struct isal_call *c)
{
    if (c->src == NULL)
        return NULL;
    return c->src[c->index >= 0 && c->index < c->k ? c->index : 0];
}

int isal_call(const struct isal_function *function, isal_code *code, const struct isal_call *c)
{
    switch (function->kind) {
    case ISAL_ENCODE:
        ((encode_fn *)code)(c->len, c->k, c->rows, c->tables, c->src, c->dst);
        return 0;
    case ISAL_DOT:
        ((dot_fn *)code)(c->len, c->k, c->tables, c->src, c->dst ? c->dst[0] : NULL);
        return 0;
    case ISAL_DOTS:
        ((dots_fn *)code)(c->len, c->k, c->tables, c->src, c->dst);
        return 0;
    case ISAL_UPDATE:
        ((update_fn *)code)(c->len, c->k, c->rows, c->index, c->tables, updating(c), c->dst);
        return 0;
    case ISAL_MAD:
        ((mad_fn *)code)(c->len, c->k, c->index, c->tables, updating(c),
                         c->dst ? c->dst[0] : NULL);
        return 0;
    case ISAL_MADS:
        ((mads_fn *)code)(c->len, c->k, c->index, c->tables, updating(c), c->dst);
        return 0;
    case ISAL_MUL:
        return ((mul_fn *)code)(c->len, c->tables, c->src ? c->src[0] : NULL,
                                c->dst ? c->dst[0] : NULL);
    }
    return 0;
}
