/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "coding.h"

#include "message.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    /* Of those measured in doc/bitmatrix.md the fastest, and the smallest: small units pad
       less. */
    USUAL_PACKETSIZE = 1024,
    USUAL_CELL = 256 << 10
};

int coding_create(pxr_code **code, const struct shard_header *header, struct pxr_error *why)
{
    const struct shard_header *h = header;
    if (h->w == 0)
        return pxr_code_create(code, h->k, h->m, h->matrix, why);
    if (h->packetsize > 0)
        return pxr_code_create_bits(code, h->k, h->m, h->matrix, h->w, h->packetsize, 0, why);
    /* The library's words have the byte order of the machine, and those of shards have one. */
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return pxr_code_create_words(code, h->k, h->m, h->matrix, h->w, why);
    snprintf(why->text, sizeof why->text,
             "w=%u: words of shards are little-endian, and those of this machine are not",
             h->w);
    return PXR_EINVAL;
}

/* --------------------------------------------------------------- choose -- */

static bool is_of_packets(enum pxr_matrix matrix)
{
    return matrix > PXR_CUSTOM;
}

/* jerasure's usual ones; matrices whose k is at most w may need more. */
static unsigned usual_w(enum pxr_matrix matrix, unsigned k)
{
    switch (matrix) {
    case PXR_JERASURE_LIBERATION:
        return k > 7 ? k : 7;
    case PXR_JERASURE_BLAUM_ROTH:
        return k > 6 ? k : 6;
    default:
        return 8;
    }
}

/* The library knows which w make a matrix MDS: the first one from the header's on is taken. */
static int create_first(pxr_code **code, struct shard_header *header, struct pxr_error *why)
{
    int result = coding_create(code, header, why);
    while (result == PXR_ENOTMDS) {
        header->w++;
        result = coding_create(code, header, why);
    }
    return result;
}

static void fill_in(struct shard_header *header, const struct options *o)
{
    header->k = o->k;
    header->m = o->m;
    header->matrix = o->matrix;
    if (is_of_packets(o->matrix)) {
        header->w = o->w > 0 ? o->w : usual_w(o->matrix, o->k);
        header->packetsize = o->packetsize > 0 ? o->packetsize : USUAL_PACKETSIZE;
    } else {
        header->w = o->w == 8 ? 0 : o->w;
    }
}

int coding_choose(pxr_code **code, struct shard_header *header, const struct options *options,
                  const char *subcommand)
{
    struct pxr_error why;
    bool packets = is_of_packets(options->matrix);
    if (options->packetsize > 0 && !packets)
        return complain(STATUS_USAGE, "%s: --packetsize: %s has no packets", subcommand,
                        pxr_matrix_name(options->matrix));
    fill_in(header, options);
    int result = packets && options->w == 0 ? create_first(code, header, &why)
                                            : coding_create(code, header, &why);
    if (result == PXR_OK)
        return STATUS_OK;
    return complain(result == PXR_ENOMEM ? STATUS_SYSTEM : STATUS_USAGE, "%s: %s", subcommand,
                    why.text);
}

/* ---------------------------------------------------------------- sizes -- */

int coding_size(const char *option, size_t asked, size_t usual, uint64_t step, size_t *size)
{
    uint64_t times = (usual + step / 2) / step;
    *size = asked > 0 ? asked : (size_t)(times > 0 ? times * step : step);
    if (*size % step == 0)
        return STATUS_OK;
    return complain(STATUS_USAGE,
                    "--%s: %zu is not a multiple of %" PRIu64
                    ", which whole units of this code take",
                    option, asked, step);
}

/* The least common multiple of a unit and 64. */
static uint64_t cell_step(uint64_t unit)
{
    uint64_t step = unit;
    while (step % SHARD_CELL_MIN != 0)
        step *= 2; /* 64 is a power of two */
    return step;
}

int coding_choose_cell(struct shard_header *header, size_t asked)
{
    uint64_t unit = shard_unit(header), step = cell_step(unit);
    size_t cell;
    if (step > SHARD_CELL_MAX)
        return complain(STATUS_USAGE,
                        "encode: --packetsize: whole units of %" PRIu64
                        " bytes take cells of a multiple of %" PRIu64 " bytes, and 64M are the "
                        "most",
                        unit, step);
    int status = coding_size("cell", asked, USUAL_CELL, step, &cell);
    header->cell = (uint32_t)cell;
    return status;
}

/* ----------------------------------------------------------------- text -- */

void coding_text(const struct shard_header *header, char out[CODING_TEXT])
{
    int length = snprintf(out, CODING_TEXT, "%u+%u %s", header->k, header->m,
                          pxr_matrix_name(header->matrix));
    if (header->w > 0)
        length += snprintf(out + length, CODING_TEXT - (size_t)length, " w=%u", header->w);
    if (header->packetsize > 0)
        snprintf(out + length, CODING_TEXT - (size_t)length, " packetsize=%" PRIu32,
                 header->packetsize);
}
