/* SPDX-License-Identifier: BSD-3-Clause */
#include "units.h"

#include <stdlib.h>

#include "dispatch.h"
#include "field.h"
#include "statistics.h"

bool jer_units_of(struct jer_units *units, const char *function, int w, int size,
                  int packetsize)
{
    if (w < 1 || packetsize < 1 || size < 0 || (int64_t)size % ((int64_t)w * packetsize) != 0) {
        jer_complain(function,
                     "%d bytes are not a whole number of units of %d packets of %d bytes", size,
                     w, packetsize);
        return false;
    }
    *units = (struct jer_units){w, packetsize, (int)(size / ((int64_t)w * packetsize))};
    return true;
}

void jer_units_count(const struct pxr_bits *bits, struct jer_units units)
{
    const uint64_t bytes = (uint64_t)units.count * (uint64_t)units.packetsize;
    for (unsigned r = 0; r < bits->rows; r++) {
        const unsigned ones = jer_bits_ones(bits, r);
        if (ones > 0) {
            jer_count(JER_COPIED, bytes);
            jer_count(JER_XORED, bytes * (ones - 1));
        }
    }
}

/* Copies the columns in which some row has a one to `used`, in their order, and their sources
   to from[]. */
static void use_columns(const struct pxr_bits *bits, uint8_t *const *src, struct pxr_bits *used,
                        const uint8_t **from, unsigned *place)
{
    const size_t words = PXR_BIT_WORDS(bits->columns);
    used->columns = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t any = 0;
        for (unsigned r = 0; r < bits->rows; r++)
            any |= pxr_bits_row(bits, r)[i];
        for (; any; any &= any - 1) {
            const unsigned column = 64 * (unsigned)i + (unsigned)__builtin_ctzll(any);
            place[column] = used->columns;
            from[used->columns++] = src[column];
        }
    }
    for (unsigned r = 0; r < bits->rows; r++)
        for (size_t i = 0; i < words; i++)
            for (uint64_t left = pxr_bits_row(bits, r)[i]; left; left &= left - 1)
                jer_bits_set(used, r, place[64 * i + (unsigned)__builtin_ctzll(left)]);
}

static bool run_used(const struct pxr_bits *bits, struct jer_units units,
                     const uint8_t *const *src, uint8_t **dst)
{
    uint64_t *const room = malloc(pxr_packet_rows_bytes(bits));
    if (!room)
        return false;
    const struct pxr_packet_rows rows = pxr_packet_rows_make(bits, room);
    const struct pxr_packets packets = {
        .rows = &rows,
        .len = (size_t)units.packetsize,
        .units = (size_t)units.count,
        .stride = (size_t)units.w * (size_t)units.packetsize,
        .src = src,
        .dst = dst,
    };
    for (unsigned r = 0; r < bits->rows; r++)
        if (jer_bits_ones(bits, r) == 0)
            dst[r] = NULL; /* is not computed */
    pxr_packets_run(pxr_kernels(), &packets);
    free(room);
    return true;
}

/* A packet that no row uses may not exist at all.  And where a schedule writes packets, these
   are among the columns.  The kernels must not load either kind. */
bool jer_units_run(const struct pxr_bits *bits, struct jer_units units, uint8_t *const *src,
                   uint8_t **dst)
{
    struct pxr_bits used = jer_bits_new(bits->rows, bits->columns);
    const uint8_t **const from = malloc(sizeof *from * (bits->columns + 1));
    unsigned *const place = malloc(sizeof *place * (bits->columns + 1));
    bool run = false, fits = true;
    if (used.word && from && place) {
        use_columns(bits, src, &used, from, place);
        fits = used.columns <= UINT16_MAX; /* the lists of the kernels have 16 bits a column */
        run = fits && run_used(&used, units, from, dst);
    }
    if (!fits)
        jer_complain("coding packets", "more than %d packets take part", UINT16_MAX);
    else if (!run)
        jer_complain("coding packets", "out of memory");
    free(used.word);
    free(from);
    free(place);
    return run;
}
