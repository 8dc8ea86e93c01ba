/* SPDX-License-Identifier: BSD-3-Clause */
#include "units.h"

#include <stdlib.h>

#include "dispatch.h"
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

bool jer_units_run(const struct pxr_bits *bits, struct jer_units units, uint8_t *const *src,
                   uint8_t **dst)
{
    uint64_t *const room = malloc(pxr_packet_rows_bytes(bits));
    if (!room) {
        jer_complain("coding packets", "memory ran out");
        return false;
    }
    const struct pxr_packet_rows rows = pxr_packet_rows_make(bits, room);
    const struct pxr_packets packets = {
        .rows = &rows,
        .len = (size_t)units.packetsize,
        .units = (size_t)units.count,
        .stride = (size_t)units.w * (size_t)units.packetsize,
        .src = (const uint8_t *const *)src,
        .dst = dst,
    };
    for (unsigned r = 0; r < bits->rows; r++)
        if (jer_bits_ones(bits, r) == 0)
            dst[r] = NULL; /* not computed */
    pxr_packets_run(pxr_kernels(), &packets);
    free(room);
    return true;
}
