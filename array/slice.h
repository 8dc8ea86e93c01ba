/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A slice: the same bytes of every block of a row.  The codes are codes of bytes, so each slice
 * of a row can be computed without the rest of the row.
 */
#ifndef PXA_SLICE_H
#define PXA_SLICE_H

#include "array.h"

/* The longest slice. */
#define SLICE_MAX ((uint32_t)256 << 10)

/* What the slices of one call share.  The memory is allocated when it is needed first. */
struct slice_room {
    uint8_t *bytes; /* a chunk for each block, at most SLICE_MAX, and as many zeros */
    uint8_t *trial; /* SLICE_PAGE for each block */
};

/* How finely wrong bytes are looked for. */
#define SLICE_PAGE 4096u

struct slice {
    const pxa_array *array;
    struct pxa_row row;
    uint32_t within, len;            /* which bytes of each block */
    uint8_t *bytes[PXA_MAX_MEMBERS]; /* by block: where its bytes are, or are to be; or NULL */
    pxa_mask known;                  /* blocks whose bytes are there */
    pxa_mask lost;                   /* blocks that cannot be read */
    pxa_mask gone;                   /* those of them of which no part can be read, either */
    struct slice_room *room;
    struct pxa_report *report;
};

/* Begins a slice, of which nothing is known.  Blocks on missing members are lost and gone. */
void slice_begin(struct slice *slice, const pxa_array *array, uint64_t row,
                 struct slice_room *room, struct pxa_report *report);

/*
 * Reads blocks, or computes them from others when they are lost.  Each goes to its place in
 * `bytes`, or to the room of the call if that is NULL.  Returns PXR_OK, PXA_EIO or PXR_ENOMEM.
 */
int slice_fetch(struct slice *slice, pxa_mask wanted);

/* Reads each of these blocks that can be read.  Returns PXR_OK or PXR_ENOMEM. */
int slice_read(struct slice *slice, pxa_mask blocks);

/* Computes blocks from the known ones, of which there are k at least. */
int slice_compute(struct slice *slice, pxa_mask blocks);

/*
 * Compares the parity with the data.  All blocks have bytes.  Returns PXR_OK, PXR_EMISMATCH or
 * PXR_ENOMEM.
 */
int slice_verify(struct slice *slice);

/*
 * Finds the one known block whose change makes all blocks agree, and corrects it and what was
 * computed from it.  The slice has at most SLICE_PAGE bytes.  Returns PXR_OK, PXR_EAMBIGUOUS or
 * PXR_ENOMEM.
 */
int slice_correct(struct slice *slice, unsigned *block);

void slice_room_free(struct slice_room *room);

#endif
