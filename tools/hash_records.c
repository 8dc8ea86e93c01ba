/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "hash_records.h"

#include "list.h"
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ add -- */

static int no_memory(const char *file)
{
    return complain(STATUS_SYSTEM, "%s: not enough memory for its hashes", file);
}

static bool same_source(const struct hash_source *source, const struct hash_line *line,
                        const char *file)
{
    return source != NULL && source->file == file &&
           shard_same_set(&source->header, &line->header) && source->size == line->size &&
           strcmp(source->key, line->key) == 0;
}

/* Returns the source of a line, which is new unless the line before had the same; NULL: no
   memory. */
static const struct hash_source *source_of(struct hash_records *r, const struct hash_line *line,
                                           const char *file)
{
    if (same_source(r->sources, line, file))
        return r->sources;
    struct hash_source *source = malloc(sizeof *source);
    if (source == NULL)
        return NULL;
    *source = (struct hash_source){r->sources, file, line->header, line->size, {0}};
    source->header.index = 0;
    strcpy(source->key, line->key);
    r->sources = source;
    return source;
}

static int add_line(struct hash_records *r, const struct hash_line *line, const char *file,
                    uint64_t number)
{
    const size_t bytes = (size_t)line->size * hash_parts(&line->header);
    struct hash_record *records = list_grown(r->records, r->count, &r->room, sizeof *records);
    if (records == NULL)
        return no_memory(file);
    r->records = records;
    struct hash_record *record = &records[r->count];
    *record = (struct hash_record){source_of(r, line, file), number,      line->stripe,
                                   line->header.index,       line->state, NULL};
    if (record->source == NULL)
        return no_memory(file);
    if (line->state == SUM_GOOD) {
        record->sum = malloc(bytes);
        if (record->sum == NULL)
            return no_memory(file);
        memcpy(record->sum, line->sum, bytes);
    }
    r->count++;
    return STATUS_OK;
}

/* ----------------------------------------------------------------- read -- */

static int read_lines(struct hash_records *r, FILE *in, const char *file)
{
    char text[HASH_LINE_MOST], why[HASH_WHY];
    struct hash_line line;
    int status = STATUS_OK;
    for (uint64_t number = 1; status == STATUS_OK && fgets(text, sizeof text, in) != NULL;
         number++) {
        size_t length = strcspn(text, "\n");
        /* Without its end, a line is the last one, too long, or has a zero byte. */
        bool ended = text[length] == '\n' || feof(in);
        text[length] = '\0';
        if (!ended)
            return complain(STATUS_REFUSED,
                            "%s:%" PRIu64 ": the line is too long, or is not text", file,
                            number);
        if (!hash_line_parse(text, &line, why))
            return complain(STATUS_REFUSED, "%s:%" PRIu64 ": %s", file, number, why);
        status = add_line(r, &line, file, number);
    }
    if (status == STATUS_OK && ferror(in))
        return complain(STATUS_SYSTEM, "%s: cannot read: %s", file, strerror(errno));
    return status;
}

int hash_records_read(struct hash_records *records, const char *path)
{
    if (strcmp(path, "-") == 0)
        return read_lines(records, stdin, "standard input");
    FILE *in = fopen(path, "re");
    if (in == NULL)
        return complain(STATUS_SYSTEM, "%s: cannot open: %s", path, strerror(errno));
    int status = read_lines(records, in, path);
    fclose(in);
    return status;
}

/* ---------------------------------------------------------------- order -- */

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *first, const void *second)
{
    const struct hash_record *a = first, *b = second;
    int result = memcmp(a->source->header.id, b->source->header.id, SHARD_ID_SIZE);
    if (result == 0)
        result = order(a->stripe + 1, b->stripe + 1); /* HASH_WHOLE becomes 0 */
    if (result == 0)
        result = order(a->shard, b->shard);
    if (result == 0)
        result = order(a->state, b->state); /* SUM_GOOD is the lowest */
    return result != 0 ? result : order(a->line, b->line);
}

void hash_records_sort(struct hash_records *records)
{
    if (records->count > 0)
        qsort(records->records, records->count, sizeof *records->records, compare);
}

void hash_records_free(struct hash_records *records)
{
    for (size_t i = 0; i < records->count; i++)
        free(records->records[i].sum);
    free(records->records);
    while (records->sources != NULL) {
        struct hash_source *next = records->sources->next;
        free(records->sources);
        records->sources = next;
    }
    *records = (struct hash_records){0};
}
