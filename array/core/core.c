/* SPDX-License-Identifier: BSD-3-Clause */
/* A core, its options, and how it is turned. */
#include "config.h"

#include "internal.h"

#include "bytes.h"
#include "why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- code -- */

int make_code(pxr_code **code, unsigned k, unsigned m)
{
    return pxr_code_create(code, k, m, m <= 2 ? PXR_ISAL_VAND : PXR_ISAL_CAUCHY, NULL);
}

/* The hash of the coefficients, which an encoding of unit vectors gives. */
uint64_t matrix_hash(const pxr_code *code, unsigned k, unsigned m)
{
    uint8_t unit[PXA_MAX_MEMBERS][PXA_MAX_MEMBERS] = {{0}};
    uint8_t rows[PXA_MAX_MEMBERS * PXA_MAX_MEMBERS] = {0};
    uint8_t *data[PXA_MAX_MEMBERS], *parity[PXA_MAX_MEMBERS];
    for (unsigned i = 0; i < k; i++) {
        unit[i][i] = 1;
        data[i] = unit[i];
    }
    for (unsigned r = 0; r < m; r++)
        parity[r] = rows + (size_t)r * k;
    if (pxr_encode(code, k, (pxr_inputs)data, parity) != PXR_OK)
        return 0;
    return XXH3_64bits(rows, (size_t)k * m);
}

/* ---------------------------------------------------------------- options -- */

static unsigned choose(unsigned value, unsigned otherwise)
{
    return value != 0 ? value : otherwise;
}

/* A row of a user's write and one of a rebuild have to fit, and as much again in epochs. */
unsigned core_least_pages(unsigned k, unsigned m)
{
    return 4 * (2 * k + m);
}

int core_create(struct core **core, const struct core_options *options)
{
    const struct core_options none = {0};
    if (core == NULL)
        return PXR_EINVAL;
    *core = NULL;
    if (options == NULL)
        options = &none;
    if (options->shards > 64 || options->batch > 64 || options->error_limit > 4096 ||
        options->pages > CORE_MOST_PAGES || options->cache > CORE_MOST_PAGES)
        return PXR_EINVAL;
    struct core *made = calloc(1, sizeof *made);
    if (made == NULL)
        return PXR_ENOMEM;
    made->options = (struct core_options){.shards = choose(options->shards, 32),
                                          .pages = choose(options->pages, 4096),
                                          .cache = options->cache,
                                          .batch = choose(options->batch, 8),
                                          .sync_window = choose(options->sync_window, 32),
                                          .error_limit = choose(options->error_limit, 16),
                                          .sum_pages = choose(options->sum_pages, 1024)};
    made->pace.window = made->options.sync_window;
    *core = made;
    return PXR_OK;
}

void core_free(struct core *core)
{
    if (core == NULL)
        return;
    jobs_destroy(core);
    core_close_array(core);
    free(core);
}

/* ------------------------------------------------------------------ arrays -- */

static int make_map(struct core *core)
{
    struct region_map *map = &core->map;
    const uint64_t size = core->super.layout.stripes * core->super.chunk;
    map->count = map->making = (size - 1) / core->super.region + 1;
    if (map->count > SIZE_MAX / sizeof *map->generation)
        return PXR_ENOMEM;
    map->generation = calloc(map->count, sizeof *map->generation);
    map->touched = calloc(map->count, sizeof *map->touched);
    map->sequence = calloc(core->super.layout.map_pages, sizeof *map->sequence);
    map->dirty = calloc(core->super.layout.map_pages, sizeof *map->dirty);
    map->page = aligned_alloc(CORE_BLOCK, CORE_BLOCK);
    return map->generation == NULL || map->touched == NULL || map->dirty == NULL ||
                   map->sequence == NULL || map->page == NULL
               ? PXR_ENOMEM
               : PXR_OK;
}

