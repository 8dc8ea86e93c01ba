/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "coding.h"

#include "message.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    /* Of the sizes that doc/bitmatrix.md measures, this one is the fastest, or nearly so.  It
       is also the smallest, so files are padded the least. */
    USUAL_PACKETSIZE = 1024,
    USUAL_CELL = 256 << 10
};

/*
 * Headers allow less than the library: words of 16 and 32 bits, and as many shards as codes of
 * bytes have.  The library's words have the byte order of the machine; those of shards have a
 * fixed one.
 */
static int create_words(pxr_code **code, const struct shard_header *h, struct pxr_error *why)
{
    if (h->w != 16 && h->w != 32) {
        snprintf(why->text, sizeof why->text, "w=%u: words have 8, 16 or 32 bits", h->w);
        return PXR_EINVAL;
    }
    if (h->k + h->m > PXR_MAX_SHARDS) {
        snprintf(why->text, sizeof why->text, "k=%u, m=%u: a set has at most %d shards", h->k,
                 h->m, PXR_MAX_SHARDS);
        return PXR_EINVAL;
    }
    int result = pxr_code_create_words(code, h->k, h->m, h->matrix, h->w, why);
    if (result != PXR_OK || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return result;
    pxr_code_free(*code);
    *code = NULL;
    snprintf(why->text, sizeof why->text,
             "w=%u: the words in shards are little-endian, but this machine is big-endian",
             h->w);
    return PXR_EINVAL;
}

int coding_create(pxr_code **code, const struct shard_header *header, struct pxr_error *why)
{
    const struct shard_header *h = header;
    if (h->w == 0)
        return pxr_code_create(code, h->k, h->m, h->matrix, why);
    if (h->packetsize > 0)
        return pxr_code_create_bits(code, h->k, h->m, h->matrix, h->w, h->packetsize, 0, why);
    return create_words(code, h, why);
}

/* ---------------------------------------------------------------- units -- */

/* Returns the least common multiple of a unit and 64.  Cells are multiples of it. */
static uint64_t cell_step(uint64_t unit)
{
    uint64_t step = unit;
    while (step % SHARD_CELL_MIN != 0)
        step *= 2; /* 64 is a power of two */
    return step;
}

static int check_unit(const struct shard_header *header, const char *subcommand)
{
    uint64_t unit = shard_unit(header), step = cell_step(unit);
    if (step <= SHARD_CELL_MAX)
        return STATUS_OK;
    return complain(STATUS_USAGE,
                    "%s: --packetsize: a unit of %" PRIu64
                    " bytes needs a cell of at least %" PRIu64
                    " bytes, but a cell has at most %u",
                    subcommand, unit, step, SHARD_CELL_MAX);
}

/* --------------------------------------------------------------- choose -- */

/* Returns jerasure's usual w.  Matrices whose k is at most w may need more. */
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

/* The library knows for which w a matrix is MDS.  The first such w from the header's w on is
   taken. */
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
    if (shard_has_packets(o->matrix)) {
        header->w = o->w > 0 ? o->w : usual_w(o->matrix, o->k);
        header->packetsize = o->packetsize > 0 ? o->packetsize : USUAL_PACKETSIZE;
    } else {
        header->w = o->w == 8 ? 0 : o->w;
    }
}

/* Checks that the matrix has the property that these options set. */
static int check_options(const struct options *o, const char *subcommand)
{
    const char *name = pxr_matrix_name(o->matrix);
    if (shard_has_packets(o->matrix))
        return STATUS_OK;
    if (o->packetsize > 0)
        return complain(STATUS_USAGE, "%s: --packetsize: the matrix %s has no packets",
                        subcommand, name);
    if (o->w > 0 && o->w != 8 && !shard_has_words(o->matrix))
        return complain(STATUS_USAGE,
                        "%s: --word: the matrix %s works on bytes; only jerasure_van and "
                        "jerasure_r6 have words of 16 and 32 bits",
                        subcommand, name);
    return STATUS_OK;
}

int coding_choose(pxr_code **code, struct shard_header *header, const struct options *options,
                  const char *subcommand)
{
    struct pxr_error why;
    int status = check_options(options, subcommand);
    if (status != STATUS_OK)
        return status;
    fill_in(header, options);
    int result = header->packetsize > 0 && options->w == 0 ? create_first(code, header, &why)
                                                           : coding_create(code, header, &why);
    if (result == PXR_OK)
        return check_unit(header, subcommand);
    return complain(result == PXR_ENOMEM ? STATUS_SYSTEM : STATUS_USAGE, "%s: %s", subcommand,
                    why.text);
}

int coding_size(const char *subcommand, const char *option, size_t asked, size_t usual,
                uint64_t step, size_t *size)
{
    uint64_t times = (usual + step / 2) / step;
    *size = asked > 0 ? asked : (size_t)(times > 0 ? times * step : step);
    if (*size % step == 0)
        return STATUS_OK;
    return complain(STATUS_USAGE,
                    "%s: --%s: %zu is not a multiple of %" PRIu64 ", which this code needs",
                    subcommand, option, asked, step);
}

int coding_choose_cell(struct shard_header *header, size_t asked)
{
    size_t cell;
    int status =
        coding_size("encode", "cell", asked, USUAL_CELL, cell_step(shard_unit(header)), &cell);
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

void coding_say_set(const struct shard_header *header)
{
    char id[SHARD_ID_TEXT_SIZE], code[CODING_TEXT];
    shard_id_text(header, id);
    coding_text(header, code);
    printf("set %s: %s, %" PRIu64 " bytes in %" PRIu64 " stripes\n", id, code, header->length,
           shard_stripes(header));
}
