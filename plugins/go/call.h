/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call of permxor.h for a caller in Go.
 *
 * Go may pass pointers to its memory to C as arguments, and the memory then stays in place
 * during the call.  Go may pass an array of such pointers only when each of them has been
 * pinned before.  Pinning 14 shards took 1.8 us, where all of a call with 14 shards of one byte
 * takes 0.1 us.  So the pointers come as a structure by value, which is a list of arguments.
 * The structure has two sizes, because a call with 33 shards, which copies 2048 bytes, takes
 * 0.09 us more than one with 32, which copies 256.  (Go 1.26, Xeon of model 207.)
 */
#ifndef PERMXOR_GO_CALL_H
#define PERMXOR_GO_CALL_H

#include <permxor.h>

enum pxr_go_op {
    PXR_GO_ENCODE,      /* shard: data, parity */
    PXR_GO_VERIFY,      /* shard: data, parity */
    PXR_GO_RECONSTRUCT, /* shard: data, parity; the bits of `want` mark those to write */
    PXR_GO_UPDATE       /* shard: old (NULL stands for zeros), new, parity */
};

/* What to do, apart from where the shards are. */
struct pxr_go_call {
    const pxr_code *code;
    size_t len;
    enum pxr_go_op op;
    unsigned index; /* data shard that PXR_GO_UPDATE changes */
    uint64_t want[4];
};

enum { PXR_GO_FEW = 32, PXR_GO_MANY = 256 };

struct pxr_go_few {
    uint8_t *shard[PXR_GO_FEW];
};

struct pxr_go_many {
    uint8_t *shard[PXR_GO_MANY];
};

static int pxr_go_reconstruct(const struct pxr_go_call *call, uint8_t *const *shard)
{
    uint8_t *have[PXR_GO_MANY], *want[PXR_GO_MANY];
    unsigned total = pxr_code_k(call->code) + pxr_code_m(call->code);
    for (unsigned i = 0; i < total; i++) {
        int wanted = call->want[i / 64] >> i % 64 & 1;
        have[i] = wanted ? NULL : shard[i];
        want[i] = wanted ? shard[i] : NULL;
    }
    return pxr_reconstruct(call->code, call->len, have, want);
}

static int pxr_go_run(const struct pxr_go_call *call, uint8_t *const *shard)
{
    uint8_t *const *in = shard;
    switch (call->op) {
    case PXR_GO_ENCODE:
        return pxr_encode(call->code, call->len, in, shard + pxr_code_k(call->code));
    case PXR_GO_VERIFY:
        return pxr_verify(call->code, call->len, in, NULL);
    case PXR_GO_RECONSTRUCT:
        return pxr_go_reconstruct(call, shard);
    case PXR_GO_UPDATE:
        return pxr_update(call->code, call->len, call->index, in[0], in[1], shard + 2);
    }
    return PXR_EINVAL;
}

static inline int pxr_go_run_few(struct pxr_go_call call, struct pxr_go_few few)
{
    return pxr_go_run(&call, few.shard);
}

static inline int pxr_go_run_many(struct pxr_go_call call, struct pxr_go_many many)
{
    return pxr_go_run(&call, many.shard);
}

/* Returns the name of the kernel set that is in use. */
static inline const char *pxr_go_kernel_set(void)
{
    struct pxr_kernel_info info;
    for (unsigned i = 0; pxr_kernel_info(i, &info, sizeof info) == PXR_OK; i++)
        if (info.selected)
            return info.name;
    return "";
}

#endif
