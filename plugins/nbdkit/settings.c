/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ one setting -- */

static int add_path(char ***paths, unsigned *count, const char *value)
{
    char **grown = realloc(*paths, (*count + 1) * sizeof **paths);
    char *copy = strdup(value);
    if (grown != NULL)
        *paths = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        nbdkit_error("there is not enough memory");
        return -1;
    }
    (*paths)[(*count)++] = copy;
    return 0;
}

static int add_member(struct settings *settings, const char *value)
{
    if (settings->count < PXR_MAX_SHARDS)
        return add_path(&settings->members, &settings->count, value);
    nbdkit_error("%s: an array has at most %d members", value, PXR_MAX_SHARDS);
    return -1;
}

static int add_spare(struct settings *settings, const char *value)
{
    if (settings->spare_count < PXA_MAX_MEMBERS)
        return add_path(&settings->spares, &settings->spare_count, value);
    nbdkit_error("spare=%s: an array has at most %d spares", value, PXA_MAX_MEMBERS);
    return -1;
}

static int take_size(const char *key, const char *value, uint64_t most, uint64_t *size)
{
    const int64_t bytes = nbdkit_parse_size(value);
    if (bytes < 0)
        return -1;
    if ((uint64_t)bytes > most) {
        nbdkit_error("%s=%s: it must be at most %" PRIu64, key, value, most);
        return -1;
    }
    *size = (uint64_t)bytes;
    return 0;
}

/* Whoever opens the array knows how much is too much. */
static int take_cache(struct settings *settings, const char *value)
{
    settings->has_cache = true;
    return take_size("cache", value, INT64_MAX, &settings->cache);
}

static int take_count(const char *key, const char *value, unsigned *number)
{
    if (nbdkit_parse_unsigned(key, value, number) == -1)
        return -1;
    if (*number >= 1 && *number < PXA_MAX_MEMBERS)
        return 0;
    nbdkit_error("%s=%s: it must be from 1 to %d", key, value, PXA_MAX_MEMBERS - 1);
    return -1;
}

static int take_level(struct settings *settings, const char *value)
{
    if (strcmp(value, "4") != 0 && strcmp(value, "5") != 0 && strcmp(value, "6") != 0) {
        nbdkit_error("level=%s: the levels are 4, 5 and 6", value);
        return -1;
    }
    settings->level = (unsigned)(value[0] - '0');
    return 0;
}

static int take_chunk(struct settings *settings, const char *value)
{
    uint64_t size = 0;
    if (take_size("chunk", value, PXA_MAX_CHUNK, &size) == -1)
        return -1;
    if (size == 0) {
        nbdkit_error("chunk=%s: a chunk has at least one byte", value);
        return -1;
    }
    settings->chunk = (uint32_t)size;
    return 0;
}

static int take_layout(struct settings *settings, const char *value)
{
    settings->has_layout = pxa_layout_parse(value, &settings->layout) == PXR_OK;
    if (settings->has_layout)
        return 0;
    nbdkit_error("layout=%s: no layout has this name; nbdkit permxor --dump-plugin lists them",
                 value);
    return -1;
}

static int take_matrix(struct settings *settings, const char *value)
{
    settings->has_matrix = pxr_matrix_parse(value, &settings->matrix) == PXR_OK;
    if (settings->has_matrix)
        return 0;
    nbdkit_error("matrix=%s: no matrix has this name", value);
    return -1;
}

/* One of three names, as its number. */
static int take_name(const char *key, const char *value, const char *const names[3],
                     unsigned *number)
{
    for (*number = 0; *number < 3; ++*number)
        if (strcmp(value, names[*number]) == 0)
            return 0;
    nbdkit_error("%s=%s: it must be %s, %s or %s", key, value, names[0], names[1], names[2]);
    return -1;
}

static int take_check(struct settings *settings, const char *value)
{
    static const char *const names[3] = {"none", "verify", "correct"};
    unsigned number;
    if (take_name("check", value, names, &number) == -1)
        return -1;
    settings->check = (enum pxa_trust)number;
    return 0;
}

static int take_io(struct settings *settings, const char *value)
{
    static const char *const names[3] = {"auto", "threads", "uring"};
    unsigned number;
    if (take_name("io", value, names, &number) == -1)
        return -1;
    settings->io = (enum host_io)number;
    return 0;
}

static int take_set(struct settings *settings, const char *value)
{
    settings->set = value; /* nbdkit keeps it */
    return 0;
}

static int take_bool(const char *value, bool *setting)
{
    const int parsed = nbdkit_parse_bool(value);
    *setting = parsed == 1;
    return parsed == -1 ? -1 : 0;
}

