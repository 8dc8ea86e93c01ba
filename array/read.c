/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a range of an array: row by row, and in each row slice by slice. */
#include "config.h"

#include "slice.h"

#include <string.h>

struct reader {
    const pxa_array *array;
    enum pxa_trust trust;
    struct pxa_report *report;
    struct slice_room room;
};

/* The wanted bytes of a row: from `begin` to `end` of the row's data, in address order. */
struct piece {
    uint64_t row, begin, end;
    uint8_t *buffer;
};

/* ------------------------------------------------------------- checking -- */

/* A part of a slice of at most SLICE_PAGE bytes. */
static struct slice page_of(const struct slice *slice, uint32_t from)
{
    struct slice page = *slice;
    page.within += from;
    page.len = slice->len - from < SLICE_PAGE ? slice->len - from : SLICE_PAGE;
    for (unsigned block = 0; block < array_width(slice->array); block++)
        page.bytes[block] += from;
    return page;
}

static int check_page(enum pxa_trust trust, struct slice *page, uint64_t row)
{
    struct pxa_report *report = page->report;
    unsigned block;
    int status = slice_verify(page);
    if (status != PXR_EMISMATCH)
        return status;
    report->disagreeing++;
    report->last_row = row;
    status = slice_correct(page, &block);
    if (status == PXR_OK) {
        report->located++;
        report->wrong |= mask_of(page->row.member[block]);
    }
    return status == PXR_ENOMEM || trust == PXA_CORRECT ? status : PXR_EMISMATCH;
}

/* Reads every block that can be read, computes the others, and compares. */
static int check_slice(enum pxa_trust trust, struct slice *slice, pxa_mask wanted, uint64_t row)
{
    const pxa_mask all = mask_below(array_width(slice->array));
    int status = slice_read(slice, all & ~slice->lost);
    if (status != PXR_OK)
        return status;
    if (mask_count(slice->lost) >= slice->array->geometry.parity) {
        status = slice_fetch(slice, wanted);
        if (status == PXR_OK)
            slice->report->unchecked += (uint64_t)mask_count(wanted) * slice->len;
        return status;
    }
    status = slice->lost != 0 ? slice_compute(slice, slice->lost) : PXR_OK;
    if (status == PXR_OK)
        status = slice_verify(slice);
    if (status != PXR_EMISMATCH)
        return status;
    int worst = PXR_OK;
    for (uint32_t from = 0; from < slice->len; from += SLICE_PAGE) {
        struct slice page = page_of(slice, from);
        status = check_page(trust, &page, row);
        if (status == PXR_ENOMEM)
            return status;
        if (status != PXR_OK)
            worst = status;
    }
    return worst;
}

/* -------------------------------------------------------------- reading -- */

/* What became of a slice. */
struct outcome {
    int status;
    struct pxa_report met;
    bool shorter; /* shorter slices may have more of the blocks that are lost in this one */
};

static struct outcome read_slice(struct reader *reader, const struct piece *piece,
                                 pxa_mask wanted, uint32_t within, uint32_t len)
{
    struct outcome outcome = {.status = PXR_OK};
    struct slice slice;
    slice_begin(&slice, reader->array, piece->row, &reader->room, &outcome.met);
    slice.within = within;
    slice.len = len;
    for (pxa_mask left = wanted; left != 0; left &= left - 1) {
        const unsigned block = mask_first(left);
        slice.bytes[block] = piece->buffer + ((uint64_t)block * reader->array->geometry.chunk +
                                              within - piece->begin);
    }
    outcome.status = reader->trust == PXA_TRUST
                         ? slice_fetch(&slice, wanted)
                         : check_slice(reader->trust, &slice, wanted, piece->row);
    if (outcome.status == PXR_OK)
        outcome.met.rebuilt += (uint64_t)mask_count(slice.lost & wanted) * len;
    outcome.shorter = (slice.lost & ~slice.gone) != 0;
    return outcome;
}

/* Whether shorter slices may succeed, or check what this one has left unchecked. */
static bool should_shorten(const struct outcome *outcome)
{
    return outcome->shorter &&
           (outcome->status == PXA_EIO || outcome->status == PXR_EAMBIGUOUS ||
            (outcome->status == PXR_OK && outcome->met.unchecked > 0));
}

