/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running schedules.
 *
 * A schedule is a straight-line program over packets.  It is first run symbolically ("on
 * paper"), with rows of bits for the contents of packets.  The result tells what each packet
 * becomes in terms of the packets' original contents.  Then all outputs are computed in one
 * pass over the inputs (units.h).  This reads and writes memory less often than doing the
 * operations one by one.  If a schedule overwrites a packet on which another output depends,
 * its operations are done one by one instead.
 */
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "jerasure.h"
#include "schedule.h"
#include "statistics.h"

/* What a schedule touches. */
struct extent {
    int devices, packets; /* all device and packet numbers are below these */
    uint64_t copies, xors;
};

static int above(int bound, int number)
{
    return number < bound ? bound : number + 1;
}

static struct extent extent_of(int **schedule)
{
    struct extent extent = {0};
    for (; (*schedule)[JER_FROM] >= 0; schedule++) {
        const int *const operation = *schedule;
        extent.devices = above(extent.devices, operation[JER_FROM]);
        extent.devices = above(extent.devices, operation[JER_TO]);
        extent.packets = above(extent.packets, operation[JER_FROM_PACKET]);
        extent.packets = above(extent.packets, operation[JER_TO_PACKET]);
        extent.xors += operation[JER_XOR] != 0;
        extent.copies += operation[JER_XOR] == 0;
    }
    return extent;
}

/* ---------------------------------------------------------- on paper ---- */

/* The rows of this many packets still fit in a cache while the schedule is run symbolically. */
#define PAPER_PACKETS 4096

/* What every packet holds, in terms of what the packets held at first. */
struct paper {
    struct pxr_bits holds; /* a row and a column for each packet */
    bool *written;
    int packets; /* packets of a device */
};

static unsigned packet_at(const struct paper *paper, const int *operation, int device,
                          int packet)
{
    return (unsigned)(operation[device] * paper->packets + operation[packet]);
}

static void write_down(struct paper *paper, int **schedule)
{
    struct pxr_bits *const holds = &paper->holds;
    const size_t words = PXR_BIT_WORDS(holds->columns);
    for (unsigned i = 0; i < holds->rows; i++)
        jer_bits_set(holds, i, i);
    for (; (*schedule)[JER_FROM] >= 0; schedule++) {
        const int *const operation = *schedule;
        const unsigned from = packet_at(paper, operation, JER_FROM, JER_FROM_PACKET);
        const unsigned to = packet_at(paper, operation, JER_TO, JER_TO_PACKET);
        paper->written[to] = true;
        if (operation[JER_XOR])
            jer_words_add(pxr_bits_row(holds, to), pxr_bits_row(holds, from), words);
        else if (from != to)
            memcpy(pxr_bits_row(holds, to), pxr_bits_row(holds, from),
                   words * sizeof(uint64_t));
    }
}

/* Returns whether a row of bits is zero, or has a bit in common with the other row. */
static bool is_zero_or_meets(const uint64_t *row, const uint64_t *other, size_t words)
{
    uint64_t any = 0, common = 0;
    for (size_t i = 0; i < words; i++) {
        any |= row[i];
        common |= row[i] & other[i];
    }
    return any == 0 || common != 0;
}

/* Moves the rows of the packets that were written to the front, and lists these packets.
   Returns how many there are.  Returns 0 when one of them depends on the original contents of
   such a packet, or becomes zero, because units.h can do neither. */
static unsigned outputs_of(struct paper *paper, unsigned *outputs)
{
    struct pxr_bits *const holds = &paper->holds;
    const size_t words = PXR_BIT_WORDS(holds->columns);
    uint64_t written[PXR_BIT_WORDS(PAPER_PACKETS)] = {0};
    unsigned count = 0;
    for (unsigned i = 0; i < holds->rows; i++) {
        if (paper->written[i]) {
            outputs[count++] = i;
            pxr_set_bit(written, i);
        }
    }
    for (unsigned r = 0; r < count; r++) {
        const uint64_t *const row = pxr_bits_row(holds, outputs[r]);
        if (is_zero_or_meets(row, written, words))
            return 0;
        memmove(pxr_bits_row(holds, r), row, words * sizeof *row);
    }
    holds->rows = count;
    return count;
}

/* Runs the schedule in one pass over the units.  Returns false when that is not possible. */
static bool run_outputs(struct paper *paper, struct jer_units units, char *const *devices)
{
    const unsigned all = paper->holds.rows;
    unsigned *const outputs = malloc(sizeof *outputs * all);
    uint8_t **const packets = malloc(sizeof *packets * all);
    uint8_t **const dst = malloc(sizeof *dst * all);
    unsigned count = 0;
    if (outputs && packets && dst) {
        for (unsigned i = 0; i < all; i++)
            packets[i] = (uint8_t *)devices[i / (unsigned)paper->packets] +
                         (size_t)(i % (unsigned)paper->packets) * (size_t)units.packetsize;
        count = outputs_of(paper, outputs);
        for (unsigned r = 0; r < count; r++)
            dst[r] = packets[outputs[r]];
    }
    const bool run = count > 0 && jer_units_run(&paper->holds, units, packets, dst);
    free(dst);
    free(packets);
    free(outputs);
    return run;
}

static bool run_on_paper(int **schedule, struct extent extent, struct jer_units units,
                         char *const *devices)
{
    const unsigned all = (unsigned)extent.devices * (unsigned)extent.packets;
    struct paper paper = {jer_bits_new(all, all), calloc(all, sizeof(bool)), extent.packets};
    bool run = false;
    if (paper.holds.word && paper.written) {
        write_down(&paper, schedule);
        run = run_outputs(&paper, units, devices);
    }
    free(paper.holds.word);
    free(paper.written);
    return run;
}

/* ------------------------------------------------------- as it stands ---- */

static void carry_out(int **schedule, int packetsize, char *const *devices, size_t offset)
{
    const size_t packet = (size_t)packetsize;
    for (; (*schedule)[JER_FROM] >= 0; schedule++) {
        const int *const operation = *schedule;
        const uint8_t *const from = (uint8_t *)devices[operation[JER_FROM]] + offset +
                                    (size_t)operation[JER_FROM_PACKET] * packet;
        uint8_t *const to = (uint8_t *)devices[operation[JER_TO]] + offset +
                            (size_t)operation[JER_TO_PACKET] * packet;
        jer_region_sum(operation[JER_XOR] ? 2 : 1, (const uint8_t *[]){from, to}, to, packet);
    }
}

void jer_schedule_run(int **schedule, struct jer_units units, char *const *devices)
{
    const struct extent extent = extent_of(schedule);
    const uint64_t bytes = (uint64_t)units.count * (uint64_t)units.packetsize;
    jer_count(JER_COPIED, extent.copies * bytes);
    jer_count(JER_XORED, extent.xors * bytes);
    if ((int64_t)extent.devices * extent.packets <= PAPER_PACKETS && extent.devices > 0 &&
        run_on_paper(schedule, extent, units, devices))
        return;
    for (int unit = 0; unit < units.count; unit++)
        carry_out(schedule, units.packetsize, devices,
                  (size_t)unit * (size_t)units.w * (size_t)units.packetsize);
}

void jerasure_do_scheduled_operations(char **ptrs, int **schedule, int packetsize)
{
    const struct jer_units unit = {1, packetsize, 1};
    if (packetsize > 0)
        jer_schedule_run(schedule, unit, ptrs);
    else
        jer_complain(__func__, "packetsize=%d: a packet has at least one byte", packetsize);
}

void jerasure_schedule_encode(int k, int m, int w, int **schedule, char **data_ptrs,
                              char **coding_ptrs, int size, int packetsize)
{
    struct jer_units units;
    if (!schedule) {
        jer_complain(__func__, "there is no schedule");
        return;
    }
    if (k < 1 || m < 1 || !jer_units_of(&units, __func__, w, size, packetsize))
        return;
    char **const devices = malloc(sizeof *devices * (size_t)(k + m));
    if (!devices) {
        jer_complain(__func__, "out of memory");
        return;
    }
    for (int i = 0; i < k + m; i++)
        devices[i] = i < k ? data_ptrs[i] : coding_ptrs[i - k];
    jer_schedule_run(schedule, units, devices);
    free(devices);
}
