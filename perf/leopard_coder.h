/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leopard_coder.h - what leopard_perf compares: two ways of this library, and Leopard codes.
 *
 * A Leopard code is one of Reed-Solomon whose parity is of other bytes, so that nobody's bytes
 * can be compared with the reference's.  Each coder is held against itself: what it decodes is
 * what it has encoded.
 */
#ifndef PERF_LEOPARD_CODER_H
#define PERF_LEOPARD_CODER_H

#include "library.h"

struct leopard_shape {
    int k, m;
    int len;
    enum walk_mode mode;
};

/* The stripes of a shape.  The first lost data shards are those that a decode rebuilds, in the
   memory where they were. */
struct leopard_stripes {
    struct leopard_shape shape;
    int lost;
    struct walk walk;
    u8 **shards;       /* all k+m of each stripe */
    u8 **have, **want; /* the same, with NULL for those that are lost, and that are not */
};

/* False when memory runs out. */
bool leopard_stripes_open(struct leopard_stripes *stripes, const struct leopard_shape *shape,
                          const struct placement *placement, struct arena *arena);
void leopard_stripes_close(struct leopard_stripes *stripes);

/* A peer's functions (peers/klauspost/leopard.go). */
struct leopard_peer {
    uintptr_t (*open)(int k, int m);
    void (*close)(uintptr_t code);
    void (*encode_walk)(uintptr_t code, int len, u8 **shards, size_t stripes, size_t first,
                        size_t calls);
    void (*decode_walk)(uintptr_t code, int len, int lost, u8 **shards, size_t stripes,
                        size_t first, size_t calls);
};

/* Makes ready for a shape, works on so many stripes, and lets go. */
struct leopard_coder;
struct leopard_kind {
    const char *(*open)(struct leopard_coder *coder); /* NULL, or why it cannot */
    void (*encode)(struct leopard_coder *coder, size_t calls);
    void (*decode)(struct leopard_coder *coder, size_t calls);
    void (*close)(struct leopard_coder *coder);
};

struct leopard_coder {
    const char *name;
    const struct leopard_kind *kind;
    const struct library *library; /* a peer's */
    struct leopard_stripes *stripes;
    /* between open and close */
    pxr_code *code;
    pxr_plan *plan;
    struct leopard_peer peer;
    uintptr_t peer_code;
    bool failed; /* a call of this library has */
};

/* This library by a plan that is made before the time is taken, by pxr_reconstruct(), which
   finds its plan in the code; and a peer. */
extern const struct leopard_kind leopard_by_plan, leopard_by_reconstruct, leopard_by_peer;

/* Whether a decode gives the data that was encoded: NULL, or the reason why not.  Leaves other
   bytes in the first and the last stripe. */
const char *leopard_coder_judge(struct leopard_coder *coder);

#endif