/* Reads that failed count in any case, and the rest only if the slice does. */
static void add_report(struct pxa_report *to, const struct pxa_report *met, bool counts)
{
    to->errors += met->errors;
    to->failed |= met->failed;
    if (!counts)
        return;
    to->rebuilt += met->rebuilt;
    to->disagreeing += met->disagreeing;
    to->located += met->located;
    to->wrong |= met->wrong;
    to->unchecked += met->unchecked;
    if (met->disagreeing > 0)
        to->last_row = met->last_row;
}

/*
 * Reads the bytes from `from` to `to` of the wanted blocks, in slices of at most `step` bytes.
 * One bad sector makes a whole slice of its member lost.  If too much is lost by that, to
 * return the bytes or to check them, shorter slices may have more good blocks.
 */
static int read_window(struct reader *reader, const struct piece *piece, pxa_mask wanted,
                       uint32_t from, uint32_t to, uint32_t step)
{
    static const uint32_t finest = 512;
    while (from < to) {
        const uint32_t border = (from / step + 1) * step;
        const uint32_t end = border < to ? border : to;
        const struct outcome outcome = read_slice(reader, piece, wanted, from, end - from);
        const bool again = step > finest && should_shorten(&outcome);
        int status = outcome.status;
        add_report(reader->report, &outcome.met, !again);
        if (again)
            status = read_window(reader, piece, wanted, from, end,
                                 step > SLICE_PAGE ? SLICE_PAGE : finest);
        if (status != PXR_OK)
            return status;
        from = end;
    }
    return PXR_OK;
}

/*
 * The first block and the last one may be wanted in part.  The row is cut where they begin and
 * end, so that in each window the same blocks are wanted:
 *
 *     block 1        .  .  s##########
 *     block 2        #################
 *     block 3        ######e .  .  .
 */
static int read_piece(struct reader *reader, const struct piece *piece)
{
    const uint32_t chunk = reader->array->geometry.chunk;
    const unsigned first = (unsigned)(piece->begin / chunk);
    const unsigned last = (unsigned)((piece->end - 1) / chunk);
    const uint32_t s = (uint32_t)(piece->begin % chunk);
    const uint32_t e = (uint32_t)((piece->end - 1) % chunk) + 1;
    if (first == last)
        return read_window(reader, piece, mask_of(first), s, e, SLICE_MAX);
    const uint32_t cut[4] = {0, s < e ? s : e, s < e ? e : s, chunk};
    for (unsigned i = 0; i < 3; i++) {
        pxa_mask wanted = mask_below(last) & ~mask_below(first + 1);
        if (cut[i] >= s)
            wanted |= mask_of(first);
        if (cut[i + 1] <= e)
            wanted |= mask_of(last);
        const int status =
            wanted != 0 ? read_window(reader, piece, wanted, cut[i], cut[i + 1], SLICE_MAX)
                        : PXR_OK;
        if (status != PXR_OK)
            return status;
    }
    return PXR_OK;
}

int pxa_read(const pxa_array *array, uint64_t offset, size_t len, void *buffer,
             enum pxa_trust trust, struct pxa_report *report, size_t size)
{
    struct pxa_report all = {0};
    if (array == NULL || (buffer == NULL && len > 0) || (unsigned)trust > PXA_CORRECT)
        return PXR_EINVAL;
    const uint64_t capacity = pxa_capacity(&array->geometry);
    if (offset > capacity || len > capacity - offset)
        return PXR_EINVAL;
    const uint64_t row_size = (uint64_t)array->geometry.chunk * array->geometry.data;
    struct reader reader = {array, trust, &all, {NULL, NULL}};
    const size_t shared = report == NULL ? 0 : size < sizeof all ? size : sizeof all;
    if (shared > 0)
        memcpy(&all, report, shared);
    uint8_t *bytes = buffer;
    int status = PXR_OK;
    while (len > 0 && status == PXR_OK) {
        struct piece piece = {offset / row_size, offset % row_size, row_size, bytes};
        if (len < piece.end - piece.begin)
            piece.end = piece.begin + len;
        const size_t done = (size_t)(piece.end - piece.begin);
        status = read_piece(&reader, &piece);
        offset += done;
        bytes += done;
        len -= done;
    }
    slice_room_free(&reader.room);
    if (shared > 0)
        memcpy(report, &all, shared);
    return status;
}
