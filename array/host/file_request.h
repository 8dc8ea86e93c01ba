/* SPDX-License-Identifier: BSD-3-Clause */
/* What a member is asked to do, between the thread that turns the core and those that do it. */
#ifndef PXA_HOST_FILE_REQUEST_H
#define PXA_HOST_FILE_REQUEST_H

#include "file.h"

enum request_kind { REQUEST_READ, REQUEST_WRITE, REQUEST_FLUSH, REQUEST_ZERO };

struct request {
    enum request_kind kind;
    struct file *file;
    uint64_t offset;
    uint64_t len; /* of zeros, and of what io_uring transfers */
    const struct iovec *piece;
    unsigned count;
    bool durable;
    core_io_done *done;
    void *token;
    int error;
    unsigned parts; /* of a member behind NBD: the commands that are under way */
    bool *finished; /* of file_read(): instead of done() */
    struct request *next;
};

/* Takes the next request of a file that is locked, or returns NULL. */
struct request *file_take(struct file *file);

/* Gives a request to the threads of its file. */
void file_enqueue(struct request *request);

/* Hands in a request that has ended. */
void file_complete(struct request *request);

#endif
