/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "hash_check.h"

#include "message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct hash_level *level;
    uint64_t stripe;                  /* or HASH_WHOLE */
    const struct hash_record *record; /* any one */
    uint8_t *have[PXR_MAX_SHARDS];    /* the hashes */
    bool seen[PXR_MAX_SHARDS];        /* there is a record, with or without a hash */
    unsigned good, unreadable;
};

unsigned hash_check_size(const struct hash_check *check)
{
    return check->header.k + check->header.m;
}

bool hash_check_compared(const struct hash_check *check, unsigned index)
{
    uint64_t stripes = shard_stripes(&check->header);
    return check->whole.shard[index].compared > 0 ||
           (stripes > 0 && check->stripes.shard[index].compared == stripes);
}

/* ----------------------------------------------------------------- items -- */

/*
 * Names the shard that does not belong to the others.  That needs two parity shards, and the
 * hashes of all shards: a hash that was computed follows from others, and one of those is
 * wrong.
 */
static int locate(const struct hash_check *c, struct item *item)
{
    unsigned wrong = hash_check_size(c);
    int result = PXR_EAMBIGUOUS;
    if (item->good == hash_check_size(c) && c->header.m >= 2)
        result = pxr_hash_locate(c->hash, c->code, item->have, &wrong);
    tally_add(&item->level->disagreeing, item->stripe);
    tally_add(result == PXR_EMISMATCH ? &item->level->shard[wrong].wrong
                                      : &item->level->unexplained,
              item->stripe);
    return result == PXR_EMISMATCH || result == PXR_EAMBIGUOUS ? PXR_OK : result;
}

/* Hashes of data shards that are not there are computed from others first. */
static int compare(const struct hash_check *c, struct item *item)
{
    uint8_t *sums[PXR_MAX_SHARDS], *want[PXR_MAX_SHARDS] = {NULL};
    bool missing = false;
    int result = PXR_OK;
    for (unsigned i = 0; i < hash_check_size(c); i++) {
        sums[i] = item->have[i];
        item->level->shard[i].compared += sums[i] != NULL;
        if (sums[i] != NULL || i >= c->header.k)
            continue;
        sums[i] = want[i] = c->room + i * c->bytes;
        missing = true;
    }
    if (missing)
        result = pxr_reconstruct(c->code, c->bytes, item->have, want);
    if (result == PXR_OK)
        result = pxr_hash_check(c->hash, c->code, sums);
    if (result == PXR_EMISMATCH)
        result = locate(c, item);
    if (result == PXR_OK)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s:%" PRIu64 ": the hashes cannot be compared: %s",
                    item->record->source->file, item->record->line, pxr_strerror(result));
}

/*
 * Returns whether the file of a shard is cut short.  'permxor hash --stripes' prints the line
 * of the whole shard last, and no lines of the stripes behind the first one that is missing.
 */
static bool is_cut_short(const struct hash_check *c, unsigned index)
{
    return c->striped[index] && c->whole.shard[index].damaged.count > 0;
}

/* Judges the stripes from `from` to end - 1, which have the records of `item`. */
static void count_losses(struct hash_check *c, const struct item *item, uint64_t from,
                         uint64_t end)
{
    unsigned intact = 0; /* cells */
    unsigned hidden = 0; /* cells of damaged shards without hashes of stripes: maybe intact */
    unsigned unhashed = 0;
    for (unsigned i = 0; i < hash_check_size(c); i++) {
        if (item->have[i] != NULL || c->whole_good[i])
            intact++;
        else if (item->seen[i])
            continue;
        else if (is_cut_short(c, i))
            tally_add_range(&c->stripes.shard[i].damaged, from, end);
        else if (c->first[i] != NULL && !c->striped[i])
            hidden++;
        else
            unhashed++;
    }
    const unsigned k = c->header.k, known = intact + hidden + item->unreadable;
    if (known + unhashed < k)
        tally_add_range(&c->lost, from, end);
    else if (known < k)
        tally_add_range(&c->unhashed, from, end);
    else if (intact < k)
        tally_add_range(hidden > 0 ? &c->hidden : &c->blocked, from, end);
}

static int contradiction(const struct hash_record *a, const struct hash_record *b,
                         const char *what)
{
    return complain(STATUS_REFUSED, "%s:%" PRIu64 ": contradicts %s:%" PRIu64 ": %s",
                    b->source->file, b->line, a->source->file, a->line, what);
}

/* Takes the first of several records of the same shard.  If any has a hash, it has. */
static int add_shard(struct hash_check *c, struct item *item, const struct hash_record *records,
                     size_t count)
{
    unsigned shard = records[0].shard;
    for (size_t i = 1; i < count && records[i].state == SUM_GOOD; i++)
        if (memcmp(records[0].sum, records[i].sum, c->bytes) != 0)
            return contradiction(&records[0], &records[i],
                                 "these are two hashes of the same shard");
    item->seen[shard] = true;
    if (c->first[shard] == NULL)
        c->first[shard] = &records[0];
    /* Another copy is intact as a whole. */
    if (records[0].state != SUM_GOOD && c->whole_good[shard])
        return STATUS_OK;
    switch (records[0].state) {
    case SUM_GOOD:
        item->have[shard] = records[0].sum;
        item->good++;
        break;
    case SUM_DAMAGED:
        tally_add(&item->level->shard[shard].damaged, item->stripe);
        break;
    case SUM_UNREADABLE:
        tally_add(&item->level->shard[shard].unreadable, item->stripe);
        item->unreadable++;
        break;
    }
    return STATUS_OK;
}

