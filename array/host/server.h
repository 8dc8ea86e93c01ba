/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control socket of an array in use: a unix socket that only its owner can use.  A client
 * sends one line, and gets an answer of one or more lines.  The first is "ok", or "damaged" or
 * "lost" for what a scrub leaves, or "error", a status and a sentence.  Then the connection
 * ends.  The lines are
 *
 *     status | status-json | status-metrics
 *     fail MEMBER
 *     re-add MEMBER PATH
 *     replace MEMBER PATH | replace-force MEMBER PATH
 *     add PATH | add-force PATH
 *     remove MEMBER | remove PATH
 *     scrub | scrub-repair
 *     limits LEAST MOST LATENCY
 *
 * MEMBER is a number, and PATH is the rest of the line.  LEAST and MOST are MiB in a second and
 * LATENCY is milliseconds; 0 is no limit.
 */
#ifndef PXA_HOST_SERVER_H
#define PXA_HOST_SERVER_H

#include "host.h"

enum {
    SERVER_LINE = 4352,            /* the longest line: a path and some words */
    SERVER_MOST_RATE = 1 << 20,    /* 1 TiB in a second */
    SERVER_MOST_LATENCY = 3600000, /* an hour */
};

struct server;

/* Makes the socket.  Returns PXR_OK, PXR_EINVAL, PXA_EREFUSED, PXA_EIO or PXR_ENOMEM. */
int server_open(struct server **server, const char *path, struct host *host,
                struct pxr_error *why);

/* Starts to answer; the process must not fork any more. */
int server_start(struct server *server, struct pxr_error *why);

/* Waits for clients that are being answered, so host_stop() comes first.  NULL is allowed. */
void server_close(struct server *server);

#endif