static int take_force(struct settings *settings, const char *value)
{
    return take_bool(value, &settings->force);
}

static int take_write(struct settings *settings, const char *value)
{
    return take_bool(value, &settings->write);
}

/* nbdkit changes the working folder later. */
static int take_control(struct settings *settings, const char *value)
{
    free(settings->control);
    settings->control = nbdkit_absolute_path(value);
    return settings->control != NULL ? 0 : -1;
}

int settings_take(struct settings *settings, const char *key, const char *value)
{
    static const struct {
        const char *key;
        int (*take)(struct settings *settings, const char *value);
    } takers[] = {{"member", add_member},    {"level", take_level},   {"chunk", take_chunk},
                  {"layout", take_layout},   {"matrix", take_matrix}, {"check", take_check},
                  {"set", take_set},         {"force", take_force},   {"write", take_write},
                  {"control", take_control}, {"spare", add_spare},    {"io", take_io},
                  {"cache", take_cache}};
    for (size_t i = 0; i < sizeof takers / sizeof takers[0]; i++)
        if (strcmp(key, takers[i].key) == 0)
            return takers[i].take(settings, value);
    if (strcmp(key, "k") == 0)
        return take_count(key, value, &settings->k);
    if (strcmp(key, "m") == 0)
        return take_count(key, value, &settings->m);
    if (strcmp(key, "offset") == 0)
        return take_size(key, value, PXA_MAX_MEMBER_SIZE, &settings->offset);
    if (strcmp(key, "size") == 0)
        return take_size(key, value, PXA_MAX_MEMBER_SIZE, &settings->size);
    nbdkit_error("%s: there is no such setting; nbdkit permxor --help lists them", key);
    return -1;
}

/* -------------------------------------------------------------- together -- */

bool settings_are_plain(const struct settings *settings)
{
    return settings->m > 0 || settings->level > 0;
}

static int complete_plain(const struct settings *settings)
{
    const unsigned m = settings->m > 0 ? settings->m : settings->level == 6 ? 2 : 1;
    if (settings->level > 0 && (settings->m > 0 || settings->has_matrix))
        nbdkit_error("level says what m and matrix are; leave them out");
    else if (settings->chunk == 0)
        nbdkit_error("chunk is missing: the length of a block, for example chunk=64K");
    else if (settings->set != NULL || settings->force)
        nbdkit_error("set is for shards, and force for arrays of md; leave them out");
    else if (settings->k > 0 && settings->k + m != settings->count)
        nbdkit_error(
            "k=%u and m=%u need %u members, but there are %u; write \"missing\" in place "
            "of one that is lost",
            settings->k, m, settings->k + m, settings->count);
    else if (settings->count <= m || settings->count > PXA_MAX_MEMBERS)
        nbdkit_error("there are %u members; with m=%u there are %u to %d", settings->count, m,
                     m + 1, PXA_MAX_MEMBERS);
    else
        return 0;
    return -1;
}

/* The superblocks say everything. */
static int complete_array(const struct settings *settings)
{
    if (!settings_are_plain(settings) && settings->k == 0 && settings->chunk == 0 &&
        !settings->has_layout && !settings->has_matrix && settings->offset == 0 &&
        settings->size == 0 && settings->set == NULL && !settings->force &&
        settings->check == PXA_TRUST)
        return 0;
    nbdkit_error(
        "write=true is for arrays of 'permxor array create', which describe themselves; "
        "leave the other settings out");
    return -1;
}

int settings_complete(const struct settings *settings)
{
    if (settings->count == 0) {
        nbdkit_error("no member is given; nbdkit permxor --help lists the settings");
        return -1;
    }
    if (settings->write)
        return complete_array(settings);
    if (settings->control != NULL || settings->spare_count > 0 ||
        settings->io != HOST_IO_AUTO || settings->has_cache) {
        nbdkit_error(
            "control, spare, io and cache are for arrays with write=true; leave them out");
        return -1;
    }
    if (settings_are_plain(settings))
        return complete_plain(settings);
    if (settings->k > 0 || settings->chunk > 0 || settings->has_layout ||
        settings->has_matrix || settings->offset > 0 || settings->size > 0) {
        nbdkit_error(
            "k, chunk, layout, matrix, offset and size describe a plain set, which also "
            "needs m or level");
        return -1;
    }
    return 0;
}

static void free_paths(char **paths, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}

void settings_free(struct settings *settings)
{
    free_paths(settings->members, settings->count);
    free_paths(settings->spares, settings->spare_count);
    free(settings->control);
    *settings = (struct settings){0};
}
