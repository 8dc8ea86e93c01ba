/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pool of pages.  A part is granted all pages that it can ever need at once, after it has
 * its claim and before it does anything else.  So a part that has pages never waits for more,
 * and those who hold pages always come to an end: parts do not wait for pages again, and what
 * epochs hold goes into place without further pages.  Parts are served in order, also
 * those of a rebuild, for they hold rows.  While others wait, a rebuild has only one.
 *
 * What the cache has counts as free: whoever takes a page may take it from there.
 */
#include "config.h"

#include "internal.h"

#include <stdlib.h>

int pool_make(struct pool *pool, unsigned total, unsigned more)
{
    const size_t pages = (size_t)total + more;
    if (pages > SIZE_MAX / CORE_BLOCK)
        return PXR_ENOMEM;
    pool->memory = aligned_alloc(CORE_BLOCK, pages * CORE_BLOCK);
    pool->pages = calloc(pages, sizeof *pool->pages);
    if (pool->memory == NULL || pool->pages == NULL)
        return PXR_ENOMEM;
    for (size_t i = 0; i < pages; i++) {
        pool->pages[i].bytes = pool->memory + i * CORE_BLOCK;
        page_free(pool, &pool->pages[i]);
    }
    pool->total = pool->available = pool->least = total;
    return PXR_OK;
}

void pool_destroy(struct pool *pool)
{
    free(pool->memory);
    free(pool->pages);
    *pool = (struct pool){0};
}

/* What is granted is free or in the cache, so there is one. */
struct page *page_take(struct core *core)
{
    struct pool *pool = &core->pool;
    if (pool->free == NULL)
        page_free(pool, cache_evict(core));
    struct page *page = pool->free;
    pool->free = page->next;
    page->next = NULL;
    return page;
}

void page_free(struct pool *pool, struct page *page)
{
    page->line = NULL;
    page->next = pool->free;
    pool->free = page;
}

void page_give(struct core *core, struct page *page)
{
    page_free(&core->pool, page);
    core->pool.available++;
}

/* Grants pages to those who wait, as far as they last. */
void pool_serve(struct core *core)
{
    struct pool *pool = &core->pool;
    while (pool->waiters.first != NULL) {
        struct part *part = (struct part *)pool->waiters.first;
        if (pool->available < part->pages_wanted)
            return;
        pool->available -= part->pages_wanted;
        if (pool->available < pool->least)
            pool->least = pool->available;
        task_pop(&pool->waiters);
        rows_get_pages(core, part);
        task_wake(core, &part->task);
    }
}
