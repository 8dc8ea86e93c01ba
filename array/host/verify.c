/* SPDX-License-Identifier: BSD-3-Clause */
/* Row by row: checksums, and parity. */
#include "config.h"

#include "verify.h"

#include "verify_members.h"

#include "bytes.h"
#include "core/internal.h"
#include "why.h"

#include <stdlib.h>

struct verify {
    struct verify_members members;
    struct pxa_geometry geometry;
    pxr_code *code;
    unsigned width;      /* n */
    unsigned rows;       /* in a stripe */
    uint32_t *sum;       /* of the page of checksums, by role */
    uint8_t *chunk;      /* of the stripe, by role */
    pxa_mask unreadable; /* chunks of the stripe */
    uint64_t page;       /* which page of checksums there is */
    struct host_found *found;
};

/* ---------------------------------------------------------------- checksums -- */

static uint32_t *sums_of(const struct verify *v, unsigned role)
{
    return v->sum + (size_t)role * DISK_SUMS_ENTRIES;
}

/* Of a member without a right page nothing is known, unless it never was written. */
static void load_member(struct verify *v, unsigned role, uint64_t *sequence)
{
    const int status = verify_page(&v->members, role, DISK_SUMS, v->page, sequence);
    v->found->pages += status == PXA_EDAMAGED || status == PXA_EIO;
    for (unsigned i = 0; i < DISK_SUMS_ENTRIES; i++)
        sums_of(v, role)[i] =
            status == PXR_OK
                ? (uint32_t)get(v->members.page + DISK_PAGE_HEADER + (size_t)i * 4, 4)
            : status == PXA_ENONE ? DISK_ZEROS
                                  : DISK_UNKNOWN;
}

/* A member that has lost a write of its page does not know of a trim, or of a write after it.
 */
static void settle_trim(struct verify *v, const uint64_t sequence[PXA_MAX_MEMBERS], unsigned i)
{
    struct disk_trim trim = {0, 0};
    for (unsigned role = 0; role < v->width; role++)
        if (v->members.member[role] != NULL)
            disk_trim_note(&trim, sums_of(v, role)[i], sequence[role]);
    for (unsigned role = 0; role < v->width; role++)
        sums_of(v, role)[i] = disk_trim_settle(&trim, sums_of(v, role)[i]);
}

static void load_sums(struct verify *v, uint64_t stripe)
{
    const uint64_t page = stripe * v->rows / DISK_SUMS_ENTRIES;
    uint64_t sequence[PXA_MAX_MEMBERS] = {0};
    if (page == v->page)
        return;
    v->page = page;
    for (unsigned role = 0; role < v->width; role++)
        if (v->members.member[role] != NULL)
            load_member(v, role, &sequence[role]);
    for (unsigned i = 0; i < DISK_SUMS_ENTRIES; i++)
        settle_trim(v, sequence, i);
}

static uint32_t sum_of(const struct verify *v, unsigned role, uint64_t number)
{
    return sums_of(v, role)[number % DISK_SUMS_ENTRIES];
}

/* The rule of doc/array-core.md. */
static bool is_blank(const struct verify *v, uint64_t number)
{
    unsigned zeros = 0;
    for (unsigned role = 0; role < v->width; role++) {
        if (v->members.member[role] == NULL)
            continue;
        const uint32_t sum = sum_of(v, role, number);
        if (sum > DISK_TRIMMED)
            return false;
        zeros += sum != DISK_UNKNOWN;
    }
    return zeros >= v->geometry.data;
}

/* -------------------------------------------------------------------- rows -- */

static uint8_t *block_of(const struct verify *v, unsigned role, unsigned row)
{
    return v->chunk + (size_t)role * v->geometry.chunk + (size_t)row * CORE_BLOCK;
}

/* The members whose blocks of a row are right. */
static pxa_mask check_sums(struct verify *v, unsigned row, uint64_t number)
{
    pxa_mask good = 0;
    for (unsigned role = 0; role < v->width; role++) {
        if (v->members.member[role] == NULL)
            continue;
        const bool unreadable = mask_has(v->unreadable, role);
        if (!unreadable && disk_sum_matches(sum_of(v, role, number), v->members.super.uuid,
                                            role, number, block_of(v, role, row))) {
            good |= mask_of(role);
            continue;
        }
        v->found->unreadable += unreadable;
        v->found->bad += !unreadable;
        v->found->by_member[role]++;
    }
    return good;
}

