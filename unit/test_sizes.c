/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structures that calls fill in, for callers from other releases, whose structure is shorter or
 * longer than the library's.
 */
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "permxor_raid.h"

enum { ROOM = 1024, MARK = 0xA5 };

static uint8_t data_block[3][64], p_block[64], q_block[64];
static uint8_t *const data[] = {data_block[0], data_block[1], data_block[2]};

static int kernel_info(void *to, size_t size)
{
    return pxr_kernel_info(0, (struct pxr_kernel_info *)to, size);
}

static int tune_info(void *to, size_t size)
{
    return pxr_tune_info((struct pxr_tune_info *)to, size);
}

static int tune_setting(void *to, size_t size)
{
    return pxr_tune_setting(0, (struct pxr_tune_setting *)to, size);
}

static int raid_write_plan(void *to, size_t size)
{
    static const uint8_t state[] = {PXR_RAID_CHANGED, 0, 0};
    return pxr_raid_write_plan(3, state, 0, 0, (struct pxr_raid_plan *)to, size);
}

/* One byte of Q is wrong, because a report that is all zeros would show little. */
static int raid_check(void *to, size_t size)
{
    const int status = pxr_raid_check(3, sizeof p_block, data, p_block, q_block,
                                      (struct pxr_raid_report *)to, size);
    return status == PXR_EMISMATCH ? PXR_OK : PXR_EINVAL;
}

static const struct {
    const char *name;
    size_t size, fields; /* of the structure, and the same without the padding at its end */
    int (*call)(void *to, size_t size);
} calls[] = {
#define CALL(function, structure, last)                                                \
    {                                                                                  \
        "pxr_" #function, sizeof(struct structure),                                    \
            offsetof(struct structure, last) + sizeof((struct structure *)NULL)->last, \
            function                                                                   \
    }
    CALL(kernel_info, pxr_kernel_info, selected),
    CALL(tune_info, pxr_tune_info, used),
    CALL(tune_setting, pxr_tune_setting, reason),
    CALL(raid_write_plan, pxr_raid_plan, reconstruct_write),
    CALL(raid_check, pxr_raid_report, suspect),
};

/* The first bytes must be those of a structure of the library's own size.  Zeros follow these
   fields, and nothing is written behind the caller's structure. */
static void try_size(unsigned i, const uint8_t *whole, size_t size)
{
    _Alignas(max_align_t) uint8_t got[ROOM];
    memset(got, MARK, sizeof got);
    check_at("size=%ld", (long)size, 0, 0, 0);
    CHECK_INT(calls[i].call(got, size), PXR_OK);
    for (size_t at = 0; at < sizeof got; at++)
        CHECK_INT(got[at], at >= size ? MARK : at < calls[i].fields ? whole[at] : 0);
}

int main(int argc, char **argv)
{
    check_start("test_sizes", argc, argv);
    for (unsigned b = 0; b < 3; b++)
        check_fill(data_block[b], sizeof data_block[b]);
    CHECK_INT(pxr_raid_generate(3, sizeof p_block, data, p_block, q_block), PXR_OK);
    q_block[5] ^= 1;
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        _Alignas(max_align_t) uint8_t whole[ROOM] = {0};
        if (!check_case("%s fills in what the caller has room for", calls[i].name))
            continue;
        CHECK_INT(calls[i].call(whole, calls[i].size), PXR_OK);
        CHECK(memcmp(whole, (uint8_t[ROOM]){0}, calls[i].size) != 0);
        try_size(i, whole, 0);
        try_size(i, whole, sizeof(void *));
        try_size(i, whole, calls[i].size);
        try_size(i, whole, calls[i].size + 24);
    }
    return check_finish();
}
