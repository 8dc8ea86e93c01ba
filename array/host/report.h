/* SPDX-License-Identifier: BSD-3-Clause */
/* The status of an array as text for people, as JSON, and for Prometheus. */
#ifndef PXA_HOST_REPORT_H
#define PXA_HOST_REPORT_H

#include "host.h"

#include <stdio.h>

/* The word for a state, which is the same wherever it is printed. */
const char *report_state(enum core_member_state state);
/* How many of the first `members` states are `state`. */
unsigned report_count(const enum core_member_state *states, unsigned members,
                      enum core_member_state state);

void report_text(FILE *file, const struct host_status *status);
void report_json(FILE *file, const struct host_status *status); /* one line */
/* In the format of the textfile collector of Prometheus' node exporter. */
void report_metrics(FILE *file, const struct host_status *status);

#endif