/* Parity that is not right is left out; without all data there is nothing to compare. */
static void check_parity(struct verify *v, const struct pxa_row *where, unsigned row,
                         pxa_mask good)
{
    const uint8_t *blocks[PXA_MAX_MEMBERS];
    bool any = false;
    for (unsigned block = 0; block < v->width; block++) {
        const unsigned role = where->member[block];
        const bool is_right = mask_has(good, role);
        blocks[block] = is_right ? block_of(v, role, row) : NULL;
        if (!is_right && block < v->geometry.data) {
            v->found->unchecked++;
            return;
        }
        any = any || (is_right && block >= v->geometry.data);
    }
    v->found->unchecked += !any;
    if (any && pxr_verify(v->code, CORE_BLOCK, (pxr_inputs)blocks, NULL) != PXR_OK)
        v->found->parity_rows++;
}

static void check_row(struct verify *v, const struct pxa_row *where, uint64_t stripe,
                      unsigned row)
{
    const uint64_t number = stripe * v->rows + row;
    if (is_blank(v, number)) {
        v->found->blank++;
        return;
    }
    v->found->rows++;
    const pxa_mask good = check_sums(v, row, number);
    if (mask_count(good) < v->geometry.data)
        v->found->lost++;
    else
        check_parity(v, where, row, good);
}

/* A sector that cannot be read must not take the rest of the chunk along. */
static void read_chunk(struct verify *v, unsigned role, uint64_t stripe, unsigned row,
                       unsigned rows)
{
    const uint64_t at = v->members.super.layout.data_at + stripe * v->geometry.chunk;
    if (file_read(v->members.member[role], at + (uint64_t)row * CORE_BLOCK,
                  (size_t)rows * CORE_BLOCK, block_of(v, role, row)) != 0)
        v->unreadable |= mask_of(role);
}

static void check_stripe(struct verify *v, uint64_t stripe)
{
    struct pxa_row where;
    pxa_row(&v->geometry, stripe, &where);
    load_sums(v, stripe);
    v->unreadable = 0;
    for (unsigned role = 0; role < v->width; role++)
        if (v->members.member[role] != NULL)
            read_chunk(v, role, stripe, 0, v->rows);
    const bool whole = v->unreadable == 0;
    for (unsigned row = 0; row < v->rows; row++) {
        v->unreadable = 0;
        for (unsigned role = 0; !whole && role < v->width; role++)
            if (v->members.member[role] != NULL)
                read_chunk(v, role, stripe, row, 1);
        check_row(v, &where, stripe, row);
    }
}

/* ------------------------------------------------------------------- whole -- */

static int prepare(struct verify *v, struct pxr_error *why)
{
    const struct disk_super *super = &v->members.super;
    v->width = super->data + super->parity;
    v->rows = super->chunk / CORE_BLOCK;
    v->page = UINT64_MAX;
    v->geometry = (struct pxa_geometry){.data = super->data,
                                        .parity = super->parity,
                                        .layout = PXA_LEFT_SYMMETRIC,
                                        .chunk = super->chunk,
                                        .member_size = super->layout.stripes * super->chunk};
    v->sum = calloc(v->width, DISK_SUMS_ENTRIES * sizeof *v->sum);
    v->chunk = aligned_alloc(CORE_BLOCK, (size_t)v->width * super->chunk);
    if (v->sum == NULL || v->chunk == NULL ||
        make_code(&v->code, super->data, super->parity) != PXR_OK)
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    if (matrix_hash(v->code, super->data, super->parity) != super->matrix_hash)
        return pxa_because(why, PXA_EREFUSED, "the array has another code");
    return PXR_OK;
}

static void check_all(struct verify *v)
{
    const struct disk_super *super = &v->members.super;
    v->found->data = super->data;
    v->found->parity = super->parity;
    for (unsigned role = 0; role < v->width; role++) {
        const bool unread_log = mask_has(v->members.unread_logs, role);
        if (v->members.member[role] == NULL)
            v->found->missing |= mask_of(role);
        v->found->unreadable += unread_log;
        v->found->by_member[role] += unread_log;
    }
    for (uint64_t stripe = 0; stripe < super->layout.stripes; stripe++)
        if (v->members.written[stripe * super->chunk / super->region])
            check_stripe(v, stripe);
}

int host_verify(char *const *paths, unsigned count, struct host_found *found,
                struct pxr_error *why)
{
    struct verify *v = calloc(1, sizeof *v);
    *found = (struct host_found){.data = 0};
    if (v == NULL)
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    v->found = found;
    int status = verify_members_open(&v->members, paths, count, why);
    if (status == PXR_OK)
        status = prepare(v, why);
    if (status == PXR_OK)
        check_all(v);
    pxr_code_free(v->code);
    free(v->sum);
    free(v->chunk);
    verify_members_close(&v->members);
    free(v);
    return status;
}