static int make_parts(struct core *core)
{
    const unsigned n = core->width;
    core->checkpoint.buffer =
        aligned_alloc(CORE_BLOCK, (size_t)CHECKPOINT_BATCH * n * CORE_BLOCK);
    core->config.buffer = aligned_alloc(CORE_BLOCK, (size_t)n * CORE_BLOCK);
    core->scratch = malloc(CORE_BLOCK);
    core->defects = calloc((size_t)n * core->options.error_limit, sizeof *core->defects);
    if (core->checkpoint.buffer == NULL || core->config.buffer == NULL ||
        core->scratch == NULL || core->defects == NULL)
        return PXR_ENOMEM;
    int status = make_map(core);
    if (status == PXR_OK)
        status = pool_make(&core->pool, core->options.pages, core->options.cache);
    if (status == PXR_OK)
        status = cache_make(&core->cache, core->options.pages, core->options.cache);
    if (status == PXR_OK)
        status = overlay_make(&core->overlay, core->options.pages, n);
    if (status == PXR_OK)
        status = epochs_make(core);
    if (status == PXR_OK)
        status = parts_make(core);
    return status;
}

int core_open_array(struct core *core, struct pxr_error *why)
{
    const struct disk_super *super = &core->super;
    const unsigned k = super->data, m = super->parity;
    core->width = k + m;
    core->stripe_rows = super->chunk / CORE_BLOCK;
    core->geometry = (struct pxa_geometry){.data = k,
                                           .parity = m,
                                           .layout = PXA_LEFT_SYMMETRIC,
                                           .chunk = super->chunk,
                                           .member_size = super->layout.stripes * super->chunk};
    if (core->options.pages < core_least_pages(k, m))
        return pxa_because(why, PXR_EINVAL, "%u pages: k=%u, m=%u need %u", core->options.pages,
                           k, m, core_least_pages(k, m));
    int status = pxa_geometry_check(&core->geometry, why);
    if (status == PXR_OK)
        status = make_code(&core->code, k, m);
    if (status != PXR_OK)
        return status;
    if (matrix_hash(core->code, k, m) != super->matrix_hash)
        return pxa_because(why, PXA_EREFUSED, "the array has another code");
    return make_parts(core);
}

void core_close_array(struct core *core)
{
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        core->member[i].open = false;
    parts_destroy(core);
    epochs_destroy(core);
    overlay_destroy(&core->overlay);
    cache_destroy(&core->cache);
    pool_destroy(&core->pool);
    sums_destroy(core);
    free(core->map.generation);
    free(core->map.touched);
    free(core->map.sequence);
    free(core->map.dirty);
    free(core->map.page);
    free(core->checkpoint.buffer);
    free(core->config.buffer);
    free(core->scratch);
    free(core->defects);
    pxr_code_free(core->code);
    core->map = (struct region_map){.count = 0};
    core->checkpoint = (struct checkpoint){.wanted = false};
    core->config = (struct config){.wanted = false};
    core->sync = (struct sync){.running = false};
    core->scrub = (struct scrub){.running = false};
    memset(core->shards, 0, sizeof core->shards);
    core->code = NULL;
    core->scratch = NULL;
    core->defects = NULL;
    core->assembled = false;
}

/* ----------------------------------------------------------------- turning -- */

bool core_turn(struct core *core)
{
    for (;;) {
        tasks_run(core);
        pool_serve(core);
        bool any = ops_drive(core);
        any = config_drive(core) || any;
        any = sync_drive(core) || any;
        any = scrub_drive(core) || any;
        /* Parts that have just begun may still join the open epoch. */
        if (any || core->ready.first != NULL)
            continue;
        if (epochs_drive(core) || checkpoint_drive(core) || core->ready.first != NULL)
            continue;
        if (core->io_under_way > 0 || core->idle.first == NULL)
            return core->io_under_way > 0;
        task_wake_all(core, &core->idle);
    }
}

void core_commit(struct core *core)
{
    core->epochs.commit_wanted = true;
}

/* ------------------------------------------------------------------ status -- */

