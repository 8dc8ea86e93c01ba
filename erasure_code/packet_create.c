/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes codes of packets, from the name of a matrix or from its bits. */
#include <stdlib.h>

#include "arithmetic.h"
#include "packet_matrix.h"
#include "packet_plan.h"
#include "plan_cache.h"

/* -------------------------------------------------------------- creation -- */

/* The checks that both ways to make a code begin with. */
static int check(pxr_code **code, const struct pxr_packet_shape *s, size_t packetsize,
                 unsigned flags, struct pxr_error *why)
{
    int status = pxr_code_begin(code, s->k, s->m, PXR_MAX_SHARDS, why);
    if (status == PXR_OK)
        status = pxr_flags_check(flags, why);
    if (status != PXR_OK)
        return status;
    if (s->w < 1 || s->w > PXR_MAX_W)
        pxr_explain(why, "w=%u: a unit has 1 to %d packets", s->w, PXR_MAX_W);
    else if (s->w * (s->k + s->m) > PXR_MAX_PACKETS)
        pxr_explain(why, "k=%u, m=%u, w=%u: at most w*(k+m)=%d packets are possible", s->k,
                    s->m, s->w, PXR_MAX_PACKETS);
    else if (packetsize < 1 || packetsize > PTRDIFF_MAX / s->w)
        pxr_explain(why,
                    "packetsize=%zu: a packet has at least one byte, and a unit must fit into "
                    "memory",
                    packetsize);
    else
        return PXR_OK;
    return PXR_EINVAL;
}

/* Allocates a code with a checked shape.  Its bits are still to be filled in. */
static struct pxr_code *allocate(const struct pxr_packet_shape *s, size_t packetsize,
                                 unsigned flags, struct pxr_error *why)
{
    struct pxr_code *const code = pxr_code_allocate(s->k, s->m, s->matrix, why);
    if (!code)
        return NULL;
    code->mds = !(flags & PXR_ASSUME_MDS);
    code->map = (struct pxr_map){.arithmetic = &pxr_packet_arithmetic,
                                 .k = s->k,
                                 .count = s->m,
                                 .unit = s->w * packetsize,
                                 .w = s->w,
                                 .packetsize = packetsize};
    code->bits = (struct pxr_bits){.rows = s->m * s->w, .columns = s->k * s->w};
    code->bits.word = calloc(PXR_BIT_WORDS(code->bits.columns) * code->bits.rows, 8);
    if (code->bits.word)
        return code;
    pxr_code_no_memory(code, why);
    return NULL;
}

/* Makes the columns of each data shard, which updates need.  Returns false when memory ran out.
 */
static bool make_columns(struct pxr_code *code)
{
    struct pxr_bits bits[PXR_MAX_SHARDS] = {{0, 0, NULL}};
    size_t bytes = 0;
    bool made = true;
    for (unsigned j = 0; j < code->k; j++) {
        const uint16_t shard = (uint16_t)j;
        made = made && pxr_bits_select(&bits[j], &code->bits, code->map.w, 1, &shard);
        bytes += made ? pxr_packet_rows_bytes(&bits[j]) : 0;
    }
    code->columns = malloc(code->k * sizeof *code->columns);
    uint64_t *room = code->columns_room = malloc(bytes);
    made = made && code->columns && room;
    for (unsigned j = 0; j < code->k; j++) {
        if (made) {
            code->columns[j] = pxr_packet_rows_make(&bits[j], room);
            room += pxr_packet_rows_bytes(&bits[j]) / sizeof *room;
        }
        free(bits[j].word);
    }
    return made;
}

/* The last step of making a code: computes everything that follows from its bits. */
static int finish(struct pxr_code *made, struct pxr_code **code, struct pxr_error *why)
{
    made->room = malloc(pxr_packet_rows_bytes(&made->bits));
    if (!made->room || !make_columns(made))
        return pxr_code_no_memory(made, why);
    made->map.packets = pxr_packet_rows_make(&made->bits, made->room);
    *code = made;
    return PXR_OK;
}

