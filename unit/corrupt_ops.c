/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "corrupt_ops.h"

#include "corrupt_forge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct scene {
    struct folder *folder;
    const struct original *set, *other;
    struct dice *dice;
    unsigned victims[SET_SHARDS]; /* the files that may be corrupted */
    unsigned victim_count;
    char *story;
};

/* ---------------------------------------------------------------- story -- */

static void tell(struct scene *scene, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds to the story.  A text that does not fit is left out, because the seed repeats the case
   anyway. */
static void tell(struct scene *scene, const char *format, ...)
{
    size_t length = strlen(scene->story);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(scene->story + length, STORY - length, format, arguments);
    va_end(arguments);
}

/* -------------------------------------------------------------- choices -- */

static struct folder_file *pick(struct scene *scene)
{
    unsigned victim = scene->victims[dice_below(scene->dice, scene->victim_count)];
    return &scene->folder->file[victim];
}

/* Returns a place in a file, often near its ends or at the start of a record. */
static size_t pick_offset(struct scene *scene, struct bytes bytes)
{
    size_t near = dice_below(scene->dice, 3);
    switch (dice_below(scene->dice, 6)) {
    case 0:
        return near < bytes.size ? near : 0;
    case 1:
        return near < bytes.size ? bytes.size - 1 - near : 0;
    case 2: {
        uint64_t stripes = shard_stripes(&scene->set->header);
        uint64_t stripe = dice_below(scene->dice, (size_t)stripes + 1);
        uint64_t offset =
            SHARD_HEADER_SIZE + stripe * (SHARD_CHECK_SIZE + scene->set->header.cell);
        return offset < bytes.size ? (size_t)offset : dice_below(scene->dice, bytes.size);
    }
    default:
        return dice_below(scene->dice, bytes.size);
    }
}

/* Returns a record that lies completely in the file, or one with size 0. */
static struct bytes pick_record(struct scene *scene, struct bytes bytes)
{
    const struct shard_header *header = &scene->set->header;
    uint64_t stripe = dice_below(scene->dice, (size_t)shard_stripes(header));
    if (shard_stripes(header) == 0)
        return (struct bytes){bytes.at, 0};
    size_t offset = (size_t)shard_record_offset(header, stripe);
    size_t size = SHARD_CHECK_SIZE + shard_cell_length(header, stripe);
    if (offset + size > bytes.size)
        return (struct bytes){bytes.at, 0};
    return (struct bytes){bytes.at + offset, size};
}

/* --------------------------------------------------------------- damage -- */

static void flip_bits(struct scene *scene, struct bytes *bytes)
{
    size_t count = 1 + dice_below(scene->dice, 8);
    for (size_t i = 0; i < count && bytes->size > 0; i++)
        bytes->at[pick_offset(scene, *bytes)] ^= (uint8_t)(1u << dice_below(scene->dice, 8));
    tell(scene, " bits %zu;", count);
}

static void spoil(struct scene *scene, uint8_t *at, size_t length)
{
    static const uint8_t patterns[] = {0, 0xff};
    size_t way = dice_below(scene->dice, 3);
    if (way < 2)
        memset(at, patterns[way], length);
    else
        dice_fill(scene->dice, at, length);
}

static void spoil_run(struct scene *scene, struct bytes *bytes)
{
    size_t from = pick_offset(scene, *bytes);
    size_t length = 1 + dice_below(scene->dice, bytes->size - from);
    if (dice_percent(scene->dice, 70) && length > 600)
        length = 1 + dice_below(scene->dice, 600);
    if (bytes->size > 0)
        spoil(scene, bytes->at + from, length);
    tell(scene, " run %zu+%zu;", from, length);
}

static void spoil_ends(struct scene *scene, struct bytes *bytes)
{
    size_t which = 1 + dice_below(scene->dice, 3);
    if (bytes->size < SHARD_HEADER_SIZE)
        return;
    if (which & 1)
        spoil(scene, bytes->at + dice_below(scene->dice, 500), 12);
    if (which & 2)
        spoil(scene, bytes->at + bytes->size - 12 - dice_below(scene->dice, 500), 12);
    tell(scene, " ends %zu;", which);
}

static void swap_records(struct scene *scene, struct bytes *bytes)
{
    struct folder_file *second = pick(scene);
    bool within = dice_percent(scene->dice, 50);
    if (second->bytes.at == NULL)
        return;
    struct bytes a = pick_record(scene, *bytes);
    struct bytes b = pick_record(scene, within ? *bytes : second->bytes);
    size_t size = a.size < b.size ? a.size : b.size;
    for (size_t i = 0; i < size && a.at != b.at; i++) {
        uint8_t byte = a.at[i];
        a.at[i] = b.at[i];
        b.at[i] = byte;
    }
    tell(scene, " swap %zu with %s;", size, within ? "itself" : second->name);
}

/* Copies a record of a shard into the file, completely or from its middle on. */
static void copy_record(struct scene *scene, struct bytes *bytes)
{
    const struct original *from =
        scene->other->used && dice_percent(scene->dice, 30) ? scene->other : scene->set;
    unsigned shard = (unsigned)dice_below(scene->dice, from->header.k + from->header.m);
    struct bytes a = pick_record(scene, *bytes);
    struct bytes b = pick_record(scene, from->shard[shard]);
    size_t size = a.size < b.size ? a.size : b.size;
    size_t skip = dice_percent(scene->dice, 50) ? 0 : dice_below(scene->dice, size);
    if (size > 0)
        memmove(a.at + skip, b.at + skip, size - skip);
    tell(scene, " record of %s shard %u;", from == scene->set ? "own" : "foreign", shard);
}

/* ----------------------------------------------------------------- size -- */

static void resize(struct scene *scene, struct bytes *bytes, size_t size)
{
    struct bytes resized = {must_allocate(size), size};
    size_t kept = size < bytes->size ? size : bytes->size;
    if (kept > 0)
        memcpy(resized.at, bytes->at, kept);
    if (size > kept)
        spoil(scene, resized.at + kept, size - kept);
    bytes_free(bytes);
    *bytes = resized;
    tell(scene, " size %zu;", size);
}

static void truncate_file(struct scene *scene, struct bytes *bytes)
{
    size_t most = bytes->size < 1100 ? bytes->size : 1100;
    if (dice_percent(scene->dice, 50))
        resize(scene, bytes, bytes->size - dice_below(scene->dice, most + 1));
    else
        resize(scene, bytes, pick_offset(scene, *bytes));
}

static void extend_file(struct scene *scene, struct bytes *bytes)
{
    resize(scene, bytes, bytes->size + 1 + dice_below(scene->dice, 1100));
}

/* Bytes in the middle are cut out, or repeated, so all bytes that follow them move. */
static void shift(struct scene *scene, struct bytes *bytes)
{
    size_t from = dice_below(scene->dice, bytes->size);
    size_t length = dice_below(scene->dice, bytes->size - from);
    bool again = dice_percent(scene->dice, 50);
    struct bytes old = *bytes;
    size_t rest = old.size - from - length;
    bytes->size = again ? old.size + length : old.size - length;
    bytes->at = must_allocate(bytes->size);
    memcpy(bytes->at, old.at, again ? from + length : from);
    if (again)
        memcpy(bytes->at + from + length, old.at + from, length + rest);
    else
        memcpy(bytes->at + from, old.at + from + length, rest);
    bytes_free(&old);
    tell(scene, " %s %zu+%zu;", again ? "twice" : "cut out", from, length);
}

/* ---------------------------------------------------------- whole files -- */

static void empty_file(struct scene *scene, struct bytes *bytes)
{
    bytes->size = 0;
    tell(scene, " empty;");
}

static void remove_file(struct scene *scene, struct bytes *bytes)
{
    bytes_free(bytes);
    tell(scene, " gone;");
}

static void replace(struct bytes *bytes, struct bytes by)
{
    struct bytes copy = bytes_copy(by);
    bytes_free(bytes);
    *bytes = copy;
}

static void foreign_shard(struct scene *scene, struct bytes *bytes)
{
    const struct original *other = scene->other;
    if (!other->used)
        return;
    unsigned shard = (unsigned)dice_below(scene->dice, other->header.k + other->header.m);
    replace(bytes, other->shard[shard]);
    tell(scene, " foreign shard %u;", shard);
}

static void other_index(struct scene *scene, struct bytes *bytes)
{
    const struct folder_file *from =
        &scene->folder->file[dice_below(scene->dice, scene->folder->count)];
    if (from->bytes.at == NULL)
        return;
    replace(bytes, from->bytes);
    tell(scene, " replaced by %s;", from->name);
}

static void swap_files(struct scene *scene, struct bytes *bytes)
{
    struct folder_file *second = pick(scene);
    struct bytes old = *bytes;
    *bytes = second->bytes;
    second->bytes = old;
    tell(scene, " names swapped with %s;", second->name);
}

/* Adds a copy of the file.  Both may be damaged later. */
static void second_copy(struct scene *scene, struct bytes *bytes)
{
    char name[FOLDER_NAME];
    if (scene->folder->count == FOLDER_FILES || scene->victim_count == SET_SHARDS)
        return;
    must_printf(name, sizeof name, "f.copy%u.pxr", scene->folder->count);
    scene->victims[scene->victim_count++] = scene->folder->count;
    folder_add(scene->folder, name, bytes_copy(*bytes));
    tell(scene, " copied as %s;", name);
}

static void forge(struct scene *scene, struct bytes *bytes)
{
    char what[80];
    forge_header(bytes, scene->dice, what, sizeof what);
    tell(scene, " %s;", what);
}

/* ----------------------------------------------------------------- case -- */

static const struct {
    void (*act)(struct scene *scene, struct bytes *bytes);
    unsigned weight;
} acts[] = {
    {flip_bits, 5},     {spoil_run, 5},   {spoil_ends, 4}, {swap_records, 3}, {copy_record, 3},
    {truncate_file, 3}, {extend_file, 2}, {shift, 2},      {empty_file, 1},   {remove_file, 3},
    {foreign_shard, 2}, {other_index, 1}, {swap_files, 1}, {second_copy, 2},  {forge, 3},
};

enum { ACTS = sizeof acts / sizeof acts[0] };

static void act(struct scene *scene)
{
    unsigned sum = 0, i = 0;
    for (unsigned j = 0; j < ACTS; j++)
        sum += acts[j].weight;
    size_t drawn = dice_below(scene->dice, sum);
    for (; drawn >= acts[i].weight; i++)
        drawn -= acts[i].weight;
    struct folder_file *file = pick(scene);
    if (file->bytes.at == NULL)
        return;
    tell(scene, " %s:", file->name);
    acts[i].act(scene, &file->bytes);
}

/* In half of the cases at least k shards are left alone, enough to restore the file. */
static void choose_victims(struct scene *scene)
{
    const struct shard_header *header = &scene->set->header;
    unsigned shards = header->k + header->m, order[SET_SHARDS];
    unsigned most = dice_percent(scene->dice, 50) ? header->m : shards;
    scene->victim_count = 1 + (unsigned)dice_below(scene->dice, most);
    for (unsigned i = 0; i < shards; i++)
        order[i] = i;
    for (unsigned i = 0; i < scene->victim_count; i++) {
        size_t from = i + dice_below(scene->dice, shards - i);
        scene->victims[i] = order[from];
        order[from] = order[i];
    }
}

void corrupt_folder(struct folder *folder, const struct original *set,
                    const struct original *other, struct dice *dice, char story[STORY])
{
    struct scene scene = {
        .folder = folder, .set = set, .other = other, .dice = dice, .story = story};
    story[0] = '\0';
    choose_victims(&scene);
    size_t count = 1 + dice_below(dice, dice_percent(dice, 40) ? 4 : 3 * scene.victim_count);
    for (size_t i = 0; i < count; i++)
        act(&scene);
}