typedef bool same_fn(const struct hash_record *a, const struct hash_record *b);

/* Returns the number of records at the start that are the same as the first one. */
static size_t run_of(const struct hash_record *records, size_t count, same_fn *same)
{
    size_t length = 1;
    while (length < count && same(&records[0], &records[length]))
        length++;
    return length;
}

static bool same_stripe(const struct hash_record *a, const struct hash_record *b)
{
    return a->stripe == b->stripe;
}

static bool same_shard(const struct hash_record *a, const struct hash_record *b)
{
    return a->shard == b->shard;
}

static int check_item(struct hash_check *c, const struct hash_record *records, size_t count)
{
    struct item item = {.stripe = records[0].stripe, .record = records};
    const bool whole = item.stripe == HASH_WHOLE;
    item.level = whole ? &c->whole : &c->stripes;
    for (size_t at = 0, copies; at < count; at += copies) {
        copies = run_of(records + at, count - at, same_shard);
        int status = add_shard(c, &item, records + at, copies);
        if (status != STATUS_OK)
            return status;
    }
    for (unsigned i = 0; i < hash_check_size(c) && whole; i++)
        c->whole_good[i] = item.have[i] != NULL;
    if (!whole)
        count_losses(c, &item, item.stripe, item.stripe + 1);
    return item.good > c->header.k ? compare(c, &item) : STATUS_OK;
}

/* ------------------------------------------------------------------ sets -- */

/* The records of a set must describe it in the same way, and have hashes of the same kind. */
static int check_agreement(const struct hash_record *records, size_t count)
{
    const struct hash_source *a = records[0].source;
    for (size_t i = 1; i < count; i++) {
        const struct hash_source *b = records[i].source;
        if (a == b)
            continue;
        if (!shard_same_set(&a->header, &b->header))
            return contradiction(&records[0], &records[i],
                                 "they give the same set another code or length");
        if (a->size != b->size)
            return contradiction(&records[0], &records[i],
                                 "their hashes differ in size; use one --size for all shards");
        if (strcmp(a->key, b->key) != 0)
            return contradiction(&records[0], &records[i],
                                 "their hashes have different keys; use one --key for all "
                                 "shards");
    }
    return STATUS_OK;
}

/* Makes the code of the hashes, and the room for those that are not there. */
static int prepare(struct hash_check *c, const struct hash_record *first)
{
    struct pxr_error why;
    struct shard_header small = c->header;
    if (small.packetsize > 0)
        small.packetsize = first->source->size;
    int result = coding_create(&c->code, &small, &why);
    if (result == PXR_OK)
        result = pxr_hash_create(&c->hash, first->source->size, NULL, &why);
    if (result != PXR_OK)
        return complain(result == PXR_ENOMEM ? STATUS_SYSTEM : STATUS_REFUSED,
                        "%s:%" PRIu64 ": %s", first->source->file, first->line, why.text);
    c->bytes = pxr_hash_bytes(c->hash, c->code);
    c->room = malloc(c->header.k * c->bytes);
    return c->room != NULL ? STATUS_OK : complain(STATUS_SYSTEM, "not enough memory");
}

static void note_striped(struct hash_check *c, const struct hash_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++)
        c->striped[records[i].shard] |= records[i].stripe != HASH_WHOLE;
}

static int check_items(struct hash_check *c, const struct hash_record *records, size_t count)
{
    const struct item nothing = {.level = &c->stripes};
    uint64_t next = 0; /* stripe */
    for (size_t at = 0, length; at < count; at += length) {
        const uint64_t stripe = records[at].stripe;
        length = run_of(records + at, count - at, same_stripe);
        if (stripe != HASH_WHOLE && next < stripe)
            count_losses(c, &nothing, next, stripe);
        int status = check_item(c, records + at, length);
        if (status != STATUS_OK)
            return status;
        next = stripe + 1; /* HASH_WHOLE comes first, and becomes 0 */
    }
    if (next < shard_stripes(&c->header))
        count_losses(c, &nothing, next, shard_stripes(&c->header));
    return STATUS_OK;
}

int hash_check_set(struct hash_check *check, const struct hash_record *records, size_t count)
{
    *check = (struct hash_check){.header = records[0].source->header};
    int status = check_agreement(records, count);
    if (status == STATUS_OK)
        status = prepare(check, records);
    note_striped(check, records, count);
    return status == STATUS_OK ? check_items(check, records, count) : status;
}

void hash_check_free(struct hash_check *check)
{
    free(check->room);
    pxr_hash_free(check->hash);
    pxr_code_free(check->code);
}