int pxr_code_create_bits(pxr_code **code, unsigned k, unsigned m, enum pxr_matrix matrix,
                         unsigned w, size_t packetsize, unsigned flags, struct pxr_error *why)
{
    const struct pxr_packet_shape shape = {k, m, w, matrix};
    int status = check(code, &shape, packetsize, flags, why);
    if (status == PXR_OK)
        status = pxr_packet_matrix_check(&shape, why);
    if (status != PXR_OK && !(status == PXR_ENOTMDS && flags & PXR_ASSUME_MDS))
        return status;
    struct pxr_code *const made = allocate(&shape, packetsize, flags, why);
    if (!made)
        return PXR_ENOMEM;
    pxr_packet_matrix_fill(&made->bits, &shape);
    return finish(made, code, why);
}

/* Returns false when an entry is neither 0 nor 1. */
static bool take_rows(struct pxr_bits *bits, const uint8_t *rows)
{
    for (unsigned r = 0; r < bits->rows; r++)
        for (unsigned c = 0; c < bits->columns; c++, rows++) {
            if (*rows > 1)
                return false;
            if (*rows)
                pxr_set_bit(pxr_bits_row(bits, r), c);
        }
    return true;
}

int pxr_code_create_bits_custom(pxr_code **code, unsigned k, unsigned m, unsigned w,
                                size_t packetsize, const uint8_t *rows, unsigned flags,
                                struct pxr_error *why)
{
    const struct pxr_packet_shape shape = {k, m, w, PXR_CUSTOM_BITS};
    int status = check(code, &shape, packetsize, flags, why);
    if (status != PXR_OK)
        return status;
    if (!rows) {
        pxr_explain(why, "rows is NULL: a custom matrix needs its rows");
        return PXR_EINVAL;
    }
    struct pxr_code *const made = allocate(&shape, packetsize, flags, why);
    if (!made)
        return PXR_ENOMEM;
    if (!take_rows(&made->bits, rows)) {
        pxr_explain(why, "rows: an entry of the custom matrix is neither 0 nor 1");
        status = PXR_EINVAL;
    } else if (made->mds) {
        status = pxr_packets_prove_mds(made, why);
    }
    if (status == PXR_OK)
        return finish(made, code, why);
    pxr_code_free(made);
    return status;
}

/* ----------------------------------------------------------------- views -- */

/* Plans have packets of one size, so the plans that `code` keeps are not taken over. */
void pxr_code_begin_view(struct pxr_code *view, const struct pxr_code *code, size_t packetsize)
{
    *view = (struct pxr_code){.k = code->k,
                              .m = code->m,
                              .matrix = code->matrix,
                              .mds = code->mds,
                              .map = code->map,
                              .bits = code->bits,
                              .columns = code->columns};
    view->map.packetsize = packetsize;
    view->map.unit = packetsize * view->map.w;
}

void pxr_code_end_view(struct pxr_code *view)
{
    pxr_plan_cache_free(atomic_load(&view->cache));
}

/* --------------------------------------------------------------- getters -- */

unsigned pxr_code_w(const pxr_code *code)
{
    return code->map.w ? code->map.w : 8;
}

size_t pxr_code_packetsize(const pxr_code *code)
{
    return code->map.packetsize;
}

size_t pxr_code_unit(const pxr_code *code)
{
    return code->map.unit;
}

int pxr_code_bits(const pxr_code *code, uint8_t *rows)
{
    const struct pxr_bits *const bits = &code->bits;
    if (!rows || !bits->word)
        return PXR_EINVAL;
    for (unsigned r = 0; r < bits->rows; r++)
        for (unsigned c = 0; c < bits->columns; c++)
            *rows++ = (uint8_t)pxr_bit(pxr_bits_row(bits, r), c);
    return PXR_OK;
}
