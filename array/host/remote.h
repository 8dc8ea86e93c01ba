/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members that are exports of NBD servers, which are named by URIs.  One connection has many
 * commands under way.  A server that does not answer in time is given up: from then on, each
 * request fails at once.
 */
#ifndef PXA_HOST_REMOTE_H
#define PXA_HOST_REMOTE_H

#include "file.h"

enum {
    REMOTE_CONNECT_SECONDS = 10,
    REMOTE_ANSWER_SECONDS = 20 /* without any answer */
};

struct remote;
struct request;

/* Whether a path is the URI of an export. */
bool remote_is_uri(const char *path);

/*
 * Connects, and sets the size.  Returns PXR_OK; PXA_EIO; PXR_ENOMEM; or PXA_EREFUSED: the
 * export cannot be written, or its writes cannot be made durable, or this build has no libnbd.
 */
int remote_open(struct remote **remote, const char *uri, bool writable, uint64_t *size,
                struct pxr_error *why);
void remote_close(struct remote *remote); /* NULL is allowed */

/* Does the requests of a file until it is stopped and nothing is left. */
void remote_work(struct file *file);

/* Says that there is something to do. */
void remote_wake(const struct remote *remote);

/* Reads in the calling thread, when no other thread uses the connection. */
void remote_perform(struct remote *remote, struct request *request);

#endif
