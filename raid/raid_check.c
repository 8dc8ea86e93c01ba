/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether P and Q agree with the data, and which block is wrong where they do not.
 *
 * Let P and Q be off by p[i] and q[i] in byte i: the stored byte plus the byte that the data
 * give.  If data block z alone is wrong, by e[i], then
 *
 *     p[i] = e[i]  and  q[i] = 2^z * e[i]       for every i
 *
 * so any byte with p[i] != 0 gives 2^z = q[i] / p[i], and in all other bytes q = 2^z * p must
 * hold as well.  If P alone is wrong, q is zero everywhere.  If Q alone is wrong, p is.
 */
#include <string.h>

#include "call.h"
#include "dispatch.h"
#include "groups.h"
#include "gf256.h"
#include "hand_over.h"
#include "permxor_raid.h"
#include "scan.h"

struct check {
    const struct pxr_kernels *kernels;
    unsigned n;
    size_t len;
    const uint8_t *const *data;
    uint8_t *parity[PXR_SPECIAL_PQ]; /* P and Q, which are only read */
    enum pxr_special special;        /* which of them exist */
};

/* What the differences so far allow. */
struct verdict {
    struct pxr_raid_report *report;
    enum { DISK_OPEN, DISK_FOUND, DISK_NONE } disk; /* is one data block wrong? */
    unsigned index;                                 /* that block, when found */
};

/* ------------------------------------------------------------- the pieces -- */

/* Two buffers of this many bytes stay in the nearest cache. */
#define PIECE ((size_t)4096)

/* Computes by how much P and Q are off in the n bytes at offset. */
static void differences(const struct check *c, size_t offset, size_t n, uint8_t *p, uint8_t *q)
{
    const uint8_t *at[PXR_RAID_MAX_DATA];
    for (unsigned i = 0; i < c->n; i++)
        at[i] = c->data[i] + offset;
    if (c->special == PXR_SPECIAL_P) {
        uint8_t *const dst[] = {p, c->parity[0] + offset};
        c->kernels->dot[PXR_SPECIAL_P][0](n, c->n, NULL, at, dst, PXR_ACCUMULATE);
    } else {
        uint8_t *const dst[] = {p, q, c->parity[0] + offset, c->parity[1] + offset};
        c->kernels->dot[PXR_SPECIAL_PQ][0](n, c->n, NULL, at, dst, PXR_ACCUMULATE);
    }
}

/* Returns the data block whose coefficient is quotient, or n if there is none. */
static unsigned block_of(uint8_t quotient, unsigned n)
{
    unsigned i = 0;
    while (i < n && pxr_pow2(i) != quotient)
        i++;
    return i;
}

/* The first byte that differs says which block is suspect. */
static void suspect_block(struct verdict *v, unsigned n, uint8_t p, uint8_t q)
{
    v->index = p && q ? block_of(pxr_mul(q, pxr_inverse[p]), n) : n;
    v->disk = v->index < n ? DISK_FOUND : DISK_NONE;
}

/* Takes the piece at offset into account.  The contents of q are overwritten. */
static void judge(const struct check *c, struct verdict *v, size_t offset, size_t n,
                  const uint8_t *p, uint8_t *q)
{
    const size_t first_p = pxr_scan_nonzero(c->kernels, p, n);
    const size_t first_q = pxr_scan_nonzero(c->kernels, q, n);
    if (first_p < n && v->report->first_p == c->len)
        v->report->first_p = offset + first_p;
    if (first_q < n && v->report->first_q == c->len)
        v->report->first_q = offset + first_q;
    const size_t first = first_p < first_q ? first_p : first_q;
    if (first == n)
        return;
    if (v->disk == DISK_OPEN)
        suspect_block(v, c->n, p[first], q[first]);
    if (v->disk == DISK_FOUND) {
        const uint8_t *const power = pxr_nibble[pxr_pow2(v->index)];
        c->kernels->mad[PXR_SPECIAL_NONE][1](n, (struct pxr_mad_mode){1, PXR_ACCUMULATE}, power,
                                             p, NULL, &q);
        if (pxr_scan_nonzero(c->kernels, q, n) < n)
            v->disk = DISK_NONE;
    }
}

/* Returns whether nothing that is still to come can change the report. */
static bool settled(const struct check *c, const struct verdict *v)
{
    if (v->report->first_p == c->len)
        return false;
    return c->special == PXR_SPECIAL_P || (v->disk == DISK_NONE && v->report->first_q < c->len);
}

static unsigned suspect(const struct check *c, const struct verdict *v)
{
    if (c->special == PXR_SPECIAL_P)
        return PXR_RAID_UNKNOWN;
    if (v->disk == DISK_FOUND)
        return v->index;
    if (v->report->first_q == c->len)
        return c->n;
    return v->report->first_p == c->len ? c->n + 1 : PXR_RAID_UNKNOWN;
}

/* Finds the wrong block.  Everything before `begin` is right. */
static void locate(const struct check *c, size_t begin, struct pxr_raid_report *report)
{
    uint8_t p[PIECE], q[PIECE];
    struct verdict v = {.report = report};
    memset(q, 0, sizeof q); /* stays zero where there is no Q */
    for (size_t offset = begin; offset < c->len && !settled(c, &v); offset += sizeof p) {
        const size_t n = c->len - offset < sizeof p ? c->len - offset : sizeof p;
        differences(c, offset, n, p, q);
        judge(c, &v, offset, n, p, q);
    }
    report->suspect = suspect(c, &v);
}

/* ----------------------------------------------------------- the function -- */

int pxr_raid_check(unsigned n, size_t len, pxr_inputs data, const uint8_t *p, const uint8_t *q,
                   struct pxr_raid_report *report, size_t size)
{
    const uint8_t *const *const src = pxr_read_only(data);
    if (n < 1 || n > PXR_RAID_MAX_DATA || !p || !pxr_all_present(n, src))
        return PXR_EINVAL;
    const struct check c = {pxr_kernels(),
                            n,
                            len,
                            src,
                            {(uint8_t *)p, (uint8_t *)q},
                            q ? PXR_SPECIAL_PQ : PXR_SPECIAL_P};
    const size_t at = pxr_parity_check(c.kernels, len, n, c.special, src, c.parity);
    if (report) {
        struct pxr_raid_report found = {len, len, PXR_RAID_UNKNOWN};
        if (at < len)
            locate(&c, at, &found);
        PXR_HAND_OVER(report, size, found, suspect);
    }
    return at == len ? PXR_OK : PXR_EMISMATCH;
}
