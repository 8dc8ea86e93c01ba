/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "corrupt_facts.h"

#include <stdio.h>
#include <string.h>

/* A party: shards whose headers describe the same set. */
struct party {
    struct shard_header header;
    bool there[PXR_MAX_SHARDS];
    unsigned count;
};

struct parties {
    struct party party[FOLDER_FILES];
    unsigned count;
};

bool is_considered(const struct folder_file *file, enum choice choice)
{
    size_t length = strlen(file->name);
    if (file->bytes.at == NULL)
        return false;
    if (choice == CHOOSE_NAMES)
        return strncmp(file->name, "f.", 2) == 0;
    return file->name[0] != '.' && length > 4 && strcmp(file->name + length - 4, ".pxr") == 0;
}

static bool parse(struct bytes bytes, struct shard_header *header)
{
    unsigned flaws;
    if (bytes.size < SHARD_HEADER_SIZE)
        return false;
    return shard_examine(bytes.size, bytes.at, bytes.at + bytes.size - SHARD_HEADER_SIZE,
                         header, &flaws) == SHARD_PARSED;
}

static bool same_id(const struct shard_header *a, const struct shard_header *b)
{
    return memcmp(a->id, b->id, SHARD_ID_SIZE) == 0;
}

/* Whether a command with this choice uses the file as a shard.  *header gets its header. */
static bool speaks(const struct folder_file *file, const struct original *set,
                   enum choice choice, struct shard_header *header)
{
    return is_considered(file, choice) && parse(file->bytes, header) &&
           (choice != CHOOSE_SET || same_id(header, &set->header));
}

static void count_parties(struct parties *parties, const struct folder *folder,
                          const struct original *set, enum choice choice)
{
    parties->count = 0;
    for (unsigned f = 0; f < folder->count; f++) {
        struct shard_header header;
        unsigned i = 0;
        if (!speaks(&folder->file[f], set, choice, &header))
            continue;
        while (i < parties->count && !shard_same_set(&parties->party[i].header, &header))
            i++;
        struct party *party = &parties->party[i];
        if (i == parties->count) {
            *party = (struct party){.header = header};
            parties->count++;
        }
        party->count += !party->there[header.index];
        party->there[header.index] = true;
    }
}

static unsigned count_of(const struct parties *parties, const struct original *set)
{
    for (unsigned i = 0; i < parties->count && set->used; i++)
        if (shard_same_set(&parties->party[i].header, &set->header))
            return parties->party[i].count;
    return 0;
}

/* Returns facts.honest.  The command refuses shards with several ids.  Among shards with one
   id, it believes the party with the most shards. */
static bool is_honest(const struct parties *parties, const struct original *set,
                      const struct original *other)
{
    unsigned honest = count_of(parties, set) + count_of(parties, other), most = 0;
    for (unsigned i = 0; i < parties->count; i++) {
        if (!same_id(&parties->party[i].header, &parties->party[0].header))
            return true;
        most = parties->party[i].count > most ? parties->party[i].count : most;
    }
    return most <= honest;
}

/* Whether the set's party has more shards than any other one, and no shard has another id. */
static bool is_undisputed(const struct parties *parties, const struct original *set)
{
    unsigned ours = count_of(parties, set);
    for (unsigned i = 0; i < parties->count; i++) {
        const struct party *party = &parties->party[i];
        if (!same_id(&party->header, &set->header))
            return false;
        if (!shard_same_set(&party->header, &set->header) && party->count >= ours)
            return false;
    }
    return ours > 0;
}

static bool has_cell(struct bytes bytes, const struct shard_header *header, uint64_t stripe)
{
    size_t offset = (size_t)shard_record_offset(header, stripe);
    size_t length = shard_cell_length(header, stripe);
    if (offset + SHARD_CHECK_SIZE + length > bytes.size)
        return false;
    const uint8_t *check = bytes.at + offset;
    return shard_cell_intact(header, header->index, stripe, check + SHARD_CHECK_SIZE, length,
                             check);
}

/* Whether each stripe has k good cells in files whose headers are those of the set. */
static bool is_restorable(const struct folder *folder, const struct original *set,
                          enum choice choice)
{
    for (uint64_t stripe = 0; stripe < shard_stripes(&set->header); stripe++) {
        bool there[PXR_MAX_SHARDS] = {false};
        unsigned good = 0;
        for (unsigned f = 0; f < folder->count; f++) {
            const struct folder_file *file = &folder->file[f];
            struct shard_header header;
            if (!speaks(file, set, choice, &header) || !shard_same_set(&header, &set->header) ||
                there[header.index] || !has_cell(file->bytes, &header, stripe))
                continue;
            there[header.index] = true;
            good++;
        }
        if (good < set->header.k)
            return false;
    }
    return true;
}

struct facts folder_facts(const struct folder *folder, const struct original *set,
                          const struct original *other, enum choice choice)
{
    struct parties parties;
    struct facts facts = {.honest = false};
    count_parties(&parties, folder, set, choice);
    facts.honest = is_honest(&parties, set, other);
    facts.must_decode = is_undisputed(&parties, set) && is_restorable(folder, set, choice);
    for (unsigned f = 0; f < folder->count; f++) {
        int shard = is_considered(&folder->file[f], choice)
                        ? original_find(set, folder->file[f].bytes)
                        : -1;
        if (shard >= 0)
            facts.pristine[shard] = true;
    }
    return facts;
}
