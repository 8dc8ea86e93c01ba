/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks that are in the log, or on the way to it, and not yet in place.  Whoever needs such a
 * block takes it from here.  A line has the newest contents of the blocks of a row; the pages
 * belong to the epochs.
 */
#include "config.h"

#include "internal.h"

#include <stdlib.h>

int overlay_make(struct overlay *overlay, unsigned lines, unsigned width)
{
    overlay->buckets = lines;
    overlay->lines = calloc(lines, sizeof *overlay->lines);
    overlay->bucket = calloc(lines, sizeof *overlay->bucket);
    overlay->newest = calloc((size_t)lines * width, sizeof *overlay->newest);
    if (overlay->lines == NULL || overlay->bucket == NULL || overlay->newest == NULL)
        return PXR_ENOMEM;
    for (unsigned i = 0; i < lines; i++) {
        struct line *line = &overlay->lines[i];
        line->newest = overlay->newest + (size_t)i * width;
        line->next = overlay->free;
        overlay->free = line;
    }
    return PXR_OK;
}

void overlay_destroy(struct overlay *overlay)
{
    free(overlay->lines);
    free(overlay->bucket);
    free(overlay->newest);
    *overlay = (struct overlay){0};
}

static struct line **bucket_of(const struct core *core, uint64_t stripe, unsigned row)
{
    const uint64_t number = stripe * core->stripe_rows + row;
    return &core->overlay.bucket[number % core->overlay.buckets];
}

struct line *overlay_find(const struct core *core, uint64_t stripe, unsigned row)
{
    struct line *line = *bucket_of(core, stripe, row);
    while (line != NULL && (line->stripe != stripe || line->row != row))
        line = line->next;
    return line;
}

/* There is a line for every page, and every line in use has a page. */
struct line *overlay_get(struct core *core, uint64_t stripe, unsigned row, struct sums *sums)
{
    struct line *line = overlay_find(core, stripe, row);
    if (line != NULL)
        return line;
    struct line **bucket = bucket_of(core, stripe, row);
    line = core->overlay.free;
    core->overlay.free = line->next;
    core->overlay.used++;
    line->stripe = stripe;
    line->row = row;
    line->records = 0;
    line->sums = sums;
    sums->pins++;
    for (unsigned i = 0; i < core->width; i++)
        line->newest[i] = NULL;
    line->next = *bucket;
    *bucket = line;
    return line;
}

void overlay_drop(struct core *core, struct page *page)
{
    struct line *line = page->line;
    if (line->newest[page->block] == page)
        line->newest[page->block] = NULL;
    if (--line->records > 0)
        return;
    struct line **at = bucket_of(core, line->stripe, line->row);
    while (*at != line)
        at = &(*at)->next;
    *at = line->next;
    sums_unpin(line->sums);
    line->next = core->overlay.free;
    core->overlay.free = line;
    core->overlay.used--;
}
