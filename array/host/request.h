/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of the control socket. */
#ifndef PXA_HOST_REQUEST_H
#define PXA_HOST_REQUEST_H

#include "host.h"

#include <stdio.h>

/* Does what a line says, and prints the answer.  The line may be anything. */
void request_answer(struct host *host, char *line, FILE *answer);

#endif
