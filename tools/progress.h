/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress line.  It is shown only on a terminal, and redrawn a few times a second. */
#ifndef PXR_TOOLS_PROGRESS_H
#define PXR_TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds between two redraws. */
enum { PROGRESS_INTERVAL_MS = 200 };

struct progress {
    const char *verb;
    uint64_t total; /* bytes, 0 when not known */
    double started;
    bool shown;
};

void progress_start(struct progress *progress, const char *verb, uint64_t total, bool quiet);
void progress_draw(const struct progress *progress, uint64_t done);
void progress_end(const struct progress *progress);

#endif
