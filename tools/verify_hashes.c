/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "verify_hashes.h"

#include "hash_check.h"
#include "message.h"

#include <string.h>

/* Of two sets, the status that the user should rather know. */
static int worse(int a, int b)
{
    static const unsigned char rank[] = {[STATUS_OK] = 0,
                                         [STATUS_SYSTEM] = 1,
                                         [STATUS_DAMAGE] = 2,
                                         [STATUS_REFUSED] = 3,
                                         [STATUS_LOST] = 4};
    return rank[a] >= rank[b] ? a : b;
}

/* Returns the number of records at the start that are of the set of the first one. */
static size_t set_length(const struct hash_record *records, size_t count)
{
    const uint8_t *id = records[0].source->header.id;
    size_t length = 1;
    while (length < count && memcmp(records[length].source->header.id, id, SHARD_ID_SIZE) == 0)
        length++;
    return length;
}

static int check_set(const struct options *options, const struct hash_record *records,
                     size_t count)
{
    struct hash_check check;
    int status = hash_check_set(&check, records, count);
    if (status == STATUS_OK)
        status = hash_check_report(&check, options->quiet);
    hash_check_free(&check);
    return status;
}

static int check_sets(const struct options *options, const struct hash_records *r)
{
    unsigned sets = 0;
    int status = STATUS_OK;
    for (size_t at = 0, length; at < r->count; at += length) {
        length = set_length(r->records + at, r->count - at);
        if (!shard_is_of_set(&r->records[at].source->header, options->set))
            continue;
        sets++;
        status = worse(status, check_set(options, r->records + at, length));
    }
    if (sets == 0)
        return complain(STATUS_REFUSED, "no hash%s%s", options->set != NULL ? " of set " : "",
                        options->set != NULL ? options->set : "");
    return status;
}

int verify_hashes(const struct options *options)
{
    struct hash_records records = {0};
    int status = STATUS_OK;
    if (options->operand_count == 0)
        return complain(STATUS_USAGE, "verify: --hashes: no files given: name the files with "
                                      "the output of 'permxor hash', or - for standard input");
    for (int i = 0; i < options->operand_count && status == STATUS_OK; i++)
        status = hash_records_read(&records, options->operands[i]);
    hash_records_sort(&records);
    if (status == STATUS_OK)
        status = check_sets(options, &records);
    hash_records_free(&records);
    return status;
}
