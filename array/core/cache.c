/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clean blocks: what the places of members hold, as far as memory still knows.  A page comes
 * here when its block was read and had the right checksum, or when it was written into place.
 *
 * A page counts only where a read of the place would count, and only if it has the checksum
 * that the place has at that moment.  So it is as good as a block that has just been read, and
 * a page that is out of date is no worse than a disk that has lost a write.  Besides that,
 * whoever changes a checksum drops the page of the place.
 *
 * The pages are free ones of the pool.  Those that were used last are kept: when a part takes
 * its pages and no other one is free, it gets the one that was not used for the longest time.
 */
#include "config.h"

#include "internal.h"

#include <stdlib.h>

int cache_make(struct cache *cache, unsigned pool, unsigned more)
{
    if (more == 0)
        return PXR_OK;
    cache->buckets = 1;
    while (cache->buckets < (uint64_t)pool + more)
        cache->buckets *= 2;
    cache->bucket = calloc(cache->buckets, sizeof *cache->bucket);
    return cache->bucket == NULL ? PXR_ENOMEM : PXR_OK;
}

void cache_destroy(struct cache *cache)
{
    free(cache->bucket);
    *cache = (struct cache){.bucket = NULL};
}

bool cache_is_on(const struct core *core)
{
    return core->cache.bucket != NULL;
}

static struct page **bucket_of(const struct core *core, unsigned role, uint64_t block)
{
    const struct cache *cache = &core->cache;
    return &cache->bucket[(block * core->width + role) & (cache->buckets - 1)];
}

static struct page *find(const struct core *core, unsigned role, uint64_t block)
{
    if (!cache_is_on(core))
        return NULL;
    struct page *page = *bucket_of(core, role, block);
    while (page != NULL && (page->role != role || page->place != block))
        page = page->next;
    return page;
}

/* Takes a page out.  It is neither free nor in use then. */
static void take_out(struct core *core, struct page *page)
{
    struct cache *cache = &core->cache;
    struct page **at = bucket_of(core, page->role, page->place);
    while (*at != page)
        at = &(*at)->next;
    *at = page->next;
    *(page->newer != NULL ? &page->newer->older : &cache->newest) = page->older;
    *(page->older != NULL ? &page->older->newer : &cache->oldest) = page->newer;
    cache->count--;
}

void cache_drop(struct core *core, unsigned role, uint64_t block)
{
    struct page *page = find(core, role, block);
    if (page == NULL)
        return;
    take_out(core, page);
    page_free(&core->pool, page);
}

struct page *cache_evict(struct core *core)
{
    struct page *page = core->cache.oldest;
    take_out(core, page);
    return page;
}

bool cache_has(const struct core *core, unsigned role, uint64_t block)
{
    return find(core, role, block) != NULL;
}

bool cache_swap(struct core *core, unsigned role, uint64_t block, uint32_t sum,
                struct page **page)
{
    struct page *found = find(core, role, block);
    if (found == NULL)
        return false;
    if (!disk_sum_matches(sum, core->super.uuid, role, block, found->bytes)) {
        cache_drop(core, role, block);
        return false;
    }
    take_out(core, found);
    page_free(&core->pool, *page);
    *page = found;
    core->cache.hits++;
    return true;
}

void cache_give(struct core *core, struct page *page, unsigned role, uint64_t block)
{
    struct cache *cache = &core->cache;
    if (!cache_is_on(core) || cache_has(core, role, block)) {
        page_give(core, page);
        return;
    }
    struct page **bucket = bucket_of(core, role, block);
    page->line = NULL;
    page->role = role;
    page->place = block;
    page->next = *bucket;
    *bucket = page;
    page->newer = NULL;
    page->older = cache->newest;
    *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = page;
    cache->newest = page;
    cache->count++;
    core->pool.available++;
}
