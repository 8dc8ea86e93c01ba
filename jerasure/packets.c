/* SPDX-License-Identifier: BSD-3-Clause */
#include "packets.h"

#include <stdlib.h>

#include "field.h"
#include "statistics.h"

bool jer_units_of(struct jer_units *units, const char *function, int w, int size,
                  int packetsize)
{
    if (w < 1 || w > JER_MOST_BITS || packetsize < 1 || size < 0 ||
        (int64_t)size % ((int64_t)w * packetsize) != 0) {
        jer_complain(function, "%d bytes are no units of %d packets of %d bytes", size, w,
                     packetsize);
        return false;
    }
    *units = (struct jer_units){w, packetsize, (int)(size / ((int64_t)w * packetsize))};
    return true;
}

void jer_packets_count(const struct jer_bits *bits, struct jer_units units)
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

/* The columns that are set in each row, one row behind the other; NULL: no memory. */
static uint16_t *list_columns(const struct jer_bits *bits, unsigned *most)
{
    size_t all = 0;
    *most = 0;
    for (unsigned r = 0; r < bits->rows; r++) {
        const unsigned ones = jer_bits_ones(bits, r);
        all += ones;
        *most = ones > *most ? ones : *most;
    }
    uint16_t *const columns = malloc(sizeof *columns * (all + 1));
    uint16_t *to = columns;
    for (unsigned r = 0; to && r < bits->rows; r++)
        for (unsigned column = 0; column < bits->columns; column++)
            if (jer_bits_has(bits, r, column))
                *to++ = (uint16_t)column;
    return columns;
}

/* So many bytes of all packets stay in L1 while every row reads those that it needs. */
#define TILE 256

bool jer_packets_run(const struct jer_bits *bits, struct jer_units units, uint8_t *const *src,
                     uint8_t *const *dst)
{
    unsigned most;
    uint16_t *const columns = list_columns(bits, &most);
    const uint8_t **const from = malloc(sizeof *from * (most + 1));
    if (!columns || !from) {
        free(columns);
        free(from);
        jer_complain("coding packets", "memory ran out");
        return false;
    }
    const size_t packet = (size_t)units.packetsize, unit = packet * (size_t)units.w;
    for (size_t u = 0; u < (size_t)units.count; u++) {
        for (size_t at = 0; at < packet; at += TILE) {
            const size_t len = packet - at < TILE ? packet - at : TILE, offset = u * unit + at;
            const uint16_t *column = columns;
            for (unsigned r = 0; r < bits->rows; r++) {
                const unsigned ones = jer_bits_ones(bits, r);
                for (unsigned i = 0; i < ones; i++)
                    from[i] = src[*column++] + offset;
                if (ones > 0)
                    jer_region_sum(ones, from, dst[r] + offset, len);
            }
        }
    }
    free(columns);
    free(from);
    return true;
}