static void member_status(const struct core *core, struct core_status *status, unsigned role)
{
    const bool live = sync_is_live(core) && core->sync.role == role;
    status->state[role] = core->super.roles[role].state;
    if (live && status->state[role] == CORE_IN_SYNC)
        status->state[role] = CORE_REBUILDING; /* it is not durable yet */
    status->read_errors[role] = core->member[role].read_errors;
    status->bad_sums[role] = core->member[role].bad_sums;
    if (status->state[role] == CORE_REBUILDING)
        status->rebuilt[role] = live ? core->sync.cursor : core->super.roles[role].cursor;
}

static unsigned length(const struct task_queue *queue)
{
    unsigned count = 0;
    for (const struct task *task = queue->first; task != NULL; task = task->next)
        count++;
    return count;
}

void core_status(const struct core *core, struct core_status *status)
{
    *status = (struct core_status){.assembled = core->assembled, .dead = core->dead};
    if (!core->assembled)
        return;
    status->data = core->super.data;
    status->parity = core->super.parity;
    status->chunk = core->super.chunk;
    status->capacity = pxa_capacity(&core->geometry);
    status->events = core->super.events;
    status->stripes = core->super.layout.stripes;
    for (unsigned role = 0; role < core->width; role++)
        member_status(core, status, role);
    status->lost_rows = core->sync.lost_rows;
    status->scrubbing = core->scrub.running;
    status->scrubbed = core->scrub.stripe;
    status->scrub_rows = core->scrub.rows;
    status->scrub_bad = core->scrub.bad;
    status->scrub_parity = core->scrub.parity;
    status->scrub_repaired = core->scrub.repaired;
    status->scrub_lost = core->scrub.lost;
    status->sync_window = core->pace.window;
    status->epoch = epochs_last_used(core) + 1;
    status->committed = core->epochs.last_committed;
    status->tail = core->tail;
    status->replayed = core->replayed;
    status->dropped = core->dropped;
    status->pages_free = core->pool.available;
    status->pages_least_free = core->pool.least;
    status->cache = core->options.cache;
    status->cached = core->cache.count;
    status->cache_hits = core->cache.hits;
    status->cache_misses = core->cache.misses;
    status->page_waiters = length(&core->pool.waiters);
    for (unsigned i = 0; i < core->options.shards; i++) {
        status->claims += core->shards[i].claims;
        status->contended += core->shards[i].contended;
        status->claim_waiters += core->shards[i].waiting;
    }
}

void *core_device(const struct core *core, unsigned role)
{
    return core->assembled && role < core->width && core->member[role].open
               ? core->member[role].device.self
               : NULL;
}

const uint8_t *core_uuid(const struct core *core, unsigned role)
{
    return core_device(core, role) != NULL ? core->super.roles[role].uuid : NULL;
}

bool core_is_written(const struct core *core, uint64_t offset, uint64_t *end)
{
    const uint64_t capacity = pxa_capacity(&core->geometry);
    const uint64_t size = core->super.region * core->super.data;
    const uint64_t left = size - offset % size;
    *end = capacity - offset > left ? offset + left : capacity;
    return !core->assembled ||
           region_is_written(core, offset / ((uint64_t)core->super.chunk * core->super.data));
}

const char *core_check(const struct core *core)
{
    const struct pool *pool = &core->pool;
    unsigned counted = 0, cached = 0;
    for (const struct page *page = pool->free; page != NULL; page = page->next)
        counted++;
    for (const struct page *page = core->cache.oldest; page != NULL; page = page->newer)
        cached++;
    if (core->assembled && counted + cached != pool->available + core->options.cache)
        return "the count of free pages is wrong";
    if (core->assembled && cached != core->cache.count)
        return "the count of pages in the cache is wrong";
    if (core->assembled && core->io_under_way == 0 && pool->waiters.first != NULL)
        return "somebody waits for pages, and nothing is under way";
    if (cached > core->cache.buckets)
        return "the table of the cache is too small for its pages";
    return claims_check(core);
}
